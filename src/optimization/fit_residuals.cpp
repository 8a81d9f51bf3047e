#include "optimization/fit_residuals.hpp"

#include <algorithm>
#include <cmath>

#include "optimization/least_squares.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
FitResiduals::FitResiduals(const Fit::Implementation& fit, const SearchOptions& options,
                           Trials::Reached reached)
    : fit_(fit),
      trials_({*fit.family, fit.plan, fit.times}, fit.settings.parameters, options,
              std::move(reached)),
      noise_(integration_noise(fit.family->original().setup.integrator)),
      part_(difference_part(fit.family->original().setup.integrator)) {
  for (const FitColumn& column : fit.settings.columns) {
    double largest = 0.0;
    for (const double value : column.values) largest = std::max(largest, std::abs(value));
    largest_.push_back(largest / column.sigma);
  }
}

VectorX FitResiduals::residuals_of(const SweepRow& row, const VectorX& point) {
  if (row.has_failed()) {
    why_ = row.message;
    return {};
  }
  std::vector<double> residuals;
  const auto& columns = fit_.settings.columns;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t i = 0; i < columns[k].values.size(); ++i) {
      const double sample = row.collected[fit_.places[k][i] * columns.size() + k];
      double difference = sample - columns[k].values[i];
      if (fit_.is_angle[k]) difference = std::remainder(difference, 2.0 * kPi);
      if (!std::isfinite(difference)) {
        why_ = "the flight ends before the data";
        return {};
      }
      residuals.push_back(difference / columns[k].sigma);
    }
  }
  for (std::size_t j = 0; j < fit_.settings.priors.size(); ++j) {
    const auto& prior = fit_.settings.priors[j];
    if (!prior) continue;
    residuals.push_back((point(static_cast<Eigen::Index>(j)) - prior->mean) /
                        prior->standard_deviation);
  }
  return Eigen::Map<const VectorX>(residuals.data(), static_cast<Eigen::Index>(residuals.size()));
}

VectorX FitResiduals::at(const VectorX& point) {
  return residuals_of(trials_.fly({point}).front(), point);
}

double FitResiduals::step_of(Eigen::Index parameter, double value) const {
  const auto j = static_cast<std::size_t>(parameter);
  const ScenarioVariable& own = fit_.settings.parameters[j];
  double scale = std::max(std::abs(value), 1e-3 * std::abs(own.start));
  const double range = own.upper - own.lower;
  if (scale == 0.0 && std::isfinite(range)) scale = 0.01 * range;
  if (scale == 0.0 && fit_.settings.priors[j]) scale = fit_.settings.priors[j]->standard_deviation;
  if (scale == 0.0) scale = 1.0;
  return scale * part_;
}

double FitResiduals::influence_of(const VectorX& low, const VectorX& high) const {
  double largest = 0.0;
  Eigen::Index i = 0;
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    for (std::size_t n = 0; n < fit_.settings.columns[k].values.size(); ++n, ++i) {
      const double change = std::abs(high(i) - low(i));
      if (change > 0.0) largest = std::max(largest, change / std::max(largest_[k], 1e-300));
    }
  }
  return largest;
}

FitResiduals::Differences FitResiduals::differences(const VectorX& point, const VectorX& residuals,
                                                    double part) {
  const Eigen::Index count = point.size();
  std::vector<VectorX> points;
  for (Eigen::Index j = 0; j < count; ++j) {
    const ScenarioVariable& own = fit_.settings.parameters[static_cast<std::size_t>(j)];
    const double step = part * step_of(j, point(j));
    VectorX low = point, high = point;
    low(j) = std::max(point(j) - step, own.lower);
    high(j) = std::min(point(j) + step, own.upper);
    points.push_back(std::move(low));
    points.push_back(std::move(high));
  }
  const std::vector<SweepRow> rows = trials_.fly(points);
  Differences result{MatrixX(residuals.size(), count), VectorX(count)};
  for (Eigen::Index j = 0; j < count; ++j) {
    const auto at = static_cast<std::size_t>(2 * j);
    VectorX low = residuals_of(rows[at], points[at]);
    VectorX high = residuals_of(rows[at + 1], points[at + 1]);
    double below = points[at](j), above = points[at + 1](j);
    if (low.size() == 0 && high.size() == 0) {
      throw NumericalError("the scenario cannot be flown on either side of " +
                               fit_.settings.parameters[at / 2].key + ": " + why_,
                           0.0, 0, fit_.settings.parameters[at / 2].key);
    }
    if (low.size() == 0) {
      low = residuals;
      below = point(j);
    } else if (high.size() == 0) {
      high = residuals;
      above = point(j);
    }
    result.jacobian.col(j) = (high - low) / (above - below);
    result.influence(j) = std::max(
        {influence_of(low, high), influence_of(low, residuals), influence_of(residuals, high)});
  }
  return result;
}

FitResiduals::Differences FitResiduals::tangents(const VectorX& point, const VectorX& residuals) {
  const FlightGradient flown = trials_.differentiate(point);
  const auto& columns = fit_.settings.columns;
  Differences result{MatrixX::Zero(residuals.size(), point.size()), VectorX::Zero(point.size())};
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (std::size_t i = 0; i < columns[k].values.size(); ++i, ++row) {
      const std::size_t sample = fit_.places[k][i] * columns.size() + k;
      result.jacobian.row(row) = flown.by.row(static_cast<Eigen::Index>(sample)) / columns[k].sigma;
      for (Eigen::Index j = 0; j < point.size(); ++j) {
        const double change = std::abs(result.jacobian(row, j)) * step_of(j, point(j));
        result.influence(j) = std::max(result.influence(j), change / std::max(largest_[k], 1e-300));
      }
    }
  }
  for (std::size_t j = 0; j < fit_.settings.priors.size(); ++j) {
    if (!fit_.settings.priors[j]) continue;
    result.jacobian(row++, static_cast<Eigen::Index>(j)) =
        1.0 / fit_.settings.priors[j]->standard_deviation;
  }
  if (!result.jacobian.allFinite()) {
    throw NotDifferentiableError("a sample of the data has no derivative");
  }
  return result;
}

std::vector<VectorX> FitResiduals::model_of(const VectorX& residuals) const {
  std::vector<VectorX> model;
  Eigen::Index i = 0;
  for (const FitColumn& column : fit_.settings.columns) {
    VectorX& own = model.emplace_back(static_cast<Eigen::Index>(column.values.size()));
    for (std::size_t n = 0; n < column.values.size(); ++n) {
      own(static_cast<Eigen::Index>(n)) = column.values[n] + residuals(i++) * column.sigma;
    }
  }
  return model;
}

}  // namespace spacedyn
