/// @file
/// Poses, joint axes and bodies on lanes, in inertial axes about the centroid of the base for all
/// of them, so that matrices are scalar products and nothing is turned from joint to joint.
#pragma once

#include "batch/kernels/base.hpp"
#include "batch/kernels/joints.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// m c and the inertia xx, xy, xz, yy, yz, zz about a point, nine rows, of one body or of several.
template <typename Lane>
struct Composite {
  Lane h[3], I[6];
};

/// Takes them about a point from which d points to the origin of before: with g = 2 h + m d, adds
/// (d·g) E − (d gᵀ + g dᵀ)/2 to the inertia.
template <typename Lane>
SPACEDYN_INLINE void move_origin(double mass, const Lane* d, Composite<Lane>& body) {
  Lane g[3], p[3];
  for (int j = 0; j < 3; ++j) {
    const Lane moved = mass * d[j];
    g[j] = 2.0 * body.h[j] + moved;
    body.h[j] += moved;
    p[j] = d[j] * g[j];
  }
  body.I[0] += p[1] + p[2];
  body.I[1] -= 0.5 * (d[0] * g[1] + g[0] * d[1]);
  body.I[2] -= 0.5 * (d[0] * g[2] + g[0] * d[2]);
  body.I[3] += p[0] + p[2];
  body.I[4] -= 0.5 * (d[1] * g[2] + g[1] * d[2]);
  body.I[5] += p[0] + p[1];
}

/// Rows of a symmetric matrix, row by row.
template <typename Lane>
struct MatrixRows {
  double* at;
  int size;
  SPACEDYN_INLINE void put(int i, int j, const Lane& x) const {
    set_row(at, i * size + j, x);
    set_row(at, j * size + i, x);
  }
};

template <typename Lane>
SPACEDYN_INLINE Lane dot6(const Lane* a, const Lane* b) {
  return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

/// Per entry, in place of WorkRows.
struct AxisRows {
  static constexpr int inverse = 0;  ///< D⁻¹ of the joint
  static constexpr int w = 1;        ///< its own answer to the force of a column, zero in between
  static constexpr int s = 2;        ///< motion of the joint, (linear, angular)
  static constexpr int K = 8;  ///< I s D⁻¹, or what moves with the joint times s, (force, moment)
};

/// Axes of a link as columns and the origin of its frame, inertial, from the centroid of the base.
template <typename Lane>
struct Pose {
  Lane R[3][3], o[3];  ///< R by its rows
};

/// A point in the frame of a pose, from the centroid of the base.
template <typename Lane>
SPACEDYN_INLINE void place(const Pose<Lane>& pose, const double* x, Lane* p) {
  for (int i = 0; i < 3; ++i) {
    const Lane* const line = pose.R[i];
    p[i] = pose.o[i] + (line[0] * x[0] + line[1] * x[1] + line[2] * x[2]);
  }
}

/// Where a symmetric matrix has its elements.
constexpr int kSymmetric[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};

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
  Lane turned[3][3];
  Composite<Lane> body;
  for (int i = 0; i < 3; ++i) {
    const Lane* const line = pose.R[i];
    body.h[i] = line[0] * link.h[0] + line[1] * link.h[1] + line[2] * link.h[2];
    for (int j = 0; j < 3; ++j) {
      turned[i][j] = line[0] * I[kSymmetric[0][j]] + line[1] * I[kSymmetric[1][j]] +
                     line[2] * I[kSymmetric[2][j]];
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

/// Base to tips: motions of joints into the rows of their entries.
/// @param bodies  out: rows 9 i … of entry i, or null
/// @return the pose of an entry
template <typename Lane>
[[gnu::noinline]] inline Pose<Lane> sweep_poses(batch::Robot robot, const double* state,
                                                Workspace<Lane> workspace, double* bodies,
                                                int wanted = 0) {
  using R = AxisRows;
  using B = batch::BranchRows;
  using S = batch::StateRows;
  const double* const q = state + S::q * batch::kTile;
  const BaseAxes<Lane> axes(robot.link[0], state + S::A_0 * batch::kTile);
  joint_angles<Lane>(robot, q, workspace);
  Pose<Lane> pose, found;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pose.R[i][j] = axes.A[3 * j + i];
    pose.o[i] = robot.link[0].r[2] * axes.A[6 + i];
  }
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
    if (i == wanted) found = pose;
    if (bodies != nullptr) {
      const Composite<Lane> body = rigid_at(link, pose);
      for (int j = 0; j < 3; ++j) set_row(bodies, 9 * i + j, body.h[j]);
      for (int j = 0; j < 6; ++j) set_row(bodies, 9 * i + 3 + j, body.I[j]);
    }
    if (!link.branches) continue;
    const Rows<Lane> own = workspace.branch(link);
    for (int j = 0; j < 3; ++j) own.put(B::sum + 3 * j, pose.R[j], 3);
    own.put(B::sum + 9, pose.o, 3);
  }
  return found;
}

/// Adds a body of nine rows.
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

/// Tips to base: what each joint needs to move all that it carries, (force, moment), into the rows
/// of its entry; the whole robot in place of the base.
template <typename Lane>
[[gnu::noinline]] inline void sweep_composites(batch::Robot robot, Workspace<Lane> workspace,
                                               double* bodies) {
  using R = AxisRows;
  for (int i = robot.links; i >= 1; --i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    double* const own = bodies + 9 * i * batch::kTile;
    double* const lower = bodies + 9 * link.lower * batch::kTile;
    Lane h[3], I[6], v[3], w[3];
    for (int j = 0; j < 3; ++j) h[j] = row<Lane>(own, j);
    for (int j = 0; j < 6; ++j) I[j] = row<Lane>(own, 3 + j);
    rows.get(R::s, v, 3);
    rows.get(R::s + 3, w, 3);
    for (int j = 0; j < 3; ++j) {
      const int next = (j + 1) % 3, last = (j + 2) % 3;
      rows.put(R::K + j, link.carried_mass * v[j] + w[next] * h[last] - w[last] * h[next]);
      rows.put(R::K + 3 + j, I[kSymmetric[j][0]] * w[0] + I[kSymmetric[j][1]] * w[1] +
                                 I[kSymmetric[j][2]] * w[2] + h[next] * v[last] -
                                 h[last] * v[next]);
      set_row(lower, j, row<Lane>(lower, j) + h[j]);
    }
    for (int j = 0; j < 6; ++j) set_row(lower, 3 + j, row<Lane>(lower, 3 + j) + I[j]);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
