#include <cmath>

#include "loading/foreign/foreign_model.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::loading::foreign {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kUnlimited = std::numeric_limits<double>::infinity();

NodePtr scalar(std::string text, const Mark& mark, bool quoted) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::scalar;
  node->mark = mark;
  node->text = std::move(text);
  node->quoted = quoted;
  return node;
}

NodePtr text(const std::string& words, const Mark& mark) { return scalar(words, mark, true); }
NodePtr word(const std::string& words, const Mark& mark) { return scalar(words, mark, false); }
NodePtr number(double value, const Mark& mark) { return word(format_number(value), mark); }

NodePtr list(std::vector<NodePtr> items, const Mark& mark) {
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::sequence;
  node->mark = mark;
  for (const NodePtr& item : items) {
    node->weight += item->weight;
    node->height = std::max(node->height, item->height + 1);
  }
  node->items = std::move(items);
  return node;
}

NodePtr numbers(const VectorX& values, const Mark& mark) {
  std::vector<NodePtr> items;
  for (const double value : values) items.push_back(number(value, mark));
  return list(std::move(items), mark);
}

NodePtr degrees(const VectorX& values, const Mark& mark) {
  std::vector<NodePtr> items;
  for (const double value : values) {
    items.push_back(word(format_number(value) + (value == 0.0 ? "" : " deg"), mark));
  }
  return list(std::move(items), mark);
}

/// A mapping, built up key by key.
class Mapping {
 public:
  explicit Mapping(const Mark& mark) : node_(std::make_shared<Node>()) {
    node_->kind = Node::Kind::mapping;
    node_->mark = mark;
  }

  Mapping& add(const std::string& key, NodePtr value) {
    node_->weight += value->weight;
    node_->height = std::max(node_->height, value->height + 1);
    node_->entries.push_back({key, value->mark, std::move(value)});
    return *this;
  }

  Mapping& add_unless(const std::string& key, double value, double usual) {
    return value == usual ? *this : add(key, number(value, node_->mark));
  }

  bool empty() const { return node_->entries.empty(); }
  const Mark& mark() const { return node_->mark; }
  NodePtr node() const { return node_; }

 private:
  std::shared_ptr<Node> node_;
};

void add_placement(const Placement& placement, Mapping& map) {
  map.add("xyz", numbers(placement.position, map.mark()));
  if (!placement.form.empty()) {
    const bool is_angles = placement.form != "quaternion";
    if (is_angles && placement.numbers.isZero(0.0)) return;
    map.add(placement.form, placement.in_degrees ? degrees(placement.numbers, map.mark())
                                                 : numbers(placement.numbers, map.mark()));
  } else if (!(placement.rotation.array() == Matrix3::Identity().array()).all()) {
    std::vector<NodePtr> rows;
    for (int i = 0; i < 3; ++i) {
      rows.push_back(numbers(placement.rotation.row(i).transpose(), map.mark()));
    }
    map.add("matrix", list(std::move(rows), map.mark()));
  }
}

NodePtr pose(const Placement& placement, const Mark& mark) {
  Mapping map(mark);
  add_placement(placement, map);
  return map.node();
}

NodePtr inertia(const Matrix3& I, const Mark& mark) {
  if (I(0, 1) == 0.0 && I(0, 2) == 0.0 && I(1, 2) == 0.0) {
    return numbers(I.diagonal(), mark);
  }
  Mapping map(mark);
  map.add("xx", number(I(0, 0), mark)).add("yy", number(I(1, 1), mark));
  map.add("zz", number(I(2, 2), mark)).add("xy", number(I(0, 1), mark));
  map.add("xz", number(I(0, 2), mark)).add("yz", number(I(1, 2), mark));
  return map.node();
}

NodePtr visual(const ForeignVisual& visual) {
  Mapping map(visual.mark);
  map.add("shape", word(visual.shape, visual.mark));
  if (visual.shape == "box") map.add("size", numbers(visual.size, visual.mark));
  const bool is_ellipsoid = visual.shape == "ellipsoid";
  if (is_ellipsoid) map.add("semi_axes", numbers(visual.size, visual.mark));
  if (visual.shape != "box" && visual.shape != "mesh" && !is_ellipsoid) {
    map.add("radius", number(visual.size.x(), visual.mark));
  }
  if (visual.shape == "cylinder" || visual.shape == "capsule") {
    map.add("length", number(visual.size.y(), visual.mark));
  }
  if (visual.shape == "mesh") {
    map.add("file", text(visual.mesh, visual.mark));
    if (visual.size != Vector3::Ones()) map.add("scale", numbers(visual.size, visual.mark));
  }
  map.add("origin", pose(visual.origin, visual.mark));
  if (!visual.color.empty()) map.add("color", text(visual.color, visual.mark));
  return map.node();
}

void add_body(const ForeignBody& body, Mapping& map) {
  map.add("mass", number(body.mass, body.inertia_mark));
  if (!body.center_of_mass.isZero(0.0)) {
    map.add("center_of_mass", numbers(body.center_of_mass, body.inertia_mark));
  }
  map.add("inertia", inertia(body.inertia, body.inertia_mark));
  if (is_unphysical(body.inertia)) map.add("unphysical_inertia", word("true", body.inertia_mark));
  const auto add_shapes = [&](const char* key, const std::vector<ForeignVisual>& shapes) {
    if (shapes.empty()) return;
    std::vector<NodePtr> nodes;
    for (const ForeignVisual& each : shapes) nodes.push_back(visual(each));
    map.add(key, list(std::move(nodes), shapes.front().mark));
  };
  add_shapes("visual", body.visuals);
  add_shapes("collision", body.collisions);
}

