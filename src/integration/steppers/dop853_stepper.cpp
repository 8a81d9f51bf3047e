#include <cmath>

#include "integration/steppers/embedded_stepper.hpp"
#include "integration/steppers/error_norm.hpp"
#include "spacedyn/integration/dop853.hpp"

namespace spacedyn {
namespace {

/// Dop853 with the error measured by the norm of the run; the dense output takes three more
/// evaluations in steps with outputs inside.
class Dop853Stepper final : public EmbeddedStepper {
 public:
  explicit Dop853Stepper(const ErrorNorm& norm) : EmbeddedStepper(8), norm_(norm) {}

  void attempt(DifferentialEquation& equation, Step& step) override {
    const double h = step.t_new - step.t_old;
    method_.do_step(std::ref(equation), step.x_old, step.rate_old, step.t_old, step.x_new,
                    step.rate_new, h);
    method_.estimate_errors(h, errors_);
    // e₅² / √(e₅² + (e₃/10)²) with norms in place of Hairer's root mean squares
    const double third = norm_(errors_.third, step.x_old, step.x_new).value;
    const double fifth = norm_(errors_.fifth, step.x_old, step.x_new).value;
    step.error = errors_.fifth;
    if (fifth > 0.0) step.error *= fifth / std::hypot(fifth, 0.1 * third);
  }

  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    if (!method_.has_dense_output()) make_dense(equation, step);
    method_.calc_state(time, x, step.x_old, step.rate_old, step.t_old, step.x_new, step.rate_new,
                       step.t_new);
  }

  double stability_limit() const override { return 5.4; }

 private:
  void make_dense(DifferentialEquation& equation, const Step& step) {
    const double h = step.t_new - step.t_old;
    const auto norm = [&](const VectorX& x) { return norm_(x, step.x_old, step.x_new).value; };
    if (method_.is_limited_by_stability(h, norm)) {
      method_.prepare_dense_output_by_half(std::ref(equation), step.x_old, step.rate_old,
                                           step.t_old, step.x_new, step.rate_new, h);
    } else {
      method_.prepare_dense_output(std::ref(equation), step.x_old, step.t_old, h);
    }
  }

  const ErrorNorm& norm_;
  Dop853 method_;
  Dop853::Errors errors_;
};

}  // namespace

std::unique_ptr<Stepper> make_dop853_stepper(const ErrorNorm& norm) {
  return std::make_unique<Dop853Stepper>(norm);
}

}  // namespace spacedyn
