#include <algorithm>

#include "loading/foreign/mesh_files.hpp"
#include "loading/scenario/scenario_model.hpp"
#include "loading/scenario/sections.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "system/motion_of.hpp"

namespace spacedyn {
namespace {

using namespace loading;

/// Whether a key below `model` leads into a file of its own.
bool is_in_file(const Node& mapping, const std::string& key) {
  const Entry* model = mapping.find("model");
  if (model == nullptr || !is_model_file(*model->value)) return false;
  return model->value->is_scalar() || model->value->find(key) == nullptr;
}

/// Whether an override is about a model in a file of its own, be it that of one of several robots.
bool reaches_into_model_file(const ParsedOverride& change, const NodePtr& root) {
  const Entry* scenario = root->find("scenario");
  if (scenario == nullptr || !scenario->value->is_mapping()) return false;
  const std::vector<std::string>& path = change.path;
  if (path.front() == "model") return path.size() > 1 && is_in_file(*scenario->value, path[1]);
  if (path.front() != "robots" || path.size() < 4 || path[2] != "model") return false;
  const Entry* robots = scenario->value->find("robots");
  if (robots == nullptr || !robots->value->is_sequence()) return false;
  const auto& items = robots->value->items;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i]->is_mapping()) continue;
    const bool is_meant = path[1] == std::to_string(i) || path[1] == items[i]->text_at("name");
    if (is_meant) return is_in_file(*items[i], path[3]);
  }
  return false;
}

/// What is left to do of overrides.
struct ScenarioChanges {
  std::vector<ParsedOverride> of_model_files;
  bool touch_models = false;
};

/// Applies overrides: those below `scenario:` to the document, the rest is returned for the model
/// file.
ScenarioChanges change_scenario(Session& session, Document& document,
                                const std::vector<Override>& overrides) {
  ScenarioChanges changes;
  const NodePtr before = document.root;
  for (const ParsedOverride& change : parse_overrides(overrides, session)) {
    changes.touch_models |= change.path.front() == "model" || change.path.front() == "robots";
    if (document.root && reaches_into_model_file(change, document.root)) {
      changes.of_model_files.push_back(change);
    } else {
      change_document(document, "scenario", change, 0, session.problems());
    }
  }
  document.root = leave_out_misfits(before, document.root, session.problems());
  return changes;
}

/// Whether some of its loops stand in the model and are held by forces of the scenario.
bool has_motions(const Scenario& scenario) {
  const SimulationSetup& setup = scenario.setup;
  return std::any_of(setup.connections.begin(), setup.connections.end(),
                     [&](const Connection& each) { return motion_of(setup, each) != nullptr; });
}

std::map<std::string, std::string> sections_of(const Node& scenario) {
  std::map<std::string, std::string> sections;
  for (const Entry& entry : scenario.entries) {
    const auto& key = entry.key;
    if (key == "name" || key == "model" || key == "description" || key == "source") continue;
    sections[key] = canonical_text(*entry.value);
  }
  return sections;
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
    throw OverrideError(error.diagnostics());
  }
}

FileKind kind_of(Session& session, const Document& document) {
  constexpr std::pair<const char*, FileKind> kKinds[] = {
      {"model", FileKind::model}, {"scenario", FileKind::scenario}, {"sweep", FileKind::sweep}};
  if (document.root) {
    std::string found;
    std::optional<FileKind> kind;
    for (const auto& [key, meant] : kKinds) {
      if (document.root->find(key) == nullptr) continue;
      found += (kind ? " and '" : "'") + std::string(key) + '\'';
      kind = kind ? kind : meant;
    }
    if (kind && found.find(' ') == std::string::npos) return *kind;
    session.problems().error(
        document.root->mark, "",
        "expected one of the keys 'model', 'scenario', 'sweep', 'fit' and 'optimize', got " +
            (found.empty() ? "none of them" : found));
  }
  throw ParseError(session.problems().sorted());
}

}  // namespace

Scenario loading::read_scenario(Session& session, Document document,
                                const std::vector<Override>& overrides, const Scenario* original) {
  ProblemList& problems = session.problems();
  const ScenarioChanges changes = change_scenario(session, document, overrides);
  ReadContext context{session, problems, {}};
  Scenario scenario;
  if (const auto value = read_file_frame(document, "scenario", context)) {
    MapReader map(*value, context);
    const std::string& file = document.source->name();
    std::optional<Value> place = map.find("robots");
    const ModelOrigin origin{file, changes.of_model_files};
    ScenarioModel model;
    std::vector<RobotStart> robots;
    if (place) {
      ScenarioRobots several = read_scenario_robots(*place, *value->node, origin, context);
      model = std::move(several.whole);
      robots = std::move(several.robots);
      map.refuse("model", "the robots have models of their own" +
                              (robots.empty() ? "" : ": robots." + robots.front().name + ".model"));
    } else {
      place = map.require("model", "the path of a model file or a model");
      if (original != nullptr && !changes.touch_models && !has_motions(*original)) {
        model.model = original->setup.model;
        model.file = original->model_file;
        model.modal_appendages = original->modal_appendages;
      } else if (place) {
        model = read_scenario_model(*place, origin, context);
      }
    }
    ScenarioContext sections(map, model.model);
    sections.robots = std::move(robots);
    sections.motion_loops = model.motion_loops;
    scenario = read_sections(sections);
    scenario.model_file = model.file;
    scenario.modal_appendages = model.modal_appendages;
    scenario.sections = sections_of(*value->node);
    if (!problems.has_errors()) {
      check_start(scenario, *place, *value, sections, original == nullptr);
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

std::string loading::find_file(const std::map<std::string, std::string>& texts,
                               const std::string& key) {
  for (const auto& [path, text] : texts) {
    // tables of heights are texts, too
    if (text.find(key) == std::string::npos) continue;
    if (foreign::format_of(path, text)) continue;
    Session session;
    const Document document = session.parse(path, text);
    const bool is_mapping = document.root && document.root->is_mapping();
    if (is_mapping && document.root->find(key) != nullptr) return path;
  }
  throw IoError("no " + key + " is among the texts that were kept");
}

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
  return read_scenario(session, session.open(find_file(sources, "scenario")), overrides);
}

FileKind file_kind(const std::string& path) {
  Session session;
  return kind_of(session, session.open(path));
}

FileKind text_kind(const std::string& text, const std::string& file) {
  Session session;
  return kind_of(session, session.parse(file, text));
}

}  // namespace spacedyn
