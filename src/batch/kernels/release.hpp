/// @file
/// What a joint leaves of the inertia of the bodies it carries.
#pragma once

#include "batch/kernels/workspace.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// What is left of a body's resistance once its revolute joint gives way under τ, and the joint's
/// part of the answer: q̈ = w − K·(α, a) − α_z.
template <typename Lane>
SPACEDYN_INLINE void release_revolute(const Lane& tau, Rows<Lane> rows, Articulated<Lane>& I) {
  using R = batch::WorkRows;
  const Lane U[5] = {I.A[2], I.A[4], I.B[6], I.B[7], I.B[8]};
  const Lane D = I.A[5];
  // a joint without inertia has no acceleration
  const Lane inverse = select(D > 0.0, 1.0 / D, D * __builtin_nan(""));
  const Lane w = (tau - I.n[2]) * inverse;
  Lane K[5];
  for (int j = 0; j < 5; ++j) K[j] = U[j] * inverse;
  rows.put(R::K, K, 5);
  rows.put(R::w, w);
  // I − U Uᵀ / D
  I.A[0] -= U[0] * K[0];
  I.A[1] -= U[0] * K[1];
  I.A[3] -= U[1] * K[1];
  for (int j = 0; j < 3; ++j) {
    I.B[j] -= K[0] * U[2 + j];
    I.B[3 + j] -= K[1] * U[2 + j];
  }
  I.M[0] -= U[2] * K[2];
  I.M[1] -= U[2] * K[3];
  I.M[2] -= U[2] * K[4];
  I.M[3] -= U[3] * K[3];
  I.M[4] -= U[3] * K[4];
  I.M[5] -= U[4] * K[4];
  // p + I c + U u / D; the component along the joint is τ itself
  const Lane c_x = rows.get(R::drift), c_y = rows.get(R::drift + 1);
  I.n[0] += U[0] * w + I.A[0] * c_x + I.A[1] * c_y;
  I.n[1] += U[1] * w + I.A[1] * c_x + I.A[3] * c_y;
  I.n[2] = tau;
  for (int j = 0; j < 3; ++j) I.f[j] += U[2 + j] * w + I.B[j] * c_x + I.B[3 + j] * c_y;
}

/// The same of a prismatic joint: q̈ = w − K·(α, a_x, a_y) − a_z.
template <typename Lane>
SPACEDYN_INLINE void release_prismatic(const Lane& tau, Rows<Lane> rows, Articulated<Lane>& I) {
  using R = batch::WorkRows;
  const Lane U[5] = {I.B[2], I.B[5], I.B[8], I.M[2], I.M[4]};
  const Lane D = I.M[5];
  const Lane inverse = select(D > 0.0, 1.0 / D, D * __builtin_nan(""));
  const Lane w = (tau - I.f[2]) * inverse;
  Lane K[5];
  for (int j = 0; j < 5; ++j) K[j] = U[j] * inverse;
  rows.put(R::K, K, 5);
  rows.put(R::w, w);
  I.A[0] -= U[0] * K[0];
  I.A[1] -= U[0] * K[1];
  I.A[2] -= U[0] * K[2];
  I.A[3] -= U[1] * K[1];
  I.A[4] -= U[1] * K[2];
  I.A[5] -= U[2] * K[2];
  for (int j = 0; j < 3; ++j) {
    I.B[3 * j] -= U[j] * K[3];
    I.B[3 * j + 1] -= U[j] * K[4];
    I.B[3 * j + 2] = broadcast<Lane>(0.0);
  }
  I.M[0] -= U[3] * K[3];
  I.M[1] -= U[3] * K[4];
  I.M[3] -= U[4] * K[4];
  I.M[2] = I.M[4] = I.M[5] = broadcast<Lane>(0.0);
  const Lane c_x = rows.get(R::drift), c_y = rows.get(R::drift + 1);
  for (int j = 0; j < 3; ++j) I.n[j] += U[j] * w + I.B[3 * j] * c_x + I.B[3 * j + 1] * c_y;
  I.f[0] += U[3] * w + I.M[0] * c_x + I.M[1] * c_y;
  I.f[1] += U[4] * w + I.M[1] * c_x + I.M[3] * c_y;
  I.f[2] = tau;
}

/// What the acceleration b of the origin asks for: n + B b, f + M b.
template <typename Lane>
SPACEDYN_INLINE void add_bias(Rows<Lane> rows, Articulated<Lane>& I) {
  using R = batch::WorkRows;
  Lane b[3];
  rows.get(R::bias, b, 3);
  for (int j = 0; j < 3; ++j) {
    I.n[j] += I.B[3 * j] * b[0] + I.B[3 * j + 1] * b[1] + I.B[3 * j + 2] * b[2];
  }
  I.f[0] += I.M[0] * b[0] + I.M[1] * b[1] + I.M[2] * b[2];
  I.f[1] += I.M[1] * b[0] + I.M[3] * b[1] + I.M[4] * b[2];
  I.f[2] += I.M[2] * b[0] + I.M[4] * b[1] + I.M[5] * b[2];
}

