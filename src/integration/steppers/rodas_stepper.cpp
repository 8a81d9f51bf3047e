#include <array>
#include <optional>

#include "spacedyn/integration/odeint.hpp"
// odeint's first header leaves this one out
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>

#include "integration/steppers/implicit_solver.hpp"
#include "integration/steppers/stepper.hpp"

namespace spacedyn {
namespace {

/// RODAS, the stiffly accurate Rosenbrock method of order 4(3) with six stages of Hairer and
/// Wanner, Solving Ordinary Differential Equations II, IV.7, and its dense output of order 3.
///
/// The coefficients are odeint's but for one; its stepper is tied to another linear algebra. Audit
/// integrals do not act on the motion and have no rows in its matrix: what the method makes of them
/// needs their derivative along one direction only, see integrate_audit().
class RodasStepper final : public EmbeddedStepper {
 public:
  explicit RodasStepper(EquationsOfMotion& equations)
      : EmbeddedStepper(4), equations_(equations), weights_(quadrature_weights()) {}

  void attempt(DifferentialEquation& /*equation*/, Step& step) override {
    EquationsOfMotion& equations = equations_;
    const double h = step.t_new - step.t_old;
    motion_ = equations.layout().integrals();
    differentiate(equations, step);
    if (equations.failure()) return;
    solver_.factorize(*jacobian_, 1.0 / (k_.gamma * h));

    g_[0] = step.rate_old.head(motion_) + h * k_.d1 * jacobian_->by_time;
    solver_.solve(equations.layout(), g_[0]);
    integrals_ = weights_[0] * step.rate_old;
    stage(equations, step, 1, {k_.a21}, {k_.c21}, k_.c2, k_.d2);
    stage(equations, step, 2, {k_.a31, k_.a32}, {k_.c31, k_.c32}, k_.c3, k_.d3);
    stage(equations, step, 3, {k_.a41, k_.a42, k_.a43}, {k_.c41, k_.c42, k_.c43}, k_.c4, kD4);
    stage(equations, step, 4, {k_.a51, k_.a52, k_.a53, k_.a54}, {k_.c51, k_.c52, k_.c53, k_.c54},
          1.0, 0.0);
    stage(equations, step, 5, {k_.a51, k_.a52, k_.a53, k_.a54, 1.0},
          {k_.c61, k_.c62, k_.c63, k_.c64, k_.c65}, 1.0, 0.0);
    step.error.head(motion_) = g_[5];
    step.x_new = stage_;
    step.x_new.head(motion_) += g_[5];
    if (equations.mobility().free().empty()) {
      integrate_imposed_audit(equations, step);
    } else {
      integrate_audit(equations, step);
      step.error.tail(step.error.size() - motion_).setZero();
    }
  }

  void interpolate(DifferentialEquation& /*equation*/, const Step& step, double time,
                   VectorX& x) override {
    const double h = step.t_new - step.t_old;
    const double s = (time - step.t_old) / h;
    x.resize(step.x_old.size());
    interpolate_motion(step, s, x);
    // the cubic of values and rates at both ends, of order 3 as that of the motion
    const auto integrals = step.x_old.size() - motion_;
    const double rest = 1.0 - s;
    x.tail(integrals) =
        rest * rest * (1.0 + 2.0 * s) * step.x_old.tail(integrals) +
        s * s * (1.0 + 2.0 * rest) * step.x_new.tail(integrals) +
        h * s * rest * (rest * step.rate_old.tail(integrals) - s * step.rate_new.tail(integrals));
  }

  void restart(Restart /*reason*/) override { is_differentiated_ = false; }

 private:
  using Weights = std::array<double, 5>;

  /// What each stage adds to an integral that does not act on the motion, w = γ m + γ Cᵀ w with m
  /// the weights of the g_i in the step's end.
  std::array<double, 6> quadrature_weights() const {
    const std::array<double, 6> m{k_.a51, k_.a52, k_.a53, k_.a54, 1.0, 1.0};
    std::array<std::array<double, 6>, 6> c{};
    c[1] = {k_.c21};
    c[2] = {k_.c31, k_.c32};
    c[3] = {k_.c41, k_.c42, k_.c43};
    c[4] = {k_.c51, k_.c52, k_.c53, k_.c54};
    c[5] = {k_.c61, k_.c62, k_.c63, k_.c64, k_.c65};
    std::array<double, 6> w{};
    for (std::size_t i = 6; i-- > 0;) {
      w[i] = k_.gamma * m[i];
      for (std::size_t j = i + 1; j < 6; ++j) w[i] += k_.gamma * w[j] * c[j][i];
    }
    return w;
  }

  /// Shorter attempts that begin where the last one did share its Jacobian; longer ones do not, for
  /// differences in time over a very short step are nothing but rounding.
  void differentiate(EquationsOfMotion& equations, const Step& step) {
    if (!jacobian_) {
      jacobian_.emplace(equations);
      rate_ = farther_ = integrals_ = step.x_old;
    }
    const auto motion = step.x_old.head(motion_);
    const double size = step.t_new - step.t_old;
    if (is_differentiated_ && size <= size_ && time_ == step.t_old && motion == start_) return;
    jacobian_->compute(equations, step);
    is_differentiated_ = !equations.failure();
    size_ = size;
    time_ = step.t_old;
    start_ = motion;
  }

