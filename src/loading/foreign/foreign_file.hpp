/// @file
/// Which files are foreign, and their way into a tree of the YAML format.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "loading/yaml/node.hpp"
#include "loading/yaml/problem_list.hpp"
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

}  // namespace spacedyn::loading::foreign
