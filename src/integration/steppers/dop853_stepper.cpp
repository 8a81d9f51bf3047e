#include <array>
#include <cmath>
#include <utility>

#include "integration/steppers/dop853_coefficients.hpp"
#include "integration/steppers/embedded_stepper.hpp"
#include "integration/steppers/error_norm.hpp"

namespace spacedyn {
namespace {

using Rates = std::array<VectorX, dop853::kStages>;

template <std::size_t N, std::size_t... I>
auto sum(const Rates& k, const dop853::Row<N>& row, std::index_sequence<I...> /*terms*/) {
  return (... + (row[I].weight * k[row[I].stage]));
}

/// Σ weight · rate as an expression that is evaluated in one sweep.
template <std::size_t N>
auto sum(const Rates& k, const dop853::Row<N>& row) {
  return sum(k, row, std::make_index_sequence<N>());
}

/// Dormand–Prince 8(5,3) of Hairer and Wanner with its own dense output of order 7, which takes
/// three more evaluations in steps with outputs inside.
class Dop853Stepper final : public EmbeddedStepper {
 public:
  explicit Dop853Stepper(const ErrorNorm& norm) : EmbeddedStepper(8), norm_(norm) {}

  void attempt(DifferentialEquation& equation, Step& step) override {
    resize(step.x_old.size());
    is_dense_ = false;
    take(equation, step);
    estimate_error(step);
    equation(step.x_new, step.rate_new, step.t_new);
    k_[dop853::kEnd] = step.rate_new;
  }

  void interpolate(DifferentialEquation& equation, const Step& step, double time,
                   VectorX& x) override {
    if (!is_dense_) make_dense(equation, step);
    const double h = step.t_new - step.t_old;
    const double s = (time - step.t_old) / h;
    const double rest = 1.0 - s;
    const double cubic = s * rest, quartic = s * cubic, quintic = rest * quartic;
    // the cubic Hermite polynomial and what vanishes at both ends with its derivative
    x = step.x_old + (s + cubic * (s - rest)) * (step.x_new - step.x_old) +
        h * (cubic * rest * step.rate_old - quartic * step.rate_new) +
        quintic * (dense_[0] + s * (dense_[1] + rest * (dense_[2] + s * dense_[3])));
  }

  double stability_limit() const override { return 5.4; }

  /// One for each evaluation.
  int watched_parts() const override { return 12; }

 private:
  /// The step without its end's rate.
  void take(DifferentialEquation& equation, Step& step) {
    k_[0] = step.rate_old;
    evaluate<1>(equation, step, dop853::kStage1);
    evaluate<2>(equation, step, dop853::kStage2);
    evaluate<3>(equation, step, dop853::kStage3);
    evaluate<4>(equation, step, dop853::kStage4);
    evaluate<5>(equation, step, dop853::kStage5);
    evaluate<6>(equation, step, dop853::kStage6);
    evaluate<7>(equation, step, dop853::kStage7);
    evaluate<8>(equation, step, dop853::kStage8);
    evaluate<9>(equation, step, dop853::kStage9);
    evaluate<10>(equation, step, dop853::kStage10);
    evaluate<11>(equation, step, dop853::kStage11);
    step.x_new = step.x_old + (step.t_new - step.t_old) * sum(k_, dop853::kStep);
  }

  template <std::size_t Stage, std::size_t N>
  void evaluate(DifferentialEquation& equation, const Step& step, const dop853::Row<N>& row) {
    const double h = step.t_new - step.t_old;
    stage_ = step.x_old + h * sum(k_, row);
    equation(stage_, k_[Stage], step.t_old + dop853::kNode[Stage] * h);
  }

  /// e₅² / √(e₅² + (e₃/10)²), proportional to h⁸, with norms of the estimates of order 5 and 3 in
  /// place of Hairer's root mean squares.
  void estimate_error(Step& step) {
    const double h = step.t_new - step.t_old;
    step.error = h * (sum(k_, dop853::kStep) - sum(k_, dop853::kThirdOrder));
    const double third = norm_(step.error, step.x_old, step.x_new).value;
    step.error = h * sum(k_, dop853::kFifthOrderError);
    const double fifth = norm_(step.error, step.x_old, step.x_new).value;
    if (fifth > 0.0) step.error *= fifth / std::hypot(fifth, 0.1 * third);
  }

  void make_dense(DifferentialEquation& equation, const Step& step) {
    if (is_stiff(step)) {
      make_dense_by_half(equation, step);
    } else {
      make_dense_by_stages(equation, step);
    }
    is_dense_ = true;
  }

  /// Whether the step is as long as stability lets it be: h |λ| of Hairer and Wanner, from two
  /// states at the end of the step and their rates.
  ///
  /// There the stages of the dense output magnify the fast motions that the step damps.
  bool is_stiff(const Step& step) {
    const double h = step.t_new - step.t_old;
    stage_ = h * (sum(k_, dop853::kStep) - sum(k_, dop853::kStage11));
    const double distance = norm_(stage_, step.x_old, step.x_new).value;
    stage_ = h * (k_[dop853::kEnd] - k_[11]);
    return norm_(stage_, step.x_old, step.x_new).value > kStiff * distance;
  }

  void make_dense_by_stages(DifferentialEquation& equation, const Step& step) {
    evaluate<13>(equation, step, dop853::kStage13);
    evaluate<14>(equation, step, dop853::kStage14);
    evaluate<15>(equation, step, dop853::kStage15);
    const double h = step.t_new - step.t_old;
    dense_[0] = h * sum(k_, dop853::kDense3);
    dense_[1] = h * sum(k_, dop853::kDense4);
    dense_[2] = h * sum(k_, dop853::kDense5);
    dense_[3] = h * sum(k_, dop853::kDense6);
  }

  /// Hermite's polynomial of degree 5 through the start, the end and a true step to the middle.
  void make_dense_by_half(DifferentialEquation& equation, const Step& step) {
    const double h = step.t_new - step.t_old;
    half_.t_old = step.t_old;
    half_.t_new = step.t_old + 0.5 * h;
    half_.x_old = step.x_old;
    half_.rate_old = step.rate_old;
    take(equation, half_);
    equation(half_.x_new, half_.rate_new, half_.t_new);
    // 16 times what the cubic polynomial lacks there, and its rate
    dense_[1] = 16.0 * (h * half_.rate_new + 0.25 * h * (step.rate_old + step.rate_new) -
                        1.5 * (step.x_new - step.x_old));
    dense_[0] = 16.0 * (half_.x_new - 0.5 * (step.x_old + step.x_new) -
                        0.125 * h * (step.rate_old - step.rate_new)) -
                0.5 * dense_[1];
    dense_[2].setZero();
    dense_[3].setZero();
  }

  void resize(Eigen::Index size) {
    for (VectorX& rate : k_) rate.resize(size);
    for (VectorX& coefficient : dense_) coefficient.resize(size);
    stage_.resize(size);
    if (half_.x_old.size() != size) half_ = Step(static_cast<int>(size));
  }

  static constexpr double kStiff = 3.0;

  const ErrorNorm& norm_;
  Rates k_;
  std::array<VectorX, 4> dense_;
  VectorX stage_;
  Step half_{0};
  bool is_dense_ = false;  // whether dense_ is of the last attempt
};

}  // namespace

std::unique_ptr<Stepper> make_dop853_stepper(const ErrorNorm& norm) {
  return std::make_unique<Dop853Stepper>(norm);
}

}  // namespace spacedyn
