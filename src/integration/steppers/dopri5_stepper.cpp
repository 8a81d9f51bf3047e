#include "integration/steppers/embedded_stepper.hpp"
#include "spacedyn/integration/odeint.hpp"

namespace spacedyn {
namespace {

/// Dormand–Prince 5(4) with its own dense output of order 4.
class Dopri5Stepper final : public EmbeddedStepper {
 public:
  Dopri5Stepper() : EmbeddedStepper(5) {}

  void attempt(DifferentialEquation& equation, Step& step) override {
    stepper_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, step.x_new,
                     step.rate_new, step.t_new - step.t_old, step.error);
  }

  double stability_limit() const override { return 2.8; }

  void interpolate(DifferentialEquation& /*equation*/, const Step& step, double time,
                   VectorX& x) override {
    stepper_.calc_state(time, x, step.x_old, step.rate_old, step.t_old, step.x_new, step.rate_new,
                        step.t_new);
  }

 private:
  odeint::runge_kutta_dopri5<VectorX> stepper_;
};

}  // namespace

std::unique_ptr<Stepper> make_dopri5_stepper() { return std::make_unique<Dopri5Stepper>(); }

}  // namespace spacedyn
