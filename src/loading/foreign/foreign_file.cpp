#include "loading/foreign/foreign_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>

#include "loading/foreign/def_reader.hpp"
#include "loading/foreign/foreign_model.hpp"
#include "loading/foreign/mesh_files.hpp"
#include "loading/foreign/mjcf_reader.hpp"
#include "loading/foreign/urdf_reader.hpp"
#include "loading/foreign/xml.hpp"
#include "loading/keys/session.hpp"
#include "loading/yaml/other_names.hpp"

namespace spacedyn {

bool is_foreign_model(const std::string& path) {
  return loading::foreign::format_of(path, "").has_value();
}

namespace loading::foreign {
namespace {

std::string extension_of(const std::string& name) {
  std::string extension = std::filesystem::path(name).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::optional<ForeignModel> read_xml(const Source& source, const Surroundings& around) {
  ProblemList& problems = around.problems;
  auto root = xml::parse(source, problems);
  if (!root) return std::nullopt;
  MeshFiles meshes(folder_of(source.name()), around);
  if (root->name == "robot") return UrdfReader(*root, meshes, problems).read();
  if (root->name == "mujoco") return read_mjcf(std::move(*root), source, meshes, around);
  const bool is_sdf = root->name == "sdf" || root->name == "gazebo";
  problems.error(root->mark, "",
                 "expected <robot> (URDF) or <mujoco> (MJCF), got " + quote(root->name),
                 std::string(is_sdf ? hint_of_other_name("format", ".sdf") : ""));
  return std::nullopt;
}

/// Paths of meshes start from the folder of the outermost file; in a tree they start from that of
/// the file that a node comes from, which may be included from elsewhere.
void move_meshes_of_includes(const Source& source, ForeignModel& model) {
  const std::string folder = folder_of(source.name());
  const auto move = [&](ForeignBody& body) {
    for (auto* shapes : {&body.visuals, &body.collisions}) {
      for (ForeignVisual& shape : *shapes) {
        if (shape.mesh.empty() || shape.mark.source == &source) continue;
        shape.mesh = moved_path(shape.mesh, folder, folder_of(shape.mark.source->name()));
      }
    }
  };
  move(model.base);
  for (ForeignLink& link : model.links) move(link);
}

}  // namespace

std::optional<Format> format_of(const std::string& name, const std::string& text) {
  const std::string extension = extension_of(name);
  for (const char* known : {".urdf", ".xml", ".mjcf"}) {
    if (extension == known) return Format::xml;
  }
  if (extension == ".def") return Format::def;
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::string_view rest = std::string_view(text).substr(begin);
  for (const std::string_view start : {"<?xml", "<!--", "<robot", "<mujoco"}) {
    if (rest.substr(0, start.size()) == start) return Format::xml;
  }
  const std::string_view def_start = "###Parameters_for_MODEL";
  return rest.substr(0, def_start.size()) == def_start ? std::optional(Format::def) : std::nullopt;
}

NodePtr compose_foreign(const Source& source, Format format, const Surroundings& around) {
  const std::size_t errors = around.problems.error_count();
  auto model = format == Format::def ? read_def(source, around.problems) : read_xml(source, around);
  if (!model || around.problems.error_count() > errors) return nullptr;
  model->fixed = model->fixed || around.options.fixed_base;
  condition(*model, around.problems);
  move_meshes_of_includes(source, *model);
  return around.problems.error_count() > errors ? nullptr : compose_model(*model);
}

}  // namespace loading::foreign
}  // namespace spacedyn
