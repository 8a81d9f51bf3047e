#include <algorithm>

#include "loading/scenario/scenario_model.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const char* const kFile = "file";
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

/// A mapping with another value of a key that it has.
NodePtr with_value(const Node& mapping, const std::string& key, NodePtr value) {
  auto result = std::make_shared<Node>(mapping);
  for (Entry& entry : result->entries) {
    if (entry.key == key) entry.value = value;
  }
  return result;
}

std::string name_of(const Node& body) {
  const Entry* name = body.is_mapping() ? body.find("name") : nullptr;
  return name != nullptr && name->value->is_scalar() ? name->value->text : "";
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
      context_.problems.error(link->node->mark, link->path,
                              "expected the name of the base or of a link of the file, got " +
                                  quote(*name) + did_you_mean(*name, known_));
    }
  }

 private:
  bool add_to_body(const std::string& name, const NodePtr& shape) {
    known_.clear();
    if (const Entry* base = model_->find("base")) {
      if (name_of(*base->value) == name) {
        model_ = with_value(*model_, "base", with_items(*base->value, kCollision, {shape}));
        return true;
      }
      known_.push_back(name_of(*base->value));
    }
    const Entry* links = model_->find("links");
    if (links == nullptr || !links->value->is_sequence()) return false;
    for (std::size_t i = 0; i < links->value->items.size(); ++i) {
      const Node& link = *links->value->items[i];
      if (name_of(link) == name) {
        auto list = std::make_shared<Node>(*links->value);
        list->items[i] = with_items(link, kCollision, {shape});
        model_ = with_value(*model_, "links", list);
        return true;
      }
      known_.push_back(name_of(link));
    }
    return false;
  }

  NodePtr& model_;
  ReadContext& context_;
  std::vector<std::string> known_;
};

}  // namespace

bool is_model_file(const Node& model) {
  return model.is_scalar() || (model.is_mapping() && model.find(kFile) != nullptr);
}

bool add_to_model(MapReader& additions, Document& document) {
  const Entry* entry =
      document.root && document.root->is_mapping() ? document.root->find("model") : nullptr;
  const bool has_model = entry != nullptr && entry->value->is_mapping();
  NodePtr model = has_model ? entry->value : nullptr;
  const std::size_t errors = additions.problems().error_count();
  for (const std::string key : {"frames", "loops", kCollision}) {
    const auto list = additions.find(key);
    if (!list || !has_model) continue;
    if (key == kCollision) {
      ShapeAdder adder(model, additions.context());
      for_each_item(*list, additions.problems(), [&](const Value& item) { adder.add(item); });
    } else if (!list->node->is_sequence()) {
      additions.problems().error(list->node->mark, list->path,
                                 "expected a list, got " + describe(*list->node));
    } else if (!list->node->items.empty()) {
      model = with_items(*model, key, list->node->items);
    }
  }
  if (has_model) document.root = with_value(*document.root, "model", model);
  return additions.problems().error_count() == errors;
}

std::string model_with_additions_schema() {
  MappingSchema schema("A model file, and what the scenario adds to it");
  schema.require(kFile, text_schema("Path, relative to this file"))
      .allow("frames", series_schema(reference_schema("frame")))
      .allow("loops", series_schema(reference_schema("loop")))
      .allow(kCollision,
             series_schema(R"({"title": "A shape of `collision` and the `link` that has it", )"
                           R"("type": "object", "required": ["link", "shape"]})"));
  return schema.text();
}

}  // namespace spacedyn::loading
