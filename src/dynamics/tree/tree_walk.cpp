#include "dynamics/tree/tree_walk.hpp"

#include <algorithm>

namespace spacedyn {

TreeWalk::TreeWalk(const Tree& tree) : bodies(static_cast<std::size_t>(tree.bodies)) {
  for (int here = joint_count(); here >= 0; --here) {
    WalkBody& body = bodies[static_cast<std::size_t>(here)];
    body.link = tree.body[here];
    body.parent = tree.lower[here];
    body.end = std::max(body.end, here + 1);
    if (here == 0) break;
    WalkBody& parent = bodies[static_cast<std::size_t>(body.parent)];
    ++parent.children;
    parent.end = std::max(parent.end, body.end);
  }
  for (int here = 1; here <= joint_count(); ++here) {
    WalkBody& body = bodies[static_cast<std::size_t>(here)];
    const WalkBody& parent = (*this)[body.parent];
    body.fork = parent.fork + (body.parent > 0 && parent.children > 1 ? 1 : 0);
    deepest_fork = std::max(deepest_fork, body.fork);
  }
  for (int begin = 1; begin <= joint_count(); begin = branches.back().end) {
    branches.push_back({begin, (*this)[begin].end});
  }
}

}  // namespace spacedyn
