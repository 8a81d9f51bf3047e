/// @file
/// Recursive Newton–Euler inverse dynamics, one state per lane, O(n).
#pragma once

#include "dynamics/kernels/lane_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// [F_0; N_0; τ] for the given accelerations, size 6 + n; F_b and τ of the loads are not read.
template <typename Lane>
inline void newton_euler(const Tree& tree, const KernelState<Lane>& state,
                         const KernelLoads<Lane>& loads, const Lane* sine, const Lane* cosine,
                         const Lane* acceleration, LaneBody<Lane>* bodies, Lane* forces) {
  place_base(tree, state, bodies[0]);
  bodies[0].a = {load3(acceleration + 3), load3(acceleration) - load3(loads.gravity)};
  for (int i = 0; i < tree.bodies; ++i) {
    const LinkConstants& link = tree.links[i];
    LaneBody<Lane>& body = bodies[i];
    const int number = tree.body[i];
    if (i > 0) {
      const LaneBody<Lane>& lower = bodies[tree.lower[i]];
      const int j = number - 1;
      place_link(link, lower, state.q[j], sine[j], cosine[j], body);
      move_link(lower, state.qd[j], body);
      body.a = body.a + body.s * acceleration[6 + j];
    }
    body.I = rotated(body.A, symmetric(link.I));
    body.p = body_force(link, number, loads, body);
  }
  for (int i = tree.bodies - 1; i > 0; --i) {
    // (36), (37), then (32)–(35): about one origin they are a sum
    forces[5 + tree.body[i]] = dot(bodies[i].s, bodies[i].p);
    LaneBody<Lane>& lower = bodies[tree.lower[i]];
    lower.p = lower.p + bodies[i].p;
  }
  store3(forces, bodies[0].p.linear);
  store3(forces + 3, bodies[0].p.angular);
}

}  // namespace spacedyn::SPACEDYN_ISA
