#include "optimization/least_squares.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Cholesky>

namespace spacedyn {
namespace {

constexpr int kMostIterations = 100;
/// Decrease that the undamped step promises, in parts of the cost, at which nothing is left to
/// gain: a shift of the solution by some 1e-5 √N standard deviations with N data.
constexpr double kSmallDecrease = 1e-10;
/// The same where derivatives are too inexact to find a better point.
constexpr double kRoughDecrease = 1e-5;
/// Cosine of the angle between the residuals and the columns of J.
constexpr double kSmallCosine = 1e-10;
/// Step in parts of the variables, and the same where derivatives are too inexact.
constexpr double kSmallStep = 1e-10, kRoughStep = 1e-6;
constexpr double kLeastGain = 1e-4, kMostDamping = 1e12, kLeastDamping = 1e-12;
/// Of the step that tells how far the minimum is: directions in which J has parts below its root
/// do not count.
constexpr double kUndamped = 1e-8;

/// Variables that a step may change, and the model of the cost around a point.
class QuadraticModel {
 public:
  QuadraticModel(const MatrixX& jacobian, const VectorX& residuals, const VectorX& x,
                 const VectorX& lower, const VectorX& upper)
      : x_(x), lower_(lower), upper_(upper) {
    hessian_ = jacobian.transpose() * jacobian;
    gradient_ = jacobian.transpose() * residuals;
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      const bool is_held =
          (x(i) <= lower(i) && gradient_(i) > 0.0) || (x(i) >= upper(i) && gradient_(i) < 0.0);
      if (!is_held) free_.push_back(i);
    }
  }

  /// Step with a damping, zero in variables that are held.
  VectorX step(double damping, const VectorX& scale) const {
    const auto n = static_cast<Eigen::Index>(free_.size());
    MatrixX matrix(n, n);
    VectorX right(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index own = free_[static_cast<std::size_t>(i)];
      right(i) = -gradient_(own) / scale(own);
      for (Eigen::Index j = 0; j < n; ++j) {
        const Eigen::Index other = free_[static_cast<std::size_t>(j)];
        matrix(i, j) = hessian_(own, other) / (scale(own) * scale(other));
      }
      matrix(i, i) += damping;
    }
    const VectorX scaled = matrix.ldlt().solve(right);
    VectorX step = VectorX::Zero(x_.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const Eigen::Index own = free_[static_cast<std::size_t>(i)];
      step(own) = scaled(i) / scale(own);
    }
    return step;
  }

  /// Where a step leads, cut off at the bounds.
  VectorX end_of(const VectorX& step) const {
    return (x_ + step).cwiseMax(lower_).cwiseMin(upper_);
  }

  double decrease(const VectorX& step) const {
    return -gradient_.dot(step) - 0.5 * step.dot(hessian_ * step);
  }

  /// Largest cosine between the residuals and a column of a variable that is free.
  double cosine(double residual_norm) const {
    double largest = 0.0;
    for (const Eigen::Index i : free_) {
      const double norm = std::sqrt(hessian_(i, i)) * residual_norm;
      if (norm > 0.0) largest = std::max(largest, std::abs(gradient_(i)) / norm);
    }
    return largest;
  }

 private:
  const VectorX &x_, &lower_, &upper_;
  MatrixX hessian_;  ///< JᵀJ
  VectorX gradient_;
  std::vector<Eigen::Index> free_;
};

bool is_small(const VectorX& step, const VectorX& x, double part) {
  return (step.array().abs() <= part * x.array().abs()).all();
}

/// Damping by the gain of the latest step.
class Damping {
 public:
  double value() const { return value_; }
  void succeed(double gain) {
    value_ =
        std::max(kLeastDamping, value_ * std::max(1.0 / 3.0, 1.0 - std::pow(2.0 * gain - 1.0, 3)));
    growth_ = 2.0;
  }
  void fail() {
    value_ *= growth_;
    growth_ *= 2.0;
  }

 private:
  double value_ = 1e-3, growth_ = 2.0;
};

void finish(LeastSquaresState& state, bool converged, const char* message) {
  state.converged = converged;
  state.message = message;
}

/// Of methods whose step is fixed: rounding alone makes neighbouring flights differ.
constexpr double kRoundingNoise = 1e-13;
constexpr double kLeastPart = 1e-5, kMostPart = 1e-2;

}  // namespace

void minimize_squares(const LeastSquaresFunctions& functions, const VectorX& lower,
                      const VectorX& upper, LeastSquaresState& state) {
  state.cost = 0.5 * state.residuals.squaredNorm();
  VectorX scale = VectorX::Zero(state.x.size());
  Damping damping;
  for (; state.iterations < kMostIterations; ++state.iterations) {
    const MatrixX jacobian = functions.jacobian(state.x, state.residuals);
    scale = scale.cwiseMax(jacobian.colwise().norm().transpose());
    const VectorX divisor = (scale.array() > 0.0).select(scale, 1.0);
    const QuadraticModel model(jacobian, state.residuals, state.x, lower, upper);
    const VectorX whole = model.step(kUndamped, divisor);
    const double promised = model.decrease(whole);
    if (model.cosine(state.residuals.norm()) <= kSmallCosine ||
        promised <= kSmallDecrease * state.cost || is_small(whole, state.x, kSmallStep)) {
      return finish(state, true, "the cost has a minimum here");
    }
    while (true) {
      const VectorX trial = model.end_of(model.step(damping.value(), divisor));
      const VectorX step = trial - state.x;
      const double predicted = model.decrease(step);
      const VectorX residuals = functions.residuals(trial);
      const double cost = residuals.size() == 0 ? std::nan("") : 0.5 * residuals.squaredNorm();
      const double gain = (state.cost - cost) / predicted;
      if (gain > kLeastGain) {
        damping.succeed(gain);
        state.x = trial;
        state.residuals = residuals;
        state.cost = cost;
        break;
      }
      damping.fail();
      if (damping.value() > kMostDamping || is_small(step, state.x, kSmallStep)) {
        const bool is_near =
            promised <= kRoughDecrease * state.cost || is_small(whole, state.x, kRoughStep);
        return finish(state, is_near,
                      is_near ? "the cost has a minimum here, to within the differences"
                              : "no step decreases the cost: its derivatives are too inexact here");
      }
    }
  }
  finish(state, false, "the iterations are used up");
}

double integration_noise(const IntegratorOptions& options) {
  return is_adaptive(options) ? std::max(options.relative_tolerance, kRoundingNoise)
                              : kRoundingNoise;
}

double difference_part(const IntegratorOptions& options) {
  return std::clamp(std::cbrt(integration_noise(options)) / 3.0, kLeastPart, kMostPart);
}

}  // namespace spacedyn
