#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "integration/steppers/step_control.hpp"
#include "integration/steppers/stepper.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/integration/dop853.hpp"
#include "spacedyn/integration/odeint_stepper.hpp"

namespace spacedyn {
namespace {

template <std::size_t Stages>
using OdeintTableau = odeint::explicit_generic_rk<Stages, Stages, VectorX, double, VectorX, double>;
template <std::size_t Size>
using Coefficients = boost::array<double, Size>;

/// The explicit midpoint rule, order 2.
class MidpointRule : public OdeintTableau<2> {
 public:
  MidpointRule()
      : OdeintTableau<2>(boost::fusion::make_vector(Coefficients<1>{{0.5}}),
                         Coefficients<2>{{0.0, 1.0}}, Coefficients<2>{{0.0, 0.5}}) {}
};

/// Kutta's rule of order 3, whose weights 1:4:1 are Simpson's; the attitude is a rotation vector.
///
/// Differs from [SpaceDyn]: `int_sr` and `int_sr2` hold the attitude or turn it by a body-frame
/// rule inside the step and reach order 0 and 1.
class KuttaRule : public OdeintTableau<3> {
 public:
  KuttaRule()
      : OdeintTableau<3>(
            boost::fusion::make_vector(Coefficients<1>{{0.5}}, Coefficients<2>{{-1.0, 2.0}}),
            Coefficients<3>{{1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0}}, Coefficients<3>{{0.0, 0.5, 1.0}}) {}
};

/// Steps with a method of its own memory.
class OneStepStepper final : public Stepper {
 public:
  explicit OneStepStepper(const OneStepMethod& method) : method_(method.clone()) {
    if (error_order() > 0) control_.emplace(error_order());
  }

  void attempt(DifferentialEquation& equation, Step& step) override {
    method_->attempt(equation, step);
  }
  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    method_->interpolate(equation, step, time, x);
  }
  int error_order() const final { return method_->error_order(); }
  double next_size(double h, double error) override {
    return control_ ? control_->next_size(h, error) : h;
  }
  double stability_limit() const override { return method_->stability_limit(); }
  void transfer(Archive& archive) override {
    if (control_) archive(*control_);
  }

 private:
  const std::unique_ptr<OneStepMethod> method_;
  std::optional<StepSizeControl> control_;  // of methods with an error estimate
};

/// Of a method of the library, whose name its traits have.
/// @param stability_limit  infinite where steps are not chosen by their errors
template <typename Method>
std::unique_ptr<Stepper> of_odeint(
    double stability_limit = std::numeric_limits<double>::infinity()) {
  return make_own_stepper(OdeintStepper<Method>(Method(), "", stability_limit));
}

}  // namespace

OneStepMethod::OneStepMethod(std::string name, int order, int error_order, double stability_limit)
    : name_(std::move(name)),
      order_(order),
      error_order_(error_order),
      stability_limit_(stability_limit) {
  if (order < 1) throw DomainError("the order of method '" + name_ + "' must be at least 1");
  if (error_order < 0) {
    throw DomainError("the order of the error of method '" + name_ + "' must not be negative");
  }
  if (!(stability_limit > 0.0)) {
    throw DomainError("the stability limit of method '" + name_ + "' must be positive");
  }
}

OneStepMethod::~OneStepMethod() = default;

MethodTraits OneStepMethod::traits() const {
  MethodTraits traits = method_traits(IntegrationMethod::dopri5);  // the same of every such method
  traits.name = name_;
  traits.order = order_;
  traits.adaptive = error_order_ > 0;
  return traits;
}

std::unique_ptr<Stepper> make_own_stepper(const OneStepMethod& method) {
  return std::make_unique<OneStepStepper>(method);
}

std::unique_ptr<Stepper> make_euler_stepper() { return of_odeint<odeint::euler<VectorX>>(); }

std::unique_ptr<Stepper> make_midpoint_stepper() { return of_odeint<MidpointRule>(); }

std::unique_ptr<Stepper> make_simpson_stepper() { return of_odeint<KuttaRule>(); }

std::unique_ptr<Stepper> make_rk4_stepper() { return of_odeint<odeint::runge_kutta4<VectorX>>(); }

std::unique_ptr<Stepper> make_dopri5_stepper() {
  return of_odeint<odeint::runge_kutta_dopri5<VectorX>>(2.8);
}

std::unique_ptr<Stepper> make_cash_karp54_stepper() {
  return of_odeint<odeint::runge_kutta_cash_karp54<VectorX>>(3.1);
}

std::unique_ptr<Stepper> make_fehlberg78_stepper() {
  return of_odeint<odeint::runge_kutta_fehlberg78<VectorX>>(4.2);
}

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

