#include <algorithm>
#include <functional>
#include <utility>

#include "loading/foreign/foreign_file.hpp"
#include "loading/method_change.hpp"
#include "loading/model_assembly.hpp"
#include "loading/overrides.hpp"
#include "loading/scenario_document.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/start_check.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn {
namespace {

using loading::Document;
using loading::Entry;
using loading::Node;
using loading::NodePtr;
using loading::ParsedOverride;
using loading::read_scenario;
using loading::Session;
using loading::Value;

/// A model, and the file it came from if it has one of its own.
struct ScenarioModel {
  std::shared_ptr<const Model> model;
  std::string file;
  std::vector<ModalAppendage> modal_appendages;
};

/// The modal appendages of a model that could be built.
std::vector<ModalAppendage> modal_appendages(const loading::ReadModel& read,
                                             const std::shared_ptr<const Model>& model) {
  std::vector<ModalAppendage> appendages;
  if (!model) return appendages;
  for (const loading::ModalAppendageNote& note : read.modal_appendages) {
    appendages.push_back({note.name, model->frame(note.name).body, note.first_frequency});
  }
  return appendages;
}

bool reaches_into_model_file(const ParsedOverride& change, const NodePtr& root) {
  if (change.path.front() != "model" || change.path.size() == 1) return false;
  const Entry* scenario = root->find("scenario");
  const Entry* model = scenario == nullptr ? nullptr : scenario->value->find("model");
  return model != nullptr && model->value->is_scalar();
}

/// Sets a value below a top-level key of a document.
void change_document(Document& document, const std::string& key, const ParsedOverride& change,
                     std::size_t first, loading::ProblemList& problems) {
  if (!document.root || !document.root->is_mapping()) return;
  Node root = *document.root;
  for (Entry& entry : root.entries) {
    if (entry.key == key) {
      entry.value = loading::apply_override(entry.value, change, first, key, problems);
    }
  }
  document.root = std::make_shared<Node>(std::move(root));
}

ScenarioModel read_model_file(Session& session, const Value& value, const std::string& file,
                              const std::vector<ParsedOverride>& changes) {
  loading::ProblemList& problems = session.problems();
  const auto name = loading::read_text(value, problems);
  if (!name || loading::refuse_unknown_format(value, *name, problems)) return {};
  ScenarioModel result;
  result.file = loading::resolve_path(loading::folder_of(file), *name);
  try {
    Document document = session.open(result.file);
    for (const ParsedOverride& change : changes) {
      change_document(document, "model", change, 1, problems);
    }
    const loading::ReadModel read = loading::ModelReader(session).read_document(document);
    result.model = loading::assemble_model(read, problems);
    result.modal_appendages = modal_appendages(read, result.model);
  } catch (const IoError& error) {
    problems.error(value.node->mark, value.path,
                   std::string("expected a model file that can be read, got ") + error.what());
  }
  return result;
}

ScenarioModel read_model(Session& session, const Value& value, const std::string& file,
                         const std::vector<ParsedOverride>& changes,
                         loading::ReadContext& context) {
  if (!value.node->is_mapping()) {
    if (value.node->is_scalar()) return read_model_file(session, value, file, changes);
    session.problems().error(
        value.node->mark, value.path,
        "expected the path of a model file or a model, got " + loading::describe(*value.node));
    return {};
  }
  const loading::ReadModel read = loading::ModelReader(session).read_model(value, context);
  ScenarioModel result;
  result.model = loading::assemble_model(read, session.problems());
  result.modal_appendages = modal_appendages(read, result.model);
  return result;
}

/// Applies overrides: those below `scenario:` to the document, the rest is returned for the model
/// file.
std::vector<ParsedOverride> change_scenario(Session& session, Document& document,
                                            const std::vector<Override>& overrides) {
  std::vector<ParsedOverride> for_model_file;
  const NodePtr before = document.root;
  for (const ParsedOverride& change : loading::parse_overrides(overrides, session)) {
    if (document.root && reaches_into_model_file(change, document.root)) {
      for_model_file.push_back(change);
    } else {
      change_document(document, "scenario", change, 0, session.problems());
    }
  }
  document.root = loading::leave_out_misfits(before, document.root, session.problems());
  return for_model_file;
}

std::map<std::string, std::string> sections_of(const Node& scenario) {
  std::map<std::string, std::string> sections;
  for (const Entry& entry : scenario.entries) {
    const auto& key = entry.key;
    if (key == "name" || key == "model" || key == "description" || key == "source") continue;
    sections[key] = loading::canonical_text(*entry.value);
  }
  return sections;
}

}  // namespace

