/// @file
/// Where functions turn between two places. Private.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace spacedyn {

inline constexpr double kTiny = std::numeric_limits<double>::min();  ///< stands for a side of zero

/// Where the cubic polynomial turns that changes by `travel` with the slopes start > 0 and end < 0.
inline double turning_point(double left, double right, double start, double end, double travel) {
  const double h = right - left;
  const double a = 3.0 * (start + end) - 6.0 * travel / h;
  const double b = 6.0 * travel / h - 4.0 * start - 2.0 * end;
  const double root = std::sqrt(std::max(0.0, b * b - 4.0 * a * start));
  return left + h * 2.0 * start / (root - b);
}

}  // namespace spacedyn
