/// @file
/// Outward sweep of one state per lane: poses, joint axes and velocities about the common origin.
#pragma once

#include "dynamics/kernels/articulated_inertia.hpp"
#include "dynamics/kernels/problem.hpp"
#include "dynamics/kernels/sincos.hpp"
#include "dynamics/kernels/tree.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// What the sweeps keep about one body, inertial axes, origin at the base centroid.
template <typename Lane>
struct LaneBody {
  Mat3<Lane> A;              ///< link to inertial axes
  Vec3<Lane> o;              ///< frame origin
  Vec3<Lane> r;              ///< centroid
  Spatial<Lane> s;           ///< joint axis
  Spatial<Lane> v;           ///< velocity; the base centroid is at rest
  Spatial<Lane> a;           ///< acceleration that velocities and given accelerations cause
  Sym3<Lane> I;              ///< about the centroid, inertial axes
  Spatial<Lane> p;           ///< force
  Spatial<Lane> U;           ///< I_A s
  Lane inverse_D, residual;  ///< 1/D and τ − s·p
  Articulated<Lane> sum;     ///< of upper bodies that are not the next entry
};

template <typename Lane>
inline Mat3<Lane> load_matrix(const Lane* from) {
  return {load3(from), load3(from + 3), load3(from + 6)};
}
inline Vec3<double> load_constant(const double* from) { return {from[0], from[1], from[2]}; }

template <typename Lane>
inline void place_base(const Tree& tree, const KernelState<Lane>& state, LaneBody<Lane>& base) {
  base.A = load_matrix(state.A_0);
  base.r = zero3<Lane>();
  base.o = base.r - base.A * load_constant(tree.links[0].c);
  base.v = {load3(state.omega_0), zero3<Lane>()};
}

/// (1), (6): A_i = A_B C R_z(ρ q), o_i = o_B + A_B l + π q k.
template <typename Lane>
inline void place_link(const LinkConstants& link, const LaneBody<Lane>& lower, const Lane& q,
                       const Lane& sine, const Lane& cosine, LaneBody<Lane>& body) {
  const Vec3<Lane> x = lower.A * load_constant(link.C);
  const Vec3<Lane> y = lower.A * load_constant(link.C + 3);
  const Vec3<Lane> k = lower.A * load_constant(link.C + 6);
  const Lane c = cosine * link.revolute + link.prismatic;
  const Lane s = sine * link.revolute;
  body.A = {x * c + y * s, y * c - x * s, k};
  body.o = lower.o + lower.A * load_constant(link.l) + k * (q * link.prismatic);
  body.r = body.o + body.A * load_constant(link.c);
  body.s = {k * link.revolute, cross(body.o, k) * link.revolute + k * link.prismatic};
}

/// (8)–(15) about the common origin: v_i = v_B + s q̇, and what velocities add to a.
template <typename Lane>
inline void move_link(const LaneBody<Lane>& lower, const Lane& qd, LaneBody<Lane>& body) {
  const Spatial<Lane> joint = body.s * qd;
  body.v = lower.v + joint;
  body.a = lower.a + cross_motion(lower.v, joint);
}

/// (30), (31) at the centroid, external wrench subtracted, moved to the common origin.
template <typename Lane>
inline Spatial<Lane> body_force(const LinkConstants& link, int number,
                                const KernelLoads<Lane>& loads, const LaneBody<Lane>& body) {
  const Vec3<Lane>& omega = body.v.angular;
  const Vec3<Lane> acceleration = body.a.linear + cross(body.a.angular, body.r) +
                                  cross(omega, body.v.linear + cross(omega, body.r));
  Vec3<Lane> F = acceleration * link.mass;
  Vec3<Lane> N = body.I * body.a.angular + cross(omega, body.I * omega);
  if (loads.force != nullptr) {
    F = F - load3(loads.force + 3 * number);
    N = N - load3(loads.moment + 3 * number);
  }
  return {N + cross(body.r, F), F};
}

}  // namespace spacedyn::SPACEDYN_ISA
