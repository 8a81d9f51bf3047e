/// @file
/// Constants.
#pragma once

namespace spacedyn {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kDegree = kPi / 180.0;       ///< rad
inline constexpr double kStandardGravity = 9.80665;  ///< m/s²

}  // namespace spacedyn
