/// @file
/// The attitude update (4), in one place for every method.
#pragma once

#include "math/rotation_series.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {

/// Σ c_k (−x)^k, k ≤ 8, even and odd powers side by side.
inline double alternating(const double (&c)[12], double x) {
  const double square = x * x;
  double even = c[8], odd = c[7];
  for (std::size_t k = 6; k > 0; k -= 2) {
    even = c[k] + square * even;
    odd = c[k - 1] + square * odd;
  }
  return c[0] + square * even - x * odd;
}

/// Exp(θ) A, Rodrigues' formula (4), to a few roundings, which do not add up from step to step.
///
/// c + (sin θ/θ) θ × c + ((1 − cos θ)/θ²) θ × (θ × c) for each column c of A, by series while θ ≤
/// 1, where the first terms left out are below 1e-17; longer vectors take the general formula.
inline Matrix3 turn_by(const Vector3& theta, const Matrix3& A) {
  const double x = theta.squaredNorm();
  if (!(x <= 1.0)) return exp_so3(theta) * A;
  const double sine = alternating(kSincSeries, x), versine = alternating(kCoscSeries, x);
  Matrix3 turned;
  for (int i = 0; i < 3; ++i) {
    const Vector3 c = A.col(i);
    const Vector3 across = theta.cross(c);
    turned.col(i) = c + sine * across + versine * theta.cross(across);
  }
  return turned;
}

}  // namespace spacedyn
