#include "spacedyn/study/linear_covariance.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "loading/yaml/yaml_text.hpp"
#include "reporting/results/json.hpp"
#include "reporting/results/output_file.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "study/flight.hpp"
#include "study/sweep_implementation.hpp"
#include "study/sweep_keys.hpp"

namespace spacedyn {
namespace {

/// Size of a parameter about zero, in standard deviations.
constexpr double kDeviations = 10.0;

struct Moments {
  double mean, variance;
};

/// Of a normal distribution given that it is within two numbers.
Moments truncated_moments(double mean, double deviation, double from, double to) {
  const double a = (from - mean) / deviation, b = (to - mean) / deviation;
  const auto density = [](double z) {
    return std::isinf(z) ? 0.0 : std::exp(-0.5 * z * z) / std::sqrt(2.0 * kPi);
  };
  const auto moment = [&](double z) { return std::isinf(z) ? 0.0 : z * density(z); };
  const double whole = 0.5 * (std::erfc(-b / std::sqrt(2.0)) - std::erfc(-a / std::sqrt(2.0)));
  const double shift = (density(a) - density(b)) / whole;
  return {mean + deviation * shift,
          deviation * deviation * (1.0 + (moment(a) - moment(b)) / whole - shift * shift)};
}

Moments moments_of(const SweepParameter& parameter) {
  const std::vector<double>& n = parameter.numbers;
  switch (parameter.kind) {
    case SweepParameter::Kind::uniform:
      return {0.5 * (n[0] + n[1]), (n[1] - n[0]) * (n[1] - n[0]) / 12.0};
    case SweepParameter::Kind::normal:
      if (!parameter.truncated) return {n[0], n[1] * n[1]};
      return truncated_moments(n[0], n[1], parameter.truncated->first, parameter.truncated->second);
    case SweepParameter::Kind::log_normal: {
      const double mean = n[0] * std::exp(0.5 * n[1] * n[1]);
      return {mean, mean * mean * std::expm1(n[1] * n[1])};
    }
    case SweepParameter::Kind::triangular:
      return {(n[0] + n[1] + n[2]) / 3.0,
              (n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - n[0] * n[1] - n[0] * n[2] - n[1] * n[2]) /
                  18.0};
    case SweepParameter::Kind::values:
    case SweepParameter::Kind::choice:
      break;
  }
  if (n.size() == 1) return {n[0], 0.0};
  throw DomainError("linear covariance: the parameter '" + parameter.key + "' takes " +
                    std::to_string(n.size()) +
                    " single values; give it one, or a distribution with a density");
}

MatrixX covariance_of(const SweepSettings& settings, VectorX& means) {
  const auto count = static_cast<Eigen::Index>(settings.parameters.size());
  means.resize(count);
  MatrixX covariance = MatrixX::Zero(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const Moments own = moments_of(settings.parameters[static_cast<std::size_t>(j)]);
    means(j) = own.mean;
    covariance(j, j) = own.variance;
  }
  for (std::size_t i = 0; i < settings.correlated.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const auto a = static_cast<Eigen::Index>(settings.correlated[i]);
      const auto b = static_cast<Eigen::Index>(settings.correlated[k]);
      covariance(a, b) = covariance(b, a) =
          settings.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) *
          std::sqrt(covariance(a, a) * covariance(b, b));
    }
  }
  return covariance;
}

/// Keeps derivatives of states by time.
class StateKeeper final : public SensitivityObserver {
 public:
  explicit StateKeeper(ScenarioSensitivities& kept) : kept_(kept) {}
  void on_sensitivities(double time, const State& /*state*/, const MatrixX& by) override {
    kept_.times.push_back(time);
    kept_.by.push_back(by);
  }

 private:
  ScenarioSensitivities& kept_;
};

std::vector<std::string> state_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const FlightVariation& each : initial_variations(*scenario.setup.model, scenario.initial)) {
    names.push_back(each.name);
  }
  return names;
}

/// Columns of numbers that vary, and zero of others.
MatrixX spread(const MatrixX& by, const std::vector<VariedNumber>& numbers) {
  MatrixX all = MatrixX::Zero(by.rows(), static_cast<Eigen::Index>(numbers.size()));
  Eigen::Index next = 0;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    if (numbers[j].step > 0.0) all.col(static_cast<Eigen::Index>(j)) = by.col(next++);
  }
  return all;
}

/// Flies once. @param kept  out: of the states
FlightGradient fly(const FlightPlan& plan, const std::vector<VariedNumber>& numbers,
                   ScenarioSensitivities& kept) {
  const std::atomic<FlightStop> never{FlightStop::none};
  StateKeeper keeper(kept);
  std::optional<FlightGradient> gradient = fly_with_gradient(plan, numbers, never, &keeper);
  for (MatrixX& by : kept.by) by = spread(by, numbers);
  kept.states = state_names(plan.family.original());
  const auto names = static_cast<Eigen::Index>(kept.states.size());
  for (Eigen::Index i = names; !kept.by.empty() && i < kept.by.front().rows(); ++i) {
    kept.states.push_back(fmt::format("state.{}", i - names));
  }
  kept.evaluations = gradient->evaluations;
  return std::move(*gradient);
}

