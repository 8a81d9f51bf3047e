#include "loading/foreign/mesh_files.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "loading/foreign/mjcf_reader.hpp"
#include "loading/foreign/urdf_reader.hpp"
#include "loading/model/model_assembly.hpp"
#include "spacedyn/loading/foreign.hpp"

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
  let_follow(*model, around.problems);
  move_meshes_of_includes(source, *model);
  return around.problems.error_count() > errors ? nullptr : compose_model(*model);
}

}  // namespace loading::foreign
}  // namespace spacedyn

namespace spacedyn::loading::foreign {

namespace {

std::string scalar_text(const Node& node) { return node.quoted ? name_text(node.text) : node.text; }

std::string flow_text(const Node& node) {
  if (node.is_scalar()) return scalar_text(node);
  std::string text;
  for (const NodePtr& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(*item);
  for (const Entry& entry : node.entries) {
    text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(*entry.value);
  }
  return node.is_mapping() ? '{' + text + '}' : '[' + text + ']';
}

/// What has a line for each key or item; all else, such as a pose, is on one line.
bool is_block(const std::string& key, const Node& node) {
  static const std::vector<std::string> kBlocks = {"",     "model", "base",   "links",
                                                   "link", "joint", "frames", "visual"};
  return !node.is_scalar() && std::find(kBlocks.begin(), kBlocks.end(), key) != kBlocks.end();
}

/// Block style, with what fits on a line on one line.
std::string yaml_of(const std::string& key, const Node& node) {
  if (!is_block(key, node)) return flow_text(node);
  KeyTexts keys;
  for (const Entry& entry : node.entries) {
    keys.emplace_back(entry.key, yaml_of(entry.key, *entry.value));
  }
  std::vector<std::string> items;
  const bool is_flow = key == "visual" || key == "frames";
  for (const NodePtr& item : node.items) {
    items.push_back(is_flow ? flow_text(*item) : yaml_of("link", *item));
  }
  return node.is_mapping() ? block_text(keys) : block_text(items);
}

}  // namespace

/// A document as text.
std::string yaml_of(const Node& document) { return yaml_of("", document).substr(1) + '\n'; }

}  // namespace spacedyn::loading::foreign

namespace spacedyn {
namespace {

using loading::Entry;
using loading::Node;
using loading::NodePtr;
using loading::foreign::moved_path;

/// A tree in which the files of meshes are named as from another folder.
NodePtr with_moved_meshes(const NodePtr& node, const std::string& to) {
  auto copy = std::make_shared<Node>(*node);
  for (NodePtr& item : copy->items) item = with_moved_meshes(item, to);
  for (Entry& entry : copy->entries) {
    entry.value = with_moved_meshes(entry.value, to);
    if (entry.key != "file") continue;
    auto file = std::make_shared<Node>(*entry.value);
    file->text = moved_path(file->text, loading::folder_of(file->mark.source->name()), to);
    entry.value = file;
  }
  return copy;
}

ImportedModel import_document(loading::Session& session, const loading::Document& document,
                              const std::string& target_folder) {
  loading::ProblemList& problems = session.problems();
  if (document.root && !document.is_foreign) {
    problems.error(document.root->mark, "", "expected URDF, MJCF or .def, got a YAML file",
                   "use it as it is");
  }
  if (document.root && document.is_foreign) {
    loading::ModelReader reader(session);
    const loading::ReadModel read = reader.read_document(document);
    const auto model = loading::assemble_model(read, problems);
    if (model) loading::check_regularity(*model, read, problems);
  }
  problems.throw_if_errors();
  ImportedModel imported;
  imported.yaml = loading::foreign::yaml_of(*with_moved_meshes(document.root, target_folder));
  imported.warnings = problems.sorted();
  imported.sources = session.sources().files();
  return imported;
}

}  // namespace

ImportedModel import_model(const std::string& path, const std::string& target_folder,
                           const ImportOptions& options) {
  loading::Session session(options);
  return import_document(session, session.open(path), target_folder);
}

ImportedModel import_model_text(const std::string& text, const std::string& file,
                                const std::string& target_folder, const ImportOptions& options) {
  loading::Session session(options);
  return import_document(session, session.parse(file, text), target_folder);
}

}  // namespace spacedyn
