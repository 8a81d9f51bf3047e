/// @file
/// Power series of so(3) in fifty digits, the oracle of every claim about last digits.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <Eigen/Core>
#include <Eigen/LU>

#include "spacedyn/math/types.hpp"

namespace spacedyn::testing {

using Precise = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<60>,
                                              boost::multiprecision::et_off>;
using PreciseMatrix = Eigen::Matrix<Precise, 3, 3>;
using PreciseVector = Eigen::Matrix<Precise, 3, 1>;

inline PreciseVector precise(const Vector3& a) {
  return {Precise(a.x()), Precise(a.y()), Precise(a.z())};
}

/// The nearest double of each element.
inline Matrix3 rounded(const PreciseMatrix& A) {
  return A.unaryExpr([](const Precise& x) { return x.convert_to<double>(); });
}

/// Σ_k θ̃^k / (k + offset)!: exp for offset 0, dexp for offset 1. Sixty digits leave more than forty
/// after the cancellation of terms as large as e^|θ|, |θ| ≤ 10π.
inline PreciseMatrix series(const PreciseVector& theta, int offset) {
  PreciseMatrix skew;
  skew << Precise(0), -theta[2], theta[1], theta[2], Precise(0), -theta[0], -theta[1], theta[0],
      Precise(0);
  PreciseMatrix term = PreciseMatrix::Identity(), sum = term;
  for (int k = 1; k <= 200; ++k) {
    term = PreciseMatrix(term * skew) / Precise(k + offset);
    sum += term;
  }
  return sum;
}

/// Largest difference of an element from its exact value, in units of eps = 2⁻⁵².
inline double error_in_eps(const Matrix3& actual, const PreciseMatrix& exact) {
  Precise worst = 0;
  for (int i = 0; i < 9; ++i) {
    const Precise error = abs(Precise(actual.data()[i]) - exact.data()[i]);
    if (!(error <= worst)) worst = error;
  }
  return worst.convert_to<double>() / std::numeric_limits<double>::epsilon();
}

}  // namespace spacedyn::testing
