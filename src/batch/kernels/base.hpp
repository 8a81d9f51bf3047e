/// @file
/// The base: its axes, and its six equations.
#pragma once

#include "batch/kernels/articulated.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// ω̃ ω̃ = ω ωᵀ − ω² E, and the differences of squares that the gyroscopic moment needs.
template <typename Lane>
struct Spin {
  Lane xx, yy, zz, xy, xz, yz;  ///< of ω̃ ω̃
  Lane yy_zz, zz_xx, xx_yy;     ///< ω_y² − ω_z², …

  SPACEDYN_INLINE explicit Spin(const Lane* omega)
      : xy(omega[0] * omega[1]), xz(omega[0] * omega[2]), yz(omega[1] * omega[2]) {
    const Lane x = omega[0] * omega[0], y = omega[1] * omega[1], z = omega[2] * omega[2];
    xx = -(y + z);
    yy = -(x + z);
    zz = -(x + y);
    yy_zz = y - z;
    zz_xx = z - x;
    xx_yy = x - y;
  }

  SPACEDYN_INLINE Lane row_x(const double* r) const { return flat_x(r) + xz * r[2]; }
  SPACEDYN_INLINE Lane row_y(const double* r) const { return flat_y(r) + yz * r[2]; }
  SPACEDYN_INLINE Lane row_z(const double* r) const { return flat_z(r) + zz * r[2]; }
  /// Where r has no z component.
  SPACEDYN_INLINE Lane flat_x(const double* r) const { return xx * r[0] + xy * r[1]; }
  SPACEDYN_INLINE Lane flat_y(const double* r) const { return xy * r[0] + yy * r[1]; }
  SPACEDYN_INLINE Lane flat_z(const double* r) const { return xz * r[0] + yz * r[1]; }
};

/// ω × I ω and ω × (ω × m c): what a body that only spins asks for.
template <typename Lane>
SPACEDYN_INLINE void gyroscopic_wrench(const batch::Link& link, const Spin<Lane>& W, Lane* n,
                                       Lane* f) {
  const double* I = link.I;
  const double* g = link.gyration;
  n[0] = g[0] * W.yz + I[4] * W.yy_zz + I[2] * W.xy - I[1] * W.xz;
  n[1] = g[1] * W.xz + I[2] * W.zz_xx + I[1] * W.yz - I[4] * W.xy;
  n[2] = g[2] * W.xy + I[1] * W.xx_yy + I[4] * W.xz - I[2] * W.yz;
  f[0] = W.row_x(link.h);
  f[1] = W.row_y(link.h);
  f[2] = W.row_z(link.h);
}

/// What a screw adds to the acceleration of the origin of its link, whose way d q belongs to the
/// lower link, whatever that link's angular acceleration: ω × (ω × d q) + 2 ω × d q̇, its axes.
template <typename Lane>
SPACEDYN_INLINE void add_screw_motion(const batch::Link& link, const Spin<Lane>& W,
                                      const Lane* omega, const Lane& q, const Lane& qd, Lane* a) {
  const double* d = link.way;
  const Lane twice = qd + qd;
  a[0] += W.row_x(d) * q + (omega[1] * d[2] - omega[2] * d[1]) * twice;
  a[1] += W.row_y(d) * q + (omega[2] * d[0] - omega[0] * d[2]) * twice;
  a[2] += W.row_z(d) * q + (omega[0] * d[1] - omega[1] * d[0]) * twice;
}
/// And by the angular acceleration of the lower link.
template <typename Lane>
SPACEDYN_INLINE void add_screw_arm(const batch::Link& link, const Lane* alpha, const Lane& q,
                                   Lane* a) {
  const double* d = link.way;
  a[0] += (alpha[1] * d[2] - alpha[2] * d[1]) * q;
  a[1] += (alpha[2] * d[0] - alpha[0] * d[2]) * q;
  a[2] += (alpha[0] * d[1] - alpha[1] * d[0]) * q;
}

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

/// L D Lᵀ of a symmetric positive definite 3×3 matrix xx, xy, xz, yy, yz, zz. NaN where a pivot is
/// not positive.
///
/// Elimination and no adjugate, whose products of two elements cancel: where masses span twelve
/// decades, those would have no digit left.
template <typename Lane>
struct Factors3 {
  Lane xy, xz, yz;        ///< L
  Lane inverse_pivot[3];  ///< D⁻¹

