/// @file
/// Articulated-body forward dynamics of one state by vectors, the columns of I_A in registers.
#pragma once

#include "dynamics/kernels/quad_composite_body.hpp"
#include "dynamics/kernels/quad_inward_sweep.hpp"
#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Writes rigid inertias about the common origin as load_rigid() reads them.
template <typename Lane>
[[gnu::always_inline]] inline void scatter_rigid(double* to, const Rigid<Lane>& body) {
  const Sym3<Lane>& J = body.inertia;
  const Vec3<Lane>& h = body.moment;
  const Lane zero{};
  scatter_quads(to, kStride, J.xx, J.xy, J.xz);
  scatter_quads(to + 4, kStride, J.xy, J.yy, J.yz);
  scatter_quads(to + 8, kStride, J.xz, J.yz, J.zz);
  scatter_quads(to + 12, kStride, zero, -h.z, h.y);
  scatter_quads(to + 16, kStride, h.z, zero, -h.x);
  scatter_quads(to + 20, kStride, -h.y, h.x, zero);
}

/// Inertias and forces of the bodies of one block.
inline void compute_inertias_and_forces(const LinkBlock& links, const JointBlock& joints,
                                        const Surroundings& surroundings, QuadRecord* bodies) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const auto body = gather_bodies<Lane>(links, bodies + lane, lane);
    const Sym3<Lane> I = rotated(body.A, load_inertia<Lane>(links, lane));
    scatter_rigid(bodies[lane].rigid, rigid<Lane>(body.mass, body.r, I));
    const Vec3<Lane> N = I * body.a.angular + cross(body.v.angular, I * body.v.angular);
    scatter_force(bodies + lane, total_force(joints, surroundings, lane, body, N));
  }
}

/// Joint accelerations from the base outward. U·a is split into the lower body's own joint and
/// everything below it, which is known one joint earlier: half the latency. What unknowns add to
/// the accelerations of the bodies takes the place of their forces, which are no longer needed.
inline void accelerate(const Tree& tree, const KernelMobility& mobility,
                       const QuadSpatial& base_acceleration, const QuadScratch& scratch,
                       double* acceleration, double* forces) {
  store_spatial(scratch.bodies[0].p, base_acceleration);
  show_base(tree, scratch, base_acceleration);
  Quad qdd = everywhere(0.0);
  QuadSpatial before = base_acceleration, last = before;  // of the two bodies below, in a run
  for (int i = 1; i < tree.bodies; ++i) {
    QuadRecord& body = scratch.bodies[i];
    const int lower = tree.lower[i], row = 5 + tree.body[i];
    const QuadRecord& below = scratch.bodies[lower];
    const QuadSpatial U = load_spatial(body.U);
    const auto added_to = [&](int it) {
      const bool is_seen = it == 0 && tree.opening_count > 0 && tree.origin[i] != 0;
      return load_spatial(is_seen ? origin_of(tree, scratch, i).base : scratch.bodies[it].p);
    };
    if (tree.visits[i].hands_on == 0 || lower == 0) {
      qdd = everywhere(below.acceleration);
      before = added_to(tree.lower[lower]), last = added_to(lower);
    }
    Quad residual = body.residual - dot(U, before);
    if (lower > 0) residual = residual - dot(U, load_spatial(below.axis)) * qdd;
    qdd = residual * body.inverse_D;
    body.acceleration = qdd[0];
    before = last, last = last + load_spatial(body.axis) * qdd;
    store_spatial(body.p, last);
    if (mobility.free[i] != 0.0) {
      acceleration[row] = qdd[0];
    } else {
      forces[row] = tree.links[i].armature * acceleration[row] - residual[0];
    }
  }
}

/// Inertias of all bodies and the forces that their motion and all loads cause.
[[gnu::always_inline]] inline void compute_all_inertias_and_forces(const Tree& tree,
                                                                   const KernelLoads<double>& loads,
                                                                   const QuadScratch& scratch) {
  const Surroundings surroundings{load3(loads.gravity),
                                  order_wrenches(tree, loads, scratch.joints)};
  for (int b = 0; b < tree.block_count; ++b) {
    compute_inertias_and_forces(tree.blocks[b], scratch.joints[b], surroundings,
                                scratch.bodies + kBlock * b);
  }
}

