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
  const BaseAxes<Lane> axes(robot.link[0], state + batch::StateRows::A_0 * batch::kTile);
  const MatrixRows<Lane> H{matrix, 6 + robot.links};
  update_axes(robot, state, axes, workspace, bodies);
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

/// A point of a link, from the centroid of the base, inertial axes.
template <typename Lane>
SPACEDYN_INLINE void locate(batch::Robot robot, const batch::FramePoint& point, const double* q,
                            const BaseAxes<Lane>& axes, Workspace<Lane> workspace, Lane* x) {
  using R = batch::WorkRows;
  for (int j = 0; j < 3; ++j) x[j] = broadcast<Lane>(point.position[j]);
  for (int k = point.entry; k > 0; k = robot.link[k].lower) {
    const batch::Link& link = robot.link[k];
    const Rows<Lane> rows = workspace.entry(k);
    const Lane way = row<Lane>(q, link.joint);
    if (link.prismatic) x[2] += way;
    turn(rows.get(R::cosine), rows.get(R::sine), x[0], x[1]);
    turn(link.twist.c, link.twist.s, x[1], x[2]);
    if (link.turned) turn(link.turn.c, link.turn.s, x[0], x[1]);
    for (int j = 0; j < 3; ++j) x[j] += link.r[j] + link.way[j] * way;
  }
  x[2] += robot.link[0].r[2];
  axes.to_inertial(x);
}

/// J_m or J* of a point, 6×n column by column. NaN where the base of J* has no inertia.
template <typename Lane>
inline void frame_jacobian(batch::Robot robot, const batch::FramePoint& point, const double* state,
                           double* memory, double* bodies, double* J) {
  using R = AxisRows;
  const Workspace<Lane> workspace(robot, memory);
  const BaseAxes<Lane> axes(robot.link[0], state + batch::StateRows::A_0 * batch::kTile);
  batch::Robot path = robot;  // entries between the base and the point are not beyond its own
  if (!point.generalized) path.links = point.entry;
  update_axes(path, state, axes, workspace, point.generalized ? bodies : nullptr);
  Lane p[3], s[6], x[6];
  locate(robot, point, state + batch::StateRows::q * batch::kTile, axes, workspace, p);
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
