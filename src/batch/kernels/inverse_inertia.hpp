/// @file
/// The inverse of the inertia matrix on lanes, from articulated bodies [Featherstone, Carpentier]:
/// what a unit force at each joint does to all bodies. Inertial axes about the centroid of the base
/// for all of them, so that nothing is turned on its way from joint to joint.
#pragma once

#include "batch/kernels/inertia_matrix.hpp"
#include "batch/kernels/sweep_inertias.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Per entry, in place of WorkRows.
struct InverseRows {
  static constexpr int inverse = 0;  ///< D⁻¹ of the joint
  static constexpr int w = 1;        ///< its own answer to the force of a column, zero in between
  static constexpr int s = 2;        ///< motion of the joint, (linear, angular)
  static constexpr int K = 8;        ///< I s D⁻¹, (force, moment)
};

/// Axes of a link as columns and the origin of its frame, inertial, from the centroid of the base.
template <typename Lane>
struct Pose {
  Lane R[3][3], o[3];  ///< R by its rows
};

/// From the pose of the lower link to that of a link.
template <typename Lane>
SPACEDYN_INLINE void pose_up(const batch::Link& link, Rows<Lane> rows, const Lane& q,
                             Pose<Lane>& pose) {
  using R = batch::WorkRows;
  const Lane c = rows.get(R::cosine), s = rows.get(R::sine);
  Lane r[3];
  for (int j = 0; j < 3; ++j) r[j] = link.r[j] + link.way[j] * q;
  for (int i = 0; i < 3; ++i) {
    Lane* const line = pose.R[i];
    pose.o[i] += line[0] * r[0] + line[1] * r[1] + line[2] * r[2];
    to_link(link, line);
    turn_back(c, s, line[0], line[1]);
    if (link.prismatic) pose.o[i] += line[2] * q;
  }
}

/// h and I of a body about the centroid of the base.
template <typename Lane>
SPACEDYN_INLINE Composite<Lane> rigid_at(const batch::Link& link, const Pose<Lane>& pose) {
  const double* const I = link.I;
  const double full[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  Lane turned[3][3];
  Composite<Lane> body;
  for (int i = 0; i < 3; ++i) {
    const Lane* const line = pose.R[i];
    body.h[i] = line[0] * link.h[0] + line[1] * link.h[1] + line[2] * link.h[2];
    for (int j = 0; j < 3; ++j) {
      turned[i][j] = line[0] * full[0][j] + line[1] * full[1][j] + line[2] * full[2][j];
    }
  }
  int k = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const Lane* const line = pose.R[j];
      body.I[k++] = turned[i][0] * line[0] + turned[i][1] * line[1] + turned[i][2] * line[2];
    }
  }
  move_origin(link.mass, pose.o, body);
  return body;
}

/// Base to tips: motions of joints into the rows of their entries, bodies into rows 9 i … of
/// `bodies`.
template <typename Lane>
[[gnu::noinline]] inline void sweep_poses(batch::Robot robot, const double* q, Pose<Lane> pose,
                                          Workspace<Lane> workspace, double* bodies) {
  using R = InverseRows;
  using B = batch::BranchRows;
  for (int i = 0; i <= robot.links; ++i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    if (i > 0) {
      if (!link.follows) {
        const Rows<Lane> lower = workspace.branch(robot.link[link.lower]);
        for (int j = 0; j < 3; ++j) lower.get(B::sum + 3 * j, pose.R[j], 3);
        lower.get(B::sum + 9, pose.o, 3);
      }
      pose_up(link, rows, row<Lane>(q, link.joint), pose);
      const double slide = link.prismatic ? 1.0 : link.slide, turn = link.prismatic ? 0.0 : 1.0;
      for (int j = 0; j < 3; ++j) {
        const int next = (j + 1) % 3, last = (j + 2) % 3;
        const Lane moment = pose.o[next] * pose.R[last][2] - pose.o[last] * pose.R[next][2];
        rows.put(R::s + j, turn * moment + slide * pose.R[j][2]);
        rows.put(R::s + 3 + j, turn * pose.R[j][2]);
      }
    }
    const Composite<Lane> body = rigid_at(link, pose);
    for (int j = 0; j < 3; ++j) set_row(bodies, 9 * i + j, body.h[j]);
    for (int j = 0; j < 6; ++j) set_row(bodies, 9 * i + 3 + j, body.I[j]);
    if (!link.branches) continue;
    const Rows<Lane> own = workspace.branch(link);
    for (int j = 0; j < 3; ++j) own.put(B::sum + 3 * j, pose.R[j], 3);
    own.put(B::sum + 9, pose.o, 3);
  }
}

template <typename Lane>
SPACEDYN_INLINE void add_composite(double mass, const double* body, Articulated<Lane>& I) {
  const Lane x = row<Lane>(body, 0), y = row<Lane>(body, 1), z = row<Lane>(body, 2);
  for (int j = 0; j < 6; ++j) I.A[j] += row<Lane>(body, 3 + j);
  I.M[0] += mass;
  I.M[3] += mass;
  I.M[5] += mass;
  I.B[1] -= z;
  I.B[2] += y;
  I.B[3] += z;
  I.B[5] -= x;
  I.B[6] -= y;
  I.B[7] += x;
}

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

template <typename Lane>
SPACEDYN_INLINE Lane dot6(const Lane* a, const Lane* b) {
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/// Tips to base: K and D⁻¹ of each joint; what the base feels is left in `I`.
/// @return 0, or NaN where a joint has no inertia to move
template <typename Lane>
[[gnu::noinline]] inline Lane sweep_released(batch::Robot robot, const double* bodies,
                                             Workspace<Lane> workspace, Articulated<Lane>& I) {
  using R = InverseRows;
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
  using R = InverseRows;
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
  using R = InverseRows;
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
inline void inverse_inertia(batch::Robot robot, const double* state, double* memory,
                            double* matrix) {
  using S = batch::StateRows;
  const double* q = state + S::q * batch::kTile;
  const Workspace<Lane> workspace(robot, memory);
  const batch::Link& base = robot.link[0];
  const BaseAxes<Lane> axes(base, state + S::A_0 * batch::kTile);
  joint_angles<Lane>(robot, q, workspace);
  Pose<Lane> pose;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.R[i][j] = axes.A[3 * j + i];
    pose.o[i] = base.r[2] * axes.A[6 + i];
  }
  // (6 + n)² rows have room for nine of each body before they are written
  sweep_poses(robot, q, pose, workspace, matrix);
  Articulated<Lane> I;
  const Lane flaw = sweep_released(robot, matrix, workspace, I);
  const MatrixRows<Lane> H_inverse{matrix, 6 + robot.links};
  if (robot.fixed_base) {
    held_columns(robot, flaw, workspace, H_inverse);
  } else {
    floating_columns(robot, I, workspace, H_inverse);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
