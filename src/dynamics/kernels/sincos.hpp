/// @file
/// Sine and cosine of many angles together, within 1 ulp.
#pragma once

#include "dynamics/kernels/lanes.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Beyond this magnitude an angle takes the exact path of the C library.
constexpr double kReductionLimit = 1e5;

/// x = n π/2 + high + low with |high| ≤ π/4 and n mod 4 in the lowest bits.
template <typename Lane>
struct ReducedAngle {
  Lane high, low;
  typename LaneTraits<Lane>::Integer quadrant;
};

/// π/2 = c1 + c2 + c3 + c4 with 33 bits in the first three, so that n c1, n c2, n c3 are exact for
/// |n| < 2^20, with or without fused operations.
template <typename Lane>
inline ReducedAngle<Lane> reduce(const Lane& x) {
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  constexpr double kC1 = 0x1.921fb544p+0, kC2 = 0x1.0b4611a6p-34;
  constexpr double kC3 = 0x1.3198a2ep-69, kC4 = 0x1.b839a252049c1p-104;
  constexpr double kRounder = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
  const Lane shifted = x * kTwoOverPi + kRounder;
  const Lane n = shifted - kRounder;
  const Lane first = x - n * kC1;  // exact
  const Lane b = n * kC2;
  const Lane second = first - b;
  const Lane b_taken = first - second;
  const Lane second_error = (first - (second + b_taken)) + (b_taken - b);
  const Lane c = n * kC3;
  const Lane third = second - c;
  const Lane c_taken = second - third;
  const Lane third_error = (second - (third + c_taken)) + (c_taken - c);
  const Lane rest = second_error + (third_error - n * kC4);
  const Lane high = third + rest;
  return {high, (third - high) + rest, bits_of(shifted)};
}

/// (sin(x) − x) / x³ for |x| ≤ π/4: minimax polynomial in z = x².
template <typename Lane>
inline Lane sine_series(const Lane& z) {
  constexpr double kS1 = -0.1666666666666664, kS2 = 0.00833333333332399;
  constexpr double kS3 = -0.0001984126983081262, kS4 = 2.7557313984506418e-06;
  constexpr double kS5 = -2.505079557063435e-08, kS6 = 1.5898438833686866e-10;
  const Lane z2 = z * z;
  return kS1 + z * ((kS2 + z * kS3) + z2 * ((kS4 + z * kS5) + z2 * kS6));
}

/// (cos(x) − 1 + x²/2) / x⁴ for |x| ≤ π/4: minimax polynomial in z = x².
template <typename Lane>
inline Lane cosine_series(const Lane& z) {
  constexpr double kK1 = 0.04166666666666665, kK2 = -0.001388888888888171;
  constexpr double kK3 = 2.480158729367163e-05, kK4 = -2.7557315444214927e-07;
  constexpr double kK5 = 2.0875859859227336e-09, kK6 = -1.1366279454085244e-11;
  const Lane z2 = z * z;
  return (kK1 + z * kK2) + z2 * ((kK3 + z * kK4) + z2 * (kK5 + z * kK6));
}

/// sin(high + low), |high| ≤ π/4.
template <typename Lane>
inline Lane sine_polynomial(const Lane& high, const Lane& low) {
  const Lane z = high * high;
  const Lane cubic = high * z;
  return high + (cubic * sine_series(z) + (low - 0.5 * (z * low)));
}

/// cos(high + low), |high| ≤ π/4; what 1 − z/2 loses in rounding is added back.
template <typename Lane>
inline Lane cosine_polynomial(const Lane& high, const Lane& low) {
  const Lane z = high * high;
  const Lane z2 = z * z;
  const Lane half = 0.5 * z;
  const Lane w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z2 * cosine_series(z) - high * low));
}

/// Both at once for |x| < kReductionLimit; garbage beyond, NaN for NaN.
template <typename Lane>
inline void sincos_reduced(const Lane& x, Lane& sine, Lane& cosine) {
  using Integer = typename LaneTraits<Lane>::Integer;
  const ReducedAngle<Lane> angle = reduce(x);
  const Lane s = sine_polynomial(angle.high, angle.low);
  const Lane c = cosine_polynomial(angle.high, angle.low);
  const auto swap = (angle.quadrant & 1) != Integer{};
  // quadrants 2 and 3 negate the sine, 1 and 2 the cosine: moved to the sign bit
  const Integer sine_sign = (angle.quadrant & 2) << 62;
  const Integer cosine_sign = ((angle.quadrant + 1) & 2) << 62;
  sine = from_bits<Lane>(bits_of(select(swap, c, s)) ^ sine_sign);
  cosine = from_bits<Lane>(bits_of(select(swap, s, c)) ^ cosine_sign);
}

/// Sines and cosines of an array whose length is a multiple of the lane width (pad with zeros).
/// Angles beyond the limit are redone one by one with the C library, which reduces them exactly.
template <typename Lane>
inline void sincos_array(const double* x, double* sine, double* cosine, int count) {
  constexpr int width = LaneTraits<Lane>::width;
  Lane largest = broadcast<Lane>(0.0);
  for (int i = 0; i < count; i += width) {
    const Lane angle = load<Lane>(x + i);
    Lane s, c;
    sincos_reduced(angle, s, c);
    store(sine + i, s);
    store(cosine + i, c);
    const Lane magnitude = select(angle < 0.0, -angle, angle);
    largest = select(magnitude < largest, largest, magnitude);  // NaN stays
  }
  double each[width];
  store(each, largest);
  bool within = true;
  for (int lane = 0; lane < width; ++lane) within &= each[lane] < kReductionLimit;
  if (__builtin_expect(within, 1)) return;
  for (int i = 0; i < count; ++i) {
    if (x[i] > -kReductionLimit && x[i] < kReductionLimit) continue;
    sine[i] = __builtin_sin(x[i]);
    cosine[i] = __builtin_cos(x[i]);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
