/// @file
/// Articulated-body forward dynamics on lanes: one state per lane, one robot for all.
#pragma once

#include "batch/kernels/base.hpp"
#include "batch/kernels/joints.hpp"
#include "batch/kernels/sweep_inertias.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// First sweep, base to tips: angular velocities and all that they cause.
template <typename Lane>
[[gnu::noinline]] inline void sweep_velocities(batch::Robot robot, const Lane* base_omega,
                                               const double* q, const double* qd,
                                               Workspace<Lane> workspace) {
  using R = batch::WorkRows;
  using B = batch::BranchRows;
  Lane omega[3] = {base_omega[0], base_omega[1], base_omega[2]};
  Spin<Lane> W(omega);
  const Rows<Lane> base = workspace.entry(0);
  if (robot.link[0].branches) workspace.branch(robot.link[0]).put(B::omega, omega, 3);
  Lane n[3], f[3];
  gyroscopic_wrench(robot.link[0], W, n, f);
  base.put(R::n, n, 3);
  base.put(R::f, f, 3);
  for (int i = 1; i <= robot.links; ++i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    if (!link.follows) {
      workspace.branch(robot.link[link.lower]).get(B::omega, omega, 3);
      W = Spin<Lane>(omega);
    }
    // ω_p × (ω_p × r)
    Lane b[3] = {W.flat_x(link.r), W.flat_y(link.r), W.flat_z(link.r)};
    if (link.turned) {
      b[0] += W.xz * link.r[2];
      b[1] += W.yz * link.r[2];
      b[2] += W.zz * link.r[2];
    }
    const Lane rate = row<Lane>(qd, link.joint);
    if (link.screw) add_screw_motion(link, W, omega, row<Lane>(q, link.joint), rate, b);
    rows.put(R::bias, b, 3);
    to_link(link, omega);
    turn_back(rows.get(R::cosine), rows.get(R::sine), omega[0], omega[1]);
    if (!link.prismatic) omega[2] += rate;
    W = Spin<Lane>(omega);
    if (link.prismatic) {
      // 2 ω × k q̇ + ω × (ω × k q)
      const Lane way = row<Lane>(q, link.joint);
      const Lane twice = rate + rate;
      rows.put(R::drift, omega[1] * twice + W.xz * way);
      rows.put(R::drift + 1, W.yz * way - omega[0] * twice);
      rows.put(R::drift + 2, W.zz * way);
    } else {
      // ω × k q̇
      rows.put(R::drift, omega[1] * rate);
      rows.put(R::drift + 1, -omega[0] * rate);
    }
    gyroscopic_wrench(link, W, n, f);
    rows.put(R::n, n, 3);
    rows.put(R::f, f, 3);
    if (link.branches) workspace.branch(link).put(B::omega, omega, 3);
  }
}

/// Third sweep, base to tips: accelerations of joints from that of the base.
template <typename Lane>
[[gnu::noinline]] inline void sweep_accelerations(batch::Robot robot, const double* q,
                                                  const Lane* base, Workspace<Lane> workspace,
                                                  double* qdd) {
  using R = batch::WorkRows;
  using B = batch::BranchRows;
  Lane alpha[3] = {base[0], base[1], base[2]}, a[3] = {base[3], base[4], base[5]};
  if (robot.link[0].branches) workspace.branch(robot.link[0]).put(B::motion, base, 6);
  for (int i = 1; i <= robot.links; ++i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    if (!link.follows) {
      const Rows<Lane> lower = workspace.branch(robot.link[link.lower]);
      lower.get(B::motion, alpha, 3);
      lower.get(B::motion + 3, a, 3);
    }
    // a + α × r + ω × (ω × r)
    const double* r = link.r;
    a[0] += rows.get(R::bias) - alpha[2] * r[1];
    a[1] += rows.get(R::bias + 1) + alpha[2] * r[0];
    a[2] += rows.get(R::bias + 2) + (alpha[0] * r[1] - alpha[1] * r[0]);
    if (link.turned) {
      a[0] += alpha[1] * r[2];
      a[1] -= alpha[0] * r[2];
    }
    if (link.screw) add_screw_arm(link, alpha, row<Lane>(q, link.joint), a);
    to_link(link, alpha);
    to_link(link, a);
    const Lane c = rows.get(R::cosine), s = rows.get(R::sine);
    turn_back(c, s, alpha[0], alpha[1]);
    turn_back(c, s, a[0], a[1]);
    Lane K[5];
    rows.get(R::K, K, 5);
    Lane answer = rows.get(R::w);
    if (link.prismatic) {
      const Lane way = row<Lane>(q, link.joint);
      a[0] += alpha[1] * way + rows.get(R::drift);
      a[1] += rows.get(R::drift + 1) - alpha[0] * way;
      a[2] += rows.get(R::drift + 2);
      answer -= K[0] * alpha[0] + K[1] * alpha[1] + K[2] * alpha[2] + K[3] * a[0] + K[4] * a[1];
      answer -= a[2];
      a[2] += answer;
    } else {
      alpha[0] += rows.get(R::drift);
      alpha[1] += rows.get(R::drift + 1);
      // in an order that keeps the chain of dependent operations short
      answer -= alpha[2];
      answer -= K[0] * alpha[0] + K[1] * alpha[1];
      if (link.screw) a[2] -= link.slide * alpha[2];
      answer -= (K[2] * a[0] + K[3] * a[1]) + K[4] * a[2];
      alpha[2] += answer;
      if (link.screw) a[2] += link.slide * alpha[2];
    }
    set_row(qdd, link.joint, answer);
    if (link.branches) {
      workspace.branch(link).put(B::motion, alpha, 3);
      workspace.branch(link).put(B::motion + 3, a, 3);
    }
  }
}

/// u̇ of one block of lanes. Allocates nothing.
/// @param state         rows of StateRows
/// @param forces        [F_b; τ], 6 + n rows
/// @param memory        Robot::work_rows() rows of this lane width
/// @param acceleration  out: 6 + n rows
template <typename Lane>
inline void forward_dynamics(batch::Robot robot, const double* gravity, const double* state,
                             const double* forces, double* memory, double* acceleration) {
  using S = batch::StateRows;
  const double* q = state + S::q * batch::kTile;
  const double* qd = q + robot.links * batch::kTile;
  const Workspace<Lane> workspace(robot, memory);
  const batch::Link& base = robot.link[0];
  const BaseAxes<Lane> axes(base, state + S::A_0 * batch::kTile);
  Lane omega[3];
  for (int j = 0; j < 3; ++j) omega[j] = row<Lane>(state, S::omega_0 + j);
  axes.to_base(omega);
  const Spin<Lane> W(omega);
  joint_angles<Lane>(robot, q, workspace);
  sweep_velocities(robot, omega, q, qd, workspace);
  Articulated<Lane> I;
  sweep_inertias(robot, q, forces + 6 * batch::kTile, workspace, I);
  Lane motion[6];
  if (robot.fixed_base) {
    fixed_base_motion(base, axes, gravity, W, motion);
    write_fixed_base<Lane>(acceleration);
  } else {
    solve_base(base, axes, forces, I, motion);
    write_base(base, axes, gravity, W, motion, acceleration);
  }
  sweep_accelerations(robot, q, motion, workspace, acceleration + 6 * batch::kTile);
}

}  // namespace spacedyn::SPACEDYN_ISA
