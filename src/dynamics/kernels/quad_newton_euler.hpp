/// @file
/// Recursive Newton–Euler inverse dynamics of one state by vectors.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"

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

}  // namespace spacedyn::SPACEDYN_ISA
