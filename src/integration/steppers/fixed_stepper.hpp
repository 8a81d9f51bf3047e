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
    const double h = step.t_new - step.t_old;
    const double s = (time - step.t_old) / h;
    const double rest = 1.0 - s;
    // what rests stays where it is, to the last bit
    x = step.x_old + s * s * (1.0 + 2.0 * rest) * (step.x_new - step.x_old) +
        s * rest * h * (rest * step.rate_old - s * step.rate_new);
  }

 private:
  /// Fills x_new.
  virtual void take_step(DifferentialEquation& equation, Step& step) = 0;
};

}  // namespace spacedyn
