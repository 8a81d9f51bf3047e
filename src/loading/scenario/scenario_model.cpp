#include "loading/scenario/scenario_model.hpp"

#include <algorithm>
#include <set>

#include "loading/foreign/mesh_files.hpp"
#include "loading/model/model_assembly.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/options.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

/// Keys that only models have; below `model.` they need not be named so.
const std::set<std::string> kModelKeys = {
    "links",         "frames", "flexible_links",       "couplings",
    "transmissions", "loops",  "reaction_wheels",      "modal_appendages",
    "thrusters",     "slosh",  "control_moment_gyros", "tanks"};

bool is_position(const std::string& key) {
  return !key.empty() && key.size() < 9 && key.find_first_not_of("0123456789") == std::string::npos;
}

/// Sets values one level at a time; carries what all levels need.
class Setter {
 public:
  Setter(const ParsedOverride& change, ProblemList& problems)
      : change_(change), problems_(problems) {}

  NodePtr set(const NodePtr& node, std::size_t level, const std::string& path) const {
    if (level == change_.path.size()) return change_.value;
    const std::string& key = change_.path[level];
    if (!node || node->is_null()) return set_in_mapping(Node{}, level, path);
    if (node->is_mapping()) return set_in_mapping(*node, level, path);
    if (node->is_sequence()) return set_in_list(node, level, path);
    problems_.error(change_.mark, join_path(path, key),
                    "expected a key path of the file, got one through " + path + ", which is " +
                        describe(*node));
    return node;
  }

 private:
  NodePtr set_in_mapping(Node mapping, std::size_t level, const std::string& path) const {
    const std::string& key = change_.path[level];
    if (!mapping.is_mapping()) mapping.mark = change_.mark;
    mapping.kind = Node::Kind::mapping;
    const auto entry = std::find_if(mapping.entries.begin(), mapping.entries.end(),
                                    [&](const Entry& other) { return other.key == key; });
    if (entry != mapping.entries.end()) {
      entry->value = set(entry->value, level + 1, join_path(path, key));
    } else {
      mapping.entries.push_back({key, change_.mark, set(nullptr, level + 1, join_path(path, key))});
    }
    return std::make_shared<Node>(std::move(mapping));
  }

  NodePtr set_in_list(const NodePtr& node, std::size_t level, const std::string& path) const {
    const std::string& key = change_.path[level];
    const auto position = find_item(*node, key, path);
    if (!position) return node;
    Node list = *node;
    NodePtr& item = list.items[*position];
    item = set(item, level + 1, join_path(path, std::to_string(*position)));
    return std::make_shared<Node>(std::move(list));
  }

  /// The item that a key means, by position or by name.
  std::optional<std::size_t> find_item(const Node& list, const std::string& key,
                                       const std::string& path) const {
    const std::size_t size = list.items.size();
    std::vector<std::string> names;
    std::set<std::size_t> meant;
    for (std::size_t i = 0; i < size; ++i) {
      const std::string name = name_of_item(*list.items[i], i);
      names.push_back(name.empty() ? list.items[i]->text_at("joint") : name);
      if (names.back() == key) meant.insert(i);
    }
    if (is_position(key) && std::stoul(key) < size) meant.insert(std::stoul(key));
    if (meant.size() == 1) return *meant.begin();
    const std::string place = join_path(path, key);
    if (size == 0) {
      problems_.error(change_.mark, place,
                      "expected no key below an empty list, got " + quote(key));
    } else if (meant.empty()) {
      problems_.error(change_.mark, place,
                      "expected a position from 0 to " + std::to_string(size - 1) +
                          " or a name in this list, got " + quote(key) + did_you_mean(key, names));
    } else {
      std::string positions;
      for (const std::size_t i : meant) {
        positions += (positions.empty() ? "" : " and ") + std::to_string(i);
      }
      problems_.error(change_.mark, place,
                      "expected a position, got " + quote(key) +
                          ", which is ambiguous: it means the items " + positions);
    }
    return std::nullopt;
  }

  const ParsedOverride& change_;
  ProblemList& problems_;
};

/// The method of a document, the default where none is named; nothing if it is unknown.
std::optional<IntegrationMethod> method_of(const NodePtr& root) {
  const NodePtr name = value_below(root, {"scenario", "integrator", "method"});
  if (!name) return IntegratorOptions().method;
  for (const IntegrationMethod method : all_integration_methods()) {
    if (name->is_scalar() && name->text == to_string(method)) return method;
  }
  return std::nullopt;
}

bool is_of_an_override(const Node& node) {
  return node.mark.source != nullptr && node.mark.source->is_override();
}

const char* const kFile = "file";
const char* const kBody = "body";
const char* const kCollision = "collision";

