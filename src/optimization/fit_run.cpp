#include <algorithm>
#include <cmath>

#include "optimization/fit_residuals.hpp"
#include "optimization/least_squares.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/singular_values.hpp"

namespace spacedyn {
namespace {

/// Changes of samples that may be errors of the integration, in parts of its noise.
constexpr double kNoInfluence = 10.0;
/// Bounds of the relative error of J, as a tolerance of its rank.
constexpr double kLeastRankTolerance = 1e-6, kMostRankTolerance = 1e-2;
/// Part of a unit vector in the kernel of J from which on a parameter is not determined.
constexpr double kInKernel = 1e-3;

/// Times at most of which the covariance up to then is kept.
constexpr std::size_t kInstants = 100;

/// The covariance that information JᵀJ gives, and directions of which it has none.
struct Determined {
  MatrixX covariance, kernel;
};

/// @param tolerance  relative error of J
Determined determined_by(const MatrixX& information, double tolerance) {
  const Eigen::Index count = information.cols();
  VectorX norm = information.diagonal().cwiseSqrt();
  norm = (norm.array() > 0.0).select(norm, 1.0);
  const VectorX scale = norm.cwiseInverse();
  SingularValues decomposition(static_cast<int>(count), static_cast<int>(count));
  decomposition.matrix() = scale.asDiagonal() * information * scale.asDiagonal();
  decomposition.decompose_relative(tolerance * tolerance);
  MatrixX inverse(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    VectorX column(count);
    decomposition.solve(VectorX::Unit(count, j), 0.0, column);
    inverse.col(j) = column;
  }
  const MatrixX covariance = scale.asDiagonal() * inverse * scale.asDiagonal();
  return {0.5 * (covariance + covariance.transpose()), decomposition.kernel_basis()};
}

/// t with ½ t² = ½ ρ(r), and dt/dr.
struct Transformed {
  double value, slope;
};

Transformed transform(const FitLoss& loss, double r) {
  const double w = loss.width, size = std::abs(r);
  if (loss.kind == FitLoss::Kind::huber && size > w) {
    const double root = std::sqrt(2.0 * w * size - w * w);
    return {std::copysign(root, r), w / root};
  }
  if (loss.kind == FitLoss::Kind::cauchy && size > 0.0) {
    const double root = w * std::sqrt(std::log1p(r * r / (w * w)));
    return {std::copysign(root, r), size / (root * (1.0 + r * r / (w * w)))};
  }
  return {r, 1.0};
}

/// A fit while it runs.
class FitRun {
 public:
  FitRun(const Fit& fit, const SearchOptions& options)
      : fit_(fit.implementation()),
        derivatives_(fit_.settings.derivatives),
        residuals_(fit_, options, [this] { return std::pair(state_.iterations, state_.cost); }) {
    state_.cost = std::nan("");
    for (const FitColumn& column : fit_.settings.columns) {
      samples_ += static_cast<Eigen::Index>(column.values.size());
    }
  }

  FitResult run() {
    const auto count = static_cast<Eigen::Index>(fit_.settings.parameters.size());
    state_.x = numbers_of(fit_.settings.parameters, &ScenarioVariable::start);
    try {
      raw_ = residuals_.at(state_.x);
      if (raw_.size() == 0) refuse_start(residuals_.why());
      state_.residuals = transformed(raw_);
      minimize_squares({[this](const VectorX& x) { return trial(x); },
                        [this](const VectorX& x, const VectorX& r) { return jacobian(x, r); }},
                       numbers_of(fit_.settings.parameters, &ScenarioVariable::lower),
                       numbers_of(fit_.settings.parameters, &ScenarioVariable::upper), state_);
      finish();
      judge();
    } catch (const SearchInterrupted&) {
      result_.interrupted = true;
      if (raw_.size() == 0) raw_ = VectorX::Constant(samples_, std::nan(""));
      finish();
      result_.message = kInterrupted;
      result_.standard_deviations = VectorX::Constant(count, std::nan(""));
      result_.covariance = result_.correlation = MatrixX::Constant(count, count, std::nan(""));
    }
    result_.progress = residuals_.progress();
    result_.derivatives = derivatives_.text();
    return std::move(result_);
  }

 private:
  /// Residuals of data as the loss has them; those of priors stay.
  VectorX transformed(const VectorX& raw) const {
    VectorX result = raw;
    for (Eigen::Index i = 0; i < samples_; ++i) {
      result(i) = transform(fit_.settings.loss, raw(i)).value;
    }
    return result;
  }

  VectorX trial(const VectorX& x) {
    trial_ = residuals_.at(x);
    return trial_.size() == 0 ? trial_ : transformed(trial_);
  }

