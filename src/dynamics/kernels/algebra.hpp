/// @file
/// Vectors, matrices and spatial quantities on lanes.
#pragma once

#include "dynamics/kernels/lanes.hpp"

namespace spacedyn::SPACEDYN_ISA {

template <typename Lane>
struct Vec3 {
  Lane x, y, z;

  Vec3 operator+(const Vec3& b) const { return {x + b.x, y + b.y, z + b.z}; }
  Vec3 operator-(const Vec3& b) const { return {x - b.x, y - b.y, z - b.z}; }
  template <typename Factor>
  Vec3 operator*(const Factor& f) const {
    return {x * f, y * f, z * f};
  }
};

template <typename A, typename B>
inline auto dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <typename Lane>
inline Vec3<Lane> cross(const Vec3<Lane>& a, const Vec3<Lane>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <typename Lane>
inline Vec3<Lane> load3(const Lane* from) {
  return {from[0], from[1], from[2]};
}
template <typename Lane>
inline Vec3<Lane> zero3() {
  return {broadcast<Lane>(0.0), broadcast<Lane>(0.0), broadcast<Lane>(0.0)};
}

/// A rotation by its columns, or any 3×3 matrix.
template <typename Lane>
struct Mat3 {
  Vec3<Lane> a, b, c;

  template <typename Other>
  Vec3<Lane> operator*(const Vec3<Other>& v) const {
    return a * v.x + b * v.y + c * v.z;
  }
  Mat3 operator+(const Mat3& o) const { return {a + o.a, b + o.b, c + o.c}; }
};
template <typename Lane>
inline Vec3<Lane> transposed_times(const Mat3<Lane>& A, const Vec3<Lane>& v) {
  return {dot(A.a, v), dot(A.b, v), dot(A.c, v)};
}

/// A symmetric 3×3 matrix.
template <typename Lane>
struct Sym3 {
  Lane xx, xy, xz, yy, yz, zz;

  template <typename Other>
  auto operator*(const Vec3<Other>& v) const {
    return Vec3<Other>{xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z,
                       xz * v.x + yz * v.y + zz * v.z};
  }
  Sym3 operator+(const Sym3& o) const {
    return {xx + o.xx, xy + o.xy, xz + o.xz, yy + o.yy, yz + o.yz, zz + o.zz};
  }
};
inline Sym3<double> symmetric(const double* I) { return {I[0], I[1], I[2], I[3], I[4], I[5]}; }

/// A I Aᵀ: inertia I of link axes in inertial axes. Inline by order: as a function it would take
/// and return all its registers through memory.
template <typename Lane, typename Constant>
[[gnu::always_inline]] inline Sym3<Lane> rotated(const Mat3<Lane>& A, const Sym3<Constant>& I) {
  const Vec3<Lane> p = A * Vec3<Constant>{I.xx, I.xy, I.xz};
  const Vec3<Lane> q = A * Vec3<Constant>{I.xy, I.yy, I.yz};
  const Vec3<Lane> r = A * Vec3<Constant>{I.xz, I.yz, I.zz};
  return {p.x * A.a.x + q.x * A.b.x + r.x * A.c.x, p.x * A.a.y + q.x * A.b.y + r.x * A.c.y,
          p.x * A.a.z + q.x * A.b.z + r.x * A.c.z, p.y * A.a.y + q.y * A.b.y + r.y * A.c.y,
          p.y * A.a.z + q.y * A.b.z + r.y * A.c.z, p.z * A.a.z + q.z * A.b.z + r.z * A.c.z};
}

/// Motion or force about the common origin.
template <typename Lane>
struct Spatial {
  Vec3<Lane> angular, linear;

  Spatial operator+(const Spatial& b) const { return {angular + b.angular, linear + b.linear}; }
  Spatial operator-(const Spatial& b) const { return {angular - b.angular, linear - b.linear}; }
  template <typename Factor>
  Spatial operator*(const Factor& f) const {
    return {angular * f, linear * f};
  }
};
template <typename Lane>
inline Lane dot(const Spatial<Lane>& a, const Spatial<Lane>& b) {
  return dot(a.angular, b.angular) + dot(a.linear, b.linear);
}
/// v × m, both motions.
template <typename Lane>
inline Spatial<Lane> cross_motion(const Spatial<Lane>& v, const Spatial<Lane>& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}

}  // namespace spacedyn::SPACEDYN_ISA
