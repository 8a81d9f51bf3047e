#include "optimization/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <thread>

#include "loading/yaml/yaml_text.hpp"
#include "optimization/least_squares.hpp"
#include "optimization/trials.hpp"
#include "spacedyn/error.hpp"
#include "study/thread_crew.hpp"
#include "threads.hpp"

namespace spacedyn {
namespace {

constexpr std::chrono::milliseconds kPatience(50);
/// One after another, after which the flights of a search are taken to have no tangents.
constexpr int kMostRefusals = 3;

const std::vector<double>& no_times() {
  static const std::vector<double> kNone;
  return kNone;
}

}  // namespace

VectorX numbers_of(const std::vector<ScenarioVariable>& variables,
                   double ScenarioVariable::*number) {
  VectorX numbers(static_cast<Eigen::Index>(variables.size()));
  std::transform(variables.begin(), variables.end(), numbers.begin(),
                 [number](const ScenarioVariable& own) { return own.*number; });
  return numbers;
}

std::vector<Override> overrides_of(const std::vector<ScenarioVariable>& variables,
                                   const VectorX& values) {
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    overrides.emplace_back(variables[i].key,
                           loading::format_number(values(static_cast<Eigen::Index>(i))));
  }
  return overrides;
}

bool Derivatives::differentiate(const std::function<void()>& follow_tangents) {
  are_tangents_ = false;
  if (choice_ == SearchDerivatives::finite_differences) return false;
  if (refusals_ >= kMostRefusals) return false;
  try {
    follow_tangents();
    has_tangents_ = are_tangents_ = true;
    refusals_ = 0;
    return true;
  } catch (const NotDifferentiableError& error) {
    if (choice_ == SearchDerivatives::sensitivities) throw;
    why_ = error.what();
    ++refusals_;
  } catch (const NumericalError&) {
    // neighbours may fly
  }
  has_differences_ = true;
  return false;
}

void Derivatives::recall(bool are_tangents) {
  are_tangents_ = are_tangents;
  has_tangents_ = has_tangents_ || are_tangents;
  has_differences_ = has_differences_ || !are_tangents;
  refusals_ = are_tangents ? 0 : refusals_ + 1;
}

std::string Derivatives::text() const {
  std::string text;
  if (has_tangents_) text = "sensitivities of flights";
  if (has_tangents_ && has_differences_) text += " and ";
  if (!has_tangents_ || has_differences_) text += "central differences of flights";
  return why_.empty() ? text : text + ": " + why_;
}

void refuse_start(const std::string& why) {
  throw NumericalError("the scenario cannot be flown where the search begins: " + why, 0.0, 0, "");
}

Trials::Trials(const FlightPlan& plan, const std::vector<ScenarioVariable>& variables,
               const SearchOptions& options, Reached reached)
    : plan_(plan),
      variables_(variables),
      threads_(thread_count(options.threads)),
      observer_(options.observer),
      reached_(std::move(reached)) {}

SearchProgress Trials::progress() const {
  const auto [iterations, cost] = reached_();
  return {iterations, flights_, cost, std::chrono::duration<double>(Clock::now() - start_).count()};
}

std::vector<SweepRow> Trials::fly(const std::vector<VectorX>& points) {
  return fly_all(static_cast<long>(points.size()), [&](long i, FlightTimer& timer) {
    const VectorX& point = points[static_cast<std::size_t>(i)];
    return fly_variant(plan_, overrides_of(variables_, point), timer.order());
  });
}

FlightGradient Trials::differentiate(const VectorX& point) {
  std::vector<VariedNumber> numbers;
  for (std::size_t j = 0; j < variables_.size(); ++j) {
    const ScenarioVariable& own = variables_[j];
    const double value = point(static_cast<Eigen::Index>(j)), range = own.upper - own.lower;
    numbers.push_back(
        {own.key, value, variation_step(value, std::isfinite(range) ? range : own.start)});
  }
  FlightGradient gradient;
  std::exception_ptr failure;
  fly_all(1, [&](long, FlightTimer& timer) -> std::optional<SweepRow> {
    try {
      auto flown = fly_with_gradient(plan_, numbers, timer.order());
      if (!flown) return std::nullopt;
      gradient = std::move(*flown);
    } catch (...) {
      failure = std::current_exception();
    }
    return SweepRow();
  });
  if (failure) std::rethrow_exception(failure);
  return gradient;
}

std::vector<SweepRow> Trials::fly_all(long count, const FlyOne& fly_one) {
  std::atomic<long> next{0};
  const auto fly = [&](const std::vector<long>& trials, FlightTimer& timer) {
    const long i = trials.front();
    auto row = fly_one(i, timer);
    if (!row) return std::vector<SweepRow>();
    row->row = i;
    return std::vector<SweepRow>{std::move(*row)};
  };
  ThreadCrew crew(fly, plan_.wall_time, static_cast<int>(std::min<long>(threads_, count)), [&] {
    const long i = next++;
    return i < count ? std::vector<long>{i} : std::vector<long>();
  });
  std::vector<SweepRow> flown(static_cast<std::size_t>(count)), taken;
  bool goes_on = true;
  while (crew.take(taken, kPatience)) {
    for (SweepRow& row : taken) flown[static_cast<std::size_t>(row.row)] = std::move(row);
    flights_ += static_cast<long>(taken.size());
    if (goes_on && observer_ != nullptr && !observer_->on_progress(progress())) {
      goes_on = false;
      crew.stop();
    }
  }
  if (!goes_on) throw SearchInterrupted{};
  return flown;
}

