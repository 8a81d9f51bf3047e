#include "study/flight.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <deque>
#include <filesystem>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "loading/yaml/yaml_text.hpp"
#include "study/single_flight.hpp"
#include "study/sweep_implementation.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;

/// Calls what flies, and notes in the row why it fails. @throws IoError as fly_row()
template <typename Fly>
void attempt(SweepRow& row, const Fly& fly) {
  row.status = 0;
  row.message.clear();
  const auto fail = [&](int status, const std::string& message) {
    row.status = status;
    row.message = message;
  };
  try {
    fly();
  } catch (const NumericalError& error) {
    fail(row_status::kFailed, error.what());
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    fail(row_status::kRefused, error.what());
  } catch (const std::bad_alloc&) {
    fail(row_status::kNoMemory, "there is not enough memory");
  } catch (const std::exception& error) {
    fail(row_status::kInternalError, error.what());
  }
}

/// Flies a row once. @throws IoError as fly_row()
void fly_once(const Sweep& sweep, SweepRow& row, const std::string& directory,
              const std::atomic<FlightStop>& stop) {
  const std::vector<double> outputs;
  const FlightPlan plan{*sweep.implementation().family, sweep.implementation().plan, outputs,
                        sweep.settings().limits.wall_time};
  attempt(row, [&] {
    const std::vector<Override> overrides = sweep.overrides_of(row.draw);
    if (directory.empty()) {
      const Scenario scenario = plan.family.variant(overrides);
      SingleFlight(plan, scenario, stop).fly(row);
    } else {
      const Scenario scenario = reload_scenario(sweep.sources(), overrides);
      SingleFlight(plan, scenario, stop).fly_into(directory, overrides, row);
    }
  });
}

}  // namespace

bool FlightTimer::begin(std::size_t flights) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (order_ == FlightStop::interrupted) return false;
  order_ = FlightStop::none;
  started_ = Clock::now();
  flights_ = flights;
  return true;
}

void FlightTimer::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  flights_ = 0;
}

void FlightTimer::limit(double wall_time) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (flights_ == 0 || order_ != FlightStop::none) return;
  const std::chrono::duration<double> elapsed = Clock::now() - started_;
  if (elapsed.count() > wall_time * static_cast<double>(flights_)) order_ = FlightStop::too_slow;
}

void FlightTimer::stop() {
  const std::lock_guard<std::mutex> lock(mutex_);
  order_ = FlightStop::interrupted;
}

std::string too_slow_message(double wall_time, double time, double duration) {
  return fmt::format("limits.wall_time: {:g} s are over at t = {:.6g} of {:g} s", wall_time, time,
                     duration);
}

bool SweepRow::has_failed() const { return status != 0 && status != row_status::kCheckFailed; }

std::string failure_kind(const SweepRow& row) {
  std::string kind = std::to_string(row.status) + ' ';
  for (std::size_t i = 0; i < row.message.size(); ++i) {
    const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (!is_digit(row.message[i])) {
      kind += row.message[i];
      continue;
    }
    const auto end = row.message.find_first_not_of("0123456789.e+-", i);
    kind += '#';
    i = std::min(end, row.message.size()) - 1;
  }
  return kind;
}

std::optional<SweepRow> fly_variant(const FlightPlan& plan, const std::vector<Override>& overrides,
                                    const std::atomic<FlightStop>& stop) {
  SweepRow row;
  attempt(row, [&] {
    const Scenario scenario = plan.family.variant(overrides);
    SingleFlight(plan, scenario, stop).fly(row);
  });
  if (row.status == row_status::kInterrupted) return std::nullopt;
  return row;
}

std::optional<SweepRow> fly_row(const Sweep& sweep, long row, const std::string& directory,
                                const std::atomic<FlightStop>& stop) {
  const Clock::time_point start = Clock::now();
  SweepRow result;
  result.row = row;
  result.draw = sweep.draw(row);
  const KeepResults keep = directory.empty() ? KeepResults::none : sweep.settings().keep_results;
  fly_once(sweep, result, keep == KeepResults::all ? directory : "", stop);
  if (keep == KeepResults::failed && result.status == row_status::kFailed) {
    fly_once(sweep, result, directory, stop);
  }
  if (result.status == row_status::kInterrupted) return std::nullopt;
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (result.has_failed() || result.collected.empty()) {
    result.collected.assign(sweep.settings().collect.size(), std::nan(""));
  }
  return result;
}

std::vector<SweepRow> fly_rows(const Sweep& sweep, const std::vector<long>& rows,
                               const std::string& results, FlightTimer& timer) {
  if (sweep.settings().engine == SweepEngine::lanes) return fly_in_lanes(sweep, rows, timer);
  std::vector<SweepRow> flown;
  for (const long row : rows) {
    const std::filesystem::path folder =
        results.empty() ? "" : std::filesystem::path(results) / std::to_string(row);
    auto single = fly_row(sweep, row, folder.string(), timer.order());
    if (single) flown.push_back(std::move(*single));
  }
  return flown;
}

// Flights with derivatives of what is kept of them.

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
    if (varied < numbers.size()) {
      plan.family.share_forces(flights.front().scenario, numbers[varied].key,
                               flights.back().scenario);
    }
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
