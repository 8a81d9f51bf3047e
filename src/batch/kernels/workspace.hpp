/// @file
/// Rows of lanes: of a tile, and of the workspace of one block of lanes.
#pragma once

#include "batch/kernels/articulated.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The rows of one entry in a workspace block.
template <typename Lane>
struct Rows {
  double* at;
  SPACEDYN_INLINE Lane get(int row) const { return load<Lane>(at + row * LaneTraits<Lane>::width); }
  SPACEDYN_INLINE void put(int row, const Lane& x) const {
    store(at + row * LaneTraits<Lane>::width, x);
  }
  SPACEDYN_INLINE void get(int row, Lane* x, int count) const {
    for (int i = 0; i < count; ++i) x[i] = get(row + i);
  }
  SPACEDYN_INLINE void put(int row, const Lane* x, int count) const {
    for (int i = 0; i < count; ++i) put(row + i, x[i]);
  }
};

/// The workspace of one block of lanes.
template <typename Lane>
struct Workspace {
  double* at;
  double* branches;

  SPACEDYN_INLINE Workspace(batch::Robot robot, double* memory)
      : at(memory),
        branches(memory + (robot.links + 1) * (batch::WorkRows::count * LaneTraits<Lane>::width)) {}
  SPACEDYN_INLINE Rows<Lane> entry(int i) const {
    return {at + i * (batch::WorkRows::count * LaneTraits<Lane>::width)};
  }
  SPACEDYN_INLINE Rows<Lane> branch(const batch::Link& link) const {
    return {branches + link.branch * (batch::BranchRows::count * LaneTraits<Lane>::width)};
  }
};

/// Row of a tile.
template <typename Lane>
SPACEDYN_INLINE Lane row(const double* tile, int index) {
  return load<Lane>(tile + index * batch::kTile);
}
template <typename Lane>
SPACEDYN_INLINE void set_row(double* tile, int index, const Lane& x) {
  store(tile + index * batch::kTile, x);
}

}  // namespace spacedyn::SPACEDYN_ISA
