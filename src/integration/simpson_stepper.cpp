#include "integration/fixed_stepper.hpp"

namespace spacedyn {
namespace {

/// Kutta's rule of order 3, whose weights 1:4:1 are Simpson's; the attitude is a rotation vector.
///
/// Differs from [SpaceDyn]: `int_sr` and `int_sr2` hold the attitude or turn it by a body-frame
/// rule inside the step and reach order 0 and 1.
class SimpsonStepper final : public FixedStepper {
 private:
  void take_step(EquationsOfMotion& equations, Step& step) override {
    const double h = step.t_new - step.t_old;
    const VectorX& k_1 = step.rate_old;
    k_2_.resize(k_1.size());
    k_3_.resize(k_1.size());
    stage_ = step.x_old + 0.5 * h * k_1;
    equations(stage_, k_2_, step.t_old + 0.5 * h);
    stage_ = step.x_old + h * (2.0 * k_2_ - k_1);
    equations(stage_, k_3_, step.t_new);
    step.x_new = step.x_old + h / 6.0 * (k_1 + 4.0 * k_2_ + k_3_);
  }

  VectorX stage_, k_2_, k_3_;
};

}  // namespace

std::unique_ptr<Stepper> make_simpson_stepper() { return std::make_unique<SimpsonStepper>(); }

}  // namespace spacedyn
