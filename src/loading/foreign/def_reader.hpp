/// @file
/// Reads `.def` model files of the C++ release of SpaceDyn.
#pragma once

#include <optional>

#include "loading/foreign/foreign_model.hpp"

namespace spacedyn::loading::foreign {

/// The model; what is wrong with the file is reported.
///
/// The file is a list of words in a fixed order: the names before the numbers are not looked at
/// beyond their kind, as the original reader does (DEOS.def says CtoJ_1_1 where JtoC_1_1 is meant).
std::optional<ForeignModel> read_def(const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading::foreign