const std::vector<double>& no_times() {
  static const std::vector<double> kNone;
  return kNone;
}

}  // namespace

ScenarioSensitivities scenario_sensitivities(const std::string& path,
                                             const std::vector<std::string>& keys,
                                             const std::vector<Override>& overrides) {
  const Scenario scenario = load_scenario(path, overrides);
  const loading::ScenarioFamily family(scenario.sources);
  std::vector<VariedNumber> numbers;
  for (const std::string& key : keys) {
    std::vector<Diagnostic> problems;
    const auto quantity = family.quantity_at({key, "0"}, problems);
    const auto value = quantity
                           ? family.value_at(key, quantity->within(loading::Range::any).of_series())
                           : std::nullopt;
    if (!value)
      throw DomainError("expected a key with a number in the scenario, got '" + key + "'");
    numbers.push_back({key, *value, variation_step(*value, 0.0)});
  }
  const CollectPlan nothing(scenario);
  const FlightPlan plan{family, nothing, no_times(), std::numeric_limits<double>::infinity(),
                        overrides};
  ScenarioSensitivities kept;
  fly(plan, numbers, kept);
  return kept;
}

LinearCovariance linear_covariance(const Sweep& sweep) {
  const SweepSettings& settings = sweep.settings();
  LinearCovariance result;
  result.parameters = covariance_of(settings, result.means);
  std::vector<VariedNumber> numbers;
  for (std::size_t j = 0; j < settings.parameters.size(); ++j) {
    const auto own = static_cast<Eigen::Index>(j);
    const double mean = result.means(own);
    const double deviation = std::sqrt(result.parameters(own, own));
    const double step = deviation > 0.0 ? variation_step(mean, kDeviations * deviation) : 0.0;
    numbers.push_back({settings.parameters[j].key, mean, step});
  }
  const Sweep::Implementation& parts = sweep.implementation();
  const FlightGradient gradient =
      fly({*parts.family, parts.plan, no_times()}, numbers, result.states);
  result.collected = gradient.collected;
  result.by = gradient.by;
  result.missing = gradient.missing;
  result.covariance = gradient.by * result.parameters * gradient.by.transpose();
  const auto times = static_cast<Eigen::Index>(result.states.times.size());
  const auto states = static_cast<Eigen::Index>(result.states.states.size());
  result.state_deviations.resize(times, states);
  for (Eigen::Index i = 0; i < times; ++i) {
    const MatrixX& by = result.states.by[static_cast<std::size_t>(i)];
    const MatrixX all = by * result.parameters * by.transpose();
    result.state_deviations.row(i) = all.diagonal().cwiseMax(0.0).cwiseSqrt();
  }
  return result;
}

std::string linear_covariance_summary(const Sweep& sweep, const LinearCovariance& result,
                                      const std::vector<std::string>& files) {
  const SweepSettings& settings = sweep.settings();
  const auto number = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
  Json parameters = Json::object(), collected = Json::object(), covariance = Json::array();
  for (std::size_t j = 0; j < settings.parameters.size(); ++j) {
    const auto own = static_cast<Eigen::Index>(j);
    parameters[settings.parameters[j].key] = {
        {"mean", result.means(own)},
        {"standard_deviation", std::sqrt(result.parameters(own, own))}};
  }
  for (std::size_t i = 0; i < settings.collect.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    Json by = Json::object(), covariances = Json::array();
    for (std::size_t j = 0; j < settings.parameters.size(); ++j) {
      by[settings.parameters[j].key] = number(result.by(row, static_cast<Eigen::Index>(j)));
    }
    for (Eigen::Index k = 0; k < result.covariance.cols(); ++k) {
      covariances.push_back(number(result.covariance(row, k)));
    }
    collected[settings.collect[i].name] = {
        {"value", number(result.collected[i])},
        {"standard_deviation", number(std::sqrt(result.covariance(row, row)))},
        {"by", by}};
    if (!result.missing[i].empty()) {
      collected[settings.collect[i].name]["missing"] = result.missing[i];
    }
    covariance.push_back(std::move(covariances));
  }
  Json summary{{"sweep", settings.name},
               {"parameters", parameters},
               {"collected", collected},
               {"covariance", covariance},
               {"evaluations", result.states.evaluations}};
  if (!files.empty()) summary["files"] = files;
  return to_text(summary) + '\n';
}

std::vector<std::string> write_linear_covariance(const std::string& folder, const Sweep& sweep,
                                                 const LinearCovariance& result) {
  const std::string stem =
      (std::filesystem::path(folder) / file_stem(sweep.settings().name)).string() + "_linear";
  std::vector<std::string> files{stem + ".json", stem + ".csv"};
  std::string table = "time_s";
  for (const std::string& name : result.states.states) table += ',' + name;
  table += '\n';
  for (std::size_t i = 0; i < result.states.times.size(); ++i) {
    table += fmt::format("{:.17g}", result.states.times[i]);
    for (const double deviation : result.state_deviations.row(static_cast<Eigen::Index>(i))) {
      table += fmt::format(",{:.10g}", deviation);
    }
    table += '\n';
  }
  write_file_atomically(files[1], table);
  write_file_atomically(files[0], linear_covariance_summary(sweep, result, files));
  return files;
}

}  // namespace spacedyn
