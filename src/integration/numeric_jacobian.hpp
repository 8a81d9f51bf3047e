/// @file
/// Derivatives of the right-hand side, by differences.
#pragma once

#include "integration/stepper.hpp"

namespace spacedyn {

/// ∂ẋ/∂x of the components that determine the motion, and ∂ẋ/∂t, at the start of a step.
///
/// Forward differences, which hold for any force element and controller: half of the digits are
/// right. A step costs one evaluation for each component of the state and one more.
struct NumericJacobian {
  MatrixX by_state;  ///< one row for each component, one column for each that determines the motion
  VectorX by_time;

  void compute(EquationsOfMotion& equations, const Step& step);

 private:
  VectorX probe_, rate_;
};

}  // namespace spacedyn