/// Through the joint: its rotation about z.
template <bool kNoZ, typename Lane>
SPACEDYN_INLINE void turn_joint(Rows<Lane> rows, Articulated<Lane>& I) {
  using R = batch::WorkRows;
  rotate_z<kNoZ>(Turn<Lane>(rows.get(R::cosine), rows.get(R::sine)), I);
}

/// A terminal body: all there is.
template <typename Lane>
SPACEDYN_INLINE void set_body(const batch::Link& link, Rows<Lane> rows, Articulated<Lane>& I) {
  using R = batch::WorkRows;
  set_rigid(link, I);
  rows.get(R::n, I.n, 3);
  rows.get(R::f, I.f, 3);
}

/// A body's own part: its inertia and what its spin asks for.
template <typename Lane>
SPACEDYN_INLINE void add_body(const batch::Link& link, Rows<Lane> rows, Articulated<Lane>& I) {
  using R = batch::WorkRows;
  add_rigid(link, I);
  for (int j = 0; j < 3; ++j) {
    I.n[j] += rows.get(R::n + j);
    I.f[j] += rows.get(R::f + j);
  }
}

/// A plain link whose body is in `I`: its joint released, and the rest moved to the lower link.
template <batch::Twist kTwist, typename Lane>
SPACEDYN_INLINE void pass_plain(const batch::Link& link, const double* tau, Rows<Lane> rows,
                                Articulated<Lane>& I) {
  release_revolute(row<Lane>(tau, link.joint), rows, I);
  turn_joint<true>(rows, I);
  twist_released<kTwist>(link.twist, I);
  add_bias(rows, I);
  translate<true>(link.r[0], link.r[1], 0.0, I);
}
template <typename Lane>
SPACEDYN_INLINE void pass_plain(const batch::Link& link, const double* tau, Rows<Lane> rows,
                                Articulated<Lane>& I) {
  switch (link.kind) {
    case batch::Twist::none:
      return pass_plain<batch::Twist::none>(link, tau, rows, I);
    case batch::Twist::right_angle:
      return pass_plain<batch::Twist::right_angle>(link, tau, rows, I);
    case batch::Twist::any:
      return pass_plain<batch::Twist::any>(link, tau, rows, I);
  }
}

/// The same of any revolute link.
template <typename Lane>
SPACEDYN_INLINE void pass_turned(const batch::Link& link, const double* tau, Rows<Lane> rows,
                                 Articulated<Lane>& I) {
  add_body(link, rows, I);
  release_revolute(row<Lane>(tau, link.joint), rows, I);
  turn_joint<true>(rows, I);
  twist_released<batch::Twist::any>(link.twist, I);
  rotate_z<false>(link.turn, I);
  add_bias(rows, I);
  translate<false>(link.r[0], link.r[1], link.r[2], I);
}

/// I with a_z − h α_z in place of a_z, and n_z + h f_z in place of n_z: a screw of that slide h per
/// angle is a revolute joint to it.
template <typename Lane>
SPACEDYN_INLINE void shear(double h, Articulated<Lane>& I) {
  I.A[2] += h * I.B[2];
  I.A[4] += h * I.B[5];
  I.A[5] += h * (2.0 * I.B[8] + h * I.M[5]);
  I.B[6] += h * I.M[2];
  I.B[7] += h * I.M[4];
  I.B[8] += h * I.M[5];
  I.n[2] += h * I.f[2];
}

/// The same of any link on a screw.
template <typename Lane>
SPACEDYN_INLINE void pass_screw(const batch::Link& link, const double* q, const double* tau,
                                Rows<Lane> rows, Articulated<Lane>& I) {
  add_body(link, rows, I);
  shear(link.slide, I);
  release_revolute(row<Lane>(tau, link.joint), rows, I);
  I.A[2] = I.A[4] = I.A[5] = I.B[6] = I.B[7] = I.B[8] = broadcast<Lane>(0.0);
  shear(-link.slide, I);
  turn_joint<false>(rows, I);
  rotate_x(link.twist, I);
  rotate_z<false>(link.turn, I);
  add_bias(rows, I);
  const Lane way = row<Lane>(q, link.joint);
  translate<false>(link.r[0] + link.way[0] * way, link.r[1] + link.way[1] * way,
                   link.r[2] + link.way[2] * way, I);
}

/// The same of any prismatic link.
template <typename Lane>
SPACEDYN_INLINE void pass_prismatic(const batch::Link& link, const double* q, const double* tau,
                                    Rows<Lane> rows, Articulated<Lane>& I) {
  add_body(link, rows, I);
  release_prismatic(row<Lane>(tau, link.joint), rows, I);
  const Lane zero = broadcast<Lane>(0.0);
  translate<false>(zero, zero, row<Lane>(q, link.joint), I);
  turn_joint<false>(rows, I);
  rotate_x(link.twist, I);
  rotate_z<false>(link.turn, I);
  add_bias(rows, I);
  translate<false>(link.r[0], link.r[1], link.r[2], I);
}

}  // namespace spacedyn::SPACEDYN_ISA
