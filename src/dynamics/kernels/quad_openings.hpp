/// @file
/// Where branches about origins of their own meet the base.
#pragma once

#include "dynamics/kernels/problem.hpp"
#include "dynamics/kernels/quad_records.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Whether each opening is a free joint on whose intermediate bodies nothing acts: exactly the
/// forces of its coordinates pass through it, which digits lost on a long way would spoil.
inline void find_free_openings(const Tree& tree, const KernelMobility& mobility,
                               const QuadScratch& scratch) {
  for (int k = 0; k < tree.opening_count; ++k) {
    const Opening& opening = tree.openings[k];
    bool is_free = opening.freedoms == 6;
    for (int i = opening.entry; is_free && i < opening.entry + 6; ++i) {
      is_free = mobility.free[i] != 0.0 && tree.links[i].armature == 0.0;
      for (int r = 0; r < 8 && i < opening.entry + 5; ++r) {
        is_free = is_free && scratch.bodies[i].p[r] == 0.0;
      }
    }
    scratch.origins[1 + k].is_apart = is_free ? 1.0 : 0.0;
  }
}

/// What unknowns add to the acceleration of the base, as seen from the origins of openings.
inline void show_base(const Tree& tree, const QuadScratch& scratch, const QuadSpatial& base) {
  for (int k = 1; k <= tree.opening_count; ++k) {
    QuadOrigin& origin = scratch.origins[k];
    store_spatial(origin.base, seen_from(load<Quad>(origin.place), base));
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
