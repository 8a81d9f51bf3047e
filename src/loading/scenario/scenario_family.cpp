#include "loading/scenario/scenario_family.hpp"

#include <filesystem>
#include <utility>

#include "loading/yaml/yaml_text.hpp"

namespace spacedyn::loading {
namespace {

/// What a tree had where a value stands in the changed one; null where it had nothing.
NodePtr replaced(const NodePtr& before, const NodePtr& after, const NodePtr& value) {
  if (after == value) return before;
  if (!before || before == after) return nullptr;
  for (std::size_t i = 0; i < before->items.size(); ++i) {
    if (NodePtr found = replaced(before->items[i], after->items[i], value)) return found;
  }
  for (std::size_t i = 0; i < before->entries.size(); ++i) {
    if (NodePtr found = replaced(before->entries[i].value, after->entries[i].value, value)) {
      return found;
    }
  }
  return nullptr;
}

NodePtr value_below(const NodePtr& mapping, const char* key) {
  const Entry* entry = mapping && mapping->is_mapping() ? mapping->find(key) : nullptr;
  return entry == nullptr ? nullptr : entry->value;
}

/// The value of a file at the place of an override; null where it has none.
NodePtr value_in(const NodePtr& root, const ParsedOverride& change, std::size_t first) {
  ProblemList ignored;
  return root ? replaced(root, apply_override(root, change, first, "", ignored), change.value)
              : nullptr;
}

/// The file of the model that a key path leads into, and where the keys of the model begin.
struct ModelPlace {
  std::string file;  ///< empty: the scenario holds the model, or it is about something else
  std::size_t first = 0;
};

ModelPlace model_place(const NodePtr& scenario, const ParsedOverride& change,
                       const std::string& folder) {
  ModelPlace place;
  place.first = change.path.front() == "robots" ? 3 : 1;
  if (change.path.size() <= place.first || change.path[place.first - 1] != "model") return {};
  ParsedOverride model = change;
  model.path.resize(place.first);
  NodePtr file = value_in(scenario, model, 0);
  if (file && file->is_mapping()) {
    // what the scenario adds to the model stands in the scenario
    if (file->find(change.path[place.first]) != nullptr) return {};
    file = value_below(file, "file");
  }
  if (!file || !file->is_scalar()) return {};
  place.file = resolve_path(folder, file->text);
  return place;
}

/// Writes trees as YAML; paths of files are those from another folder.
class TreeWriter {
 public:
  /// @param moved  what files are to be called, by their path
  explicit TreeWriter(const std::map<std::string, std::string>& moved) : moved_(moved) {}

  std::string text_of(const Node& node) const {
    if (node.is_null()) return "~";
    if (node.is_scalar()) return scalar_text(node);
    if (node.is_sequence()) return list_text(node);
    KeyTexts keys;
    std::size_t size = 0;
    for (const Entry& entry : node.entries) {
      keys.emplace_back(entry.key, text_of(*entry.value));
      const std::string& text = keys.back().second;
      size += text.find('\n') == std::string::npos ? entry.key.size() + text.size() : kMostInLine;
    }
    return size < kMostInLine ? flow_text(keys) : block_text(keys);
  }

 private:
  static constexpr std::size_t kMostInLine = 100;  // bytes

  std::string list_text(const Node& node) const {
    std::vector<std::string> items;
    bool has_lines = false;
    for (const NodePtr& item : node.items) {
      items.push_back(text_of(*item));
      has_lines = has_lines || !item->is_scalar();
    }
    return has_lines ? block_text(items) : flow_text(items);
  }

  std::string scalar_text(const Node& node) const {
    const auto moved = moved_.find(path_beside({&node, ""}, node.text));
    if (moved != moved_.end()) return quoted_text(moved->second);
    // marks of YAML within a plain text would end it inside of braces
    const bool is_plain = !node.quoted && node.text.find_first_of("{}[],:#\n") == std::string::npos;
    return is_plain ? node.text : quoted_text(node.text);
  }

  const std::map<std::string, std::string>& moved_;
};

}  // namespace

ScenarioFamily::ScenarioFamily(const std::map<std::string, std::string>& sources)
    : session_(sources),
      document_(session_.open(find_file(sources, "scenario"))),
      original_(read_scenario(session_, document_, {})) {}

Scenario ScenarioFamily::variant(const std::vector<Override>& overrides) const {
  Session session(&session_);
  return read_scenario(session, document_, overrides, &original_);
}

std::optional<Quantity> ScenarioFamily::quantity_at(const Override& change,
                                                    std::vector<Diagnostic>& problems) const {
  Session session(&session_);
  std::optional<Quantity> found;
  session.problems().on_number([&](const Node& node, const Quantity& quantity) {
    const bool is_meant = node.mark.source != nullptr && node.mark.source->is_override();
    if (is_meant && !found) found = quantity;
  });
  try {
    read_scenario(session, document_, {change}, &original_);
  } catch (const Error&) {
    // the number may be out of range
  }
  problems = session.problems().sorted();
  return found;
}

std::optional<double> ScenarioFamily::value_at(const std::string& key,
                                               const Quantity& quantity) const {
  Session session(&session_);
  const auto changes = parse_overrides({{key, "0"}}, session);
  if (changes.empty()) return std::nullopt;
  const ParsedOverride& change = changes.front();
  const NodePtr scenario = value_below(document_.root, "scenario");
  NodePtr found = value_in(scenario, change, 0);
  const ModelPlace place = model_place(scenario, change, folder_of(document_.source->name()));
  if (!found && !place.file.empty()) {
    found = value_in(value_below(session.open(place.file).root, "model"), change, place.first);
  }
  if (!found) return std::nullopt;
  return read_number({found.get(), key}, quantity, session.problems());
}

std::map<std::string, std::string> ScenarioFamily::write_variant(
    const std::vector<Override>& overrides, const std::string& folder,
    const std::string& stem) const {
  namespace fs = std::filesystem;
  Session session(&session_);
  ProblemList& problems = session.problems();
  const std::string own_folder = folder_of(document_.source->name());
  NodePtr scenario = value_below(document_.root, "scenario");
  std::map<std::string, NodePtr> models;  // that change, by their file
  for (const ParsedOverride& change : parse_overrides(overrides, session)) {
    const ModelPlace place = model_place(scenario, change, own_folder);
    if (place.file.empty()) {
      scenario = apply_override(scenario, change, 0, "scenario", problems);
      continue;
    }
    NodePtr& model = models[place.file];
    if (!model) model = value_below(session.open(place.file).root, "model");
    model = apply_override(model, change, place.first, "model", problems);
  }
  problems.throw_if_errors();
  std::map<std::string, std::string> moved;
  for (const auto& [path, text] : session_.sources().files()) {
    moved[path] = fs::relative(path, folder).string();
  }
  std::size_t count = 0;
  for (const auto& [path, model] : models) {
    moved[path] = stem + "_model" + (++count == 1 ? "" : std::to_string(count)) + ".yaml";
  }
  const TreeWriter writer(moved);
  const auto text_of = [&](const char* key, const NodePtr& value) {
    return block_text({{"spacedyn", "1"}, {key, writer.text_of(*value)}}).substr(1) + '\n';
  };
  std::map<std::string, std::string> files;
  for (const auto& [path, model] : models) files[moved[path]] = text_of("model", model);
  files[stem + ".yaml"] = text_of("scenario", scenario);
  return files;
}

}  // namespace spacedyn::loading
