/// @file
/// How root functions run between two instants, from what they say at both. Private.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/root_bound.hpp"

namespace spacedyn {

/// Functions do not come to zero that stay away from it at so many times the rates of both ends.
inline constexpr double kFarTravel = 4.0;

/// A root function at one instant.
struct Sight {
  double value = 0.0;
  RootBound bound;
};

/// By how much the course between two instants may differ from the cubic polynomials of values and
/// rates, and the greatest acceleration of points of two shapes against each other; infinite
/// before the middle has been seen.
struct Doubt {
  double value = std::numeric_limits<double>::infinity();
  double position = value;      ///< m
  double acceleration = value;  ///< m/s²
};

enum class Course {
  stays,         ///< no zero in between
  crosses_once,  ///< one zero
  open           ///< not proved: the middle must be seen
};

/// Of a function between two instants a time h apart; signs at both ends are exact, and zero
/// belongs to the positive side.
///
/// Smooth functions are bounded by the Bézier points of their polynomials. Distances are bounded by
/// those of the relative position, whose square has degree 6. The gap of convex shapes cannot close
/// faster than a plane through it is crossed: from each end it is at least g + (ġ − Σ ω D) τ −
/// a τ²/2.
Course course_between(const Sight& left, const Sight& right, double h, const Doubt& doubt);

/// Whether a smooth function of one sign at both ends is so far from zero there that by its rates
/// it cannot come to it.
inline bool stays_away(double left, double left_rate, double right, double right_rate, double h) {
  const double travel =
      std::max({h * std::abs(left_rate), h * std::abs(right_rate), std::abs(right - left)});
  return std::min(std::abs(left), std::abs(right)) > kFarTravel * travel;
}

/// Whether a function that has fired stays within a distance of zero or leaves it for one side;
/// else `open`.
Course course_near_zero(const Sight& left, const Sight& right, double h, const Doubt& doubt,
                        double near);

/// Of both halves of the time h between two instants: smooth functions differ less by a sixteenth.
Doubt doubt_of_halves(const Sight& left, const Sight& middle, const Sight& right, double h);

}  // namespace spacedyn
