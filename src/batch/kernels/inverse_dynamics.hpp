/// @file
/// Recursive Newton–Euler inverse dynamics on lanes, in the frames of forward_dynamics.hpp.
#pragma once

#include "batch/kernels/base.hpp"
#include "batch/kernels/joints.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// How a body moves: ω, ω̇ and the classical acceleration of its frame's origin, its own axes.
template <typename Lane>
struct Motion {
  Lane omega[3], alpha[3], a[3];
};

/// Motion of a link from that of its lower link.
template <typename Lane>
SPACEDYN_INLINE void carry(const batch::Link& link, Rows<Lane> rows, const Lane& q, const Lane& qd,
                           const Lane& qdd, Motion<Lane>& m) {
  using R = batch::WorkRows;
  // a + ω̇ × r + ω × (ω × r)
  const Spin<Lane> W(m.omega);
  const double* r = link.r;
  m.a[0] += W.row_x(r) + (m.alpha[1] * r[2] - m.alpha[2] * r[1]);
  m.a[1] += W.row_y(r) + (m.alpha[2] * r[0] - m.alpha[0] * r[2]);
  m.a[2] += W.row_z(r) + (m.alpha[0] * r[1] - m.alpha[1] * r[0]);
  if (link.screw) {
    add_screw_motion(link, W, m.omega, q, qd, m.a);
    add_screw_arm(link, m.alpha, q, m.a);
  }
  const Lane c = rows.get(R::cosine), s = rows.get(R::sine);
  Lane* const vectors[] = {m.omega, m.alpha, m.a};
  for (Lane* x : vectors) {
    to_link(link, x);
    turn_back(c, s, x[0], x[1]);
  }
  if (link.prismatic) {
    const Spin<Lane> own(m.omega);
    const Lane twice = qd + qd;
    m.a[0] += (m.alpha[1] + own.xz) * q + m.omega[1] * twice;
    m.a[1] += (own.yz - m.alpha[0]) * q - m.omega[0] * twice;
    m.a[2] += own.zz * q + qdd;
  } else {
    m.alpha[0] += m.omega[1] * qd;
    m.alpha[1] -= m.omega[0] * qd;
    m.alpha[2] += qdd;
    m.omega[2] += qd;
    if (link.screw) m.a[2] += link.slide * qdd;
  }
}

/// What a body needs to move so: F = m a + ω̇ × h + ω × (ω × h), N = I ω̇ + h × a + ω × I ω.
template <typename Lane>
SPACEDYN_INLINE void required_wrench(const batch::Link& link, const Motion<Lane>& m, Lane* n,
                                     Lane* f) {
  gyroscopic_wrench(link, Spin<Lane>(m.omega), n, f);
  const double* h = link.h;
  const double* I = link.I;
  const Lane* alpha = m.alpha;
  const Lane* a = m.a;
  n[0] += (I[0] * alpha[0] + I[1] * alpha[1] + I[2] * alpha[2]) + (h[1] * a[2] - h[2] * a[1]);
  n[1] += (I[1] * alpha[0] + I[3] * alpha[1] + I[4] * alpha[2]) + (h[2] * a[0] - h[0] * a[2]);
  n[2] += (I[2] * alpha[0] + I[4] * alpha[1] + I[5] * alpha[2]) + (h[0] * a[1] - h[1] * a[0]);
  f[0] += link.mass * a[0] + (alpha[1] * h[2] - alpha[2] * h[1]);
  f[1] += link.mass * a[1] + (alpha[2] * h[0] - alpha[0] * h[2]);
  f[2] += link.mass * a[2] + (alpha[0] * h[1] - alpha[1] * h[0]);
}

/// The force of a joint that a wrench about the origin of its link's frame asks for.
template <typename Lane>
SPACEDYN_INLINE Lane joint_force(const batch::Link& link, const Lane* n, const Lane* f) {
  return link.prismatic ? f[2] : n[2] + link.slide * f[2];
}

/// A wrench about the origin of a link's frame, in the frame of the lower link.
template <typename Lane>
SPACEDYN_INLINE void wrench_down(const batch::Link& link, Rows<Lane> rows, const Lane& q, Lane* n,
                                 Lane* f) {
  using R = batch::WorkRows;
  if (link.prismatic) {
    n[0] -= q * f[1];
    n[1] += q * f[0];
  }
  const Lane c = rows.get(R::cosine), s = rows.get(R::sine);
  Lane* const parts[] = {n, f};
  for (Lane* x : parts) {
    turn(c, s, x[0], x[1]);
    turn(link.twist.c, link.twist.s, x[1], x[2]);
    if (link.turned) turn(link.turn.c, link.turn.s, x[0], x[1]);
  }
  const double* r = link.r;
  n[0] += r[1] * f[2] - r[2] * f[1];
  n[1] += r[2] * f[0] - r[0] * f[2];
  n[2] += r[0] * f[1] - r[1] * f[0];
  if (link.screw) {
    const double* way = link.way;
    n[0] += q * (way[1] * f[2] - way[2] * f[1]);
    n[1] += q * (way[2] * f[0] - way[0] * f[2]);
    n[2] += q * (way[0] * f[1] - way[1] * f[0]);
  }
}

