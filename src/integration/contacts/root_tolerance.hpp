/// @file
/// How exactly instants of events are found.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace spacedyn {

/// max(1e-12 of a unit of time, 4 eps |t|).
/// @param unit  a second, or the duration of a run that is shorter, s
inline double root_tolerance(double time, double unit) {
  return std::max(1e-12 * unit, 4.0 * std::numeric_limits<double>::epsilon() * std::abs(time));
}

}  // namespace spacedyn
