/// @file
/// Elementary functions of short arrays, in loops that compilers turn into vector instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace spacedyn {

/// Σ c_k xᵏ, k = 0…N−1.
template <std::size_t N>
inline double horner(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (std::size_t k = N - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// sin and cos for |θ| ≤ 3, by series at half the angle, to 4e-16.
template <std::size_t N>
inline void sine_and_cosine(const double (&angle)[N], double (&sine)[N], double (&cosine)[N]) {
  static constexpr double kSine[] = {1.0,
                                     -1.0 / 6.0,
                                     1.0 / 120.0,
                                     -1.0 / 5040.0,
                                     1.0 / 362880.0,
                                     -1.0 / 39916800.0,
                                     1.0 / 6227020800.0,
                                     -1.0 / 1307674368000.0,
                                     1.0 / 355687428096000.0,
                                     -1.0 / 121645100408832000.0,
                                     1.0 / 51090942171709440000.0};
  static constexpr double kCosine[] = {1.0,
                                       -1.0 / 2.0,
                                       1.0 / 24.0,
                                       -1.0 / 720.0,
                                       1.0 / 40320.0,
                                       -1.0 / 3628800.0,
                                       1.0 / 479001600.0,
                                       -1.0 / 87178291200.0,
                                       1.0 / 20922789888000.0,
                                       -1.0 / 6402373705728000.0,
                                       1.0 / 2432902008176640000.0};
  for (std::size_t i = 0; i < N; ++i) {
    const double y = 0.5 * angle[i], square = y * y;
    const double s = y * horner(kSine, square), c = horner(kCosine, square);
    sine[i] = 2.0 * s * c;
    cosine[i] = 1.0 - 2.0 * s * s;
  }
}

/// e^x for x ≤ 0, below −700 as at −700, to 4e-16 of itself.
template <std::size_t N>
inline void exp_of_negative(const double (&x)[N], double (&result)[N]) {
  static constexpr double kSeries[] = {1.0,
                                       1.0,
                                       1.0 / 2.0,
                                       1.0 / 6.0,
                                       1.0 / 24.0,
                                       1.0 / 120.0,
                                       1.0 / 720.0,
                                       1.0 / 5040.0,
                                       1.0 / 40320.0,
                                       1.0 / 362880.0,
                                       1.0 / 3628800.0,
                                       1.0 / 39916800.0,
                                       1.0 / 479001600.0,
                                       1.0 / 6227020800.0};
  constexpr double kShift = 6755399441055744.0;  // 1.5 · 2^52: rounds to the nearest integer
  constexpr double kLog2E = 1.4426950408889634;
  constexpr double kLn2High = 0.693147180369123816490, kLn2Low = 1.90821492927058770002e-10;
  for (std::size_t i = 0; i < N; ++i) {
    const double bounded = x[i] > -700.0 ? x[i] : -700.0;
    const double shifted = bounded * kLog2E + kShift;
    const double power = shifted - kShift;
    const double rest = (bounded - power * kLn2High) - power * kLn2Low;
    std::int64_t bits = 0;
    std::memcpy(&bits, &shifted, sizeof bits);
    bits = static_cast<std::int64_t>((static_cast<std::uint64_t>(bits) + 1023U) << 52U);
    double scale = 0.0;
    std::memcpy(&scale, &bits, sizeof scale);
    result[i] = scale * horner(kSeries, rest);
  }
}

}  // namespace spacedyn
