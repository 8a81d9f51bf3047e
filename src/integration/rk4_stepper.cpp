#include "integration/odeint.hpp"
#include "integration/stepper.hpp"

namespace spacedyn {
namespace {

/// Classical Runge–Kutta of order 4, cubic Hermite between steps.
class Rk4Stepper final : public Stepper {
 public:
  void attempt(EquationsOfMotion& equations, Step& step) override {
    stepper_.do_step(std::ref(equations), step.x_old, step.rate_old, step.t_old, step.x_new,
                     step.t_new - step.t_old);
    // serves the interpolation, the audit and, in smooth motion, the next step
    equations(step.x_new, step.rate_new, step.t_new);
  }

  void interpolate(const Step& step, double time, VectorX& x) const override {
    const double h = step.t_new - step.t_old;
    const double s = (time - step.t_old) / h;
    const double rest = 1.0 - s;
    x = rest * rest * ((1.0 + 2.0 * s) * step.x_old + s * h * step.rate_old) +
        s * s * ((1.0 + 2.0 * rest) * step.x_new - rest * h * step.rate_new);
  }

 private:
  OdeintRk4 stepper_;
};

}  // namespace

std::unique_ptr<Stepper> make_rk4_stepper() { return std::make_unique<Rk4Stepper>(); }

}  // namespace spacedyn
