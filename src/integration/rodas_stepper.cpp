#include <array>

#include "integration/odeint.hpp"
// odeint's first header leaves this one out
#include <boost/numeric/odeint/stepper/rosenbrock4.hpp>

#include <Eigen/LU>

#include "integration/embedded_stepper.hpp"
#include "integration/numeric_jacobian.hpp"

namespace spacedyn {
namespace {

/// RODAS, the stiffly accurate Rosenbrock method of order 4(3) with six stages of Hairer and
/// Wanner, Solving Ordinary Differential Equations II, IV.7, and its dense output of order 3.
///
/// The coefficients are odeint's but for one; its stepper is tied to another linear algebra. Audit
/// integrals do not act on the motion, so only the motion's part of the matrix is factorized.
class RodasStepper final : public EmbeddedStepper {
 public:
  RodasStepper() : EmbeddedStepper(4) {}

  void attempt(EquationsOfMotion& equations, Step& step) override {
    const double h = step.t_new - step.t_old;
    motion_ = equations.layout().books();
    jacobian_.compute(equations, step);
    if (equations.failure()) return;
    factorize(h);
    rate_.resize(step.x_old.size());

    g_[0] = step.rate_old + h * k_.d1 * jacobian_.by_time;
    solve(h, g_[0]);
    stage(equations, step, 1, {k_.a21}, {k_.c21}, k_.c2, k_.d2);
    stage(equations, step, 2, {k_.a31, k_.a32}, {k_.c31, k_.c32}, k_.c3, k_.d3);
    stage(equations, step, 3, {k_.a41, k_.a42, k_.a43}, {k_.c41, k_.c42, k_.c43}, k_.c4, kD4);
    stage(equations, step, 4, {k_.a51, k_.a52, k_.a53, k_.a54}, {k_.c51, k_.c52, k_.c53, k_.c54},
          1.0, 0.0);
    stage(equations, step, 5, {k_.a51, k_.a52, k_.a53, k_.a54, 1.0},
          {k_.c61, k_.c62, k_.c63, k_.c64, k_.c65}, 1.0, 0.0);
    step.error = g_[5];
    step.x_new = stage_ + g_[5];
    equations(step.x_new, step.rate_new, step.t_new);
  }

  void interpolate(EquationsOfMotion& /*equations*/, const Step& step, double time,
                   VectorX& x) override {
    const double s = (time - step.t_old) / (step.t_new - step.t_old);
    const double rest = 1.0 - s;
    x = rest * step.x_old +
        s * (step.x_new + rest * (k_.d21 * g_[0] + k_.d22 * g_[1] + k_.d23 * g_[2] +
                                  k_.d24 * g_[3] + k_.d25 * g_[4] +
                                  s * (k_.d31 * g_[0] + k_.d32 * g_[1] + k_.d33 * g_[2] +
                                       k_.d34 * g_[3] + k_.d35 * g_[4])));
  }

 private:
  using Weights = std::array<double, 5>;

  /// E / (γ h) − J for the motion.
  void factorize(double h) {
    matrix_ = -jacobian_.by_state.topRows(motion_);
    matrix_.diagonal().array() += 1.0 / (k_.gamma * h);
    factorization_.compute(matrix_);
  }

  /// Solves (E / (γ h) − J) g = right side in place.
  void solve(double h, VectorX& g) {
    solution_ = factorization_.solve(g.head(motion_));
    g.head(motion_) = solution_;
    const Eigen::Index books = g.size() - motion_;
    g.tail(books).noalias() += jacobian_.by_state.bottomRows(books) * solution_;
    g.tail(books) *= k_.gamma * h;
  }

  /// (E / (γ h) − J) g_i = f(x + Σ a_ij g_j, t + c h) + Σ c_ij g_j / h + d h ∂f/∂t.
  void stage(EquationsOfMotion& equations, const Step& step, std::size_t i, const Weights& a,
             const Weights& c, double node, double d) {
    const double h = step.t_new - step.t_old;
    stage_ = step.x_old;
    for (std::size_t j = 0; j < i; ++j) stage_ += a[j] * g_[j];
    equations(stage_, rate_, step.t_old + node * h);
    g_[i] = rate_ + h * d * jacobian_.by_time;
    for (std::size_t j = 0; j < i; ++j) g_[i] += c[j] / h * g_[j];
    solve(h, g_[i]);
  }

  /// Negative, as Hairer and Wanner have it: with odeint's sign ẏ = t gives 0.534 h² after a step.
  static constexpr double kD4 = -0.0362;

  const odeint::default_rosenbrock_coefficients<double> k_;
  NumericJacobian jacobian_;
  MatrixX matrix_;
  Eigen::PartialPivLU<MatrixX> factorization_;
  std::array<VectorX, 6> g_;
  VectorX stage_, rate_, solution_;
  int motion_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_rodas_stepper() { return std::make_unique<RodasStepper>(); }

}  // namespace spacedyn
