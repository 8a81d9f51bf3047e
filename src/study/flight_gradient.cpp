// Flights with derivatives of what is kept of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>

#include <fmt/format.h>

#include "loading/yaml/yaml_text.hpp"
#include "study/single_flight.hpp"

namespace spacedyn {
namespace {

constexpr double kVariation = 1e-5, kPartOfScale = 0.1;
/// What a path of the summary may begin with: what follows from states and instants alone.
constexpr std::array<const char*, 3> kStates{"final_state", "time", "events"};

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw NotDifferentiableError(fmt::format("{} {}", what, why));
}

/// Why a number has no derivative that is kept; empty if it has.
std::string why_missing(const SweepCollect& collect, std::optional<Channel> source) {
  if (collect.channel.empty()) {
    const std::string first = collect.summary.substr(0, collect.summary.find('.'));
    if (std::count(kStates.begin(), kStates.end(), first) > 0) return {};
    return "the number '" + collect.summary +
           "' of the summary is not known as a function of states, whose derivatives there are";
  }
  const bool is_integral = collect.channel == "energy/work" || collect.channel == "work_J" ||
                           collect.channel == "energy/dissipated" ||
                           collect.channel == "dissipated_J";
  if (source != Channel::element_energy && !is_integral) return {};
  return "the channel '" + collect.channel +
         "' is an integral over the flight, of which there are no derivatives";
}

/// A side of a number, or the flight itself.
struct Varied {
  Scenario scenario;
  std::unique_ptr<SingleFlight> flight;
};

}  // namespace

double variation_step(double value, double scale) {
  const double size = std::max(std::abs(value), kPartOfScale * std::abs(scale));
  return std::exp2(std::round(std::log2(kVariation * (size > 0.0 ? size : 1.0))));
}

std::optional<FlightGradient> fly_with_gradient(const FlightPlan& plan,
                                                const std::vector<VariedNumber>& numbers,
                                                const std::atomic<FlightStop>& stop,
                                                SensitivityObserver* tangents) {
  std::deque<Varied> flights;  // stay where they are
  const auto add = [&](std::size_t varied, double change) -> Varied& {
    std::vector<Override> overrides = plan.fixed;
    for (std::size_t j = 0; j < numbers.size(); ++j) {
      const double value = numbers[j].value + (j == varied ? change : 0.0);
      overrides.emplace_back(numbers[j].key, loading::format_number(value));
    }
    flights.push_back({plan.family.variant(overrides), nullptr});
    flights.back().flight = std::make_unique<SingleFlight>(plan, flights.back().scenario, stop);
    return flights.back();
  };
  Varied& middle = add(numbers.size(), 0.0);
  std::vector<FlightVariation> variations;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    if (numbers[j].step == 0.0) continue;
    FlightVariation& variation = variations.emplace_back();
    variation.name = '\'' + numbers[j].key + '\'';
    variation.step = numbers[j].step;
    for (const double sign : {1.0, -1.0}) {
      try {
        Varied& side = add(j, sign * variation.step);
        if (side.scenario.duration != middle.scenario.duration ||
            side.scenario.output_interval != middle.scenario.output_interval) {
          refuse(variation.name, "decides how long the flight is, or when it is shown");
        }
        (sign > 0.0 ? variation.above : variation.below) = {
            std::make_shared<const SimulationSetup>(side.scenario.setup), side.scenario.initial,
            &side.flight->observer()};
      } catch (const NotDifferentiableError&) {
        throw;
      } catch (const Error& error) {
        refuse(variation.name, std::string("cannot be varied to both sides: ") + error.what());
      }
    }
  }
  const Scenario& scenario = middle.scenario;
  const FlightOutputs outputs{scenario.duration, scenario.output_interval, plan.times};
  SensitivityResult flown = fly_with_sensitivities(scenario.setup, scenario.initial, outputs,
                                                   variations, middle.flight->observer(), tangents);
  if (flown.flight.interrupted) return std::nullopt;
  const auto collected = [](Varied& own, SimulationResult& result) {
    SweepRow row;
    own.flight->end(std::move(result), row);
    return row.collected;
  };
  FlightGradient gradient;
  gradient.evaluations = flown.evaluations;
  gradient.collected = collected(middle, flown.flight);
  gradient.by = MatrixX::Zero(static_cast<Eigen::Index>(gradient.collected.size()),
                              static_cast<Eigen::Index>(numbers.size()));
  std::size_t varied = 0;
  for (std::size_t j = 0; j < numbers.size(); ++j) {
    if (numbers[j].step == 0.0) continue;
    const std::vector<double> above = collected(flights[1 + 2 * varied], flown.above[varied]);
    const std::vector<double> below = collected(flights[2 + 2 * varied], flown.below[varied]);
    for (std::size_t i = 0; i < above.size(); ++i) {
      gradient.by(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          (above[i] - below[i]) / (2.0 * numbers[j].step);
    }
    ++varied;
  }
  if (!plan.times.empty()) return gradient;
  for (std::size_t i = 0; i < gradient.collected.size(); ++i) {
    gradient.missing.push_back(why_missing(plan.collect.collects()[i], plan.collect.sources()[i]));
    if (!gradient.missing.back().empty()) {
      gradient.by.row(static_cast<Eigen::Index>(i)).setConstant(std::nan(""));
    }
  }
  return gradient;
}

}  // namespace spacedyn
