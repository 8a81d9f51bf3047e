/// @file
/// When two instants are one. Private.
#pragma once

#include <limits>

namespace spacedyn {

/// Instants that differ by rounding only are one: 3 · 0.1 and 0.3 must not leave a step of 5e-17
/// between them. The largest number that counts as the same instant as @p time ≥ 0.
inline double latest_same_instant(double time) {
  return time * (1.0 + 8.0 * std::numeric_limits<double>::epsilon());
}

}  // namespace spacedyn
