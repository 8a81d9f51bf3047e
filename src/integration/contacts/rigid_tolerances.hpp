/// @file
/// When points of rigid contacts touch. Private.
#pragma once

namespace spacedyn {

/// Points nearer to each other than this part of the size of the system touch.
inline constexpr double kTouchingGap = 1e-9;
/// Speeds along the normal below which points do not approach each other, and below which they do
/// not part once they have met, m/s.
inline constexpr double kNoApproach = 1e-11;
inline constexpr double kNoParting = 1e-9;
/// Bounces that lift by less than the absolute tolerance of positions and this part of the relative
/// one of the size of the system are not resolved.
inline constexpr double kLandingPart = 1e-2;
/// Points that slide slower stick if friction bears it, m/s.
inline constexpr double kStickSpeed = 1e-8;
/// Points slide straight on while that takes no more than this part of their friction.
inline constexpr double kStraightPart = 1e-9;

}  // namespace spacedyn
