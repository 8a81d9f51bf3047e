/// @file
/// The shape of a model's tree in depth-first order, the order in which subtrees are contiguous.
#pragma once

#include <iterator>
#include <vector>

#include "dynamics/kernels/tree.hpp"
#include "spacedyn/model/topology.hpp"

namespace spacedyn {

/// One body; position 0 of a walk is the base.
struct WalkBody {
  int link = 0;    ///< index in the model, 0…n
  int parent = 0;  ///< position of the lower link in the walk
  int end = 0;     ///< one past the last position of its subtree
  int children = 0;
  int fork = 0;  ///< number of bodies with several children below it, the base not counted
};

/// Positions [begin, end) of a walk.
struct WalkRange {
  int begin = 0, end = 0;
  int size() const { return end - begin; }
};

/// Every body after the one that carries it, and each subtree a range of positions, which are the
/// entries of the Tree.
struct TreeWalk {
  explicit TreeWalk(const Tree& tree);

  int joint_count() const { return static_cast<int>(bodies.size()) - 1; }
  const WalkBody& operator[](int position) const {
    return bodies[static_cast<std::size_t>(position)];
  }

  std::vector<WalkBody> bodies;
  std::vector<WalkRange> branches;  ///< the subtrees that the base carries, in order
  int deepest_fork = 0;             ///< largest WalkBody::fork
};

/// Bodies in the order of a depth-first walk from the base, children ascending: every subtree is
/// contiguous. An explicit stack, because chains may be long.
inline std::vector<int> depth_first_order(const Topology& topology) {
  std::vector<int> order, pending{0};
  while (!pending.empty()) {
    const int body = pending.back();
    pending.pop_back();
    order.push_back(body);
    const LinkList children = topology.children(body);
    pending.insert(pending.end(), std::make_reverse_iterator(children.end()),
                   std::make_reverse_iterator(children.begin()));
  }
  return order;
}

}  // namespace spacedyn
