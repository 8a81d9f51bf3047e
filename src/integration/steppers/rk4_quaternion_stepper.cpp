#include <array>

#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/fixed_stepper.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// The classical Runge–Kutta method on (r_0, unit quaternion, q, v_0, ω_0, q̇): `f_dyn_rk2`.
///
/// The quaternion is that of the rotation since the step began, which changes nothing because its
/// differential equation is linear with the rotation on the right, and is normalized after each
/// stage and at the end. Everything else is combined as in rk4.
class Rk4QuaternionStepper final : public FixedStepper {
 public:
  explicit Rk4QuaternionStepper(const EquationsOfMotion& equations)
      : omega_(equations.layout().omega_0()), turns_(equations.base_is_free()) {}

 private:
  void take_step(DifferentialEquation& equation, Step& step) override {
    const double h = step.t_new - step.t_old;
    start_ = exp_so3(step.x_old.segment<3>(StateLayout::theta));
    k_[0] = step.rate_old;
    Quaternion Q = Quaternion::Identity();
    std::array<Quaternion, 4> Qd;
    Qd[0] = quaternion_rate(Q, step.x_old.segment<3>(omega_));
    constexpr std::array<double, 4> kNode{0.0, 0.5, 0.5, 1.0};
    for (std::size_t i = 1; i < 4; ++i) {
      const double reach = kNode[i] * h;
      step.x_new = step.x_old + reach * k_[i - 1];
      Q = turned(reach, Qd[i - 1]);
      if (turns_) write_attitude(Q, step.x_new);
      k_[i].resize(step.x_old.size());
      equation(step.x_new, k_[i], step.t_old + reach);
      Qd[i] = quaternion_rate(Q, step.x_new.segment<3>(omega_));
    }
    step.x_new = step.x_old + h / 6.0 * (k_[0] + 2.0 * k_[1] + 2.0 * k_[2] + k_[3]);
    Quaternion sum;
    sum.coeffs() = Qd[0].coeffs() + 2.0 * Qd[1].coeffs() + 2.0 * Qd[2].coeffs() + Qd[3].coeffs();
    if (turns_) write_attitude(turned(h / 6.0, sum), step.x_new);
  }

  /// 1 + t Q̇, normalized.
  static Quaternion turned(double t, const Quaternion& rate) {
    Quaternion Q;
    Q.coeffs() = Quaternion::Identity().coeffs() + t * rate.coeffs();
    return Q.normalized();
  }

  void write_attitude(const Quaternion& Q, VectorX& x) const {
    x.segment<3>(StateLayout::theta) = log_so3(Q.toRotationMatrix() * start_);
  }

  const int omega_;  // where ω_0 is in x
  const bool turns_;
  Matrix3 start_ = Matrix3::Identity();
  std::array<VectorX, 4> k_;
};

}  // namespace

std::unique_ptr<Stepper> make_rk4_quaternion_stepper(EquationsOfMotion& equations) {
  return std::make_unique<Rk4QuaternionStepper>(equations);
}

}  // namespace spacedyn
