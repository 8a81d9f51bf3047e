/// @file
/// Articulated-body forward dynamics, one state per lane, O(n) [Featherstone].
///
/// World axes about one common origin: inertias, forces and accelerations of all bodies add up as
/// they are. The accelerations that velocities and prescribed motion cause are summed outward
/// first, so that p is the inverse dynamics of that motion and the inward sweep needs no I_A c.
#pragma once

#include "dynamics/kernels/lane_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// v̇_0 − g at the origin where prescribed, −g where free, as the start of a.
template <typename Lane>
inline Spatial<Lane> start_acceleration(const KernelLoads<Lane>& loads, bool given,
                                        const Lane* acceleration) {
  Spatial<Lane> a{zero3<Lane>(), load3(loads.gravity) * -1.0};
  if (given) a = a + Spatial<Lane>{load3(acceleration + 3), load3(acceleration)};
  return a;
}

/// Poses, velocities, inertias and forces of all bodies for zero free accelerations.
template <typename Lane>
inline void sweep_outward(const Tree& tree, const KernelMobility& mobility,
                          const KernelState<Lane>& state, const KernelLoads<Lane>& loads,
                          const Lane* sine, const Lane* cosine, const Lane* acceleration,
                          LaneBody<Lane>* bodies) {
  place_base(tree, state, bodies[0]);
  bodies[0].a = start_acceleration(loads, mobility.free[0] == 0.0, acceleration);
  for (int i = 0; i < tree.bodies; ++i) {
    const LinkConstants& link = tree.links[i];
    LaneBody<Lane>& body = bodies[i];
    const int number = tree.body[i];
    if (i > 0) {
      const LaneBody<Lane>& lower = bodies[tree.lower[i]];
      const int j = number - 1;
      place_link(link, lower, state.q[j], sine[j], cosine[j], body);
      move_link(lower, state.qd[j], body);
      if (mobility.free[i] == 0.0) body.a = body.a + body.s * acceleration[6 + j];
    }
    body.I = rotated(body.A, symmetric(link.I));
    body.p = body_force(link, number, loads, body);
    if (tree.collects[i] != 0) body.sum = zero_articulated<Lane>();
  }
}

/// What the inward sweep hands to the lower body: I_A and p_A with the joint taken out.
template <typename Lane>
struct Handed {
  Articulated<Lane> I;
  Spatial<Lane> p;
};

/// One joint of the inward sweep. A prescribed joint passes everything on: its 1/D is zero.
template <typename Lane>
inline Handed<Lane> reduce_joint(double free, const Lane& tau, const Articulated<Lane>& I,
                                 LaneBody<Lane>& body, Lane& smallest_pivot) {
  body.U = I * body.s;
  const Lane D = dot(body.s, body.U);
  body.residual = tau - dot(body.s, body.p);
  if (free != 0.0) smallest_pivot = minimum(smallest_pivot, D);
  body.inverse_D = free / (D * free + (1.0 - free));
  const Spatial<Lane> scaled = body.U * body.inverse_D;
  return {minus_outer(I, scaled, body.U), body.p + scaled * body.residual};
}

/// From the tips to the base; afterwards entry 0 holds p of the whole and its I is returned.
template <typename Lane>
inline Articulated<Lane> sweep_inward(const Tree& tree, const KernelMobility& mobility,
                                      const Lane* tau, LaneBody<Lane>* bodies,
                                      Lane& smallest_pivot) {
  Articulated<Lane> carried = zero_articulated<Lane>();
  for (int i = tree.bodies - 1;; --i) {
    LaneBody<Lane>& body = bodies[i];
    Articulated<Lane> I = carried + rigid(tree.links[i].mass, body.r, body.I);
    if (tree.collects[i] != 0) I = I + body.sum;
    if (i == 0) return I;
    const Handed<Lane> handed =
        reduce_joint(mobility.free[i], tau[tree.body[i] - 1], I, body, smallest_pivot);
    LaneBody<Lane>& lower = bodies[tree.lower[i]];
    lower.p = lower.p + handed.p;
    if (tree.lower[i] == i - 1) {
      carried = handed.I;
    } else {
      lower.sum = lower.sum + handed.I;
      carried = zero_articulated<Lane>();
    }
  }
}

