#include "integration/embedded_stepper.hpp"
#include "integration/fixed_stepper.hpp"
#include "integration/odeint.hpp"

namespace spacedyn {
namespace {

/// An explicit method of odeint without an error estimate.
template <typename Method>
class FixedOdeintStepper final : public FixedStepper {
 private:
  void take_step(EquationsOfMotion& equations, Step& step) override {
    method_.do_step(std::ref(equations), step.x_old, step.rate_old, step.t_old, step.x_new,
                    step.t_new - step.t_old);
  }

  Method method_;
};

/// The explicit midpoint rule, order 2.
class MidpointStepper final : public FixedStepper {
 private:
  void take_step(EquationsOfMotion& equations, Step& step) override {
    const double h = step.t_new - step.t_old;
    middle_rate_.resize(step.x_old.size());
    step.x_new = step.x_old + 0.5 * h * step.rate_old;
    equations(step.x_new, middle_rate_, step.t_old + 0.5 * h);
    step.x_new = step.x_old + h * middle_rate_;
  }

  VectorX middle_rate_;
};

/// An explicit method of odeint with an embedded error estimate.
template <typename Method>
class EmbeddedOdeintStepper final : public EmbeddedStepper {
 public:
  EmbeddedOdeintStepper(int error_order, double stability_limit)
      : EmbeddedStepper(error_order), stability_limit_(stability_limit) {}

  double stability_limit() const override { return stability_limit_; }

  void attempt(EquationsOfMotion& equations, Step& step) override {
    error_.resize(step.x_old.size());
    method_.do_step(std::ref(equations), step.x_old, step.rate_old, step.t_old, step.x_new,
                    step.t_new - step.t_old, step.error);
    equations(step.x_new, step.rate_new, step.t_new);
  }

  /// A shorter step of the same method: its error is below that of the whole step, at any order.
  void interpolate(EquationsOfMotion& equations, const Step& step, double time,
                   VectorX& x) override {
    method_.do_step(std::ref(equations), step.x_old, step.rate_old, step.t_old, x,
                    time - step.t_old, error_);
  }

 private:
  const double stability_limit_;
  Method method_;
  VectorX error_;  // of interpolated states, ignored
};

}  // namespace

std::unique_ptr<Stepper> make_euler_stepper() {
  return std::make_unique<FixedOdeintStepper<OdeintEuler>>();
}

std::unique_ptr<Stepper> make_midpoint_stepper() { return std::make_unique<MidpointStepper>(); }

std::unique_ptr<Stepper> make_rk4_stepper() {
  return std::make_unique<FixedOdeintStepper<OdeintRk4>>();
}

std::unique_ptr<Stepper> make_cash_karp54_stepper() {
  return std::make_unique<EmbeddedOdeintStepper<OdeintCashKarp54>>(5, 3.1);
}

std::unique_ptr<Stepper> make_fehlberg78_stepper() {
  return std::make_unique<EmbeddedOdeintStepper<OdeintFehlberg78>>(8, 4.2);
}

}  // namespace spacedyn