NodePtr joint(const ForeignJoint& joint) {
  Mapping map(joint.mark);
  map.add("name", text(joint.name, joint.mark)).add("type", word(joint.type, joint.mark));
  map.add("origin", pose(joint.origin, joint.mark));
  if (joint.type == "spherical") {
    map.add_unless("stiffness", joint.stiffness, 0.0)
        .add_unless("damping", joint.damping, 0.0)
        .add_unless("angle_limit", joint.upper, kUnlimited);
  }
  if (joint.has_one_coordinate() || joint.type == "planar") {
    map.add("axis", numbers(joint.axis, joint.mark));
  }
  if (!joint.has_one_coordinate()) return map.node();
  if (joint.mimic) {
    Mapping mimic(joint.mimic->mark);
    mimic.add("joint", text(joint.mimic->joint, joint.mimic->mark))
        .add_unless("ratio", joint.mimic->ratio, 1.0)
        .add_unless("offset", joint.mimic->offset, 0.0);
    map.add("mimic", mimic.node());
  }
  if (joint.lower != -kUnlimited || joint.upper != kUnlimited) {
    map.add("position_limits", numbers(Eigen::Vector2d(joint.lower, joint.upper), joint.mark));
  }
  map.add_unless("velocity_limit", joint.velocity_limit, kUnlimited)
      .add_unless("effort_limit", joint.effort_limit, kUnlimited)
      .add_unless("stiffness", joint.stiffness, 0.0)
      .add_unless("damping", joint.damping, 0.0)
      .add_unless("rest_position", joint.rest_position, 0.0)
      .add_unless("rotor_inertia", joint.rotor_inertia, 0.0);
  if (joint.friction != 0.0) {
    Mapping friction(joint.mark);
    friction.add("coulomb", number(joint.friction, joint.mark));
    map.add("friction", friction.node());
  }
  return map.node();
}

NodePtr link_node(const ForeignLink& link) {
  Mapping map(link.mark);
  map.add("name", text(link.name, link.mark));
  if (!link.source.empty()) map.add("source", text(link.source, link.mark));
  map.add("parent", text(link.parent, link.joint.mark)).add("joint", joint(link.joint));
  add_body(link, map);
  return map.node();
}

NodePtr frame_node(const ForeignFrame& frame) {
  Mapping map(frame.mark);
  map.add("name", text(frame.name, frame.mark)).add("link", text(frame.link, frame.mark));
  add_placement(frame.origin, map);
  if (!frame.source.empty()) map.add("source", text(frame.source, frame.mark));
  return map.node();
}

NodePtr gear_node(const ForeignGear& gear) {
  Mapping map(gear.mark);
  map.add("name", text(gear.name, gear.mark)).add("type", word("gear", gear.mark));
  map.add("joints",
          list({text(gear.followed, gear.mark), text(gear.follower, gear.mark)}, gear.mark));
  map.add("ratio", number(gear.ratio, gear.mark)).add_unless("offset", gear.offset, 0.0);
  return map.node();
}

NodePtr loop_node(const ForeignLoop& loop) {
  Mapping map(loop.mark);
  map.add("name", text(loop.name, loop.mark)).add("type", word(loop.type, loop.mark));
  map.add("from", text(loop.from, loop.mark)).add("to", text(loop.to, loop.mark));
  return map.node();
}

template <typename Item>
void add_list(const char* key, const std::vector<Item>& items, NodePtr (*compose)(const Item&),
              Mapping& map) {
  if (items.empty()) return;
  std::vector<NodePtr> nodes;
  for (const Item& item : items) nodes.push_back(compose(item));
  map.add(key, list(std::move(nodes), items.front().mark));
}

}  // namespace

Placement Placement::from_rpy(const Vector3& position, const Vector3& rpy) {
  return {position, "rpy", rpy, matrix_from_rpy(rpy), false};
}

Placement Placement::from_twist_degrees(const Vector3& position, const Vector3& twist) {
  return {position, "twist", twist, matrix_from_twist(twist * (kPi / 180.0)), true};
}

Placement Placement::from_matrix(const Vector3& position, const Matrix3& rotation) {
  return {position, "", {}, rotation, false};
}

NodePtr compose_model(const ForeignModel& model) {
  Mapping base(model.base.mark);
  base.add("name", text(model.base.name, model.base.mark));
  if (!model.base.source.empty()) base.add("source", text(model.base.source, model.base.mark));
  add_body(model.base, base);
  if (model.fixed) base.add("fixed", word("true", model.base.mark));
  if (model.placed_by_frame) base.add("placed_by", word("frame", model.base.mark));
  Mapping content(model.mark);
  content.add("name", text(model.name, model.mark));
  if (!model.source.empty()) content.add("source", text(model.source, model.mark));
  content.add("base", base.node());
  add_list("links", model.links, &link_node, content);
  add_list("frames", model.frames, &frame_node, content);
  std::vector<NodePtr> loops;
  for (const ForeignGear& gear : model.gears) loops.push_back(gear_node(gear));
  for (const ForeignLoop& loop : model.loops) loops.push_back(loop_node(loop));
  if (!loops.empty()) {
    const Mark mark = loops.front()->mark;
    content.add("loops", list(std::move(loops), mark));
  }
  Mapping document(model.mark);
  document.add("spacedyn", word("1", model.mark)).add("model", content.node());
  return document.node();
}

}  // namespace spacedyn::loading::foreign
