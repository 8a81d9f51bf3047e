#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include <Eigen/Eigenvalues>

#include "optimization/evaluator.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

constexpr double kFirstStep = 0.2;  // in scaled variables
constexpr double kSmallestStep = 1e-9;
constexpr int kStillGenerations = 10;  // without a change of the objective

/// Normal numbers that are the same with every standard library [Box and Muller 1958].
class NormalNumbers {
 public:
  VectorX vector(Eigen::Index size) {
    VectorX numbers(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      const double radius = std::sqrt(-2.0 * std::log(uniform()));
      numbers(i) = radius * std::cos(2.0 * kPi * uniform());
    }
    return numbers;
  }

 private:
  /// In (0, 1].
  double uniform() { return (static_cast<double>(generator_() >> 11U) + 1.0) / 9007199254740992.0; }
  std::mt19937_64 generator_{1};
};

/// Mean, step and covariance of the points of the next generation.
class Evolution {
 public:
  explicit Evolution(VectorX mean)
      : mean_(std::move(mean)),
        size_(static_cast<double>(mean_.size())),
        covariance_(MatrixX::Identity(mean_.size(), mean_.size())),
        axes_(covariance_),
        lengths_(VectorX::Ones(mean_.size())),
        step_path_(VectorX::Zero(mean_.size())),
        shape_path_(step_path_) {
    const int population = count();
    for (int i = 0; i < population / 2; ++i) {
      weights_.push_back(std::log(0.5 * (population + 1.0)) - std::log(i + 1.0));
    }
    const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    double squares = 0.0;
    for (double& weight : weights_) {
      weight /= sum;
      squares += weight * weight;
    }
    parents_ = 1.0 / squares;
    step_rate_ = (parents_ + 2.0) / (size_ + parents_ + 5.0);
    step_damping_ =
        1.0 + step_rate_ + 2.0 * std::max(0.0, std::sqrt((parents_ - 1.0) / (size_ + 1.0)) - 1.0);
    shape_rate_ = (4.0 + parents_ / size_) / (size_ + 4.0 + 2.0 * parents_ / size_);
    rank_one_ = 2.0 / ((size_ + 1.3) * (size_ + 1.3) + parents_);
    rank_mu_ = std::min(1.0 - rank_one_, 2.0 * (parents_ - 2.0 + 1.0 / parents_) /
                                             ((size_ + 2.0) * (size_ + 2.0) + parents_));
  }

  int count() const { return 4 + static_cast<int>(3.0 * std::log(size_)) + 2; }
  double step() const { return step_ * lengths_.maxCoeff(); }
  VectorX draw(NormalNumbers& numbers) const {
    return mean_ + step_ * (axes_ * lengths_.cwiseProduct(numbers.vector(mean_.size())));
  }

  /// @param points  of a generation, the best first
  void update(const std::vector<VectorX>& points) {
    const VectorX before = mean_;
    mean_.setZero();
    for (std::size_t i = 0; i < weights_.size(); ++i) mean_ += weights_[i] * points[i];
    const VectorX moved = (mean_ - before) / step_;
    const VectorX white = axes_ * (axes_.transpose() * moved).cwiseQuotient(lengths_);
    step_path_ = (1.0 - step_rate_) * step_path_ +
                 std::sqrt(step_rate_ * (2.0 - step_rate_) * parents_) * white;
    const double expected =
        std::sqrt(size_) * (1.0 - 1.0 / (4.0 * size_) + 1.0 / (21.0 * size_ * size_));
    const double length = step_path_.norm();
    ++generation_;
    const double settled = 1.0 - std::pow(1.0 - step_rate_, 2.0 * generation_);
    const bool is_steady = length / std::sqrt(settled) < (1.4 + 2.0 / (size_ + 1.0)) * expected;
    shape_path_ *= 1.0 - shape_rate_;
    if (is_steady) {
      shape_path_ += std::sqrt(shape_rate_ * (2.0 - shape_rate_) * parents_) * moved;
    }
    const double lost = is_steady ? 0.0 : shape_rate_ * (2.0 - shape_rate_);
    covariance_ *= 1.0 - rank_one_ - rank_mu_ + rank_one_ * lost;
    covariance_ += rank_one_ * shape_path_ * shape_path_.transpose();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const VectorX away = (points[i] - before) / step_;
      covariance_ += rank_mu_ * weights_[i] * away * away.transpose();
    }
    step_ *= std::exp(step_rate_ / step_damping_ * (length / expected - 1.0));
    const Eigen::SelfAdjointEigenSolver<MatrixX> solver(covariance_);
    axes_ = solver.eigenvectors();
    lengths_ = solver.eigenvalues().cwiseMax(1e-300).cwiseSqrt();
  }

 private:
  VectorX mean_;
  double size_;
  double step_ = kFirstStep;
  MatrixX covariance_, axes_;
  VectorX lengths_;
  VectorX step_path_, shape_path_;
  std::vector<double> weights_;
  double parents_ = 1.0, step_rate_ = 0.0, step_damping_ = 0.0, shape_rate_ = 0.0;
  double rank_one_ = 0.0, rank_mu_ = 0.0;
  int generation_ = 0;
};

}  // namespace

SearchEnd minimize_with_cmaes(Evaluator& evaluator, const OptimizationSettings& settings) {
  const VectorX lower = evaluator.lower(), upper = evaluator.upper();
  Evolution evolution(evaluator.start());
  NormalNumbers numbers;
  int used = 0, still = 0;
  while (used < settings.max_evaluations) {
    std::vector<VectorX> points;
    for (int i = 0; i < evolution.count(); ++i) {
      points.push_back(evolution.draw(numbers).cwiseMax(lower).cwiseMin(upper));
    }
    const OptimizationPoint before = evaluator.best();
    const std::vector<OptimizationPoint> values = evaluator.at(points);
    used += evolution.count();
    std::vector<std::size_t> order(points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return evaluator.is_better(values[a], values[b]);
    });
    std::vector<VectorX> ordered;
    for (const std::size_t i : order) ordered.push_back(points[i]);
    evolution.update(ordered);
    const double change = std::abs(evaluator.best().objective - before.objective);
    const bool is_still = evaluator.best().violation <= settings.tolerance &&
                          change <= settings.tolerance * std::abs(before.objective);
    still = is_still ? still + 1 : 0;
    if (still >= kStillGenerations) {
      return {true, "the objective changes by less than the tolerance"};
    }
    if (evolution.step() < kSmallestStep) return {true, "the variables change no more"};
  }
  return {false, "max_evaluations are used up"};
}

}  // namespace spacedyn
