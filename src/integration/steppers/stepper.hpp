/// @file
/// One step of an integration method, without odeint's templates.
#pragma once

#include <cmath>
#include <limits>
#include <memory>

#include "integration/equations/archive.hpp"
#include "integration/steppers/step_control.hpp"
#include "spacedyn/integration/one_step_method.hpp"

namespace spacedyn {

/// What lies between two steps, the later including the earlier.
enum class Restart {
  chart_moved,  ///< the attitude is measured from another reference
  rate_jumped,  ///< the equations changed, on a discontinuity
  state_jumped  ///< velocities changed at an instant
};

class StepContacts;

/// A method that makes one step. The step's times are the caller's, so that it can land exactly.
///
/// odeint's own controlled and dense-output steppers are not used: they hide the new state from the
/// error measure, accept non-finite states, choose the times themselves and keep a derivative that
/// is stale after a discontinuity.
class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Fills x_new, rate_new and, where there is one, the error estimate; the last evaluation is that
  /// of the end. Does not allocate after its first call.
  virtual void attempt(DifferentialEquation& equation, Step& step) = 0;
  /// The state inside the last attempted step; may evaluate the equation, but changes nothing that
  /// a later step depends on.
  virtual void interpolate(DifferentialEquation& equation, const Step& step, double time,
                           VectorX& x) = 0;
  /// Parts of a step at whose ends functions are looked at that nothing bounds; 1 of methods whose
  /// states inside a step mean nothing.
  virtual int watched_parts() const { return 8; }
  /// Forgets what no longer holds of earlier steps.
  virtual void restart(Restart /*reason*/) {}

  /// Whether the last attempt found what it sought by iteration.
  virtual bool has_settled() const { return true; }
  /// The rigid contacts of a method that steps them; null of all others.
  virtual StepContacts* contacts() { return nullptr; }

  /// What later steps depend on, for checkpoints.
  virtual void transfer(Archive& /*archive*/) {}

  /// @name Adaptive methods
  /// @{
  /// Power of the step size to which the error estimate is proportional.
  virtual int error_order() const { return 0; }
  /// Size of the next attempt after one of size @p h with this error norm; it was accepted if the
  /// norm is at most 1, and gave no numbers if it is infinite.
  virtual double next_size(double h, double /*error*/) { return h; }
  /// h |λ| beyond which a step of an explicit method is as long as stability lets it be; infinite
  /// of implicit ones.
  virtual double stability_limit() const { return std::numeric_limits<double>::infinity(); }
  /// @}
};

class EquationsOfMotion;
class ErrorNorm;
struct SimulationSetup;

/// Steps with a copy of a method.
std::unique_ptr<Stepper> make_own_stepper(const OneStepMethod& method);

/// The stepper of a set-up: of its method, or the user's own.
/// @param setup, norm  of the run, must outlive the stepper
/// @param equations    what it will integrate, for methods that use more than its rates; must
/// outlive the stepper
std::unique_ptr<Stepper> make_stepper(const SimulationSetup& setup, const ErrorNorm& norm,
                                      EquationsOfMotion& equations);

/// A method with an error estimate of a fixed order.
class EmbeddedStepper : public Stepper {
 public:
  explicit EmbeddedStepper(int error_order) : order_(error_order), control_(error_order) {}

  int error_order() const final { return order_; }
  double next_size(double h, double error) final { return control_.next_size(h, error); }
  void transfer(Archive& archive) final { archive(control_); }

 private:
  int order_;
  StepSizeControl control_;
};

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
