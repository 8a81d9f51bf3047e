/// @file
/// Transpositions between one body in a Quad and one body per lane.
#pragma once

#include "dynamics/kernels/algebra.hpp"
#include "dynamics/kernels/quad.hpp"

namespace spacedyn::SPACEDYN_ISA {

#if SPACEDYN_LANES == 2

/// Elements x, y, z of quads that lie `stride` doubles apart, one body per lane.
inline void gather_quads(const double* from, int stride, Pack<2>& x, Pack<2>& y, Pack<2>& z) {
  const Quad a = load<Quad>(from), b = load<Quad>(from + stride);
  x = __builtin_shufflevector(a.low, b.low, 0, 2);
  y = __builtin_shufflevector(a.low, b.low, 1, 3);
  z = __builtin_shufflevector(a.high, b.high, 0, 2);
}
/// The reverse, the fourth element zero.
inline void scatter_quads(double* to, int stride, const Pack<2>& x, const Pack<2>& y,
                          const Pack<2>& z) {
  const Pack<2> zero{};
  store(to, Quad{__builtin_shufflevector(x, y, 0, 2), __builtin_shufflevector(z, zero, 0, 2)});
  store(to + stride,
        Quad{__builtin_shufflevector(x, y, 1, 3), __builtin_shufflevector(z, zero, 1, 3)});
}

#elif SPACEDYN_LANES == 4

inline void gather_quads(const double* from, int stride, Pack<4>& x, Pack<4>& y, Pack<4>& z) {
  const Quad a = load<Quad>(from), b = load<Quad>(from + stride);
  const Quad c = load<Quad>(from + 2 * stride), d = load<Quad>(from + 3 * stride);
  const Quad ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Quad ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Quad cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Quad cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  x = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  y = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  z = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
}

inline void scatter_quads(double* to, int stride, const Pack<4>& x, const Pack<4>& y,
                          const Pack<4>& z) {
  const Quad zero{};
  const Quad xy_low = __builtin_shufflevector(x, y, 0, 4, 2, 6);
  const Quad xy_high = __builtin_shufflevector(x, y, 1, 5, 3, 7);
  const Quad z_low = __builtin_shufflevector(z, zero, 0, 4, 2, 6);
  const Quad z_high = __builtin_shufflevector(z, zero, 1, 5, 3, 7);
  store(to, Quad(__builtin_shufflevector(xy_low, z_low, 0, 1, 4, 5)));
  store(to + stride, Quad(__builtin_shufflevector(xy_high, z_high, 0, 1, 4, 5)));
  store(to + 2 * stride, Quad(__builtin_shufflevector(xy_low, z_low, 2, 3, 6, 7)));
  store(to + 3 * stride, Quad(__builtin_shufflevector(xy_high, z_high, 2, 3, 6, 7)));
}

#elif SPACEDYN_LANES == 8
/// Bodies k and k + 4 side by side.
inline Pack<8> load_two(const double* from, int stride) {
  const Quad low = load<Quad>(from), high = load<Quad>(from + 4 * stride);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
inline void store_two(double* to, int stride, const Pack<8>& a) {
  store(to, Quad(__builtin_shufflevector(a, a, 0, 1, 2, 3)));
  store(to + 4 * stride, Quad(__builtin_shufflevector(a, a, 4, 5, 6, 7)));
}

inline void gather_quads(const double* from, int stride, Pack<8>& x, Pack<8>& y, Pack<8>& z) {
  const Pack<8> a = load_two(from, stride), b = load_two(from + stride, stride);
  const Pack<8> c = load_two(from + 2 * stride, stride), d = load_two(from + 3 * stride, stride);
  const Pack<8> ab_even = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack<8> ab_odd = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack<8> cd_even = __builtin_shufflevector(c, d, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack<8> cd_odd = __builtin_shufflevector(c, d, 1, 9, 3, 11, 5, 13, 7, 15);
  x = __builtin_shufflevector(ab_even, cd_even, 0, 1, 8, 9, 4, 5, 12, 13);
  y = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 8, 9, 4, 5, 12, 13);
  z = __builtin_shufflevector(ab_even, cd_even, 2, 3, 10, 11, 6, 7, 14, 15);
}

inline void scatter_quads(double* to, int stride, const Pack<8>& x, const Pack<8>& y,
                          const Pack<8>& z) {
  const Pack<8> zero{};
  const Pack<8> xy_low = __builtin_shufflevector(x, y, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack<8> xy_high = __builtin_shufflevector(x, y, 1, 9, 3, 11, 5, 13, 7, 15);
  const Pack<8> z_low = __builtin_shufflevector(z, zero, 0, 8, 2, 10, 4, 12, 6, 14);
  const Pack<8> z_high = __builtin_shufflevector(z, zero, 1, 9, 3, 11, 5, 13, 7, 15);
  store_two(to, stride, __builtin_shufflevector(xy_low, z_low, 0, 1, 8, 9, 4, 5, 12, 13));
  store_two(to + stride, stride,
            __builtin_shufflevector(xy_high, z_high, 0, 1, 8, 9, 4, 5, 12, 13));
  store_two(to + 2 * stride, stride,
            __builtin_shufflevector(xy_low, z_low, 2, 3, 10, 11, 6, 7, 14, 15));
  store_two(to + 3 * stride, stride,
            __builtin_shufflevector(xy_high, z_high, 2, 3, 10, 11, 6, 7, 14, 15));
}
#endif

template <typename Lane>
inline Vec3<Lane> gather3(const double* from, int stride) {
  Vec3<Lane> v;
  gather_quads(from, stride, v.x, v.y, v.z);
  return v;
}
template <typename Lane>
inline void scatter3(double* to, int stride, const Vec3<Lane>& v) {
  scatter_quads(to, stride, v.x, v.y, v.z);
}

}  // namespace spacedyn::SPACEDYN_ISA
