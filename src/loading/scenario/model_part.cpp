#include <algorithm>
#include <set>

#include "loading/scenario/scenario_model.hpp"
#include "loading/yaml/scalars.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

const char* const kLinks = "links";

NodePtr word(const std::string& text, const Mark& mark) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::scalar;
  node->mark = mark;
  node->text = text;
  return node;
}

/// The name that a joint has, be it that of its link.
std::string joint_of(const Node& link) {
  const Entry* joint = link.find("joint");
  const std::string name = joint == nullptr ? "" : joint->value->text_at("name");
  return name.empty() ? link.text_at("name") : name;
}

/// Whether a text of an item, but for its own name, is one of these.
bool refers_to(const Node& item, const std::set<std::string>& names) {
  if (item.is_scalar()) return names.count(item.text) > 0;
  const auto refers = [&](const NodePtr& node) { return refers_to(*node, names); };
  return std::any_of(item.items.begin(), item.items.end(), refers) ||
         std::any_of(item.entries.begin(), item.entries.end(), [&](const Entry& entry) {
           return entry.key != "name" && refers(entry.value);
         });
}

/// One link of a model with all that it carries.
class Part {
 public:
  Part(const Node& links, const std::string& body) : carried_{body} {
    for (std::size_t before = 0; before != carried_.size();) {
      before = carried_.size();
      for (const NodePtr& link : links.items) {
        if (carried_.count(link->text_at("parent")) > 0) carried_.insert(link->text_at("name"));
      }
    }
    for (const NodePtr& link : links.items) {
      if (is_carried(*link)) continue;
      left_.insert(link->text_at("name"));
      left_.insert(joint_of(*link));
    }
  }

  bool is_carried(const Node& link) const { return carried_.count(link.text_at("name")) > 0; }

  /// A model of this part alone; items of lists that need others are left out, and noted.
  /// @param base  the link that becomes the base; null: the base of the model stays
  NodePtr alone(const Node& model, const Node* base, ProblemList& problems) {
    if (base != nullptr) {
      left_.insert(joint_of(*base));
      if (const Entry* whole = model.find("base")) left_.insert(whole->value->text_at("name"));
    }
    auto part = std::make_shared<Node>(model);
    for (Entry& entry : part->entries) {
      if (entry.key == "base" && base != nullptr) entry.value = base_of(*base);
      if (entry.key == kLinks) entry.value = links_below(*entry.value, base);
    }
    // frames first: what else refers to those of others goes with them
    for (const bool frames : {true, false}) {
      for (Entry& entry : part->entries) {
        const bool is_other = entry.key != kLinks && entry.value->is_sequence();
        if (is_other && (entry.key == "frames") == frames) leave_out(entry, frames, problems);
      }
    }
    return part;
  }

 private:
  static NodePtr base_of(const Node& link) {
    auto base = std::make_shared<Node>(link);
    auto& entries = base->entries;
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [](const Entry& entry) {
                                   return entry.key == "parent" || entry.key == "joint";
                                 }),
                  entries.end());
    entries.push_back({"placed_by", link.mark, word("frame", link.mark)});
    return base;
  }

  NodePtr links_below(const Node& all, const Node* base) const {
    auto links = std::make_shared<Node>(all);
    auto& items = links->items;
    items.erase(std::remove_if(
                    items.begin(), items.end(),
                    [&](const NodePtr& link) { return link.get() == base || !is_carried(*link); }),
                items.end());
    return links;
  }

  void leave_out(Entry& entry, bool are_frames, ProblemList& problems) {
    auto list = std::make_shared<Node>(*entry.value);
    list->items.clear();
    for (const NodePtr& item : entry.value->items) {
      if (!refers_to(*item, left_)) {
        list->items.push_back(item);
      } else if (are_frames) {
        left_.insert(item->text_at("name"));
      } else {
        problems.add(Severity::note, item->mark, "model." + entry.key,
                     "left out with the bodies that it needs: " + quote(item->text_at("name")), "");
      }
    }
    entry.value = list;
  }

  std::set<std::string> carried_, left_;
};

}  // namespace

NodePtr part_of_model(const NodePtr& model, const Value& body, ProblemList& problems) {
  const auto name = read_text(body, problems);
  if (!name) return nullptr;
  const Entry* links = model->find(kLinks);
  std::vector<std::string> known;
  const Node* chosen = nullptr;
  for (const NodePtr& link : links == nullptr ? std::vector<NodePtr>() : links->value->items) {
    known.push_back(link->text_at("name"));
    if (known.back() == *name) chosen = link.get();
  }
  if (chosen == nullptr) {
    problems.error(body, "expected the name of a link of the file, got " + quote(*name) +
                             did_you_mean(*name, known));
    return nullptr;
  }
  const Entry* joint = chosen->find("joint");
  const bool is_free = joint != nullptr && joint->value->text_at("type") == "free";
  const Entry* base = model->find("base");
  if (!is_free && base != nullptr && base->value->text_at("name") != chosen->text_at("parent")) {
    problems.error(body,
                   "expected a link that floats on a joint of type free or stands on the "
                   "base, got " +
                       quote(*name));
    return nullptr;
  }
  return Part(*links->value, *name).alone(*model, is_free ? chosen : nullptr, problems);
}

}  // namespace spacedyn::loading
