/// @file
/// Numbers in the form in which docs/algebra.md shows them.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

#include "spacedyn/math/spatial/force_vector.hpp"

namespace example {

/// Zero where rounding is all there is, so that no sign of zero depends on the compiler.
inline double rounded(double number) { return std::abs(number) < 5e-10 ? 0.0 : number; }

inline void print(const std::string& name, double number) {
  std::printf("%-14s %13.9f\n", name.c_str(), rounded(number));
}

/// Rows side by side, six decimals.
template <typename Derived>
void print(const std::string& name, const Eigen::MatrixBase<Derived>& matrix) {
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    std::printf("%-14s", row == 0 ? name.c_str() : "");
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
      const double number = matrix(row, column);
      std::printf(" %10.6f", std::abs(number) < 5e-7 ? 0.0 : number);
    }
    std::printf("\n");
  }
}

inline void print(const std::string& name, const spacedyn::MotionVector& m) {
  print(name, m.coordinates().transpose());
}
inline void print(const std::string& name, const spacedyn::ForceVector& f) {
  print(name, f.coordinates().transpose());
}

}  // namespace example