/// A mapping with items at the end of a list of it, which is made where there is none.
NodePtr with_items(const Node& mapping, const std::string& key, const std::vector<NodePtr>& items) {
  auto result = std::make_shared<Node>(mapping);
  const auto entry = std::find_if(result->entries.begin(), result->entries.end(),
                                  [&](const Entry& each) { return each.key == key; });
  auto list = std::make_shared<Node>();
  list->kind = Node::Kind::sequence;
  list->mark = items.front()->mark;
  if (entry != result->entries.end() && entry->value->is_sequence()) *list = *entry->value;
  list->items.insert(list->items.end(), items.begin(), items.end());
  if (entry != result->entries.end()) {
    entry->value = list;
  } else {
    result->entries.push_back({key, list->mark, list});
  }
  return result;
}

/// Adds shapes to the bodies that they name; `model` is replaced.
class ShapeAdder {
 public:
  ShapeAdder(NodePtr& model, ReadContext& context) : model_(model), context_(context) {}

  void add(const Value& item) {
    MapReader map(item, context_);
    const auto link = map.require("link", "the name of the base or of a link");
    const auto name = link ? read_text(*link, context_.problems) : std::nullopt;
    if (!name) return map.report_missing();
    auto shape = std::make_shared<Node>(*item.node);
    shape->entries.erase(std::remove_if(shape->entries.begin(), shape->entries.end(),
                                        [](const Entry& entry) { return entry.key == "link"; }),
                         shape->entries.end());
    if (!add_to_body(*name, shape)) {
      context_.problems.error(
          *link, "expected the name of the base or of a link of the file, got " + quote(*name) +
                     did_you_mean(*name, known_));
    }
  }

 private:
  bool add_to_body(const std::string& name, const NodePtr& shape) {
    known_.clear();
    if (const Entry* base = model_->find("base")) {
      if (base->value->text_at("name") == name) {
        model_ = with_value(*model_, "base", with_items(*base->value, kCollision, {shape}));
        return true;
      }
      known_.push_back(base->value->text_at("name"));
    }
    const Entry* links = model_->find("links");
    if (links == nullptr || !links->value->is_sequence()) return false;
    for (std::size_t i = 0; i < links->value->items.size(); ++i) {
      const Node& link = *links->value->items[i];
      if (link.text_at("name") == name) {
        auto list = std::make_shared<Node>(*links->value);
        list->items[i] = with_items(link, kCollision, {shape});
        model_ = with_value(*model_, "links", list);
        return true;
      }
      known_.push_back(link.text_at("name"));
    }
    return false;
  }

  NodePtr& model_;
  ReadContext& context_;
  std::vector<std::string> known_;
};

/// Adds to the document of a file what a `model: {file: …}` does: `frames`, `loops`, `collision`;
/// of `body` it keeps what belongs to that.
/// @returns false where the additions have errors, which are reported
bool add_to_model(MapReader& additions, Document& document) {
  const Entry* entry =
      document.root && document.root->is_mapping() ? document.root->find("model") : nullptr;
  const bool has_model = entry != nullptr && entry->value->is_mapping();
  NodePtr model = has_model ? entry->value : nullptr;
  const ErrorMark errors(additions.problems());
  const auto body = additions.find(kBody);
  if (body && has_model) model = part_of_model(model, *body, additions.problems());
  if (errors.found()) return false;
  for (const std::string key : {"frames", "loops", kCollision}) {
    const auto list = additions.find(key);
    if (!list || !has_model) continue;
    if (key == kCollision) {
      ShapeAdder adder(model, additions.context());
      for_each_item(*list, additions.problems(), [&](const Value& item) { adder.add(item); });
    } else if (!list->node->is_sequence()) {
      additions.problems().error(*list, "expected a list, got " + describe(*list->node));
    } else if (!list->node->items.empty()) {
      model = with_items(*model, key, list->node->items);
    }
  }
  if (has_model) document.root = with_value(*document.root, "model", model);
  return !errors.found();
}

Json model_with_additions_schema() {
  return MappingSchema("A model file, and what the scenario adds to it")
      .require(kFile, text_schema("Path, relative to this file"))
      .allow(kBody, text_schema("A link of the file, which is taken alone with what it carries"))
      .allow("frames", series_schema(reference_schema("frame")))
      .allow("loops", series_schema(reference_schema("loop")))
      .allow(kCollision,
             series_schema({{"title", "A shape of `collision` and the `link` that has it"},
                            {"type", "object"},
                            {"required", {"link", "shape"}}}));
}

