#include "loading/foreign/mesh_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "spacedyn/collision/convex_hull.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

namespace fs = std::filesystem;

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// The folders of an environment variable, each with an ending.
void add_folders(const char* variable, const std::string& ending, std::vector<std::string>& path) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return;
  std::string_view rest(value);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) path.push_back(std::string(rest.substr(0, end)) + ending);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path.empty() ? fs::path(".") : path, error);
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string in_small_letters(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// What a file that is not in its folder was perhaps meant to be: one with other capitals first.
std::string near_miss(const fs::path& file) {
  std::vector<std::string> known;
  const std::string wanted = file.filename().string();
  std::error_code error;
  const fs::path folder = file.parent_path().empty() ? fs::path(".") : file.parent_path();
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    known.push_back(at->path().filename().string());
  }
  std::sort(known.begin(), known.end());
  const auto same = std::find_if(known.begin(), known.end(), [&](const std::string& name) {
    return in_small_letters(name) == in_small_letters(wanted);
  });
  const std::string nearest = same != known.end() ? *same : nearest_name(wanted, known);
  return nearest.empty() ? "put it there to see it" : "did you mean " + quote(nearest) + '?';
}

}  // namespace

std::string with_slashes(std::string path) {
  std::replace(path.begin(), path.end(), '\\', '/');
  return path;
}

MeshFiles::MeshFiles(std::string folder, const Surroundings& around)
    : folder_(std::move(folder)),
      package_path_(around.options.package_path),
      wanted_(around.options.meshes),
      must_exist_(around.meshes_must_exist),
      open_mesh_(around.open_mesh),
      problems_(around.problems) {
  add_folders("SPACEDYN_PACKAGE_PATH", "", package_path_);
  add_folders("ROS_PACKAGE_PATH", "", package_path_);
  add_folders("AMENT_PREFIX_PATH", "/share", package_path_);
}

std::string MeshFiles::find(const std::string& given, const Mark& mark, const std::string& path) {
  if (!wanted_) return {};
  const std::string name = with_slashes(given);
  for (const std::string_view scheme : {"package://", "model://"}) {
    if (starts_with(name, scheme)) return find_in_package(name.substr(scheme.size()), mark, path);
  }
  const std::string_view file_scheme = "file://";
  if (starts_with(name, file_scheme)) return find_file(name.substr(file_scheme.size()), mark, path);
  if (name.find("://") != std::string::npos) {
    return add_absent(name.substr(0, name.find("://")), name, mark,
                      "meshes are not fetched from " + quote(name),
                      "download them and give their paths");
  }
  return find_file(name, mark, path);
}

std::string MeshFiles::find_file(const std::string& name, const Mark& mark,
                                 const std::string& path) {
  const fs::path file = fs::path(folder_) / name;
  if (!must_exist_ || is_file(file)) return name;
  if (is_folder(file.parent_path())) {
    return leave_out(file, quote(name) + " is not in its folder", mark, path);
  }
  const std::string parent = fs::path(name).parent_path().string();
  return add_absent(parent, name, mark,
                    "the folder " + quote(parent) + " of its meshes is not here",
                    "put the meshes there to see them");
}

std::string MeshFiles::find_in_package(const std::string& name, const Mark& mark,
                                       const std::string& path) {
  const std::size_t slash = std::min(name.find('/'), name.size());
  const std::string package = name.substr(0, slash);
  const std::string folder = package_folder(package);
  if (folder.empty()) {
    return add_absent(package, name, mark,
                      "the package " + quote(package) + " of its meshes is not found",
                      "name the folder that has it in SPACEDYN_PACKAGE_PATH or --package-path");
  }
  const fs::path file = fs::path(folder) / name.substr(std::min(slash + 1, name.size()));
  if (!must_exist_ || is_file(file)) return fs::absolute(file).lexically_normal().string();
  if (!is_folder(file.parent_path())) {
    return add_absent(
        file.parent_path().string(), name, mark,
        "the folder " + quote(file.parent_path().string()) + " of its meshes is not here",
        "put the meshes there to see them");
  }
  return leave_out(file, quote(name) + " is not in the package at " + quote(folder), mark, path);
}

std::string MeshFiles::leave_out(const std::string& file, const std::string& what, const Mark& mark,
                                 const std::string& path) {
  if (missing_.insert(file).second) {
    problems_.warning(mark, path, "a mesh is left out: " + what, near_miss(file));
  }
  return {};
}

std::string MeshFiles::package_folder(const std::string& package) const {
  if (package.empty() || package == "." || package == "..") return {};
  for (const std::string& folder : package_path_) {
    if (is_folder(fs::path(folder) / package)) return (fs::path(folder) / package).string();
    if (fs::path(folder).filename() == package && is_folder(folder)) return folder;
  }
  // the file may lie inside of the package, or beside it
  std::error_code error;
  fs::path at = fs::absolute(folder_.empty() ? "." : folder_, error).lexically_normal();
  while (!error && at.has_relative_path()) {
    if (at.filename() == package) return at.string();
    if (is_folder(at / package)) return (at / package).string();
    at = at.parent_path();
  }
  return {};
}

TriangleMesh MeshFiles::open(const std::string& mesh) const {
  return open_mesh_((fs::path(folder_) / mesh).string());
}

bool MeshFiles::has_hull(const std::string& mesh, const Mark& mark, const std::string& path) {
  const auto [flaw, is_new] = hull_flaws_.try_emplace(mesh);
  if (is_new) {
    try {
      const ConvexHull hull(open(mesh).points);
    } catch (const Error& error) {
      flaw->second = error.what();
    }
  }
  if (flaw->second.empty()) return true;
  problems_.warning(mark, path, "a shape for contacts is left out: " + flaw->second);
  return false;
}

std::string MeshFiles::add_absent(const std::string& key, const std::string& mesh, const Mark& mark,
                                  const std::string& message, const std::string& hint) {
  const auto [entry, is_new] = absent_.emplace(key, Absent{mark, message, hint, {}});
  entry->second.meshes.insert(mesh);
  return {};
}

void MeshFiles::report() const {
  if (!must_exist_) return;
  for (const auto& [key, absent] : absent_) {
    const std::string count = absent.meshes.size() == 1
                                  ? "a mesh is"
                                  : std::to_string(absent.meshes.size()) + " meshes are";
    problems_.warning(absent.mark, "", absent.message + ": " + count + " left out", absent.hint);
  }
}

std::string moved_path(const std::string& path, const std::string& from, const std::string& to) {
  if (fs::path(path).is_absolute() || path.find("://") != std::string::npos) return path;
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::path(from) / path, error);
  const fs::path base = fs::weakly_canonical(to.empty() ? fs::path(".") : fs::path(to), error);
  const fs::path moved = whole.lexically_relative(base);
  return error || moved.empty() ? whole.string() : moved.string();
}

}  // namespace spacedyn::loading::foreign
