/// @file
/// Rigid inertias about the common origin.
#pragma once

#include "dynamics/kernels/algebra.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Mass, first moment m r and second moment about the common origin: they add up as they are.
template <typename Lane>
struct Rigid {
  Lane mass;
  Vec3<Lane> moment;
  Sym3<Lane> inertia;

  Rigid operator+(const Rigid& o) const {
    return {mass + o.mass, moment + o.moment, inertia + o.inertia};
  }
  /// Momentum of a velocity, force of an acceleration.
  Spatial<Lane> operator*(const Spatial<Lane>& v) const {
    return {inertia * v.angular + cross(moment, v.linear),
            v.linear * mass - cross(moment, v.angular)};
  }
};

/// From the inertia about the centroid in inertial axes and the centroid's place.
template <typename Lane, typename Constant>
inline Rigid<Lane> rigid(const Constant& mass, const Vec3<Lane>& r, const Sym3<Lane>& I) {
  const Vec3<Lane> h = r * mass;
  const Lane xx = h.x * r.x, yy = h.y * r.y, zz = h.z * r.z;
  return {Lane{} + mass,
          h,
          {I.xx + (yy + zz), I.xy - h.x * r.y, I.xz - h.x * r.z, I.yy + (xx + zz), I.yz - h.y * r.z,
           I.zz + (xx + yy)}};
}

/// −ã b̃ − b̃ ã = 2 (a·b) E − a bᵀ − b aᵀ.
template <typename Lane>
inline Sym3<Lane> products_of_inertia(const Vec3<Lane>& a, const Vec3<Lane>& b) {
  const Lane xx = a.x * b.x, yy = a.y * b.y, zz = a.z * b.z;
  return {2.0 * (yy + zz), 0.0 - (a.x * b.y + a.y * b.x), 0.0 - (a.x * b.z + a.z * b.x),
          2.0 * (xx + zz), 0.0 - (a.y * b.z + a.z * b.y), 2.0 * (xx + yy)};
}

/// About an origin from which the present one is at `d`.
inline Rigid<double> moved(const Rigid<double>& body, const Vec3<double>& d) {
  const Vec3<double> h = d * body.mass;
  return {body.mass, body.moment + h, body.inertia + products_of_inertia(body.moment + h * 0.5, d)};
}

/// Three symmetric columns of four numbers.
inline Sym3<double> symmetric_of_columns(const double* m) {
  return {m[0], m[1], m[2], m[5], m[6], m[10]};
}
inline void store_columns(double* to, const Sym3<double>& m) {
  const double columns[] = {m.xx, m.xy, m.xz, 0.0, m.xy, m.yy, m.yz, 0.0, m.xz, m.yz, m.zz, 0.0};
  __builtin_memcpy(to, columns, sizeof columns);
}
inline void store_four(double* to, const Vec3<double>& v) {
  to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = 0.0;
}
/// Columns of the second moment, then the first.
inline void store_rigid(const Rigid<double>& body, double* to) {
  store_columns(to, body.inertia);
  store_four(to + 12, body.moment);
}

}  // namespace spacedyn::SPACEDYN_ISA
