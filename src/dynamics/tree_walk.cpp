#include "dynamics/tree_walk.hpp"

#include <algorithm>

#include "dynamics/depth_first.hpp"

namespace spacedyn {
namespace {

WalkBody walk_body(const Model& model, int link) {
  const Body& body = model.body(link);
  WalkBody result;
  result.link = link;
  result.children = static_cast<int>(model.topology().children(link).size());
  result.mass = body.mass;
  result.center_of_mass = body.center_of_mass;
  result.inertia_L = SymmetricMatrix::from(body.inertia_L);
  if (link == 0) return result;
  const Joint& joint = model.joint(link);
  result.revolute = joint.type == JointType::revolute;
  result.armature = joint.armature;
  result.origin = joint.origin;
  result.rotation = joint.rotation;
  return result;
}

}  // namespace

TreeWalk::TreeWalk(const Model& model) {
  const std::vector<int> order = depth_first_order(model.topology());
  std::vector<int> position(order.size());
  bodies.reserve(order.size());
  for (const int link : order) {
    const int here = static_cast<int>(bodies.size());
    position[static_cast<std::size_t>(link)] = here;
    bodies.push_back(walk_body(model, link));
    bodies.back().end = here + 1;
    if (link == 0) continue;
    const int lower = model.topology().connection(link);
    bodies.back().parent = position[static_cast<std::size_t>(lower)];
    const WalkBody& parent = (*this)[bodies.back().parent];
    bodies.back().fork = parent.fork + (lower > 0 && parent.children > 1 ? 1 : 0);
    deepest_fork = std::max(deepest_fork, bodies.back().fork);
  }
  for (int here = joint_count(); here > 0; --here) {
    const WalkBody& body = bodies[static_cast<std::size_t>(here)];
    WalkBody& parent = bodies[static_cast<std::size_t>(body.parent)];
    parent.end = std::max(parent.end, body.end);
  }
  for (int begin = 1; begin <= joint_count(); begin = branches.back().end) {
    branches.push_back({begin, (*this)[begin].end});
  }
}

}  // namespace spacedyn
