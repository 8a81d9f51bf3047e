/// @file
/// Rigid and articulated inertias about the common origin.
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

/// A symmetric 6×6 matrix by its 21 numbers: [J, H; Hᵀ, M], angular rows first.
template <typename Lane>
struct Articulated {
  Sym3<Lane> J;
  Mat3<Lane> H;
  Sym3<Lane> M;

  Articulated operator+(const Articulated& o) const { return {J + o.J, H + o.H, M + o.M}; }
  Spatial<Lane> operator*(const Spatial<Lane>& v) const {
    return {J * v.angular + H * v.linear, transposed_times(H, v.angular) + M * v.linear};
  }
};

template <typename Lane>
inline Articulated<Lane> zero_articulated() {
  const Lane o = broadcast<Lane>(0.0);
  return {{o, o, o, o, o, o}, {zero3<Lane>(), zero3<Lane>(), zero3<Lane>()}, {o, o, o, o, o, o}};
}

/// Adds a rigid inertia.
template <typename Lane>
inline Articulated<Lane> operator+(const Articulated<Lane>& A, const Rigid<Lane>& R) {
  const Vec3<Lane>& h = R.moment;
  return {A.J + R.inertia,
          {{A.H.a.x, A.H.a.y + h.z, A.H.a.z - h.y},
           {A.H.b.x - h.z, A.H.b.y, A.H.b.z + h.x},
           {A.H.c.x + h.y, A.H.c.y - h.x, A.H.c.z}},
          {A.M.xx + R.mass, A.M.xy, A.M.xz, A.M.yy + R.mass, A.M.yz, A.M.zz + R.mass}};
}

/// A − U Vᵀ where V is a multiple of U.
template <typename Lane>
inline Sym3<Lane> minus_outer(const Sym3<Lane>& A, const Vec3<Lane>& U, const Vec3<Lane>& V) {
  return {A.xx - U.x * V.x, A.xy - U.x * V.y, A.xz - U.x * V.z,
          A.yy - U.y * V.y, A.yz - U.y * V.z, A.zz - U.z * V.z};
}
template <typename Lane>
inline Articulated<Lane> minus_outer(const Articulated<Lane>& A, const Spatial<Lane>& U,
                                     const Spatial<Lane>& V) {
  return {minus_outer(A.J, U.angular, V.angular),
          {A.H.a - U.angular * V.linear.x, A.H.b - U.angular * V.linear.y,
           A.H.c - U.angular * V.linear.z},
          minus_outer(A.M, U.linear, V.linear)};
}

}  // namespace spacedyn::SPACEDYN_ISA
