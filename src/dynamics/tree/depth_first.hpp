/// @file
/// The order in which recursions visit bodies.
#pragma once

#include <iterator>
#include <vector>

#include "spacedyn/model/topology.hpp"

namespace spacedyn {

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
