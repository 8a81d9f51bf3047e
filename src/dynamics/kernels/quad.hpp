/// @file
/// Four doubles that hold one 3-vector of one body: (x, y, z, 0).
#pragma once

#include "dynamics/kernels/lanes.hpp"

namespace spacedyn::SPACEDYN_ISA {

#if SPACEDYN_LANES >= 4

/// The fourth element is zero in everything that is summed over.
using Quad = Pack<4>;

inline Quad yzx(const Quad& a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
inline Quad halves_swapped(const Quad& a) { return __builtin_shufflevector(a, a, 2, 3, 0, 1); }
inline Quad neighbours_swapped(const Quad& a) { return __builtin_shufflevector(a, a, 1, 0, 3, 2); }

/// The sums of the elements of each.
inline Quad sums_of(const Quad& a, const Quad& b, const Quad& c, const Quad& d) {
  const Quad ab =
      __builtin_shufflevector(a, b, 0, 4, 2, 6) + __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Quad cd =
      __builtin_shufflevector(c, d, 0, 4, 2, 6) + __builtin_shufflevector(c, d, 1, 5, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

#else

/// Two registers: g++ keeps a vector that is wider than a register in memory.
struct Quad {
  Pack<2> low, high;

  Quad() = default;
  Quad(const Pack<2>& l, const Pack<2>& h) : low(l), high(h) {}
  Quad(double x, double y, double z, double w) : low{x, y}, high{z, w} {}
  double operator[](int i) const { return i < 2 ? low[i] : high[i - 2]; }
};
inline Quad operator+(const Quad& a, const Quad& b) { return {a.low + b.low, a.high + b.high}; }
inline Quad operator-(const Quad& a, const Quad& b) { return {a.low - b.low, a.high - b.high}; }
inline Quad operator*(const Quad& a, const Quad& b) { return {a.low * b.low, a.high * b.high}; }
inline Quad operator-(const Quad& a) { return {-a.low, -a.high}; }
inline Quad operator-(double a, const Quad& b) { return {a - b.low, a - b.high}; }
inline Quad operator*(const Quad& a, double b) { return {a.low * b, a.high * b}; }
inline Quad operator/(double a, const Quad& b) { return {a / b.low, a / b.high}; }

inline Quad yzx(const Quad& a) {
  return {__builtin_shufflevector(a.low, a.high, 1, 2),
          __builtin_shufflevector(a.low, a.high, 0, 3)};
}
inline Quad halves_swapped(const Quad& a) { return {a.high, a.low}; }
inline Quad neighbours_swapped(const Quad& a) {
  return {__builtin_shufflevector(a.low, a.low, 1, 0),
          __builtin_shufflevector(a.high, a.high, 1, 0)};
}
inline Quad sums_of(const Quad& a, const Quad& b, const Quad& c, const Quad& d) {
  const Pack<2> p = a.low + a.high, q = b.low + b.high, r = c.low + c.high, s = d.low + d.high;
  return {__builtin_shufflevector(p, q, 0, 2) + __builtin_shufflevector(p, q, 1, 3),
          __builtin_shufflevector(r, s, 0, 2) + __builtin_shufflevector(r, s, 1, 3)};
}
inline Quad minimum(const Quad& a, const Quad& b) {
  return {minimum(a.low, b.low), minimum(a.high, b.high)};
}

#endif

inline Quad everywhere(double x) { return Quad{x, x, x, x}; }
inline Quad cross(const Quad& a, const Quad& b) { return yzx(a * yzx(b) - yzx(a) * b); }

/// The sum of all four elements, in each of them.
inline Quad sum_everywhere(const Quad& a) {
  const Quad pairs = a + halves_swapped(a);
  return pairs + neighbours_swapped(pairs);
}

/// a with element k taken from b.
template <int k>
inline Quad replaced(const Quad& a, const Quad& b) {
#if SPACEDYN_LANES >= 4
  return __builtin_shufflevector(a, b, k == 0 ? 4 : 0, k == 1 ? 5 : 1, k == 2 ? 6 : 2, 3);
#else
  if constexpr (k == 2) return {a.low, __builtin_shufflevector(a.high, b.high, 2, 1)};
  return {__builtin_shufflevector(a.low, b.low, k == 0 ? 2 : 0, k == 1 ? 3 : 1), a.high};
#endif
}

/// Motion or force of one body about the common origin: 8 doubles in memory.
struct QuadSpatial {
  Quad angular, linear;
};
inline QuadSpatial zero_spatial() { return {Quad{0.0, 0.0, 0.0, 0.0}, Quad{0.0, 0.0, 0.0, 0.0}}; }
inline QuadSpatial load_spatial(const double* from) {
  return {load<Quad>(from), load<Quad>(from + 4)};
}
inline void store_spatial(double* to, const QuadSpatial& a) {
  store(to, a.angular);
  store(to + 4, a.linear);
}
inline QuadSpatial operator+(const QuadSpatial& a, const QuadSpatial& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
inline QuadSpatial operator-(const QuadSpatial& a, const QuadSpatial& b) {
  return {a.angular - b.angular, a.linear - b.linear};
}
template <typename Factor>
inline QuadSpatial operator*(const QuadSpatial& a, const Factor& f) {
  return {a.angular * f, a.linear * f};
}
/// The scalar product, in each of four elements: mostly it multiplies a vector next.
inline Quad dot(const QuadSpatial& a, const QuadSpatial& b) {
  return sum_everywhere(a.angular * b.angular + a.linear * b.linear);
}

}  // namespace spacedyn::SPACEDYN_ISA
