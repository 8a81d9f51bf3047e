/// @file
/// Finds the files of meshes that a foreign file names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "loading/yaml/problem_list.hpp"
#include "spacedyn/loading/foreign.hpp"

namespace spacedyn::loading::foreign {

/// Resolves paths, `file://`, `package://` and `model://`.
///
/// A mesh that is not where its folder is, is an error. Where the folder or the package itself is
/// not here, the pictures did not come along with the file: one warning, and the robot flies
/// without them.
class MeshFiles {
 public:
  /// @param file       the foreign file, whose folder relative paths start from
  /// @param must_exist whether the disk is asked at all
  MeshFiles(std::string folder, const ImportOptions& options, bool must_exist,
            ProblemList& problems);

  /// Path of a mesh as seen from the folder of the file, or absolute; empty: leave it out.
  std::string find(const std::string& name, const Mark& mark, const std::string& path);
  /// Reports what did not come along.
  void report() const;

 private:
  struct Absent {
    Mark mark;
    std::string message;
    std::string hint;
    int count = 0;
  };

  std::string find_file(const std::string& name, const Mark& mark, const std::string& path);
  std::string find_in_package(const std::string& name, const Mark& mark, const std::string& path);
  /// Folder of a package, empty where it is not found.
  std::string package_folder(const std::string& package) const;
  std::string add_absent(const std::string& key, const Mark& mark, const std::string& message,
                         const std::string& hint);

  std::string folder_;
  std::vector<std::string> package_path_;
  bool wanted_;
  bool must_exist_;
  ProblemList& problems_;
  std::map<std::string, Absent> absent_;
};

/// A path as seen from another folder; absolute ones stay.
std::string moved_path(const std::string& path, const std::string& from, const std::string& to);

}  // namespace spacedyn::loading::foreign
