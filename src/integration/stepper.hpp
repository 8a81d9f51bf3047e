/// @file
/// One step of an integration method, without odeint's templates.
#pragma once

#include <memory>

#include "integration/equations_of_motion.hpp"
#include "spacedyn/integration/options.hpp"

namespace spacedyn {

/// A step from one time to another with states and derivatives at both ends.
struct Step {
  explicit Step(int size)
      : x_old(VectorX::Zero(size)), rate_old(x_old), x_new(x_old), rate_new(x_old), error(x_old) {}

  double t_old = 0.0, t_new = 0.0;
  VectorX x_old, rate_old;  ///< in, the derivative from the right
  VectorX x_new, rate_new;  ///< out, the derivative from the left
  VectorX error;            ///< out: estimate, only of methods that have one

  /// Makes the end of this step the beginning of the next.
  void advance() {
    t_old = t_new;
    x_old.swap(x_new);
    rate_old.swap(rate_new);
  }
};

/// A one-step method. The step's times are the caller's, so that it can land exactly.
///
/// odeint's own controlled and dense-output steppers are not used: they hide the new state from the
/// error measure, accept non-finite states, choose the times themselves and keep a derivative that
/// is stale after a discontinuity.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Fills x_new, rate_new and, where there is one, the error estimate. Does not allocate after its
  /// first call.
  virtual void attempt(EquationsOfMotion& equations, Step& step) = 0;
  /// The state inside the last attempted step.
  virtual void interpolate(const Step& step, double time, VectorX& x) const = 0;
};

/// @name One stepper for each method
/// @{
std::unique_ptr<Stepper> make_dopri5_stepper();
std::unique_ptr<Stepper> make_rk4_stepper();
std::unique_ptr<Stepper> make_euler_rodrigues_stepper();
std::unique_ptr<Stepper> make_rk4_quaternion_stepper();
std::unique_ptr<Stepper> make_simpson_stepper();
std::unique_ptr<Stepper> make_newmark_stepper(double beta, double gamma);
std::unique_ptr<Stepper> make_stepper(const IntegratorOptions& options);
/// @}

}  // namespace spacedyn
