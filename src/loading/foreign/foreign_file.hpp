/// @file
/// Which files are foreign, and their way into a tree of the YAML format.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "loading/foreign/foreign_model.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn::loading::foreign {

enum class Format { xml, def };

/// The format of a file by its name and, where that says nothing, by how its text begins; nothing
/// for YAML.
std::optional<Format> format_of(const std::string& name, const std::string& text);

/// What readers of foreign files need besides the text.
struct Surroundings {
  const ImportOptions& options;
  bool meshes_must_exist = true;
  /// Opens a file that is included. @throws IoError
  std::function<const Source&(const std::string&)> open;
  /// Reads the file of a mesh. @throws IoError
  std::function<TriangleMesh(const std::string&)> open_mesh;
  ProblemList& problems;
};

/// The tree of a foreign model; nothing where it has errors, which are reported.
NodePtr compose_foreign(const Source& source, Format format, const Surroundings& around);

/// The model; what is wrong with the file is reported.
///
/// The file is a list of words in a fixed order: the names before the numbers are not looked at
/// beyond their kind, as the original reader does (DEOS.def says CtoJ_1_1 where JtoC_1_1 is meant).
std::optional<ForeignModel> read_def(const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading::foreign
