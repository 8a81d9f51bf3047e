/// @file
/// How exactly instants of events are found.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace spacedyn {

/// max(1e-12 s, 4 eps |t|).
inline double root_tolerance(double time) {
  return std::max(1e-12, 4.0 * std::numeric_limits<double>::epsilon() * std::abs(time));
}

}  // namespace spacedyn
