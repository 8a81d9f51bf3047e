/// @file
/// The base: its axes, and its six equations.
#pragma once

#include "batch/kernels/spin.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The axes of the base's frame, column by column: A_0 turned about z.
template <typename Lane>
struct BaseAxes {
  Lane A[9];

  SPACEDYN_INLINE BaseAxes(const batch::Link& base, const double* rows) {
    for (int j = 0; j < 9; ++j) A[j] = load<Lane>(rows + j * batch::kTile);
    for (int j = 0; j < 3; ++j) turn_back(base.turn.c, base.turn.s, A[j], A[3 + j]);
  }
  SPACEDYN_INLINE void to_base(Lane* x) const {
    const Lane old[3] = {x[0], x[1], x[2]};
    for (int j = 0; j < 3; ++j) {
      x[j] = A[3 * j] * old[0] + A[3 * j + 1] * old[1] + A[3 * j + 2] * old[2];
    }
  }
  SPACEDYN_INLINE void to_inertial(Lane* x) const {
    const Lane old[3] = {x[0], x[1], x[2]};
    for (int j = 0; j < 3; ++j) x[j] = A[j] * old[0] + A[3 + j] * old[1] + A[6 + j] * old[2];
  }
};

/// S⁻¹ x of a symmetric positive definite 3×3 matrix xx, xy, xz, yy, yz, zz, by its adjugate:
/// one division. NaN where a leading minor is not positive.
template <typename Lane>
struct Inverse3 {
  Lane S[6];

  SPACEDYN_INLINE explicit Inverse3(const Lane* m) {
    const Lane minor = m[0] * m[3] - m[1] * m[1];
    const Lane xx = m[3] * m[5] - m[4] * m[4];
    const Lane xy = m[2] * m[4] - m[1] * m[5];
    const Lane xz = m[1] * m[4] - m[2] * m[3];
    const Lane determinant = m[0] * xx + m[1] * xy + m[2] * xz;
    const auto definite = (m[0] > 0.0) & (minor > 0.0) & (determinant > 0.0);
    const Lane scale = select(definite, 1.0 / determinant, determinant * __builtin_nan(""));
    S[0] = scale * xx;
    S[1] = scale * xy;
    S[2] = scale * xz;
    S[3] = scale * (m[0] * m[5] - m[2] * m[2]);
    S[4] = scale * (m[1] * m[2] - m[0] * m[4]);
    S[5] = scale * minor;
  }
  SPACEDYN_INLINE void times(const Lane& x, const Lane& y, const Lane& z, Lane* out) const {
    out[0] = S[0] * x + S[1] * y + S[2] * z;
    out[1] = S[1] * x + S[3] * y + S[4] * z;
    out[2] = S[2] * x + S[4] * y + S[5] * z;
  }
};

/// (α, a) of a floating base under its own wrench, gravity left out: I (α, a) = F_b − p, by
/// elimination of a: (A − B M⁻¹ Bᵀ) α = n − B M⁻¹ f.
template <typename Lane>
SPACEDYN_INLINE void solve_base(const batch::Link& base, const BaseAxes<Lane>& axes,
                                const double* forces, const Articulated<Lane>& I, Lane* motion) {
  Lane f[3], n[3];
  for (int j = 0; j < 3; ++j) {
    f[j] = load<Lane>(forces + j * batch::kTile);
    n[j] = load<Lane>(forces + (3 + j) * batch::kTile);
  }
  axes.to_base(f);
  axes.to_base(n);
  n[0] += base.r[2] * f[1];
  n[1] -= base.r[2] * f[0];
  const Inverse3<Lane> M(I.M);
  Lane a[3], G[9];
  for (int j = 0; j < 3; ++j) {
    f[j] -= I.f[j];
    M.times(I.B[3 * j], I.B[3 * j + 1], I.B[3 * j + 2], G + 3 * j);
  }
  for (int j = 0; j < 3; ++j) {
    n[j] -= I.n[j] + (G[3 * j] * f[0] + G[3 * j + 1] * f[1] + G[3 * j + 2] * f[2]);
  }
  const auto left = [&](int i, int j) {
    return G[3 * i] * I.B[3 * j] + G[3 * i + 1] * I.B[3 * j + 1] + G[3 * i + 2] * I.B[3 * j + 2];
  };
  const Lane schur[6] = {I.A[0] - left(0, 0), I.A[1] - left(0, 1), I.A[2] - left(0, 2),
                         I.A[3] - left(1, 1), I.A[4] - left(1, 2), I.A[5] - left(2, 2)};
  Inverse3<Lane>(schur).times(n[0], n[1], n[2], motion);
  M.times(f[0], f[1], f[2], a);
  for (int j = 0; j < 3; ++j) {
    motion[3 + j] = a[j] - (G[j] * motion[0] + G[3 + j] * motion[1] + G[6 + j] * motion[2]);
  }
}

/// Of a base held in place: its frame's origin falls upwards in a frame that falls.
template <typename Lane>
SPACEDYN_INLINE void fixed_base_motion(const batch::Link& base, const BaseAxes<Lane>& axes,
                                       const double* gravity, const Spin<Lane>& W, Lane* motion) {
  for (int j = 0; j < 3; ++j) {
    motion[j] = broadcast<Lane>(0.0);
    motion[3 + j] = broadcast<Lane>(-gravity[j]);
  }
  axes.to_base(motion + 3);
  motion[3] += W.xz * base.r[2];
  motion[4] += W.yz * base.r[2];
  motion[5] += W.zz * base.r[2];
}

/// v̇_0 and ω̇_0 in inertial components, from the motion of the base's frame.
template <typename Lane>
SPACEDYN_INLINE void write_base(const batch::Link& base, const BaseAxes<Lane>& axes,
                                const double* gravity, const Spin<Lane>& W, const Lane* motion,
                                double* acceleration) {
  Lane alpha[3] = {motion[0], motion[1], motion[2]};
  Lane a[3] = {motion[3] - base.r[2] * (motion[1] + W.xz),
               motion[4] + base.r[2] * (motion[0] - W.yz), motion[5] - base.r[2] * W.zz};
  axes.to_inertial(alpha);
  axes.to_inertial(a);
  for (int j = 0; j < 3; ++j) {
    store(acceleration + j * batch::kTile, Lane(a[j] + gravity[j]));
    store(acceleration + (3 + j) * batch::kTile, alpha[j]);
  }
}

template <typename Lane>
SPACEDYN_INLINE void write_fixed_base(double* acceleration) {
  for (int j = 0; j < 6; ++j) {
    store(acceleration + j * batch::kTile, broadcast<Lane>(0.0));
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
