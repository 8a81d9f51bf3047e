#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/fixed_stepper.hpp"
#include "math/rodrigues.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

/// Explicit Euler with the rates of the start, the attitude by Rodrigues' formula (4): `int_eu2`.
class EulerRodriguesStepper final : public FixedStepper {
 public:
  explicit EulerRodriguesStepper(const EquationsOfMotion& equations) : equations_(equations) {}

 private:
  void take_step(DifferentialEquation& /*equation*/, Step& step) override {
    const double h = step.t_new - step.t_old;
    step.x_new = step.x_old + h * step.rate_old;
    for (const int first : equations_.model().spherical_joints()) {
      const Vector3 omega = step.x_old.segment<3>(equations_.layout().qd() + first - 1);
      step.x_new.segment<3>(StateLayout::q + first - 1) = turn_spherical(
          step.x_old.segment(StateLayout::q, equations_.layout().joints), first, h * omega);
    }
    if (!equations_.base_is_free()) return;
    // (4): A_0(t + h) = Exp(h ω_0) A_0(t)
    const Vector3 omega = step.x_old.segment<3>(equations_.layout().omega_0());
    const Vector3 theta = step.x_old.segment<3>(StateLayout::theta);
    step.x_new.segment<3>(StateLayout::theta) = log_so3(turn_by(h * omega, exp_so3(theta)));
  }

  const EquationsOfMotion& equations_;
};

}  // namespace

std::unique_ptr<Stepper> make_euler_rodrigues_stepper(EquationsOfMotion& equations) {
  return std::make_unique<EulerRodriguesStepper>(equations);
}

}  // namespace spacedyn