  /// (E / (γ h) − J) g_i = f(x + Σ a_ij g_j, t + c h) + Σ c_ij g_j / h + d h ∂f/∂t.
  void stage(EquationsOfMotion& equations, const Step& step, std::size_t i, const Weights& a,
             const Weights& c, double node, double d) {
    const double h = step.t_new - step.t_old;
    stage_ = step.x_old;
    for (std::size_t j = 0; j < i; ++j) stage_.head(motion_) += a[j] * g_[j];
    equations(stage_, rate_, step.t_old + node * h);
    integrals_ += weights_[i] * rate_;
    g_[i] = rate_.head(motion_) + h * d * jacobian_->by_time;
    for (std::size_t j = 0; j < i; ++j) g_[i] += c[j] / h * g_[j];
    solver_.solve(equations.layout(), g_[i]);
  }

  void interpolate_motion(const Step& step, double s, VectorX& x) const {
    const double rest = 1.0 - s;
    // what rests stays where it is, to the last bit
    x.head(motion_) = step.x_old.head(motion_) +
                      s * (step.x_new.head(motion_) - step.x_old.head(motion_) +
                           rest * (k_.d21 * g_[0] + k_.d22 * g_[1] + k_.d23 * g_[2] +
                                   k_.d24 * g_[3] + k_.d25 * g_[4] +
                                   s * (k_.d31 * g_[0] + k_.d32 * g_[1] + k_.d33 * g_[2] +
                                        k_.d34 * g_[3] + k_.d35 * g_[4])));
  }

  /// x + h (Σ w_i ẋ(stage i) + ∂ẋ/∂x v + ∂ẋ/∂t τ) with v = Σ w_i g_i, τ = h Σ w_i d_i, which is the
  /// method's own result: of its order, and as stable. The derivative is a difference along (v, τ).
  void integrate_audit(EquationsOfMotion& equations, Step& step) {
    constexpr double kReach = 1e-3;  // truncation far below the method's, rounding as well
    const double h = step.t_new - step.t_old;
    const auto integrals = step.x_old.size() - motion_;
    const double delay =
        kReach * h *
        (weights_[0] * k_.d1 + weights_[1] * k_.d2 + weights_[2] * k_.d3 + weights_[3] * kD4);
    direction_ = weights_[0] * g_[0];
    for (std::size_t i = 1; i < 6; ++i) direction_ += weights_[i] * g_[i];
    stage_.head(motion_) = step.x_old.head(motion_) + kReach * direction_;
    equations(stage_, rate_, step.t_old + delay);
    stage_.head(motion_) += kReach * direction_;
    equations(stage_, farther_, step.t_old + 2.0 * delay);
    equations(step.x_new, step.rate_new, step.t_new);
    step.x_new.tail(integrals) +=
        h * (integrals_ + (4.0 * rate_ - farther_ - 3.0 * step.rate_old) / (2.0 * kReach))
                .tail(integrals);
  }

  /// Where nothing moves but as it is told, integrals are all that errors can be judged by: Boole's
  /// rule, of order 6, and what it differs by from Simpson's.
  void integrate_imposed_audit(EquationsOfMotion& equations, Step& step) {
    const double h = step.t_new - step.t_old;
    const auto integrals = step.x_old.size() - motion_;
    const auto add = [&](double part, double weight, double simpson, VectorX& rate) {
      if (part < 1.0) {
        stage_ = step.x_old + part * (step.x_new - step.x_old);
        equations(stage_, rate, step.t_old + part * h);
      } else {
        equations(step.x_new, rate, step.t_new);
      }
      integrals_ += weight * rate;
      farther_ += simpson * rate;
    };
    integrals_ = 7.0 / 90.0 * step.rate_old;
    farther_ = 1.0 / 6.0 * step.rate_old;
    add(0.25, 32.0 / 90.0, 0.0, rate_);
    add(0.5, 12.0 / 90.0, 4.0 / 6.0, rate_);
    add(0.75, 32.0 / 90.0, 0.0, rate_);
    add(1.0, 7.0 / 90.0, 1.0 / 6.0, step.rate_new);
    step.x_new.tail(integrals) = step.x_old.tail(integrals) + h * integrals_.tail(integrals);
    step.error.tail(integrals) = h * (integrals_ - farther_).tail(integrals);
  }

  /// Negative, as Hairer and Wanner have it: with odeint's sign ẏ = t gives 0.534 h² after a step.
  static constexpr double kD4 = -0.0362;

  const odeint::default_rosenbrock_coefficients<double> k_;
  std::optional<MotionJacobian> jacobian_;
  ImplicitSolver solver_;
  std::array<VectorX, 6> g_;
  EquationsOfMotion& equations_;
  const std::array<double, 6> weights_;
  VectorX stage_, rate_, farther_, integrals_, direction_;
  Eigen::Index motion_ = 0;
  // where the Jacobian has been taken
  bool is_differentiated_ = false;
  double time_ = 0.0, size_ = 0.0;
  VectorX start_;
};

}  // namespace

std::unique_ptr<Stepper> make_rodas_stepper(EquationsOfMotion& equations) {
  return std::make_unique<RodasStepper>(equations);
}

}  // namespace spacedyn
