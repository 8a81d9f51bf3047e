#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "loading/scenario/scenario_reader.hpp"
#include "spacedyn/collision/contact_geometry.hpp"
#include "spacedyn/model/names.hpp"

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
    problems_.error(place_.node->mark, place_.path,
                    fmt::format("expected shapes that may touch, got '{}' and '{}', {}", a.name,
                                b.name, reason));
  }

  const Model& model_;
  const Value& place_;
  ProblemList& problems_;
  std::set<std::pair<std::string, std::string>> taken_;
};

}  // namespace

std::vector<ContactPair> ScenarioReader::read_pairs(const Value& value) {
  const bool is_word = value.node->is_scalar();
  std::vector<Value> items{value, value};
  if (!is_word) {
    if (!value.node->is_sequence() || value.node->items.size() != 2) {
      problems().error(
          value.node->mark, value.path,
          "expected a list of 2 names, or 'all' for all shapes among themselves, got " +
              describe(*value.node));
      return {};
    }
    for (std::size_t i = 0; i < 2; ++i) {
      items[i] = {value.node->items[i].get(), join_path(value.path, std::to_string(i))};
    }
  }
  std::vector<ShapeSet> sets;
  for (const Value& item : items) {
    ShapeSet set;
    auto shapes = read_shapes(item, set.is_ground, set.is_all);
    if (!shapes) return {};
    set.shapes = std::move(*shapes);
    sets.push_back(std::move(set));
  }
  if (!model_) return {};
  if (sets[0].is_ground && sets[1].is_ground) {
    problems().error(value.node->mark, value.path,
                     "expected a shape or a link beside the terrain, got none");
    return {};
  }
  const std::size_t errors_before = problems().error_count();
  PairList list(*model_, value, problems());
  if (sets[0].is_ground || sets[1].is_ground) {
    list.add_ground(sets[sets[0].is_ground ? 1 : 0]);
  } else {
    list.add(sets[0], sets[1]);
  }
  if (list.pairs.empty() && problems().error_count() == errors_before) {
    problems().error(value.node->mark, value.path,
                     "expected shapes that may touch, got none that are on different bodies and "
                     "no neighbours");
  }
  return std::move(list.pairs);
}

std::optional<std::vector<BodyShape>> ScenarioReader::read_shapes(const Value& value,
                                                                  bool& is_ground, bool& is_set) {
  const auto name = read_text(value, problems());
  if (!name) return std::nullopt;
  if (*name == "terrain") {
    is_ground = true;
    if (!has_terrain_) {
      problems().error(value.node->mark, value.path,
                       "expected 'environment: {terrain: …}' for a contact with it, got none");
      return std::nullopt;
    }
    return std::vector<BodyShape>();
  }
  if (!model_) return std::vector<BodyShape>();
  const std::vector<BodyShape> all = collision_shapes(*model_);
  std::vector<BodyShape> named;
  is_set = *name == "all";
  for (const BodyShape& shape : all) {
    if (is_set || shape.name == *name) named.push_back(shape);
  }
  const Model& model = *model_;
  if (named.empty()) {
    for (const BodyShape& shape : all) {
      if (shape.link == *name) named.push_back(shape);
    }
  }
  for (const Robot& robot : model.robots()) {
    if (!named.empty() || robot.name != *name) continue;
    for (const BodyShape& shape : all) {
      if (shape.name.rfind(*name + '.', 0) == 0) named.push_back(shape);
    }
    is_set = true;  // those of its own that cannot touch are not meant
  }
  if (!named.empty()) return named;
  std::vector<std::string> known;
  for (const BodyShape& shape : all) known.insert(known.end(), {shape.name, shape.link});
  const std::string nearest = nearest_name(*name, known);
  const bool is_link = model.find_frame(*name).has_value();
  problems().error(
      value.node->mark, value.path,
      is_set || is_link
          ? "expected a link with collision shapes, got " + quote(*name) + ", which has none"
          : "expected the name of a collision shape or of a link, 'terrain' or "
            "'all', got " +
                quote(*name),
      nearest.empty() || is_link ? "" : "did you mean '" + nearest + "'?");
  return std::nullopt;
}

}  // namespace spacedyn::loading