  MatrixX jacobian(const VectorX& x, const VectorX& residuals) {
    follow(residuals);
    FitResiduals::Differences differences;
    if (!derivatives_.differentiate([&] { differences = residuals_.tangents(x, raw_); })) {
      differences = residuals_.differences(x, raw_, 1.0);
    }
    if (state_.iterations == 0) require_influence(differences.influence);
    for (Eigen::Index i = 0; i < samples_; ++i) {
      differences.jacobian.row(i) *= transform(fit_.settings.loss, raw_(i)).slope;
    }
    return std::move(differences.jacobian);
  }

  /// Keeps the residuals of the latest trial if it is the best point.
  void follow(const VectorX& residuals) {
    if (trial_.size() > 0 && transformed(trial_) == residuals) raw_ = trial_;
  }

  void require_influence(const VectorX& influence) const {
    std::vector<Diagnostic> none;
    for (Eigen::Index j = 0; j < influence.size(); ++j) {
      if (influence(j) > kNoInfluence * residuals_.noise()) continue;
      none.push_back(fit_.no_influences[static_cast<std::size_t>(j)]);
    }
    if (!none.empty()) throw ParseError(none);
  }

  void finish() {
    follow(state_.residuals);
    result_.values = state_.x;
    result_.cost = state_.cost;
    result_.converged = state_.converged;
    result_.message = state_.message;
    result_.model = residuals_.model_of(raw_);
  }

  /// J at the solution; differences are extrapolated from two steps. @returns its relative error
  double differentiate(MatrixX& jacobian) {
    if (derivatives_.differentiate(
            [&] { jacobian = residuals_.tangents(state_.x, raw_).jacobian; })) {
      return 0.0;
    }
    const MatrixX whole = residuals_.differences(state_.x, raw_, 1.0).jacobian;
    const MatrixX half = residuals_.differences(state_.x, raw_, 0.5).jacobian;
    jacobian = (4.0 * half - whole) / 3.0;
    VectorX norm = jacobian.colwise().norm();
    norm = (norm.array() > 0.0).select(norm, 1.0);
    return ((half - whole).colwise().norm().transpose().array() / norm.array()).maxCoeff() / 3.0;
  }

  /// What the data determine.
  void judge() {
    MatrixX jacobian;
    const double error = differentiate(jacobian);
    const Eigen::Index count = jacobian.cols();
    const double tolerance = std::clamp(error, kLeastRankTolerance, kMostRankTolerance);
    const auto [covariance, kernel] = determined_by(jacobian.transpose() * jacobian, tolerance);
    result_.covariance = covariance;
    result_.standard_deviations = covariance.diagonal().cwiseMax(0.0).cwiseSqrt();
    for (Eigen::Index j = 0; j < count; ++j) {
      if (kernel.cols() == 0 || kernel.row(j).norm() <= kInKernel) continue;
      result_.undetermined.push_back(static_cast<std::size_t>(j));
      result_.standard_deviations(j) = INFINITY;
    }
    const VectorX& deviations = result_.standard_deviations;
    result_.correlation =
        result_.covariance.array() / (deviations * deviations.transpose()).array();
    for (const std::size_t j : result_.undetermined) {
      const auto own = static_cast<Eigen::Index>(j);
      result_.correlation.row(own).setConstant(std::nan(""));
      result_.correlation.col(own).setConstant(std::nan(""));
    }
    result_.correlation.diagonal().setOnes();
    follow_covariance(jacobian, tolerance);
  }

  void follow_covariance(const MatrixX& jacobian, double tolerance) {
    std::vector<std::pair<std::size_t, Eigen::Index>> samples;  // place of the time, row of J
    for (const std::vector<std::size_t>& column : fit_.places) {
      for (const std::size_t place : column) {
        samples.emplace_back(place, static_cast<Eigen::Index>(samples.size()));
      }
    }
    std::sort(samples.begin(), samples.end());
    const MatrixX priors = jacobian.bottomRows(jacobian.rows() - samples_);
    MatrixX information = priors.transpose() * priors;
    const std::size_t count = fit_.times.size(), stride = (count + kInstants - 1) / kInstants;
    auto next = samples.begin();
    for (std::size_t place = 0; place < count; ++place) {
      for (; next != samples.end() && next->first == place; ++next) {
        information += jacobian.row(next->second).transpose() * jacobian.row(next->second);
      }
      if ((count - 1 - place) % stride != 0) continue;
      Determined now = determined_by(information, tolerance);
      if (now.kernel.cols() > 0) continue;
      result_.covariance_over_time.push_back({fit_.times[place], std::move(now.covariance)});
    }
  }

  const Fit::Implementation& fit_;
  Eigen::Index samples_ = 0;
  Derivatives derivatives_;
  FitResiduals residuals_;
  LeastSquaresState state_;
  VectorX raw_, trial_;  ///< residuals without loss of the best point and of the latest one
  FitResult result_;
};

}  // namespace

SearchObserver::~SearchObserver() = default;

FitResult run_fit(const Fit& fit, const SearchOptions& options) {
  return FitRun(fit, options).run();
}

}  // namespace spacedyn
