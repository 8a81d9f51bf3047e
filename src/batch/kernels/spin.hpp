/// @file
/// What rotation alone does to a body.
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

}  // namespace spacedyn::SPACEDYN_ISA
