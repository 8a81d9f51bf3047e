/// @file
/// Articulated-body inertias as 27 lanes, and how they move from frame to frame.
#pragma once

#include "batch/kernels/robot.hpp"
#include "dynamics/kernels/lanes.hpp"

#define SPACEDYN_INLINE [[gnu::always_inline]] inline

namespace spacedyn::SPACEDYN_ISA {

/// n = A α + B a + n₀ and f = Bᵀ α + M a + f₀ about the origin of a frame whose origin accelerates
/// by a: classical acceleration, not spatial. A and M hold xx, xy, xz, yy, yz, zz, B its rows.
template <typename Lane>
struct Articulated {
  Lane A[6], B[9], M[6], n[3], f[3];
};

/// (x, y) ← rotation of (x, y) by an angle.
template <typename Lane, typename Number>
SPACEDYN_INLINE void turn(const Number& c, const Number& s, Lane& x, Lane& y) {
  const Lane x_old = x;
  x = c * x_old - s * y;
  y = s * x_old + c * y;
}
template <typename Lane, typename Number>
SPACEDYN_INLINE void turn_back(const Number& c, const Number& s, Lane& x, Lane& y) {
  const Lane x_old = x;
  x = c * x_old + s * y;
  y = c * y - s * x_old;
}

/// A rotation that differs from lane to lane, with the products that act on 2×2 blocks.
template <typename Lane>
struct Turn {
  Lane c, s, ss, cs, two_ss, two_cs;
  SPACEDYN_INLINE Turn(const Lane& cosine, const Lane& sine)
      : c(cosine), s(sine), ss(s * s), cs(c * s), two_ss(ss + ss), two_cs(cs + cs) {}
};

/// R S Rᵀ of a symmetric block [a b; b d]: only its deviation from a multiple of E changes.
template <typename Lane, typename Rotation>
SPACEDYN_INLINE void turn_symmetric(const Rotation& R, Lane& a, Lane& b, Lane& d) {
  const Lane difference = a - d;
  const Lane t = R.ss * difference + R.two_cs * b;
  b += R.cs * difference - R.two_ss * b;
  a -= t;
  d += t;
}
/// The same of any block [a b; c d].
template <typename Lane, typename Rotation>
SPACEDYN_INLINE void turn_block(const Rotation& R, Lane& a, Lane& b, Lane& c, Lane& d) {
  const Lane difference = a - d;
  const Lane sum = b + c;
  const Lane t = R.ss * difference + R.cs * sum;
  const Lane change = R.cs * difference - R.ss * sum;
  a -= t;
  d += t;
  b += change;
  c += change;
}

/// Into axes from which the present ones are reached by a rotation about z.
/// @tparam kNoZ  rows z of A and B are zero
template <bool kNoZ, typename Lane, typename Rotation>
SPACEDYN_INLINE void rotate_z(const Rotation& R, Articulated<Lane>& I) {
  turn_symmetric(R, I.A[0], I.A[1], I.A[3]);
  turn_block(R, I.B[0], I.B[1], I.B[3], I.B[4]);
  turn(R.c, R.s, I.B[2], I.B[5]);
  turn_symmetric(R, I.M[0], I.M[1], I.M[3]);
  turn(R.c, R.s, I.M[2], I.M[4]);
  turn(R.c, R.s, I.n[0], I.n[1]);
  turn(R.c, R.s, I.f[0], I.f[1]);
  if constexpr (!kNoZ) {
    turn(R.c, R.s, I.A[2], I.A[4]);
    turn(R.c, R.s, I.B[6], I.B[7]);
  }
}

/// (y, z) of a vector into axes from which the present ones are reached by the twist.
template <batch::Twist kTwist, typename Lane>
SPACEDYN_INLINE void twist(const batch::Rotation& R, Lane& y, Lane& z) {
  if constexpr (kTwist == batch::Twist::any) turn(R.c, R.s, y, z);
  if constexpr (kTwist == batch::Twist::right_angle) {
    const Lane y_old = y;
    y = -z;
    z = y_old;
  }
}

/// The same of an inertia whose rows z of A and B are zero; they need no values.
template <batch::Twist kTwist, typename Lane>
SPACEDYN_INLINE void twist_released(const batch::Rotation& R, Articulated<Lane>& I) {
  const Lane xy = I.A[1], yy = I.A[3], zero = broadcast<Lane>(0.0);
  twist<kTwist>(R, I.B[1], I.B[2]);
  twist<kTwist>(R, I.B[4], I.B[5]);
  if constexpr (kTwist == batch::Twist::any) {
    I.A[1] = R.c * xy;
    I.A[2] = R.s * xy;
    I.A[3] = R.cc * yy;
    I.A[4] = R.cs * yy;
    I.A[5] = R.ss * yy;
    for (int j = 3; j < 6; ++j) {
      I.B[j + 3] = R.s * I.B[j];
      I.B[j] = R.c * I.B[j];
    }
    turn_symmetric(R, I.M[3], I.M[4], I.M[5]);
  } else if constexpr (kTwist == batch::Twist::right_angle) {
    I.A[1] = I.A[3] = I.A[4] = zero;
    I.A[2] = xy;
    I.A[5] = yy;
    for (int j = 3; j < 6; ++j) {
      I.B[j + 3] = I.B[j];
      I.B[j] = zero;
    }
    const Lane old = I.M[3];
    I.M[3] = I.M[5];
    I.M[4] = -I.M[4];
    I.M[5] = old;
  } else {
    I.A[2] = I.A[4] = I.A[5] = I.B[6] = I.B[7] = I.B[8] = zero;
  }
  twist<kTwist>(R, I.M[1], I.M[2]);
  twist<kTwist>(R, I.n[1], I.n[2]);
  twist<kTwist>(R, I.f[1], I.f[2]);
}

/// The same of any inertia.
template <typename Lane>
SPACEDYN_INLINE void rotate_x(const batch::Rotation& R, Articulated<Lane>& I) {
  turn_symmetric(R, I.A[3], I.A[4], I.A[5]);
  turn(R.c, R.s, I.A[1], I.A[2]);
  turn_block(R, I.B[4], I.B[5], I.B[7], I.B[8]);
  turn(R.c, R.s, I.B[1], I.B[2]);
  turn(R.c, R.s, I.B[3], I.B[6]);
  turn_symmetric(R, I.M[3], I.M[4], I.M[5]);
  turn(R.c, R.s, I.M[1], I.M[2]);
  turn(R.c, R.s, I.n[1], I.n[2]);
  turn(R.c, R.s, I.f[1], I.f[2]);
}

/// About a point from which the present origin is at r: a = a_p − r̃ α, n_p = n + r × f, that is,
/// B′ = B + r̃ M and A′ = A − B r̃ + r̃ B′ᵀ.
/// @tparam kFlat  r has no z component
template <bool kFlat, typename Lane, typename Number>
SPACEDYN_INLINE void translate(const Number& x, const Number& y, const Number& z,
                               Articulated<Lane>& I) {
  Lane* const A = I.A;
  const Lane* const M = I.M;
  const Lane* const B = I.B;
  Lane moved[9] = {B[0] + y * M[2],
                   B[1] + y * M[4],
                   B[2] + y * M[5],
                   B[3] - x * M[2],
                   B[4] - x * M[4],
                   B[5] - x * M[5],
                   B[6] + x * M[1] - y * M[0],
                   B[7] + x * M[3] - y * M[1],
                   B[8] + x * M[4] - y * M[2]};
  if constexpr (!kFlat) {
    moved[0] -= z * M[1];
    moved[1] -= z * M[3];
    moved[2] -= z * M[4];
    moved[3] += z * M[0];
    moved[4] += z * M[1];
    moved[5] += z * M[2];
  }
  A[0] += y * (B[2] + moved[2]);
  A[1] += y * moved[5] - x * B[2];
  A[2] += y * (moved[8] - B[0]) + x * B[1];
  A[3] -= x * (B[5] + moved[5]);
  A[4] += x * (B[4] - moved[8]) - y * B[3];
  A[5] += x * (B[7] + moved[7]) - y * (B[6] + moved[6]);
  if constexpr (!kFlat) {
    A[0] -= z * (B[1] + moved[1]);
    A[1] += z * (B[0] - moved[4]);
    A[2] -= z * moved[7];
    A[3] += z * (B[3] + moved[3]);
    A[4] += z * moved[6];
  }
  for (int j = 0; j < 9; ++j) I.B[j] = moved[j];
  I.n[0] += y * I.f[2];
  I.n[1] -= x * I.f[2];
  I.n[2] += x * I.f[1] - y * I.f[0];
  if constexpr (!kFlat) {
    I.n[0] -= z * I.f[1];
    I.n[1] += z * I.f[0];
  }
}

/// Adds the inertia of a rigid body about the frame origin.
template <typename Lane>
SPACEDYN_INLINE void add_rigid(const batch::Link& link, Articulated<Lane>& I) {
  for (int j = 0; j < 6; ++j) I.A[j] += link.I[j];
  I.M[0] += link.mass;
  I.M[3] += link.mass;
  I.M[5] += link.mass;
  I.B[1] -= link.h[2];
  I.B[2] += link.h[1];
  I.B[3] += link.h[2];
  I.B[5] -= link.h[0];
  I.B[6] -= link.h[1];
  I.B[7] += link.h[0];
}

/// The inertia of a rigid body alone.
template <typename Lane>
SPACEDYN_INLINE void set_rigid(const batch::Link& link, Articulated<Lane>& I) {
  const Lane zero = broadcast<Lane>(0.0);
  const double* h = link.h;
  for (int j = 0; j < 6; ++j) I.A[j] = broadcast<Lane>(link.I[j]);
  I.M[0] = I.M[3] = I.M[5] = broadcast<Lane>(link.mass);
  I.M[1] = I.M[2] = I.M[4] = zero;
  I.B[0] = I.B[4] = I.B[8] = zero;
  I.B[1] = broadcast<Lane>(-h[2]);
  I.B[2] = broadcast<Lane>(h[1]);
  I.B[3] = broadcast<Lane>(h[2]);
  I.B[5] = broadcast<Lane>(-h[0]);
  I.B[6] = broadcast<Lane>(-h[1]);
  I.B[7] = broadcast<Lane>(h[0]);
}

}  // namespace spacedyn::SPACEDYN_ISA
