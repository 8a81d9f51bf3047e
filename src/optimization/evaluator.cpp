#include "optimization/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "loading/yaml/numbers.hpp"
#include "optimization/least_squares.hpp"
#include "optimization/trials.hpp"
#include "spacedyn/error.hpp"
#include "study/thread_crew.hpp"

namespace spacedyn {
namespace {

constexpr std::chrono::milliseconds kPatience(50);

int positive_threads(int wanted) {
  if (wanted < 0) throw DomainError("the number of threads must not be negative");
  if (wanted > 0) return wanted;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

const std::vector<double>& no_times() {
  static const std::vector<double> kNone;
  return kNone;
}

}  // namespace

Trials::Trials(const FlightPlan& plan, std::vector<std::string> keys, int threads, Beat beat)
    : plan_(plan),
      keys_(std::move(keys)),
      threads_(positive_threads(threads)),
      beat_(std::move(beat)) {}

std::vector<Override> Trials::overrides_of(const VectorX& point) const {
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    overrides.emplace_back(keys_[i], loading::format_number(point(static_cast<Eigen::Index>(i))));
  }
  return overrides;
}

std::vector<SweepRow> Trials::fly(const std::vector<VectorX>& points) {
  const auto count = static_cast<long>(points.size());
  std::atomic<long> next{0};
  const auto fly = [&](long i, const std::atomic<FlightStop>& stop) {
    auto row = fly_variant(plan_, overrides_of(points[static_cast<std::size_t>(i)]), stop);
    if (row) row->row = i;
    return row;
  };
  ThreadCrew crew(fly, plan_.wall_time, static_cast<int>(std::min<long>(threads_, count)), [&] {
    const long i = next++;
    return i < count ? i : -1;
  });
  std::vector<SweepRow> flown(points.size()), taken;
  bool goes_on = true;
  while (crew.take(taken, kPatience)) {
    for (SweepRow& row : taken) flown[static_cast<std::size_t>(row.row)] = std::move(row);
    flights_ += static_cast<long>(taken.size());
    if (goes_on && !beat_()) {
      goes_on = false;
      crew.stop();
    }
  }
  if (!goes_on) throw SearchInterrupted{};
  return flown;
}

Evaluator::Evaluator(const Optimization::Implementation& optimization, const SearchOptions& options,
                     Trials::Beat beat)
    : optimization_(optimization),
      trials_({*optimization.family, optimization.plan, no_times()},
              keys_of(optimization.settings.variables), options.threads, std::move(beat)),
      part_(difference_part(optimization.family->original().setup.integrator)) {
  const auto& variables = optimization.settings.variables;
  origin_.resize(static_cast<Eigen::Index>(variables.size()));
  scale_.resize(origin_.size());
  for (Eigen::Index i = 0; i < origin_.size(); ++i) {
    const ScenarioVariable& own = variables[static_cast<std::size_t>(i)];
    const double range = own.upper - own.lower;
    const bool has_range = std::isfinite(range);
    origin_(i) = has_range ? own.lower : 0.0;
    scale_(i) = has_range ? range : own.start != 0.0 ? std::abs(own.start) : 1.0;
  }
  best_.objective = std::nan("");
  best_.violation = INFINITY;
}

VectorX Evaluator::start() const {
  VectorX z(count());
  for (Eigen::Index i = 0; i < count(); ++i) {
    z(i) = (optimization_.settings.variables[static_cast<std::size_t>(i)].start - origin_(i)) /
           scale_(i);
  }
  return z;
}

VectorX Evaluator::lower() const {
  VectorX z(count());
  for (Eigen::Index i = 0; i < count(); ++i) {
    z(i) = (optimization_.settings.variables[static_cast<std::size_t>(i)].lower - origin_(i)) /
           scale_(i);
  }
  return z;
}

VectorX Evaluator::upper() const {
  VectorX z(count());
  for (Eigen::Index i = 0; i < count(); ++i) {
    z(i) = (optimization_.settings.variables[static_cast<std::size_t>(i)].upper - origin_(i)) /
           scale_(i);
  }
  return z;
}

VectorX Evaluator::unscaled(const VectorX& z) const {
  VectorX x = origin_ + scale_.cwiseProduct(z);
  for (Eigen::Index i = 0; i < count(); ++i) {
    const ScenarioVariable& own = optimization_.settings.variables[static_cast<std::size_t>(i)];
    x(i) = std::clamp(x(i), own.lower, own.upper);  // rounding
  }
  return x;
}

OptimizationPoint Evaluator::point_of(const SweepRow& row, const VectorX& variables) {
  const OptimizationSettings& settings = optimization_.settings;
  const std::size_t goals = settings.goals.size(), limits = settings.constraints.size();
  OptimizationPoint point;
  point.variables = variables;
  point.constraints = VectorX::Constant(static_cast<Eigen::Index>(limits), std::nan(""));
  point.objective = std::nan("");
  point.violation = INFINITY;
  if (row.has_failed()) {
    why_ = row.message;
    return point;
  }
  double objective = 0.0, violation = 0.0;
  for (std::size_t i = 0; i < goals; ++i) {
    objective += settings.goals[i].weight * row.collected[i];
  }
  for (std::size_t i = 0; i < limits; ++i) {
    const double value = row.collected[goals + i];
    point.constraints(static_cast<Eigen::Index>(i)) = value;
    violation = std::max(violation, settings.constraints[i].violation(value));
  }
  if (!std::isfinite(objective) || !point.constraints.allFinite()) {
    why_ = "the flight lacks a number of the objective or of a constraint";
    return point;
  }
  point.objective = objective;
  point.violation = violation;
  return point;
}

bool Evaluator::is_better(const OptimizationPoint& one, const OptimizationPoint& other) const {
  if (!std::isfinite(one.objective)) return false;
  if (!std::isfinite(other.objective)) return true;
  const double allowed = optimization_.settings.tolerance;
  const double mine = one.violation <= allowed ? 0.0 : one.violation;
  const double theirs = other.violation <= allowed ? 0.0 : other.violation;
  return mine != theirs ? mine < theirs : one.objective < other.objective;
}

std::vector<OptimizationPoint> Evaluator::at(const std::vector<VectorX>& points) {
  std::vector<VectorX> variables;
  for (const VectorX& z : points) variables.push_back(unscaled(z));
  const std::vector<SweepRow> rows = trials_.fly(variables);
  std::vector<OptimizationPoint> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values.push_back(point_of(rows[i], variables[i]));
    history_.push_back(values.back());
    if (is_better(values.back(), best_)) best_ = values.back();
  }
  return values;
}

