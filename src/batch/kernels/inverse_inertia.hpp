/// @file
/// The inverse of the inertia matrix on lanes, from articulated bodies [Featherstone, Carpentier]:
/// what a unit force at each joint does to all bodies.
#pragma once

#include "batch/kernels/axes.hpp"
#include "batch/kernels/sweep_inertias.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// (force, moment) of a motion (linear, angular).
template <typename Lane>
SPACEDYN_INLINE void times(const Articulated<Lane>& I, const Lane* s, Lane* U) {
  const Lane *const A = I.A, *const B = I.B, *const M = I.M;
  const Lane *const v = s, *const w = s + 3;
  U[0] = M[0] * v[0] + M[1] * v[1] + M[2] * v[2] + B[0] * w[0] + B[3] * w[1] + B[6] * w[2];
  U[1] = M[1] * v[0] + M[3] * v[1] + M[4] * v[2] + B[1] * w[0] + B[4] * w[1] + B[7] * w[2];
  U[2] = M[2] * v[0] + M[4] * v[1] + M[5] * v[2] + B[2] * w[0] + B[5] * w[1] + B[8] * w[2];
  U[3] = B[0] * v[0] + B[1] * v[1] + B[2] * v[2] + A[0] * w[0] + A[1] * w[1] + A[2] * w[2];
  U[4] = B[3] * v[0] + B[4] * v[1] + B[5] * v[2] + A[1] * w[0] + A[3] * w[1] + A[4] * w[2];
  U[5] = B[6] * v[0] + B[7] * v[1] + B[8] * v[2] + A[2] * w[0] + A[4] * w[1] + A[5] * w[2];
}

/// I − U Kᵀ
template <typename Lane>
SPACEDYN_INLINE void release(const Lane* U, const Lane* K, Articulated<Lane>& I) {
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j, ++k) {
      I.M[k] -= U[i] * K[j];
      I.A[k] -= U[3 + i] * K[3 + j];
    }
    for (int j = 0; j < 3; ++j) I.B[3 * i + j] -= U[3 + i] * K[j];
  }
}

/// Tips to base: K and D⁻¹ of each joint; what the base feels is left in `I`.
/// @return 0, or NaN where a joint has no inertia to move
template <typename Lane>
[[gnu::noinline]] inline Lane sweep_released(batch::Robot robot, const double* bodies,
                                             Workspace<Lane> workspace, Articulated<Lane>& I) {
  using R = AxisRows;
  const Lane zero = broadcast<Lane>(0.0), none = broadcast<Lane>(__builtin_nan(""));
  Lane flaw = zero;
  bool fresh = true;
  for (int i = robot.links; i >= 0; --i) {
    const batch::Link& link = robot.link[i];
    if (fresh) clear(I);
    if (link.branches) add_sum(workspace.branch(link), I);
    add_composite(link.mass, bodies + 9 * i * batch::kTile, I);
    if (i == 0) break;
    const Rows<Lane> rows = workspace.entry(i);
    Lane s[6], U[6], K[6];
    rows.get(R::s, s, 6);
    times(I, s, U);
    const Lane D = dot6(s, U);
    const Lane inverse = select(D > 0.0, 1.0 / D, none);
    flaw = select(D > 0.0, flaw, none);
    for (int j = 0; j < 6; ++j) K[j] = U[j] * inverse;
    rows.put(R::K, K, 6);
    rows.put(R::inverse, inverse);
    rows.put(R::w, zero);
    release(U, K, I);
    fresh = !link.follows;
    if (fresh) hand_down(link, workspace.branch(robot.link[link.lower]), I);
  }
  return flaw;
}