Json model_or_file_schema() {
  return any_of_schema(
      {text_schema(), reference_schema("model"), model_with_additions_schema()},
      "Path of a model file, relative to this one, with additions or without, or a "
      "model");
}

ScenarioModel build(const ReadModel& read, ProblemList& problems) {
  ScenarioModel result;
  result.motion_loops = read.motion_loops;
  result.model = assemble_model(read, problems);
  if (!result.model) return result;
  for (const ModalAppendageNote& note : read.modal_appendages) {
    result.modal_appendages.push_back(
        {note.name, result.model->frame(note.name).body, note.first_frequency});
  }
  return result;
}

/// @param additions  to the model of the file; null for none
ScenarioModel read_model_file(const Value& value, const ModelOrigin& origin, ReadContext& context,
                              MapReader* additions) {
  ProblemList& problems = context.problems;
  const auto name = read_text(value, problems);
  if (!name || refuse_unknown_format(value, *name, problems)) return {};
  ScenarioModel result;
  const std::string file = resolve_path(folder_of(origin.file), *name);
  try {
    Document document = context.session.open(file);
    for (const ParsedOverride& change : origin.changes) {
      change_document(document, "model", change, origin.first, problems);
    }
    if (additions == nullptr || add_to_model(*additions, document)) {
      result = build(ModelReader(context.session).read_document(document), problems);
      result.document = document.root;
    }
  } catch (const IoError& error) {
    problems.error(value,
                   std::string("expected a model file that can be read, got ") + error.what());
  }
  result.file = file;
  return result;
}

}  // namespace

std::vector<ParsedOverride> parse_overrides(const std::vector<Override>& overrides,
                                            Session& session) {
  std::vector<ParsedOverride> parsed;
  for (const auto& [path, text] : overrides) {
    const Document document = session.parse("--set " + path + '=' + text, text, true);
    ParsedOverride change;
    change.mark = {document.source, 1, 1};
    change.value = document.root;
    change.path = split_path(path);
    if (change.path.size() > 1 && change.path.front() == "scenario") {
      change.path.erase(change.path.begin());
    }
    if (change.path.size() > 1 && kModelKeys.count(change.path.front()) > 0) {
      change.path.insert(change.path.begin(), "model");
    }
    if (std::count(change.path.begin(), change.path.end(), "") > 0) {
      session.problems().error(
          change.mark, "", "expected a key path such as 'integrator.method', got " + quote(path));
      continue;
    }
    if (change.value) parsed.push_back(std::move(change));
  }
  return parsed;
}

NodePtr apply_override(const NodePtr& root, const ParsedOverride& change, std::size_t first,
                       const std::string& path, ProblemList& problems) {
  return Setter(change, problems).set(root, first, path);
}

NodePtr leave_out_misfits(const NodePtr& before, const NodePtr& after, ProblemList& problems) {
  const NodePtr integrator = value_below(after, {"scenario", "integrator"});
  const auto method = method_of(after);
  if (!integrator || !integrator->is_mapping() || !method || method == method_of(before)) {
    return after;
  }
  Node kept = *integrator;
  kept.entries.clear();
  for (const Entry& entry : integrator->entries) {
    const std::string reason = method_misfit(entry.key, *method);
    if (reason.empty() || is_of_an_override(*entry.value)) {
      kept.entries.push_back(entry);
    } else {
      problems.add(Severity::note, entry.key_mark, "scenario.integrator." + entry.key,
                   "left out: " + reason, "");
    }
  }
  const NodePtr scenario = value_below(after, {"scenario"});
  return with_value(*after, "scenario",
                    with_value(*scenario, "integrator", std::make_shared<Node>(std::move(kept))));
}
extern const SchemaDefinition kModelOrFileDefinition{"model_or_file", model_or_file_schema};

bool is_model_file(const Node& model) {
  return model.is_scalar() || (model.is_mapping() && model.find(kFile) != nullptr);
}

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

ScenarioModel read_scenario_model(const Value& value, const ModelOrigin& origin,
                                  ReadContext& context) {
  const Node& node = *value.node;
  if (node.is_scalar()) return read_model_file(value, origin, context, nullptr);
  if (!node.is_mapping()) {
    context.problems.error(value,
                           "expected the path of a model file or a model, got " + describe(node));
    return {};
  }
  if (!is_model_file(node)) {
    return build(ModelReader(context.session).read_model(value, context), context.problems);
  }
  MapReader map(value, context);
  const auto name = map.require("file", "the path of a model file");
  ScenarioModel result;
  if (name) result = read_model_file(*name, origin, context, &map);
  // known also where there was no file to add them to
  for (const char* key : {kBody, "frames", "loops", kCollision}) map.find(key);
  map.finish();
  return result;
}

}  // namespace spacedyn::loading