/// The force that is missing at the base.
[[gnu::always_inline]] inline QuadSpatial missing_force(const double* F_b, const QuadSpatial& p) {
  return QuadSpatial{Quad{F_b[3], F_b[4], F_b[5], 0.0}, Quad{F_b[0], F_b[1], F_b[2], 0.0}} - p;
}

/// Keeps the pivots of the base, and the smallest part that any is of its bound.
[[gnu::always_inline]] inline void note_base_pivots(const Tree& tree, const double* pivots,
                                                    QuadRecord& base, double& smallest_pivot) {
  for (int k = 0; k < 6; ++k) {
    base.U[k] = pivots[k];
    const double part = pivots[k] * tree.inverse_base_bound[k / 3];
    if (!(part >= smallest_pivot)) smallest_pivot = part;
  }
}

/// Acceleration of a free base, or the force that a prescribed one needs.
[[gnu::always_inline]] inline void write_base(const KernelMobility& mobility, const QuadSpatial& a,
                                              const QuadSpatial& missing, double* acceleration,
                                              double* forces) {
  for (int axis = 0; axis < 3; ++axis) {
    if (mobility.free[0] != 0.0) {
      acceleration[axis] = a.linear[axis], acceleration[3 + axis] = a.angular[axis];
    } else {
      forces[axis] = -missing.linear[axis], forces[3 + axis] = -missing.angular[axis];
    }
  }
}

/// After move(): hybrid dynamics, and the inverse inertia of a free base if anyone wants it.
/// @returns the smallest part that a pivot is of the bound of its inertia
inline double articulated_body(const Tree& tree, const KernelMobility& mobility,
                               const KernelLoads<double>& loads, double* memory,
                               double* acceleration, double* forces, double* base_inverse) {
  const QuadScratch scratch(memory, tree);
  compute_all_inertias_and_forces(tree, loads, scratch);
  double smallest_pivot = __builtin_inf();
  const QuadHanded whole = sweep_inward(tree, mobility, loads.tau, scratch, smallest_pivot);

  const QuadSpatial missing = missing_force(loads.F_b, whole.p);
  QuadSpatial a = zero_spatial();
  if (mobility.free[0] != 0.0 && base_inverse != nullptr) {
    const QuadInverter inverter(whole.I);
    note_base_pivots(tree, inverter.pivots(), scratch.bodies[0], smallest_pivot);
    a = inverter * missing;
    inverter.write(base_inverse);
  } else if (mobility.free[0] != 0.0) {
    const QuadSolver solver(whole.I, missing);
    note_base_pivots(tree, solver.pivots(), scratch.bodies[0], smallest_pivot);
    a = solver.solution();
  }
  write_base(mobility, a, missing, acceleration, forces);
  accelerate(tree, mobility, a, scratch, acceleration, forces);
  return smallest_pivot;
}

/// After articulated_body(): whether each pivot is more than a part `least` of its diagonal element
/// of H, of which composite rigid bodies tell.
inline bool has_sound_pivots(const Tree& tree, const KernelMobility& mobility, double* memory,
                             double least) {
  const QuadScratch scratch(memory, tree);
  compute_composites(tree, scratch);
  bool sound = true;
  const auto compare = [&](double pivot, double diagonal) {
    sound = sound && pivot > least * diagonal;  // NaN fails
  };
  if (mobility.free[0] != 0.0) {
    const QuadRecord& base = scratch.bodies[0];
    for (int k = 0; k < 3; ++k) compare(base.U[k], base.sum[5 * k]);
    for (int k = 3; k < 6; ++k) compare(base.U[k], tree.links[0].carried_mass);
  }
  for (int i = 1; i < tree.bodies; ++i) {
    if (mobility.free[i] == 0.0) continue;
    const double* s = scratch.bodies[i].axis;
    const Response response(scratch.joints, i);
    const double* F = response.F;
    const double rigid =
        s[0] * F[3] + s[1] * F[4] + s[2] * F[5] + s[4] * F[0] + s[5] * F[1] + s[6] * F[2];
    compare(1.0 / scratch.bodies[i].inverse_D, rigid + tree.links[i].armature);
  }
  return sound;
}

}  // namespace spacedyn::SPACEDYN_ISA
