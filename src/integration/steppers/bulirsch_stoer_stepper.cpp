#include <algorithm>
#include <array>
#include <cmath>

#include "integration/steppers/error_norm.hpp"
#include "integration/steppers/stepper.hpp"

namespace spacedyn {
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
