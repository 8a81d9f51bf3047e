/// @file
/// J* of a free-floating robot from the momenta of its joints, O(n).
#pragma once

#include "dynamics/kernels/quad_composite_body.hpp"
#include "dynamics/kernels/quad_matrix.hpp"
#include "dynamics/kernels/quad_points.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// H_b of the whole system about the base centroid, from what compute_composites() left.
inline QuadMatrix base_inertia(const QuadRecord& base, double mass) {
  const Quad h = load<Quad>(base.sum + 12);
  const auto unit = [](int axis, double f) {
    return Quad{axis == 0 ? f : 0.0, axis == 1 ? f : 0.0, axis == 2 ? f : 0.0, 0.0};
  };
  const auto turn = [&](int axis) {
    return QuadSpatial{load<Quad>(base.sum + 4 * axis), cross(unit(axis, 1.0), h)};
  };
  const auto shift = [&](int axis) {
    return QuadSpatial{cross(h, unit(axis, 1.0)), unit(axis, mass)};
  };
  return {turn(0), turn(1), turn(2), shift(0), shift(1), shift(2)};
}

/// After update_positions() or move(): J* = J_m − J_b H_b⁻¹ H_bm, 6×n, rows (linear, angular), of
/// a point of an entry. @returns whether the pivots of H_b are more than a part `least` of its
/// diagonal; otherwise J is J_m
inline bool generalized_jacobian(const Tree& tree, double* memory, int entry, const double* point,
                                 double least, double* J) {
  const QuadScratch scratch(memory, tree);
  double place[4] = {};
  point_jacobian(tree, memory, entry, point, J, place);
  compute_composites(tree, scratch);
  const QuadRecord& base = scratch.bodies[0];
  const double mass = tree.links[0].carried_mass;
  const QuadInverter inverter(base_inertia(base, mass));
  for (int k = 0; k < 6; ++k) {
    // written so that NaN fails
    if (!(inverter.pivots()[k] > least * (k < 3 ? base.sum[5 * k] : mass))) return false;
  }
  const Quad r_0e = load<Quad>(place);
  for (int i = 1; i < tree.bodies; ++i) {
    const Response response(scratch.joints, i);
    const double* F = response.F;
    const QuadSpatial momentum =
        from_base(origin_of(tree, scratch, i),
                  QuadSpatial{Quad{F[3], F[4], F[5], 0.0}, Quad{F[0], F[1], F[2], 0.0}});
    const QuadSpatial yielded = inverter * momentum;
    const Quad moved = yielded.linear + cross(yielded.angular, r_0e);
    double* column = J + 6 * (tree.body[i] - 1);
    for (int axis = 0; axis < 3; ++axis) {
      column[axis] -= moved[axis];
      column[3 + axis] -= yielded.angular[axis];
    }
  }
  return true;
}

}  // namespace spacedyn::SPACEDYN_ISA