namespace {

/// Rows of the extrapolation table; row k takes 2 (k + 1) substeps and has order 2 (k + 1).
constexpr int kRows = 8;

constexpr int substeps(int row) { return 2 * (row + 1); }
/// Evaluations up to and with a row; the derivative at the start is known.
constexpr int work(int row) { return (row + 1) * (row + 2); }

/// Gragg's modified midpoint rule extrapolated to step size zero, with Deuflhard's choice of order.
///
/// odeint's bulirsch_stoer is not used: it knows one tolerance for all components, accepts
/// non-finite states, allocates in each step, and its memory cannot be saved.
class BulirschStoerStepper final : public Stepper {
 public:
  explicit BulirschStoerStepper(const ErrorNorm& norm) : norm_(norm) {}

  void attempt(DifferentialEquation& equation, Step& step) override {
    resize(step.x_old.size());
    const int last_wanted = std::min(target_ + 1, kRows - 1);
    for (row_ = 0; row_ <= last_wanted; ++row_) {
      add_row(equation, step, row_, step.t_new);
      if (equation.has_failed()) return;
      if (row_ == 0) continue;
      step.error = table_[0] - previous_;
      errors_[index(row_)] = norm_(step.error, step.x_old, table_[0]).value;
      if (errors_[index(row_)] <= 1.0 && (row_ >= target_ - 1 || first_)) break;
      if (row_ == last_wanted) break;
    }
    step.x_new = table_[0];
    equation(step.x_new, step.rate_new, step.t_new);
  }

  double stability_limit() const override { return 5.0; }

  /// A shorter step with as many rows.
  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    for (int row = 0; row <= row_; ++row) add_row(equation, step, row, time);
    x = table_[0];
  }

  void transfer(Archive& archive) override {
    archive(target_, first_, rejected_);
    archive.require(target_ >= 2 && target_ < kRows);
  }

  /// Of the cheapest row whose error can be estimated, for the first step.
  int error_order() const override { return 3; }

  double next_size(double h, double error) override {
    if (!std::isfinite(error)) {
      rejected_ = true;
      return 0.1 * h;
    }
    const bool accepted = error <= 1.0;
    int best = 1;
    for (int row = 2; row <= row_; ++row) {
      if (work(row) / best_size(row, h) < 0.9 * work(best) / best_size(best, h)) best = row;
    }
    double size = best_size(best, h);
    if (accepted && !rejected_ && best == row_ && best < kRows - 2) {
      // a row more may pay: the same work per unit of time
      ++best;
      size *= static_cast<double>(work(best)) / work(best - 1);
    }
    if (!accepted || rejected_) size = std::min(size, accepted ? h : 0.7 * h);
    target_ = std::max(best, 2);
    rejected_ = !accepted;
    first_ = false;
    return size;
  }

 private:
  static std::size_t index(int row) { return static_cast<std::size_t>(row); }

  void resize(Eigen::Index size) {
    for (VectorX& entry : table_) entry.resize(size);
    previous_.resize(size);
    rate_.resize(size);
  }

  /// Gragg's smoothed leapfrog of order 2, whose error has only even powers of the substep.
  void modified_midpoint(DifferentialEquation& equation, const Step& step, int count, double end,
                         VectorX& x) {
    const double h = (end - step.t_old) / count;
    before_ = step.x_old;
    here_ = step.x_old + h * step.rate_old;
    for (int i = 1; i < count; ++i) {
      equation(here_, rate_, step.t_old + i * h);
      before_ += 2.0 * h * rate_;
      before_.swap(here_);
    }
    equation(here_, rate_, end);
    x = 0.5 * (before_ + here_ + h * rate_);
  }

  /// Computes a row and extrapolates by Neville's scheme in h²; table_[0] has the best value and
  /// previous_ that with one column less.
  void add_row(DifferentialEquation& equation, const Step& step, int row, double end) {
    modified_midpoint(equation, step, substeps(row), end, table_[index(row)]);
    for (int column = row - 1; column >= 0; --column) {
      const double ratio = static_cast<double>(substeps(row)) / substeps(column);
      const VectorX& finer = table_[index(column + 1)];
      if (column == 0) previous_ = finer;
      table_[index(column)] = finer + (finer - table_[index(column)]) / (ratio * ratio - 1.0);
    }
  }

  /// Size at which a row would just meet the tolerance.
  double best_size(int row, double h) const {
    const double exponent = 1.0 / (2 * row + 1);
    const double least = std::pow(0.02, exponent);
    const double ratio = 0.65 / std::max(errors_[index(row)], 1e-300);
    return h * std::clamp(0.94 * std::pow(ratio, exponent), least / 4.0, 1.0 / least);
  }

  const ErrorNorm& norm_;
  std::array<VectorX, kRows> table_;
  VectorX previous_, before_, here_, rate_;
  std::array<double, kRows> errors_{};
  int row_ = 0;  // last one computed in the attempt
  int target_ = 4;
  bool first_ = true, rejected_ = false;
};

}  // namespace

std::unique_ptr<Stepper> make_bulirsch_stoer_stepper(const ErrorNorm& norm) {
  return std::make_unique<BulirschStoerStepper>(norm);
}

}  // namespace spacedyn
