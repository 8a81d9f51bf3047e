#include "loading/scenario/scenario_model.hpp"

#include "loading/foreign/foreign_file.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading {
namespace {

/// The modal appendages of a model that could be built.
std::vector<ModalAppendage> modal_appendages(const ReadModel& read,
                                             const std::shared_ptr<const Model>& model) {
  std::vector<ModalAppendage> appendages;
  if (!model) return appendages;
  for (const ModalAppendageNote& note : read.modal_appendages) {
    appendages.push_back({note.name, model->frame(note.name).body, note.first_frequency});
  }
  return appendages;
}

/// @param additions  to the model of the file; null for none
ScenarioModel read_model_file(Session& session, const Value& value, const std::string& file,
                              const std::vector<ParsedOverride>& changes, std::size_t first,
                              MapReader* additions) {
  ProblemList& problems = session.problems();
  const auto name = read_text(value, problems);
  if (!name || refuse_unknown_format(value, *name, problems)) return {};
  ScenarioModel result;
  result.file = resolve_path(folder_of(file), *name);
  try {
    Document document = session.open(result.file);
    for (const ParsedOverride& change : changes) {
      change_document(document, "model", change, first, problems);
    }
    if (additions != nullptr && !add_to_model(*additions, document)) return result;
    const ReadModel read = ModelReader(session).read_document(document);
    result.model = assemble_model(read, problems);
    result.modal_appendages = modal_appendages(read, result.model);
  } catch (const IoError& error) {
    problems.error(value.node->mark, value.path,
                   std::string("expected a model file that can be read, got ") + error.what());
  }
  return result;
}

std::string model_or_file_schema() {
  return any_of_schema(
      {text_schema(), reference_schema("model"), model_with_additions_schema()},
      "Path of a model file, relative to this one, with additions or without, or a "
      "model");
}

}  // namespace

extern const SchemaDefinition kModelOrFileDefinition{"model_or_file", model_or_file_schema};

void change_document(Document& document, const std::string& key, const ParsedOverride& change,
                     std::size_t first, ProblemList& problems) {
  if (!document.root || !document.root->is_mapping()) return;
  Node root = *document.root;
  for (Entry& entry : root.entries) {
    if (entry.key == key) {
      entry.value = apply_override(entry.value, change, first, key, problems);
    }
  }
  document.root = std::make_shared<Node>(std::move(root));
}

ScenarioModel read_scenario_model(Session& session, const Value& value, const std::string& file,
                                  const std::vector<ParsedOverride>& changes, std::size_t first,
                                  ReadContext& context) {
  if (value.node->is_mapping() && is_model_file(*value.node)) {
    MapReader map(value, context);
    const auto name = map.require("file", "the path of a model file");
    ScenarioModel result;
    if (name) result = read_model_file(session, *name, file, changes, first, &map);
    // known also where there was no file to add them to
    for (const char* key : {"frames", "loops", "collision"}) map.find(key);
    map.finish();
    return result;
  }
  if (!value.node->is_mapping()) {
    if (value.node->is_scalar()) {
      return read_model_file(session, value, file, changes, first, nullptr);
    }
    session.problems().error(
        value.node->mark, value.path,
        "expected the path of a model file or a model, got " + describe(*value.node));
    return {};
  }
  const ReadModel read = ModelReader(session).read_model(value, context);
  ScenarioModel result;
  result.model = assemble_model(read, session.problems());
  result.modal_appendages = modal_appendages(read, result.model);
  return result;
}

}  // namespace spacedyn::loading
