/// @file
/// What H⁻¹ needs of one state: articulated inertias of bodies on which no force acts.
#pragma once

#include "dynamics/kernels/quad_articulated_body.hpp"
#include "dynamics/kernels/quad_derivatives.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// After update_positions(): what articulated_body() leaves of inertias, and S of the turns of the
/// base. @returns the smallest part that a pivot is of the bound of its inertia
inline double articulated_inertias(const Tree& tree, const KernelMobility& mobility,
                                   const double* zeros, double* memory, double* base_inverse,
                                   TermBlock* base_terms) {
  using Lane = Pack<kLanes>;
  const QuadScratch scratch(memory, tree);
  for (int b = 0; b < tree.block_count; ++b) {
    QuadRecord* bodies = scratch.bodies + kBlock * b;
    for (int lane = 0; lane < kBlock; lane += kLanes) {
      scatter_rigid(bodies[lane].rigid, gather_rigid<Lane>(tree.blocks[b], bodies + lane, lane));
    }
    for (int i = 0; i < kBlock; ++i) store_spatial(bodies[i].p, zero_spatial());
  }
  double smallest_pivot = __builtin_inf();
  const QuadHanded whole = sweep_inward(tree, mobility, zeros, scratch, smallest_pivot);
  if (mobility.free[0] != 0.0) {
    const QuadInverter inverter(whole.I);
    note_base_pivots(tree, inverter.pivots(), scratch.bodies[0], smallest_pivot);
    inverter.write(base_inverse);
  }
  for (int k = 1; k <= tree.opening_count; ++k) {
    for (int axis = 0; axis < 3; ++axis) {
      const QuadSpatial S = turn_of_base(scratch.origins[k], axis);
      store_term(base_terms[k], kTermS, axis, in_lanes(S));
    }
  }
  return smallest_pivot;
}

}  // namespace spacedyn::SPACEDYN_ISA