/// Elements of the joint of entry `last` and of those of the entries before it, from the motion
/// that its unit force gives to the base.
template <typename Lane>
SPACEDYN_INLINE void joint_elements(batch::Robot robot, int last, const Lane* base,
                                    Workspace<Lane> workspace, MatrixRows<Lane> matrix) {
  using R = AxisRows;
  using B = batch::BranchRows;
  const Lane zero = broadcast<Lane>(0.0);
  const int column = 6 + robot.link[last].joint;
  Lane a[6];
  for (int j = 0; j < 6; ++j) a[j] = base[j];
  if (robot.link[0].branches) workspace.branch(robot.link[0]).put(B::motion, a, 6);
  for (int i = 1; i <= last; ++i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    if (!link.follows) workspace.branch(robot.link[link.lower]).get(B::motion, a, 6);
    Lane K[6], s[6];
    rows.get(R::K, K, 6);
    const Lane answer = rows.get(R::w) - dot6(K, a);
    rows.put(R::w, zero);
    matrix.put(6 + link.joint, column, answer);
    rows.get(R::s, s, 6);
    for (int j = 0; j < 6; ++j) a[j] += s[j] * answer;
    if (link.branches) workspace.branch(link).put(B::motion, a, 6);
  }
}

/// The columns of all joints, of each what is not in columns of later entries.
template <typename Lane, typename BaseMotion>
SPACEDYN_INLINE void joint_columns(batch::Robot robot, const BaseMotion& base_motion,
                                   Workspace<Lane> workspace, MatrixRows<Lane> matrix) {
  using R = AxisRows;
  for (int i = 1; i <= robot.links; ++i) {
    const Rows<Lane> own = workspace.entry(i);
    Lane p[6];
    own.get(R::K, p, 6);
    own.put(R::w, own.get(R::inverse));
    for (int k = robot.link[i].lower; k > 0; k = robot.link[k].lower) {
      const Rows<Lane> rows = workspace.entry(k);
      Lane s[6], K[6];
      rows.get(R::s, s, 6);
      rows.get(R::K, K, 6);
      const Lane force = dot6(s, p);
      rows.put(R::w, -force * rows.get(R::inverse));
      for (int j = 0; j < 6; ++j) p[j] -= K[j] * force;
    }
    base_motion(p);
    for (int j = 0; j < 6; ++j) matrix.put(j, 6 + robot.link[i].joint, p[j]);
    joint_elements(robot, i, p, workspace, matrix);
  }
}

template <typename Lane>
[[gnu::noinline]] inline void floating_columns(batch::Robot robot, const Articulated<Lane>& I,
                                               Workspace<Lane> workspace, MatrixRows<Lane> matrix) {
  const Factors6<Lane> factors(I);
  for (int k = 0; k < 6; ++k) {
    Lane x[6];
    for (int j = 0; j < 6; ++j) x[j] = broadcast<Lane>(j == k ? 1.0 : 0.0);
    factors.solve(x);
    for (int j = k; j < 6; ++j) matrix.put(j, k, x[j]);
  }
  const auto motion = [&](Lane* p) {
    factors.solve(p);
    for (int j = 0; j < 6; ++j) p[j] = -p[j];
  };
  joint_columns(robot, motion, workspace, matrix);
}

/// @param flaw  what columns are spoiled with, see sweep_released()
template <typename Lane>
[[gnu::noinline]] inline void held_columns(batch::Robot robot, const Lane& flaw,
                                           Workspace<Lane> workspace, MatrixRows<Lane> matrix) {
  for (int k = 0; k < 6; ++k) {
    for (int j = k; j < 6; ++j) matrix.put(j, k, flaw);
  }
  const auto motion = [&](Lane* p) {
    for (int j = 0; j < 6; ++j) p[j] = flaw;
  };
  joint_columns(robot, motion, workspace, matrix);
}

/// H⁻¹ of one block of lanes, (6 + n)² rows; with a fixed base those of the base are zero. NaN
/// where H is not positive definite.
template <typename Lane>
inline void inverse_inertia(batch::Robot robot, const double* state, double* memory, double* bodies,
                            double* matrix) {
  const Workspace<Lane> workspace(robot, memory);
  sweep_poses(robot, state, workspace, bodies);
  Articulated<Lane> I;
  const Lane flaw = sweep_released(robot, bodies, workspace, I);
  const MatrixRows<Lane> H_inverse{matrix, 6 + robot.links};
  if (robot.fixed_base) {
    held_columns(robot, flaw, workspace, H_inverse);
  } else {
    floating_columns(robot, I, workspace, H_inverse);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
