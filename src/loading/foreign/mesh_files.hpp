/// @file
/// Which files are foreign, their way into a tree of the YAML format, and the meshes that they
/// name.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

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

/// Resolves paths, `file://`, `package://` and `model://`.
///
/// The robot flies without the meshes that are not there: one warning for each that its folder
/// lacks, with the name that it perhaps should have, and one for each folder or package that did
/// not come along with the file.
class MeshFiles {
 public:
  /// @param folder  of the foreign file, from which relative paths start
  MeshFiles(std::string folder, const Surroundings& around);

  /// Path of a mesh as seen from the folder of the file, or absolute; empty: leave it out.
  std::string find(const std::string& given, const Mark& mark, const std::string& path);
  /// Triangles of a file that was found. @throws IoError
  TriangleMesh open(const std::string& mesh) const;
  /// Whether a file that was found has a convex hull; a warning says why it has none.
  bool has_hull(const std::string& mesh, const Mark& mark, const std::string& path);
  /// Reports what did not come along.
  void report() const;

 private:
  struct Absent {
    Mark mark;
    std::string message;
    std::string hint;
    std::set<std::string> meshes;  ///< each counts once
  };

  std::string find_file(const std::string& name, const Mark& mark, const std::string& path);
  std::string find_in_package(const std::string& name, const Mark& mark, const std::string& path);
  /// Warns, once of each file, of one that its folder lacks. @returns an empty text
  std::string leave_out(const std::string& file, const std::string& what, const Mark& mark,
                        const std::string& path);
  /// Folder of a package, empty where it is not found.
  std::string package_folder(const std::string& package) const;
  /// Notes a mesh that did not come along, under what is missing.
  std::string add_absent(const std::string& key, const std::string& mesh, const Mark& mark,
                         const std::string& message, const std::string& hint);

  std::string folder_;
  std::vector<std::string> package_path_;
  bool wanted_;
  bool must_exist_;  // whether the disk is asked at all
  std::function<TriangleMesh(const std::string&)> open_mesh_;
  ProblemList& problems_;
  std::map<std::string, Absent> absent_;
  std::set<std::string> missing_;
  std::map<std::string, std::string> hull_flaws_;  ///< why a mesh has no hull; empty where it has
};

/// A path of Windows, with backslashes, as one of this system.
std::string with_slashes(std::string path);

/// A path as seen from another folder; absolute ones stay.
std::string moved_path(const std::string& path, const std::string& from, const std::string& to);

}  // namespace spacedyn::loading::foreign
