/// @file
/// When a pivot of an inertia matrix is no inertia any more.
#pragma once

#include <limits>

namespace spacedyn {

/// A pivot below this part of its diagonal element is rounding: some motion moves no mass.
constexpr double kLeastPivot = 64.0 * std::numeric_limits<double>::epsilon();

}  // namespace spacedyn
