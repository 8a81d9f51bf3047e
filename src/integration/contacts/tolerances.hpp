/// @file
/// How exactly instants of events are found, and when points of rigid contacts touch, part and
/// stick: the latter as parts of RigidPoints::length() and RigidDynamics::speed(), so that no unit
/// of mass, length or time matters. Private.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "integration/equations/rigid_dynamics.hpp"

namespace spacedyn {

/// max(1e-12 of a unit of time, 4 eps |t|).
/// @param unit  a second, or the duration of a run that is shorter, s
inline double root_tolerance(double time, double unit) {
  return std::max(1e-12 * unit, 4.0 * std::numeric_limits<double>::epsilon() * std::abs(time));
}

/// Points nearer to each other than this part of the length touch.
inline constexpr double kTouchingGap = 1e-9;
/// Parts of the speed below which points do not approach each other, and below which they do not
/// part once they have met.
inline constexpr double kNoApproach = 1e-11;
inline constexpr double kNoParting = 1e-9;
/// Bounces that lift by less than the absolute tolerance of positions and this part of the relative
/// one of the length are not resolved.
inline constexpr double kLandingPart = 1e-2;
/// What slides back by less than this part of the speed has not turned.
inline constexpr double kTurnedSpeed = 1e-12;
/// Points slide straight on while that takes no more than this part of their friction.
inline constexpr double kStraightPart = 1e-9;
inline constexpr double kMostStraightPart = 0.03;

/// Points that slide slower stick if friction bears it, m/s: what that takes is less than errors of
/// steps, or of instants of events. What has come to its end among errors of steps is as fast.
inline double stick_speed(const RigidDynamics& rigid, bool any_turns) {
  return std::max((any_turns ? 10.0 : 0.1) * rigid.tolerance(), 1e-9) * rigid.speed();
}

/// One or two points that slide slowly take more of it, until an event turns them: forces find the
/// direction in which they balance the others, and what friction then does along it is an error of
/// the square of this part. The slower, the less that moves.
inline double slow_speed(const RigidDynamics& rigid) {
  return 0.3 * std::sqrt(rigid.tolerance()) * rigid.speed();
}
inline bool turns_slowly(const RigidDynamics& rigid, const RigidPointMotion& motion,
                         const std::vector<RigidDynamics::PointState>& states) {
  // three directions may hold a body
  return motion.sliding().norm() < slow_speed(rigid) &&
         std::count_if(states.begin(), states.end(), RigidDynamics::goes_straight) <= 2;
}
inline double straight_part(const RigidDynamics& rigid, const RigidPointMotion& motion,
                            const std::vector<RigidDynamics::PointState>& states) {
  if (!turns_slowly(rigid, motion, states)) return kStraightPart;
  const double slower = motion.sliding().norm() / slow_speed(rigid);
  const double part = 0.1 * std::sqrt(std::sqrt(rigid.tolerance()));
  return part < kMostStraightPart * std::sqrt(slower) ? part / std::sqrt(slower)
                                                      : kMostStraightPart;
}

/// Speed along the direction in which a point slides; negative once it has turned.
inline double speed_along(const RigidDynamics& rigid, const RigidPointMotion& motion,
                          const RigidDynamics::PointState& state) {
  return motion.sliding().dot(state.direction) + kTurnedSpeed * rigid.speed();
}

/// What rounding makes of a gap at a place, m.
inline double gap_rounding(const RigidPoints& points, const Vector3& at) {
  return std::numeric_limits<double>::epsilon() * (points.length() + at.norm());
}

/// Speed below which points at a place do not approach each other, or do not part, m/s: a part of
/// that of the system, and what rounding of places makes of normals and arms.
inline double resting_speed(const RigidDynamics& rigid, double part, const Vector3& at) {
  const double rounding = 16.0 * gap_rounding(rigid.points(), at) / rigid.points().length();
  return (part + rounding) * rigid.speed();
}

/// Largest gap of points that touch at a place, m.
inline double touching_gap(const RigidPoints& points, const Vector3& at) {
  return kTouchingGap * points.length() + 16.0 * gap_rounding(points, at);
}

}  // namespace spacedyn
