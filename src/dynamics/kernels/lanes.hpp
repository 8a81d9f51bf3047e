/// @file
/// Packs of doubles, one lane per state or per body, as the vector extensions of g++ and clang.
///
/// How kernels are compiled
/// ------------------------
/// The headers of this folder are templates on a lane type: `double` or Pack<W>. One source per
/// instruction set (baseline.cpp, avx2.cpp, avx512.cpp) names its namespace and its width, includes
/// the kernels and is compiled with the flags of that set, `-ffp-contract=fast` among them; the
/// rest of the library is built for the baseline CPU and reaches kernels through the function
/// pointers of kernel_table.hpp, one table per instruction set, chosen at run time.
///
/// Everything here lives in `spacedyn::SPACEDYN_ISA`, so that each copy has names of its own, and
/// includes neither Eigen nor the standard library: the linker keeps one copy of an inline function
/// that several objects hold, and a copy compiled for AVX-512 would end programs on other CPUs. A
/// test disassembles the library to prove that wide instructions occur in these namespaces only.
#pragma once

#if !defined(SPACEDYN_ISA) || !defined(SPACEDYN_LANES)
#error "kernel headers are included by the sources of one instruction set only"
#endif

namespace spacedyn::SPACEDYN_ISA {

/// States or bodies side by side: what one register of this instruction set holds.
constexpr int kLanes = SPACEDYN_LANES;

template <int Width>
struct PackOf;
template <>
struct PackOf<1> {
  using Real = double;
  using Integer = long long;
};
template <>
struct PackOf<2> {
  using Real = double __attribute__((vector_size(16)));
  using Integer = long long __attribute__((vector_size(16)));
};
template <>
struct PackOf<4> {
  using Real = double __attribute__((vector_size(32)));
  using Integer = long long __attribute__((vector_size(32)));
};
template <>
struct PackOf<8> {
  using Real = double __attribute__((vector_size(64)));
  using Integer = long long __attribute__((vector_size(64)));
};

template <int Width>
using Pack = typename PackOf<Width>::Real;

/// Width and integer companion of a lane type.
template <typename Lane>
struct LaneTraits {
  static constexpr int width = sizeof(Lane) / sizeof(double);
  using Integer = typename PackOf<width>::Integer;
};

template <typename Lane>
inline Lane broadcast(double x) {
  if constexpr (LaneTraits<Lane>::width == 1) {
    return x;
  } else {
    return x - Lane{};
  }
}

/// Unaligned access; `from` and `to` hold as many doubles as the lane type.
template <typename Lane>
inline Lane load(const double* from) {
  Lane lane;
  __builtin_memcpy(&lane, from, sizeof lane);
  return lane;
}
template <typename Lane>
inline void store(double* to, const Lane& lane) {
  __builtin_memcpy(to, &lane, sizeof lane);
}

/// The bits of each double, and back.
template <typename Lane>
inline typename LaneTraits<Lane>::Integer bits_of(const Lane& x) {
  typename LaneTraits<Lane>::Integer bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  return bits;
}
template <typename Lane>
inline Lane from_bits(const typename LaneTraits<Lane>::Integer& bits) {
  Lane x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}

/// Per lane, a where the mask is set (comparison of two lanes), else b.
template <typename Mask, typename Lane>
inline Lane select(const Mask& mask, const Lane& a, const Lane& b) {
  return mask ? a : b;
}

template <typename Lane>
inline Lane minimum(const Lane& a, const Lane& b) {
  return select(a < b, a, b);
}

template <typename Lane>
inline Lane square_root(const Lane& x) {
  constexpr int width = LaneTraits<Lane>::width;
  double each[width];
  store(each, x);
  for (int lane = 0; lane < width; ++lane) each[lane] = __builtin_sqrt(each[lane]);
  return load<Lane>(each);
}

/// Copies exactly `count` numbers by registers of kWidth or, if that is too wide, narrower ones;
/// the last overlaps the one before.
template <int kWidth = kLanes>
inline void copy(const double* from, double* to, long count) {
  if constexpr (kWidth == 1) {
    if (count == 1) *to = *from;
  } else if (count < kWidth) {
    copy<kWidth / 2>(from, to, count);
  } else {
    for (long i = 0; i < count - kWidth; i += kWidth) store(to + i, load<Pack<kWidth>>(from + i));
    store(to + count - kWidth, load<Pack<kWidth>>(from + count - kWidth));
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