  SPACEDYN_INLINE explicit Factors3(const Lane* m) {
    invert(m[0], inverse_pivot[0]);
    xy = m[1] * inverse_pivot[0];
    xz = m[2] * inverse_pivot[0];
    const Lane rest = m[4] - xy * m[2];
    invert(m[3] - xy * m[1], inverse_pivot[1]);
    yz = rest * inverse_pivot[1];
    invert(m[5] - xz * m[2] - yz * rest, inverse_pivot[2]);
  }
  SPACEDYN_INLINE static void invert(const Lane& pivot, Lane& inverse) {
    inverse = select(pivot > 0.0, 1.0 / pivot, pivot * __builtin_nan(""));
  }
  /// x ← L⁻¹ x
  SPACEDYN_INLINE void eliminate(Lane* x) const {
    x[1] -= xy * x[0];
    x[2] -= xz * x[0] + yz * x[1];
  }
  /// x ← L⁻ᵀ x
  SPACEDYN_INLINE void substitute(Lane* x) const {
    x[1] -= yz * x[2];
    x[0] -= xy * x[1] + xz * x[2];
  }
};

/// L D Lᵀ of the whole robot's inertia, (linear, angular). NaN where a pivot is not positive.
template <typename Lane>
struct Factors6 {
  Lane L[6][6], inverse_pivot[6];

  SPACEDYN_INLINE explicit Factors6(const Articulated<Lane>& I) {
    const Lane *const A = I.A, *const B = I.B, *const M = I.M;
    const Lane S[6][6] = {{M[0]},
                          {M[1], M[3]},
                          {M[2], M[4], M[5]},
                          {B[0], B[1], B[2], A[0]},
                          {B[3], B[4], B[5], A[1], A[3]},
                          {B[6], B[7], B[8], A[2], A[4], A[5]}};
    for (int i = 0; i < 6; ++i) {
      Lane scaled[6];  // L D of this row
      Lane pivot = S[i][i];
      for (int j = 0; j < i; ++j) {
        scaled[j] = S[i][j];
        for (int k = 0; k < j; ++k) scaled[j] -= scaled[k] * L[j][k];
        L[i][j] = scaled[j] * inverse_pivot[j];
        pivot -= scaled[j] * L[i][j];
      }
      Factors3<Lane>::invert(pivot, inverse_pivot[i]);
    }
  }
  SPACEDYN_INLINE void solve(Lane* x) const {
    for (int i = 1; i < 6; ++i) {
      for (int k = 0; k < i; ++k) x[i] -= L[i][k] * x[k];
    }
    for (int i = 5; i >= 0; --i) {
      x[i] *= inverse_pivot[i];
      for (int k = i + 1; k < 6; ++k) x[i] -= L[k][i] * x[k];
    }
  }
};

/// (α, a) of a floating base under its own wrench, gravity left out: I (α, a) = F_b − p, by
/// elimination of a, with M = L D Lᵀ: (A − Y D⁻¹ Yᵀ) α = n − Y D⁻¹ L⁻¹ f and Yᵀ = L⁻¹ Bᵀ.
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
  const Factors3<Lane> M(I.M);
  for (int j = 0; j < 3; ++j) f[j] -= I.f[j];
  M.eliminate(f);
  Lane Y[9], scaled[9];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) Y[3 * i + j] = I.B[3 * i + j];
    M.eliminate(Y + 3 * i);
    for (int j = 0; j < 3; ++j) scaled[3 * i + j] = Y[3 * i + j] * M.inverse_pivot[j];
    const Lane* row = scaled + 3 * i;
    n[i] -= I.n[i] + (row[0] * f[0] + row[1] * f[1] + row[2] * f[2]);
  }
  const auto left = [&](int i, int j) {
    return Y[3 * i] * scaled[3 * j] + Y[3 * i + 1] * scaled[3 * j + 1] +
           Y[3 * i + 2] * scaled[3 * j + 2];
  };
  const Lane schur[6] = {I.A[0] - left(0, 0), I.A[1] - left(0, 1), I.A[2] - left(0, 2),
                         I.A[3] - left(1, 1), I.A[4] - left(1, 2), I.A[5] - left(2, 2)};
  const Factors3<Lane> S(schur);
  S.eliminate(n);
  for (int j = 0; j < 3; ++j) motion[j] = n[j] * S.inverse_pivot[j];
  S.substitute(motion);
  for (int j = 0; j < 3; ++j) {
    motion[3 + j] = f[j] * M.inverse_pivot[j] -
                    (scaled[j] * motion[0] + scaled[3 + j] * motion[1] + scaled[6 + j] * motion[2]);
  }
  M.substitute(motion + 3);
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