Evaluator::Evaluator(const Optimization::Implementation& optimization, const SearchOptions& options,
                     const std::vector<OptimizationPoint>& known)
    : known_(known),
      optimization_(optimization),
      trials_({*optimization.family, optimization.plan, no_times()},
              optimization.settings.variables, options,
              [this] { return std::pair(static_cast<int>(history_.size()), best_.objective); }),
      derivatives_(optimization.settings.derivatives),
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

VectorX Evaluator::scaled(double ScenarioVariable::*number) const {
  return scaled(numbers_of(optimization_.settings.variables, number));
}

VectorX Evaluator::unscaled(const VectorX& z) const {
  const auto& variables = optimization_.settings.variables;
  const VectorX x = origin_ + scale_.cwiseProduct(z);
  return x.cwiseMax(numbers_of(variables, &ScenarioVariable::lower))
      .cwiseMin(numbers_of(variables, &ScenarioVariable::upper));  // rounding
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

bool is_better(const OptimizationPoint& one, const OptimizationPoint& other, double tolerance) {
  if (!std::isfinite(one.objective)) return false;
  if (!std::isfinite(other.objective)) return true;
  const double mine = one.violation <= tolerance ? 0.0 : one.violation;
  const double theirs = other.violation <= tolerance ? 0.0 : other.violation;
  return mine != theirs ? mine < theirs : one.objective < other.objective;
}

std::vector<OptimizationPoint> Evaluator::at(const std::vector<VectorX>& points) {
  std::vector<OptimizationPoint> values(points.size());
  std::vector<VectorX> flown;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const VectorX variables = unscaled(points[i]);
    if (const OptimizationPoint* known = recall(variables)) {
      values[i] = *known;
    } else {
      flown.push_back(variables);
      places.push_back(i);
    }
  }
  if (!flown.empty()) {
    const std::vector<SweepRow> rows = trials_.fly(flown);
    for (std::size_t k = 0; k < rows.size(); ++k) values[places[k]] = point_of(rows[k], flown[k]);
  }
  for (std::size_t i = 0; i < points.size(); ++i) keep(values[i], points[i]);
  return values;
}

const OptimizationPoint* Evaluator::recall(const VectorX& variables) const {
  const auto found =
      std::find_if(known_.begin(), known_.end(),
                   [&](const OptimizationPoint& point) { return point.variables == variables; });
  return found == known_.end() ? nullptr : &*found;
}

OptimizationPoint Evaluator::keep(OptimizationPoint point, const VectorX& z) {
  history_.push_back(point);
  if (is_better(point, best_)) {
    best_ = point;
    best_z_ = z;
  }
  return point;
}

const OptimizationPoint& Evaluator::at(const VectorX& z) {
  if (is_latest(z)) return latest_;
  latest_ = at(std::vector<VectorX>{z}).front();
  latest_z_ = z;
  return latest_;
}

const MatrixX& Evaluator::gradients(const VectorX& z) {
  if (gradient_z_.size() == z.size() && gradient_z_ == z) return gradients_;
  gradient_z_ = z;
  const OptimizationPoint* known = recall(unscaled(z));
  if (known != nullptr && known->gradients.size() > 0) {
    at(z);
    gradients_ = known->gradients;
    derivatives_.recall(known->has_tangents);
  } else if (!derivatives_.differentiate([&] { follow_tangents(z); })) {
    follow_differences(z);
  }
  history_.back().gradients = gradients_;
  history_.back().has_tangents = derivatives_.are_tangents();
  return gradients_;
}

void Evaluator::follow_tangents(const VectorX& z) {
  const OptimizationSettings& settings = optimization_.settings;
  const FlightGradient flown = trials_.differentiate(unscaled(z));
  if (!is_latest(z)) {
    SweepRow row;
    row.collected = flown.collected;
    latest_ = keep(point_of(row, unscaled(z)), z);
    latest_z_ = z;
  }
  for (const std::string& why : flown.missing) {
    if (!why.empty()) throw NotDifferentiableError(why);
  }
  const auto goals = static_cast<Eigen::Index>(settings.goals.size());
  const auto limits = static_cast<Eigen::Index>(settings.constraints.size());
  if (!flown.by.allFinite()) {
    throw NotDifferentiableError("a number of the objective or of a constraint is not there");
  }
  gradients_ = MatrixX::Zero(1 + limits, count());
  for (Eigen::Index i = 0; i < goals; ++i) {
    gradients_.row(0) += settings.goals[static_cast<std::size_t>(i)].weight * flown.by.row(i);
  }
  gradients_.bottomRows(limits) = flown.by.bottomRows(limits);
  gradients_ *= scale_.asDiagonal();
}

void Evaluator::follow_differences(const VectorX& z) {
  at(z);
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
}

}  // namespace spacedyn
