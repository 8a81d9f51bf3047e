#include "loading/foreign/foreign_file.hpp"
#include "loading/foreign/mesh_files.hpp"
#include "loading/foreign/yaml_of_tree.hpp"
#include "loading/keys/session.hpp"
#include "loading/model/model_assembly.hpp"
#include "spacedyn/loading/texts.hpp"

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
