#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/collision/contact_geometry.hpp"

namespace spacedyn::loading {
namespace {

/// What one item of `between` names.
struct ShapeSet {
  std::vector<BodyShape> shapes;
  bool is_ground = false;
  bool is_all = false;
};

std::string body_name(const Model& model, const BodyShape& shape) {
  return "'" + model.body(shape.frame.body).name + "'";
}

/// Why two shapes cannot touch; empty if they can.
std::string obstacle(const Model& model, const BodyShape& a, const BodyShape& b) {
  if (a.frame.body == b.frame.body) {
    return fmt::format("which are both on {}", body_name(model, a));
  }
  if (are_neighbours(model, a.frame.body, b.frame.body)) {
    return fmt::format("whose bodies {} and {} are neighbours, joined by a joint",
                       body_name(model, a), body_name(model, b));
  }
  if (!may_touch(a.type, b.type)) {
    return fmt::format("of type {} and {}: ellipsoids touch spheres and the terrain alone",
                       to_string(a.type), to_string(b.type));
  }
  return "";
}

/// Collects the pairs of two sets, each pair once.
class PairList {
 public:
  PairList(const Model& model, const Value& place, ProblemList& problems)
      : model_(model), place_(place), problems_(problems) {}

  void add_ground(const ShapeSet& set) {
    for (const BodyShape& shape : set.shapes) pairs.push_back({shape, {}, true});
  }

  void add(const ShapeSet& first, const ShapeSet& second) {
    for (const BodyShape& a : first.shapes) {
      for (const BodyShape& b : second.shapes) {
        if (a.name == b.name && (first.is_all || second.is_all)) continue;
        if (taken_.count({b.name, a.name}) > 0) continue;
        add(a, b, first.is_all || second.is_all);
        if (problems_.is_full()) return;
      }
    }
  }

  std::vector<ContactPair> pairs;

 private:
  void add(const BodyShape& a, const BodyShape& b, bool is_any) {
    const std::string reason = obstacle(model_, a, b);
    if (!reason.empty()) {
      // who says `all` means those that can touch
      if (!is_any || !may_touch(a.type, b.type)) error(a, b, reason);
      return;
    }
    taken_.insert({a.name, b.name});
    pairs.push_back({a, b, false});
  }

  void error(const BodyShape& a, const BodyShape& b, const std::string& reason) {
    problems_.error(place_, fmt::format("expected shapes that may touch, got '{}' and '{}', {}",
                                        a.name, b.name, reason));
  }

  const Model& model_;
  const Value& place_;
  ProblemList& problems_;
  std::set<std::pair<std::string, std::string>> taken_;
};

/// Shapes that a name means: one, all of a link, of a robot, or all; none if it means the ground.
void add_shapes(const Model& model, const std::string& name, ShapeSet& set) {
  const std::vector<BodyShape> all = collision_shapes(model);
  set.is_all = name == "all";
  const auto add = [&](const auto& is_meant) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(set.shapes), is_meant);
  };
  add([&](const BodyShape& shape) { return set.is_all || shape.name == name; });
  if (set.shapes.empty()) add([&](const BodyShape& shape) { return shape.link == name; });
  for (const Robot& robot : model.robots()) {
    if (!set.shapes.empty() || robot.name != name) continue;
    add([&](const BodyShape& shape) { return shape.name.rfind(name + '.', 0) == 0; });
    set.is_all = true;  // those of its own that cannot touch are not meant
  }
}

/// Shapes of one name; nothing where it is wrong.
std::optional<ShapeSet> read_shapes(ScenarioContext& scenario, const Value& value) {
  ProblemList& problems = scenario.problems();
  const auto name = read_text(value, problems);
  if (!name) return std::nullopt;
  ShapeSet set;
  set.is_ground = *name == "terrain";
  if (set.is_ground && !scenario.ground.has_terrain) {
    problems.error(value, "expected 'environment: {terrain: …}' for a contact with it, got none");
    return std::nullopt;
  }
  if (set.is_ground || !scenario.model) return set;
  const Model& model = *scenario.model;
  add_shapes(model, *name, set);
  if (!set.shapes.empty()) return set;
  if (set.is_all || model.find_frame(*name)) {
    problems.error(
        value, "expected a link with collision shapes, got " + quote(*name) + ", which has none");
    return std::nullopt;
  }
  std::vector<std::string> known;
  for (const BodyShape& shape : collision_shapes(model)) {
    known.insert(known.end(), {shape.name, shape.link});
  }
  problems.error(value,
                 "expected the name of a collision shape or of a link, 'terrain' or 'all', got " +
                     quote(*name),
                 nearest_hint(*name, known));
  return std::nullopt;
}

}  // namespace

std::vector<ContactPair> read_pairs(ScenarioContext& scenario, const Value& value) {
  const bool is_word = value.node->is_scalar();
  std::vector<Value> items{value, value};
  if (!is_word) {
    if (!value.node->is_sequence() || value.node->items.size() != 2) {
      scenario.problems().error(
          value, "expected a list of 2 names, or 'all' for all shapes among themselves, got " +
                     describe(*value.node));
      return {};
    }
    for (std::size_t i = 0; i < 2; ++i) {
      items[i] = {value.node->items[i].get(), join_path(value.path, std::to_string(i))};
    }
  }
  std::vector<ShapeSet> sets;
  for (const Value& item : items) {
    auto set = read_shapes(scenario, item);
    if (!set) return {};
    sets.push_back(std::move(*set));
  }
  if (!scenario.model) return {};
  if (sets[0].is_ground && sets[1].is_ground) {
    scenario.problems().error(value, "expected a shape or a link beside the terrain, got none");
    return {};
  }
  const ErrorMark errors(scenario.problems());
  PairList list(*scenario.model, value, scenario.problems());
  if (sets[0].is_ground || sets[1].is_ground) {
    list.add_ground(sets[sets[0].is_ground ? 1 : 0]);
  } else {
    list.add(sets[0], sets[1]);
  }
  if (list.pairs.empty() && !errors.found()) {
    scenario.problems().error(
        value,
        "expected shapes that may touch, got none that are on different bodies and "
        "no neighbours");
  }
  return std::move(list.pairs);
}

}  // namespace spacedyn::loading
