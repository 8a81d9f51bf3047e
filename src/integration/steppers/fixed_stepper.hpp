/// @file
/// What all methods without an error estimate share.
#pragma once

#include "integration/steppers/stepper.hpp"

namespace spacedyn {

/// A method without an error estimate; between steps a cubic Hermite polynomial.
class FixedStepper : public Stepper {
 public:
  void attempt(DifferentialEquation& equation, Step& step) final {
    take_step(equation, step);
    // serves the interpolation, the audit and, in smooth motion, the next step
    equation(step.x_new, step.rate_new, step.t_new);
  }

  void interpolate(DifferentialEquation& /*equation*/, const Step& step, double time,
                   VectorX& x) final {
    interpolate_by_hermite(step, time, x);
  }

 private:
  /// Fills x_new.
  virtual void take_step(DifferentialEquation& equation, Step& step) = 0;
};

}  // namespace spacedyn
