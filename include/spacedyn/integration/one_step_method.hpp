/// @file
/// What the Simulator asks of a method that makes one step, for methods of a user's own.
#pragma once

#include <limits>
#include <memory>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/integration/options.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// ẋ = f(t, x).
class DifferentialEquation {
 public:
  /// ẋ; NaN after a failure.
  virtual void operator()(const VectorX& x, VectorX& rate, double time) = 0;
  virtual bool has_failed() const = 0;

 protected:
  DifferentialEquation() = default;
  ~DifferentialEquation() = default;
  DifferentialEquation(const DifferentialEquation&) = default;
  DifferentialEquation& operator=(const DifferentialEquation&) = default;
};

/// A step from one time to another with states and derivatives at both ends.
struct Step {
  explicit Step(int size)
      : x_old(VectorX::Zero(size)), rate_old(x_old), x_new(x_old), rate_new(x_old), error(x_old) {}

  double t_old = 0.0, t_new = 0.0;  ///< s
  VectorX x_old, rate_old;          ///< in, the derivative from the right
  VectorX x_new, rate_new;          ///< out, the derivative from the left
  VectorX error;                    ///< out: estimate, only of methods that have one

  double size() const { return t_new - t_old; }
  /// Makes the end of this step the beginning of the next.
  void advance() {
    t_old = t_new;
    x_old.swap(x_new);
    rate_old.swap(rate_new);
  }
};

/// The cubic polynomial through both ends of a step and their derivatives, of order 4 [Hermite].
inline void interpolate_by_hermite(const Step& step, double time, VectorX& x) {
  const double h = step.size();
  const double s = (time - step.t_old) / h;
  const double rest = 1.0 - s;
  // what rests stays where it is, to the last bit
  x = step.x_old + s * s * (1.0 + 2.0 * rest) * (step.x_new - step.x_old) +
      s * rest * h * (rest * step.rate_old - s * step.rate_new);
}

/// A method that steps ẋ = f(x, t) from one state alone; IntegratorOptions::stepper puts one in the
/// place of the library's methods. make_stepper() makes one of a stepper of Boost.Odeint.
///
/// The Simulator chooses the times of steps, judges errors by IntegratorOptions, lands on events
/// and discontinuities and closes loops. A method keeps no memory of earlier steps, for an event
/// may change the motion between any two.
class SPACEDYN_EXPORT OneStepMethod {
 public:
  /// @param name             in summaries and metadata
  /// @param order            of the steps, at least 1
  /// @param error_order      power of the step's size to which its error estimate is proportional;
  ///                         0 of a method without estimate, which keeps to IntegratorOptions::step
  /// @param stability_limit  h |λ| beyond which a step is as long as stability lets it be
  /// @throws DomainError if an order is out of range
  OneStepMethod(std::string name, int order, int error_order,
                double stability_limit = std::numeric_limits<double>::infinity());
  virtual ~OneStepMethod();
  OneStepMethod& operator=(const OneStepMethod&) = delete;

  /// A copy with memory of its own, one for each run.
  virtual std::unique_ptr<OneStepMethod> clone() const = 0;
  /// Fills x_new, rate_new = f(x_new, t_new) and, where there is one, the error estimate. The last
  /// evaluation is that of the end.
  virtual void attempt(DifferentialEquation& equation, Step& step) = 0;
  /// The state inside the last step, s from t_old to t_new; may evaluate the equation.
  virtual void interpolate(DifferentialEquation& equation, const Step& step, double time,
                           VectorX& x) = 0;

  /// What it is and can do; valid as long as this object.
  MethodTraits traits() const;
  int error_order() const { return error_order_; }
  double stability_limit() const { return stability_limit_; }

 protected:
  OneStepMethod(const OneStepMethod&) = default;

 private:
  std::string name_;
  int order_, error_order_;
  double stability_limit_;
};

}  // namespace spacedyn