/// Solves I a = f for the base by LDLᵀ, in the order (linear, angular).
template <typename Lane>
inline Spatial<Lane> solve_base(const Articulated<Lane>& I, const Spatial<Lane>& f,
                                Lane& smallest_pivot) {
  Lane L[6][6] = {{I.M.xx},
                  {I.M.xy, I.M.yy},
                  {I.M.xz, I.M.yz, I.M.zz},
                  {I.H.a.x, I.H.b.x, I.H.c.x, I.J.xx},
                  {I.H.a.y, I.H.b.y, I.H.c.y, I.J.xy, I.J.yy},
                  {I.H.a.z, I.H.b.z, I.H.c.z, I.J.xz, I.J.yz, I.J.zz}};
  Lane x[6] = {f.linear.x, f.linear.y, f.linear.z, f.angular.x, f.angular.y, f.angular.z};
  Lane inverse[6];
  for (int k = 0; k < 6; ++k) {
    smallest_pivot = minimum(smallest_pivot, L[k][k]);
    inverse[k] = 1.0 / L[k][k];
    for (int i = k + 1; i < 6; ++i) {
      const Lane factor = L[i][k] * inverse[k];
      for (int j = k + 1; j <= i; ++j) L[i][j] = L[i][j] - factor * L[j][k];
      x[i] = x[i] - factor * x[k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    for (int j = k + 1; j < 6; ++j) x[k] = x[k] - L[j][k] * x[j];
    x[k] = x[k] * inverse[k];
  }
  return {{x[3], x[4], x[5]}, {x[0], x[1], x[2]}};
}

/// Hybrid dynamics: accelerations of free coordinates, further forces on prescribed ones.
///
/// @param sine,cosine   of q, n elements
/// @param acceleration  6 + n, linear base rows first; in: prescribed ones, out: all
/// @param forces        6 + n; written in prescribed rows only
/// @returns the smallest pivot: not positive where the inertia matrix is not positive definite
template <typename Lane>
inline Lane articulated_body(const Tree& tree, const KernelMobility& mobility,
                             const KernelState<Lane>& state, const KernelLoads<Lane>& loads,
                             const Lane* sine, const Lane* cosine, LaneBody<Lane>* bodies,
                             Lane* acceleration, Lane* forces) {
  Lane smallest_pivot = broadcast<Lane>(__builtin_inf());
  sweep_outward(tree, mobility, state, loads, sine, cosine, acceleration, bodies);
  const Articulated<Lane> I = sweep_inward(tree, mobility, loads.tau, bodies, smallest_pivot);

  LaneBody<Lane>& base = bodies[0];
  const Spatial<Lane> missing = Spatial<Lane>{load3(loads.F_b + 3), load3(loads.F_b)} - base.p;
  if (mobility.free[0] != 0.0) {
    base.a = solve_base(I, missing, smallest_pivot);
    store3(acceleration, base.a.linear);
    store3(acceleration + 3, base.a.angular);
  } else {
    base.a = zero6<Lane>();
    store3(forces, missing.linear * -1.0);
    store3(forces + 3, missing.angular * -1.0);
  }
  for (int i = 1; i < tree.bodies; ++i) {
    LaneBody<Lane>& body = bodies[i];
    const int row = 5 + tree.body[i];
    const Spatial<Lane>& a = bodies[tree.lower[i]].a;
    const Lane residual = body.residual - dot(body.U, a);
    const Lane qdd = residual * body.inverse_D;
    body.a = a + body.s * qdd;
    if (mobility.free[i] != 0.0) {
      acceleration[row] = qdd;
    } else {
      forces[row] = residual * -1.0;
    }
  }
  return smallest_pivot;
}

}  // namespace spacedyn::SPACEDYN_ISA
