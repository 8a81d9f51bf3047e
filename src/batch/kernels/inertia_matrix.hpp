/// @file
/// The inertia matrix on lanes, in the frames of forward_dynamics.hpp: composite bodies from tips
/// to base, then a column for each joint [Featherstone].
#pragma once

#include "batch/kernels/base.hpp"
#include "batch/kernels/inverse_dynamics.hpp"
#include "batch/kernels/joints.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// A body and all that it carries: m c, and the inertia xx, xy, xz, yy, yz, zz about the origin of
/// its frame. In the workspace they take the place of `bias` and what follows.
template <typename Lane>
struct Composite {
  static constexpr int row = batch::WorkRows::bias, size = 9;
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

template <typename Lane, typename Rotation>
SPACEDYN_INLINE void turn_about_z(const Rotation& R, Composite<Lane>& body) {
  turn_symmetric(R, body.I[0], body.I[1], body.I[3]);
  turn(R.c, R.s, body.I[2], body.I[4]);
  turn(R.c, R.s, body.h[0], body.h[1]);
}

/// From the frame of a link into that of its lower link.
template <typename Lane>
SPACEDYN_INLINE void composite_down(const batch::Link& link, Rows<Lane> rows, const Lane& q,
                                    Composite<Lane>& body) {
  using R = batch::WorkRows;
  if (link.prismatic) {
    const Lane zero = broadcast<Lane>(0.0);
    const Lane d[] = {zero, zero, q};
    move_origin(link.carried_mass, d, body);
  }
  turn_about_z(Turn<Lane>(rows.get(R::cosine), rows.get(R::sine)), body);
  turn_symmetric(link.twist, body.I[3], body.I[4], body.I[5]);
  turn(link.twist.c, link.twist.s, body.I[1], body.I[2]);
  turn(link.twist.c, link.twist.s, body.h[1], body.h[2]);
  if (link.turned) turn_about_z(link.turn, body);
  Lane d[3];
  for (int j = 0; j < 3; ++j) d[j] = link.r[j] + link.way[j] * q;
  move_origin(link.carried_mass, d, body);
}

/// Tips to base; each composite body stays in the rows of its entry.
template <typename Lane>
[[gnu::noinline]] inline void sweep_composites(batch::Robot robot, const double* q,
                                               Workspace<Lane> workspace) {
  using C = Composite<Lane>;
  for (int i = 0; i <= robot.links; ++i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    for (int j = 0; j < 3; ++j) rows.put(C::row + j, broadcast<Lane>(link.h[j]));
    for (int j = 0; j < 6; ++j) rows.put(C::row + 3 + j, broadcast<Lane>(link.I[j]));
  }
  for (int i = robot.links; i >= 1; --i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i), lower = workspace.entry(link.lower);
    C body;
    rows.get(C::row, body.h, 3);
    rows.get(C::row + 3, body.I, 6);
    composite_down(link, rows, row<Lane>(q, link.joint), body);
    for (int j = 0; j < 3; ++j) lower.put(C::row + j, lower.get(C::row + j) + body.h[j]);
    for (int j = 0; j < 6; ++j) lower.put(C::row + 3 + j, lower.get(C::row + 3 + j) + body.I[j]);
  }
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

/// What the joint of a link needs to move all that it carries: wrench about the origin of its
/// frame.
template <typename Lane>
SPACEDYN_INLINE void joint_column(const batch::Link& link, Rows<Lane> rows, Lane* n, Lane* f) {
  using C = Composite<Lane>;
  const Lane x = rows.get(C::row), y = rows.get(C::row + 1);
  const double slide = link.prismatic ? 1.0 : link.slide;
  n[0] = slide * y;
  n[1] = -slide * x;
  n[2] = broadcast<Lane>(0.0);
  f[0] = f[1] = n[2];
  f[2] = broadcast<Lane>(slide * link.carried_mass);
  if (link.prismatic) return;
  n[0] += rows.get(C::row + 5);
  n[1] += rows.get(C::row + 7);
  n[2] = rows.get(C::row + 8);
  f[0] = -y;
  f[1] = x;
}

/// [m E, −h̃; h̃, I] of the whole robot about the centroid of the base, inertial axes.
template <typename Lane>
SPACEDYN_INLINE void base_block(const batch::Link& base, const BaseAxes<Lane>& axes,
                                Rows<Lane> rows, MatrixRows<Lane> H) {
  using C = Composite<Lane>;
  C body;
  rows.get(C::row, body.h, 3);
  rows.get(C::row + 3, body.I, 6);
  const Lane zero = broadcast<Lane>(0.0);
  const Lane d[] = {zero, zero, broadcast<Lane>(base.r[2])};
  move_origin(base.carried_mass, d, body);
  axes.to_inertial(body.h);
  const Lane* I = body.I;
  Lane turned[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
  for (Lane* column : turned) axes.to_inertial(column);
  for (int i = 0; i < 3; ++i) {
    Lane line[3] = {turned[0][i], turned[1][i], turned[2][i]};
    axes.to_inertial(line);
    for (int j = 0; j <= i; ++j) H.put(3 + i, 3 + j, line[j]);
    H.put(i, i, broadcast<Lane>(base.carried_mass));
    const int next = (i + 1) % 3, last = (i + 2) % 3;
    H.put(3 + last, next, body.h[i]);
    H.put(3 + next, last, -body.h[i]);
  }
}

/// H of one block of lanes, (6 + n)² rows; those that are zero in every state are not written.
template <typename Lane>
inline void inertia_matrix(batch::Robot robot, const double* state, double* memory,
                           double* matrix) {
  using S = batch::StateRows;
  const double* q = state + S::q * batch::kTile;
  const Workspace<Lane> workspace(robot, memory);
  const batch::Link& base = robot.link[0];
  const BaseAxes<Lane> axes(base, state + S::A_0 * batch::kTile);
  const MatrixRows<Lane> H{matrix, 6 + robot.links};
  joint_angles<Lane>(robot, q, workspace);
  sweep_composites(robot, q, workspace);
  base_block(base, axes, workspace.entry(0), H);
  for (int i = 1; i <= robot.links; ++i) {
    const int column = 6 + robot.link[i].joint;
    Lane n[3], f[3];
    joint_column(robot.link[i], workspace.entry(i), n, f);
    for (int k = i; k > 0; k = robot.link[k].lower) {
      const batch::Link& link = robot.link[k];
      H.put(6 + link.joint, column, joint_force(link, n, f));
      wrench_down(link, workspace.entry(k), row<Lane>(q, link.joint), n, f);
    }
    n[0] -= base.r[2] * f[1];
    n[1] += base.r[2] * f[0];
    axes.to_inertial(n);
    axes.to_inertial(f);
    for (int j = 0; j < 3; ++j) {
      H.put(j, column, f[j]);
      H.put(3 + j, column, n[j]);
    }
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