/// Base to tips: the wrench that each body needs, left in its rows.
template <typename Lane>
[[gnu::noinline]] inline void sweep_motions(batch::Robot robot, const double* q, const double* qd,
                                            const double* qdd, Workspace<Lane> workspace,
                                            Motion<Lane> m) {
  using R = batch::WorkRows;
  using B = batch::BranchRows;
  constexpr int size = sizeof(Motion<Lane>) / sizeof(Lane);
  for (int i = 0; i <= robot.links; ++i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    if (i > 0) {
      if (!link.follows) {
        workspace.branch(robot.link[link.lower]).get(B::omega, m.omega, size);
      }
      carry(link, rows, row<Lane>(q, link.joint), row<Lane>(qd, link.joint),
            row<Lane>(qdd, link.joint), m);
    }
    Lane n[3], f[3];
    required_wrench(link, m, n, f);
    rows.put(R::n, n, 3);
    rows.put(R::f, f, 3);
    if (link.branches) workspace.branch(link).put(B::omega, m.omega, size);
  }
}

/// Tips to base: forces of joints; n, f of the base are left in its rows.
template <typename Lane>
[[gnu::noinline]] inline void sweep_wrenches(batch::Robot robot, const double* q,
                                             Workspace<Lane> workspace, double* tau) {
  using R = batch::WorkRows;
  for (int i = robot.links; i >= 1; --i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    Lane n[3], f[3];
    rows.get(R::n, n, 3);
    rows.get(R::f, f, 3);
    set_row(tau, link.joint, joint_force(link, n, f));
    wrench_down(link, rows, row<Lane>(q, link.joint), n, f);
    const Rows<Lane> lower = workspace.entry(link.lower);
    for (int j = 0; j < 3; ++j) {
      lower.put(R::n + j, lower.get(R::n + j) + n[j]);
      lower.put(R::f + j, lower.get(R::f + j) + f[j]);
    }
  }
}

/// [F_0; N_0; τ] of one block of lanes for given u̇, 6 + n rows each. Allocates nothing.
template <typename Lane>
inline void inverse_dynamics(batch::Robot robot, const double* gravity, const double* state,
                             const double* acceleration, double* memory, double* forces) {
  using S = batch::StateRows;
  using R = batch::WorkRows;
  const double* q = state + S::q * batch::kTile;
  const double* qd = q + robot.links * batch::kTile;
  const Workspace<Lane> workspace(robot, memory);
  const batch::Link& base = robot.link[0];
  const BaseAxes<Lane> axes(base, state + S::A_0 * batch::kTile);
  Motion<Lane> m;
  for (int j = 0; j < 3; ++j) {
    m.omega[j] = row<Lane>(state, S::omega_0 + j);
    m.a[j] = row<Lane>(acceleration, j) - gravity[j];
    m.alpha[j] = row<Lane>(acceleration, 3 + j);
  }
  Lane* const vectors[] = {m.omega, m.alpha, m.a};
  for (Lane* x : vectors) axes.to_base(x);
  // from the centroid to the origin of the base's frame
  const Spin<Lane> W(m.omega);
  m.a[0] += base.r[2] * (m.alpha[1] + W.xz);
  m.a[1] += base.r[2] * (W.yz - m.alpha[0]);
  m.a[2] += base.r[2] * W.zz;
  joint_angles<Lane>(robot, q, workspace);
  sweep_motions(robot, q, qd, acceleration + 6 * batch::kTile, workspace, m);
  sweep_wrenches(robot, q, workspace, forces + 6 * batch::kTile);
  Lane n[3], f[3];
  workspace.entry(0).get(R::n, n, 3);
  workspace.entry(0).get(R::f, f, 3);
  n[0] -= base.r[2] * f[1];
  n[1] += base.r[2] * f[0];
  axes.to_inertial(n);
  axes.to_inertial(f);
  for (int j = 0; j < 3; ++j) {
    set_row(forces, j, f[j]);
    set_row(forces, 3 + j, n[j]);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