const OptimizationPoint& Evaluator::at(const VectorX& z) {
  if (latest_z_.size() == z.size() && latest_z_ == z) return latest_;
  latest_ = at(std::vector<VectorX>{z}).front();
  latest_z_ = z;
  return latest_;
}

const MatrixX& Evaluator::gradients(const VectorX& z) {
  if (gradient_z_.size() == z.size() && gradient_z_ == z) return gradients_;
  const VectorX low = lower(), high = upper();
  std::vector<VectorX> points;
  for (Eigen::Index i = 0; i < count(); ++i) {
    const double step = part_ * std::max(std::abs(z(i)), 1.0);
    VectorX below = z, above = z;
    below(i) = std::max(z(i) - step, low(i));
    above(i) = std::min(z(i) + step, high(i));
    points.push_back(unscaled(below));
    points.push_back(unscaled(above));
  }
  const std::vector<SweepRow> rows = trials_.fly(points);
  const auto limits = static_cast<Eigen::Index>(optimization_.settings.constraints.size());
  gradients_ = MatrixX::Zero(1 + limits, count());
  for (Eigen::Index i = 0; i < count(); ++i) {
    const auto first = static_cast<std::size_t>(2 * i);
    OptimizationPoint below = point_of(rows[first], points[first]);
    OptimizationPoint above = point_of(rows[first + 1], points[first + 1]);
    if (!std::isfinite(below.objective)) below = latest_;
    if (!std::isfinite(above.objective)) above = latest_;
    const double step = (above.variables(i) - below.variables(i)) / scale_(i);
    if (!(step > 0.0)) continue;
    gradients_(0, i) = (above.objective - below.objective) / step;
    gradients_.col(i).tail(limits) = (above.constraints - below.constraints) / step;
  }
  gradient_z_ = z;
  return gradients_;
}

}  // namespace spacedyn
