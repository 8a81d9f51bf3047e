/// @file
/// Functions that are constant or straight outside of an interval and smooth throughout.
#pragma once

#include "math/dual.hpp"

namespace spacedyn {

/// 0 for x ≤ 0, 1 for x ≥ 1, 10 x³ − 15 x⁴ + 6 x⁵ between: twice continuously differentiable.
template <typename T>
T smooth_step(const T& x) {
  if (value_of(x) <= 0.0) return T(0.0);
  if (value_of(x) >= 1.0) return T(1.0);
  return x * x * x * (T(10.0) + x * (x * T(6.0) - T(15.0)));
}

/// −1 for x ≤ −1, 1 for x ≥ 1, odd: 2 smooth_step((x + 1)/2) − 1.
template <typename T>
T smooth_sign(const T& x) {
  if (value_of(x) >= 1.0) return T(1.0);
  if (value_of(x) <= -1.0) return T(-1.0);
  const T square = x * x;
  return x * (T(1.875) + square * (T(0.375) * square - T(1.25)));
}

/// x for x ≥ 2, 1 for x ≤ 0; its derivative is smooth_step(x / 2).
template <typename T>
T smooth_floor(const T& x) {
  if (value_of(x) <= 0.0) return T(1.0);
  if (value_of(x) >= 2.0) return x;
  const T u = T(0.5) * x, u2 = u * u;
  return T(1.0) + T(2.0) * u2 * u2 * (T(2.5) + u * (u - T(3.0)));
}

}  // namespace spacedyn
