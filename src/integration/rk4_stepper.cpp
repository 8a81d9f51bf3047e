#include "integration/fixed_stepper.hpp"
#include "integration/odeint.hpp"

namespace spacedyn {
namespace {

/// Classical Runge–Kutta of order 4.
class Rk4Stepper final : public FixedStepper {
 private:
  void take_step(EquationsOfMotion& equations, Step& step) override {
    stepper_.do_step(std::ref(equations), step.x_old, step.rate_old, step.t_old, step.x_new,
                     step.t_new - step.t_old);
  }

  OdeintRk4 stepper_;
};

}  // namespace

std::unique_ptr<Stepper> make_rk4_stepper() { return std::make_unique<Rk4Stepper>(); }

}  // namespace spacedyn
