#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <Eigen/LU>

#include "constraints/loop_sizes.hpp"
#include "integration/equations/equations_of_motion.hpp"
#include "integration/equations/projection.hpp"
#include "integration/steppers/stepper.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
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
    if (!equations_.mobility().base_free()) return;
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

namespace {

/// The classical Runge–Kutta method on (r_0, unit quaternion, q, v_0, ω_0, q̇): `f_dyn_rk2`.
///
/// The quaternion is that of the rotation since the step began, which changes nothing because its
/// differential equation is linear with the rotation on the right, and is normalized after each
/// stage and at the end. Everything else is combined as in rk4.
class Rk4QuaternionStepper final : public FixedStepper {
 public:
  explicit Rk4QuaternionStepper(const EquationsOfMotion& equations)
      : omega_(equations.layout().omega_0()), turns_(equations.mobility().base_free()) {}

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

namespace {

/// Newmark's method with β and γ, all in inertial components: `f_dyn_nb`.
///
/// θ = h ω_n + h² ((½ − β) ω̇_n + β ω̇_{n+1}) turns the base, A_{n+1} = Exp(θ) A_n; positions follow
/// the same rule, velocities v_{n+1} = v_n + h ((1 − γ) v̇_n + γ v̇_{n+1}), auxiliary states and
/// audit integrals the rule of velocities. The unknown rates of the end are those the equations of
/// motion give there, found by Newton's method with a Jacobian taken by differences once a step,
/// and anew where a kink of the forces, as of a stop that begins to act, lets corrections not
/// shrink.
class NewmarkStepper final : public FixedStepper {
 public:
  NewmarkStepper(double beta, double gamma, EquationsOfMotion& equations)
      : equations_(equations), beta_(beta), gamma_(gamma) {
    const Model& model = equations.model();
    const StateLayout& layout = equations.layout();
    const double length = model_size(model);
    unit_ = VectorX::Ones(layout.integrals() - layout.v_0());
    unit_.head<3>().setConstant(length);
    unit_.segment(6, model.joint_count()) = joint_sizes(model, length);
  }

 private:
  static constexpr int kMostIterations = 25;
  static constexpr double kSlow = 0.1;  // corrections that shrink less need another Jacobian

  void take_step(DifferentialEquation& /*equation*/, Step& step) override {
    EquationsOfMotion& equations = equations_;
    const StateLayout& layout = equations.layout();
    unknown_ = step.rate_old.segment(layout.v_0(), layout.integrals() - layout.v_0());
    const auto z = Eigen::seqN(layout.z(), layout.auxiliaries);
    const double h = step.t_new - step.t_old;
    unit_.tail(layout.auxiliaries) = step.x_old(z).cwiseAbs() + h * step.rate_old(z).cwiseAbs();
    unit_ = (unit_.array() > 0.0).select(unit_, 1.0);
    rate_.resize(step.x_old.size());
    residual_of(equations, step, unknown_, residual_);
    if (equations.failure()) return;
    factorize_jacobian(equations, step);
    double last = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      residual_.array() /= unit_.array();
      change_ = jacobian_.solve(residual_);
      change_.array() *= unit_.array();
      unknown_ -= change_;
      residual_of(equations, step, unknown_, residual_);
      if (equations.failure()) return;
      // rounding is reached when a correction no longer shrinks, or moves velocities no more
      const double size = part(change_);
      constexpr double kTolerance = 1e-13;
      const double scale = std::max(part(unknown_), least_scale(equations, step));
      if (size <= kTolerance * scale || (size < 1e-8 * scale && size >= last)) {
        finish(equations, step);
        return;
      }
      if (size > kSlow * last) {
        factorize_jacobian(equations, step);
        if (equations.failure()) return;
      }
      last = size;
    }
    equations.failure().note(Failure::Cause::iteration_diverged);
  }

  /// Of rates, each relative to its unit.
  double part(ConstVectorRef rates) const { return rates.cwiseQuotient(unit_).norm(); }

  /// Rates that matter: those which change velocities by a rounding in the step, and those of the
  /// loads where they cancel.
  double least_scale(const EquationsOfMotion& equations, const Step& step) const {
    const int first = equations.layout().v_0();
    const double h = step.t_new - step.t_old;
    constexpr double kShare = 1e-3;      // eps over the tolerance of the iteration
    constexpr double kLeastStep = 1e-9;  // that joints make, of their units
    return kShare * (part(step.x_old.segment(first, unit_.size())) + kLeastStep / h) / h +
           part(step.rate_old.segment(first, unit_.size()));
  }

  /// The state at the end if the accelerations and auxiliary rates there were `unknown`.
  void set_state(const EquationsOfMotion& equations, Step& step, const VectorX& unknown) {
    const StateLayout& layout = equations.layout();
    const double h = step.t_new - step.t_old;
    const VectorX& x = step.x_old;
    const auto size = unknown.size();
    const auto old = step.rate_old.segment(layout.v_0(), size);
    step.x_new = x;
    step.x_new.segment(layout.v_0(), size) += h * ((1.0 - gamma_) * old + gamma_ * unknown);
    moved_ = h * x.segment(layout.v_0(), size) + h * h * ((0.5 - beta_) * old + beta_ * unknown);
    displace(equations, x, moved_, step.x_new);
  }

  void residual_of(EquationsOfMotion& equations, Step& step, const VectorX& unknown,
                   VectorX& residual) {
    set_state(equations, step, unknown);
    equations(step.x_new, rate_, step.t_new);
    residual = unknown - rate_.segment(equations.layout().v_0(), unknown.size());
  }

  void factorize_jacobian(EquationsOfMotion& equations, Step& step) {
    const Eigen::Index size = unknown_.size();
    matrix_.resize(size, size);
    const double h = step.t_new - step.t_old;
    for (Eigen::Index column = 0; column < size; ++column) {
      probe_ = unknown_;
      // positions change by h² of it only, and must show the stiffness of contacts
      const double reach =
          std::max(1e-12 * unit_(column) / (h * h), 1e-6 * std::abs(unknown_(column)));
      probe_(column) += reach;
      residual_of(equations, step, probe_, probed_);
      matrix_.col(column) = (probed_ - residual_).cwiseQuotient(unit_) * (unit_(column) / reach);
    }
    jacobian_.compute(matrix_);
  }

  /// Audit integrals by the trapezoidal rule.
  void finish(const EquationsOfMotion& equations, Step& step) const {
    const int integrals = equations.layout().integral_count();
    step.x_new.tail(integrals) +=
        0.5 * (step.t_new - step.t_old) * (step.rate_old.tail(integrals) + rate_.tail(integrals));
  }

  EquationsOfMotion& equations_;
  double beta_, gamma_;
  VectorX unit_;  // of rates: 1, or of lengths that of the mechanism; of z what it is
  VectorX unknown_, residual_, probe_, probed_, change_, moved_, rate_;
  MatrixX matrix_;
  Eigen::PartialPivLU<MatrixX> jacobian_;
};

}  // namespace

std::unique_ptr<Stepper> make_newmark_stepper(double beta, double gamma,
                                              EquationsOfMotion& equations) {
  return std::make_unique<NewmarkStepper>(beta, gamma, equations);
}

}  // namespace spacedyn
