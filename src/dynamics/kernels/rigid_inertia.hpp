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

}  // namespace spacedyn::SPACEDYN_ISA
