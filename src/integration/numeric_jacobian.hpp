/// @file
/// Derivatives of the right-hand side, by differences.
#pragma once

#include "integration/stepper.hpp"

namespace spacedyn {

/// ∂ẋ/∂x of the components that determine the motion, and ∂ẋ/∂t, at the start of a step.
///
/// Central differences, which hold for any force element and controller: ten digits are right. With
/// the eight of forward ones, errors of a stiff matrix outweigh those of the method at tight
/// tolerances. Costs two evaluations for each component of the state, and two for time.
struct NumericJacobian {
  MatrixX by_state;  ///< one row for each component, one column for each that determines the motion
  VectorX by_time;

  void compute(EquationsOfMotion& equations, const Step& step);

 private:
  VectorX probe_, rate_, behind_;
};

}  // namespace spacedyn
