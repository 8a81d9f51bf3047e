/// @file
/// One row of constraints at an instant, as solvers see it. Private.
#pragma once

namespace spacedyn {

/// Part of a row's own response below which loops or other rows hold it: what is left is rounding.
constexpr double kHeldResponse = 1e-10;

/// What the reaction λ of a row may be, and what it answers.
struct ConstraintRow {
  enum class Kind : char {
    bilateral,   ///< w = least, λ of either sign
    unilateral,  ///< 0 ≤ w − least ⊥ λ − least_reaction ≥ 0
    tangential   ///< one of the two that follow a unilateral row with friction
  };
  Kind kind = Kind::bilateral;
  double least = 0.0;           ///< of the rate w
  double terms = 0.0;           ///< size of what @ref least has been computed from
  double least_reaction = 0.0;  ///< of a unilateral row
  double friction = -1.0;       ///< μ of the two rows that follow; negative: none follow
};

}  // namespace spacedyn
