/// @file
/// Inverse dynamics, H⁻¹ and the generalized Jacobian of one state by vectors.
#pragma once

#include "dynamics/kernels/quad_articulated_body.hpp"
#include "dynamics/kernels/quad_composite_body.hpp"
#include "dynamics/kernels/quad_derivatives.hpp"
#include "dynamics/kernels/quad_kinematics.hpp"
#include "dynamics/kernels/quad_matrix.hpp"
#include "dynamics/kernels/quad_points.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Forces of the bodies of one block; the inertia stays in link axes.
inline void compute_forces(const LinkBlock& links, const JointBlock& joints,
                           const Surroundings& surroundings, QuadRecord* bodies) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const auto body = gather_bodies<Lane>(links, bodies + lane, lane);
    const auto I = load_inertia<Lane>(links, lane);
    const Vec3<Lane> omega_L = transposed_times(body.A, body.v.angular);
    const Vec3<Lane> N_L =
        I * transposed_times(body.A, body.a.angular) + cross(omega_L, I * omega_L);
    scatter_force(bodies + lane, total_force(joints, surroundings, lane, body, body.A * N_L));
  }
}

/// (36), (37), then (32)–(35): about one origin they are a sum. @returns the force on the base
inline QuadSpatial sum_forces(const Tree& tree, const QuadScratch& scratch, double* forces) {
  QuadSpatial carried = zero_spatial();
  for (int i = tree.bodies - 1; i > 0; --i) {
    const QuadRecord& body = scratch.bodies[i];
    QuadSpatial f = load_spatial(body.p) + carried;
    forces[5 + tree.body[i]] = dot(load_spatial(body.axis), f)[0];
    if (tree.opens[i] != 0) f = from_base(scratch.origins[tree.origin[i]], f);
    carried = zero_spatial();
    if (tree.lower[i] == i - 1) {
      carried = f;
    } else {
      double* lower = scratch.bodies[tree.lower[i]].p;
      store_spatial(lower, load_spatial(lower) + f);
    }
  }
  return load_spatial(scratch.bodies[0].p) + carried;
}

/// After move() with all accelerations given: [F_0; N_0; τ].
inline void newton_euler(const Tree& tree, const KernelLoads<double>& loads, double* memory,
                         double* forces) {
  const QuadScratch scratch(memory, tree);
  const Surroundings surroundings{load3(loads.gravity),
                                  order_wrenches(tree, loads, scratch.joints)};
  for (int b = 0; b < tree.block_count; ++b) {
    compute_forces(tree.blocks[b], scratch.joints[b], surroundings, scratch.bodies + kBlock * b);
  }
  const QuadSpatial f = sum_forces(tree, scratch, forces);
  for (int axis = 0; axis < 3; ++axis) {
    forces[axis] = f.linear[axis];
    forces[3 + axis] = f.angular[axis];
  }
}

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