Scenario loading::read_scenario(Session& session, Document document,
                                const std::vector<Override>& overrides) {
  loading::ProblemList& problems = session.problems();
  const auto model_changes = change_scenario(session, document, overrides);
  loading::ReadContext context{problems, {}};
  Scenario scenario;
  if (const auto value = loading::read_file_frame(document, "scenario", context)) {
    loading::MapReader map(*value, context);
    const auto place = map.require("model", "the path of a model file or a model");
    ScenarioModel model;
    if (place) model = read_model(session, *place, document.source->name(), model_changes, context);
    scenario = loading::ScenarioReader(map, model.model).read();
    scenario.model_file = model.file;
    scenario.modal_appendages = model.modal_appendages;
    scenario.sections = sections_of(*value->node);
    if (!problems.has_errors()) {
      loading::check_start_regularity(scenario, *place, problems);
      loading::check_modal_rates(scenario, *place, problems);
      loading::check_magnitudes(scenario, *value, problems);
      loading::check_cost(scenario, *value, problems);
      loading::check_result_size(scenario, *value, problems);
    }
  }
  problems.throw_if_errors();
  scenario.file = document.source->name();
  for (Diagnostic& found : problems.sorted()) {
    auto& list = found.severity == Severity::note ? scenario.remarks : scenario.warnings;
    list.push_back(std::move(found));
  }
  scenario.sources = session.sources().files();
  return scenario;
}

namespace {

/// The text among several that is a scenario.
std::string find_scenario(const std::map<std::string, std::string>& texts) {
  for (const auto& [path, text] : texts) {
    if (loading::foreign::format_of(path, text)) continue;
    Session session;
    const Document document = session.parse(path, text);
    const bool is_mapping = document.root && document.root->is_mapping();
    if (is_mapping && document.root->find("scenario") != nullptr) return path;
  }
  throw IoError("no scenario is among the texts that were kept");
}

using Opener = std::function<Document(Session&)>;

/// Whether a scenario is valid as its file has it.
bool is_valid_without_overrides(const Opener& open) {
  try {
    Session session;
    read_scenario(session, open(session), {});
    return true;
  } catch (const Error&) {
    return false;
  }
}

Scenario load(const Opener& open, const std::vector<Override>& overrides) {
  try {
    Session session;
    return read_scenario(session, open(session), overrides);
  } catch (const ParseError& error) {
    // an override may break a rule at a place of the file, far from itself
    if (overrides.empty() || !is_valid_without_overrides(open)) throw;
    throw OverrideError(error.what());
  }
}

}  // namespace

Scenario load_scenario(const std::string& path, const std::vector<Override>& overrides) {
  return load([&](Session& session) { return session.open(path); }, overrides);
}

Scenario parse_scenario(const std::string& text, const std::string& file,
                        const std::vector<Override>& overrides) {
  return load([&](Session& session) { return session.parse(file, text); }, overrides);
}

Scenario reload_scenario(const std::map<std::string, std::string>& sources,
                         const std::vector<Override>& overrides) {
  Session session(sources);
  return read_scenario(session, session.open(find_scenario(sources)), overrides);
}

FileKind file_kind(const std::string& path) {
  Session session;
  const Document& document = session.open(path);
  if (document.root) {
    const bool is_model = document.root->find("model") != nullptr;
    const bool is_scenario = document.root->find("scenario") != nullptr;
    if (is_model != is_scenario) return is_model ? FileKind::model : FileKind::scenario;
    session.problems().error(document.root->mark, "",
                             std::string("expected one of the keys 'model' and 'scenario', got ") +
                                 (is_model ? "both" : "neither"));
  }
  throw ParseError(session.problems().sorted());
}

}  // namespace spacedyn
