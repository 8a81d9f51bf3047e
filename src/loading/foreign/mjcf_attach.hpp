/// @file
/// Models of MJCF that stand in others.
#pragma once

#include <string>
#include <vector>

#include "loading/foreign/foreign_file.hpp"
#include "loading/foreign/mjcf_compiler.hpp"

namespace spacedyn::loading::foreign {

/// Puts bodies of other models in the place of each <attach>, in a <frame> of their own, and what
/// refers to them outside of the bodies at the end of the root: defaults, assets, equalities.
///
/// As MuJoCo has it, names get the prefix, and each model is read by the settings of its own
/// <compiler>, whose number is `Element::model`.
/// @param file       of the root, whose folder paths of models start from
/// @param compilers  that of the root; others are added
/// @returns false where one cannot be read, which is reported
bool expand_attachments(xml::Element& root, const std::string& file, const Surroundings& around,
                        std::vector<MjcfCompiler>& compilers);

/// What all <compiler>s of a model say together.
MjcfCompiler read_compiler(const xml::Element& root, ProblemList& problems);

}  // namespace spacedyn::loading::foreign
