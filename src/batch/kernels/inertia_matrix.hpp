/// @file
/// The inertia matrix on lanes: a column for each joint from the composite body that it carries
/// [Featherstone]; generalized Jacobians, whose base answers the momentum of those columns.
#pragma once

#include "batch/kernels/axes.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// [m E, −h̃; h̃, I] of the whole robot about the centroid of the base.
template <typename Lane>
SPACEDYN_INLINE void base_block(double mass, const double* all, MatrixRows<Lane> H) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j <= i; ++j) H.put(3 + i, 3 + j, row<Lane>(all, 3 + kSymmetric[i][j]));
    H.put(i, i, broadcast<Lane>(mass));
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    const Lane h = row<Lane>(all, i);
    H.put(3 + last, next, h);
    H.put(3 + next, last, -h);
  }
}

/// H of one block of lanes, (6 + n)² rows; those that are zero in every state are not written.
template <typename Lane>
inline void inertia_matrix(batch::Robot robot, const double* state, double* memory, double* bodies,
                           double* matrix) {
  using R = AxisRows;
  const Workspace<Lane> workspace(robot, memory);
  const MatrixRows<Lane> H{matrix, 6 + robot.links};
  sweep_poses(robot, state, workspace, bodies);
  sweep_composites(robot, workspace, bodies);
  base_block(robot.link[0].carried_mass, bodies, H);
  for (int i = 1; i <= robot.links; ++i) {
    const int column = 6 + robot.link[i].joint;
    Lane U[6], s[6];
    workspace.entry(i).get(R::K, U, 6);
    for (int j = 0; j < 6; ++j) H.put(j, column, U[j]);
    for (int k = i; k > 0; k = robot.link[k].lower) {
      workspace.entry(k).get(R::s, s, 6);
      H.put(6 + robot.link[k].joint, column, dot6(s, U));
    }
  }
}

/// Of the robot, entries that can be between the base and a frame.
SPACEDYN_INLINE batch::Robot part_with(const batch::FramePoint& frame, batch::Robot robot) {
  robot.links = frame.entry;
  return robot;
}

/// Position of a frame and its axes, column by column, inertial: 12 rows.
template <typename Lane>
inline void frame_pose(batch::Robot robot, const batch::FramePoint& frame, const double* state,
                       double* memory, double* rows) {
  const Workspace<Lane> workspace(robot, memory);
  const Pose<Lane> pose =
      sweep_poses(part_with(frame, robot), state, workspace, nullptr, frame.entry);
  Lane p[3];
  place(pose, frame.position, p);
  for (int i = 0; i < 3; ++i) {
    set_row(rows, i, row<Lane>(state, batch::StateRows::r_0 + i) + p[i]);
    for (int j = 0; j < 3; ++j) {
      const double* const axis = frame.rotation + 3 * j;
      const Lane* const line = pose.R[i];
      set_row(rows, 3 + 3 * j + i, line[0] * axis[0] + line[1] * axis[1] + line[2] * axis[2]);
    }
  }
}

/// J_m or J* of a point, 6×n column by column. NaN where the base of J* has no inertia.
template <typename Lane>
inline void frame_jacobian(batch::Robot robot, const batch::FramePoint& point, const double* state,
                           double* memory, double* bodies, double* J) {
  using R = AxisRows;
  const Workspace<Lane> workspace(robot, memory);
  const Pose<Lane> pose =
      point.generalized
          ? sweep_poses(robot, state, workspace, bodies, point.entry)
          : sweep_poses(part_with(point, robot), state, workspace, nullptr, point.entry);
  Lane p[3], s[6], x[6];
  place(pose, point.position, p);
  // twists about the centroid of the base into the rows K: of the base, then those of the path
  if (point.generalized) {
    sweep_composites(robot, workspace, bodies);
    Articulated<Lane> I = {};
    add_composite(robot.link[0].carried_mass, bodies, I);
    const Factors6<Lane> factors(I);
    for (int i = 1; i <= robot.links; ++i) {
      const Rows<Lane> rows = workspace.entry(i);
      rows.get(R::K, x, 6);
      factors.solve(x);
      for (int j = 0; j < 6; ++j) rows.put(R::K + j, -x[j]);
    }
  } else {
    for (int j = 0; j < 6; ++j) x[j] = broadcast<Lane>(0.0);
    for (int i = 1; i <= robot.links; ++i) workspace.entry(i).put(R::K, x, 6);
  }
  for (int k = point.entry; k > 0; k = robot.link[k].lower) {
    const Rows<Lane> rows = workspace.entry(k);
    rows.get(R::s, s, 6);
    for (int j = 0; j < 6; ++j) rows.put(R::K + j, rows.get(R::K + j) + s[j]);
  }
  for (int i = 1; i <= robot.links; ++i) {
    workspace.entry(i).get(R::K, x, 6);
    const Lane* const w = x + 3;
    double* const column = J + 6 * robot.link[i].joint * batch::kTile;
    for (int j = 0; j < 3; ++j) {
      const int next = (j + 1) % 3, last = (j + 2) % 3;
      set_row(column, j, x[j] + w[next] * p[last] - w[last] * p[next]);
      set_row(column, 3 + j, w[j]);
    }
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
