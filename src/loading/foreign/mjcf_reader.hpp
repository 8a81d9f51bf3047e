/// @file
/// Reads MJCF: models of MuJoCo.
#pragma once

#include <optional>
#include <string>

#include "loading/foreign/mjcf_parts.hpp"

namespace spacedyn::loading::foreign {

/// What MuJoCo calls the body that <worldbody> is.
inline const std::string kWorld = "world";

/// Puts the content of included files in the place of each <include>.
/// @returns false where one cannot be read, which is reported
bool expand_includes(xml::Element& root, const Source& source, const Surroundings& around);

/// Puts copies of what a <replicate> holds in its place, each in one more <frame>.
/// @returns false where they are nested too deeply, which is reported
bool expand_replicates(xml::Element& root, ProblemList& problems);

/// Reads a model with its includes; nothing where one of them cannot be read.
std::optional<ForeignModel> read_mjcf(xml::Element root, const Source& source, MeshFiles& meshes,
                                      const Surroundings& around);

}  // namespace spacedyn::loading::foreign
