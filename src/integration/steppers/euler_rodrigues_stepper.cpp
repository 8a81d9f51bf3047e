#include "integration/steppers/fixed_stepper.hpp"
#include "spacedyn/math/so3.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

/// Explicit Euler with the rates of the start, the attitude by Rodrigues' formula (4): `int_eu2`.
class EulerRodriguesStepper final : public FixedStepper {
 private:
  void take_step(EquationsOfMotion& equations, Step& step) override {
    const double h = step.t_new - step.t_old;
    step.x_new = step.x_old + h * step.rate_old;
    for (const int first : equations.model().spherical_joints()) {
      const Vector3 omega = step.x_old.segment<3>(equations.layout().qd() + first - 1);
      step.x_new.segment<3>(StateLayout::q + first - 1) = turn_spherical(
          step.x_old.segment(StateLayout::q, equations.layout().joints), first, h * omega);
    }
    if (!equations.base_is_free()) return;
    // (4): A_0(t + h) = Exp(h ω_0) A_0(t)
    const Vector3 omega = step.x_old.segment<3>(equations.layout().omega_0());
    const Vector3 theta = step.x_old.segment<3>(StateLayout::theta);
    step.x_new.segment<3>(StateLayout::theta) = log_so3(exp_so3(h * omega) * exp_so3(theta));
  }
};

}  // namespace

std::unique_ptr<Stepper> make_euler_rodrigues_stepper() {
  return std::make_unique<EulerRodriguesStepper>();
}

}  // namespace spacedyn
