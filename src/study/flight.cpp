#include "study/flight.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "scenario/run_outcome.hpp"
#include "spacedyn/scenario/scenario_run.hpp"
#include "study/sweep_implementation.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;

// exit codes of the program
constexpr int kInternalError = 1, kRefused = 3, kFailed = 4, kCheckFailed = 5, kNoMemory = 7,
              kInterrupted = 130;

/// Hands outputs to the collection and ends the flight when it is told to.
class FlightObserver final : public SimulationObserver {
 public:
  /// @param watches  null: nothing is said about the flight that needs them
  FlightObserver(Recorder& recorder, RunWatches* watches, const std::atomic<FlightStop>& stop)
      : recorder_(recorder), watches_(watches), stop_(stop) {}

  void on_output(const SimulationPoint& point) override {
    recorder_.on_output(point);
    if (watches_ != nullptr) watches_->see(point);
  }
  bool on_step(double time, const IntegratorStatistics& /*statistics*/) override {
    time_ = time;
    return !must_end_now();
  }
  bool may_end_inside_steps() override { return true; }
  bool must_end_now() override { return stop_.load(std::memory_order_relaxed) != FlightStop::none; }
  double time() const { return time_; }

 private:
  Recorder& recorder_;
  RunWatches* watches_;
  const std::atomic<FlightStop>& stop_;
  double time_ = 0.0;
};

/// All that a flight needs, and what becomes of it.
class Flight {
 public:
  Flight(const Sweep& sweep, const Scenario& scenario, const std::atomic<FlightStop>& stop)
      : sweep_(sweep),
        scenario_(scenario),
        stop_(stop),
        layout_(scenario.setup, scenario.initial, plan().channels()),
        collection_(plan(), layout_.columns()),
        recorder_(layout_, collection_) {
    if (plan().needs_summary()) watches_.emplace(scenario);
    record_.scenario = scenario.name;
    record_.model = scenario.setup.model;
    record_.integrator = scenario.setup.integrator;
    for (const Diagnostic& remark : scenario.remarks) {
      record_.notes.push_back(remark.path + ": " + remark.message);
    }
  }

  /// @param directory  empty: no files
  void fly(SweepRow& row, const std::string& directory) {
    FlightObserver observer(recorder_, directory.empty() && watches_ ? &*watches_ : nullptr, stop_);
    if (directory.empty()) {
      Simulator simulator(scenario_.setup);
      SimulationResult result =
          simulator.run(scenario_.initial, scenario_.duration, scenario_.output_interval, observer);
      finish(std::move(result));
    } else {
      const OutputDirectory files(scenario_.name, directory, scenario_.format,
                                  ExistingFiles::overwrite);
      record_ = start_record(scenario_, sweep_.overrides_of(row.draw), files);
      ScenarioRunOptions options;
      options.checkpoint_interval = kNever;
      options.observer = &observer;
      run_scenario(scenario_, files, options, record_);
    }
    judge(row, observer.time());
  }

 private:
  static constexpr double kNever = 1e9;  // s

  const CollectPlan& plan() const { return sweep_.implementation().plan; }

  void finish(SimulationResult result) {
    if (watches_) {
      take_outcome(scenario_, std::move(result), *watches_, record_);
      return;
    }
    record_.status = result.interrupted ? RunStatus::interrupted : RunStatus::complete;
    record_.checks = check_outcomes(scenario_.checks, result.audit);
    record_.result = std::move(result);
  }

  void judge(SweepRow& row, double time) {
    if (record_.status == RunStatus::interrupted) {
      const bool is_slow = stop_.load() == FlightStop::too_slow;
      row.status = is_slow ? kFailed : kInterrupted;
      row.message = fmt::format("limits.wall_time: {:g} s are over at t = {:.6g} of {:g} s",
                                sweep_.settings().limits.wall_time, time, scenario_.duration);
      return;
    }
    for (const CheckOutcome& check : record_.checks) {
      if (check.passed()) continue;
      row.status = kCheckFailed;
      row.message +=
          fmt::format("{}check {}: {:.3g} exceeds the limit {:g}", row.message.empty() ? "" : "; ",
                      check.name, check.value, check.limit);
    }
    row.collected = collection_.finish(record_);
  }

  const Sweep& sweep_;
  const Scenario& scenario_;
  const std::atomic<FlightStop>& stop_;
  RowLayout layout_;
  Collection collection_;
  Recorder recorder_;
  std::optional<RunWatches> watches_;
  RunRecord record_;
};

/// Flies once. @throws IoError as fly_row()
void fly_once(const Sweep& sweep, SweepRow& row, const std::string& directory,
              const std::atomic<FlightStop>& stop) {
  row.status = 0;
  row.message.clear();
  const auto fail = [&](int status, const std::string& message) {
    row.status = status;
    row.message = message;
  };
  try {
    const std::vector<Override> overrides = sweep.overrides_of(row.draw);
    const Scenario scenario = directory.empty() ? sweep.implementation().family->variant(overrides)
                                                : reload_scenario(sweep.sources(), overrides);
    Flight(sweep, scenario, stop).fly(row, directory);
  } catch (const NumericalError& error) {
    fail(kFailed, error.what());
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    fail(kRefused, error.what());
  } catch (const std::bad_alloc&) {
    fail(kNoMemory, "there is not enough memory");
  } catch (const std::exception& error) {
    fail(kInternalError, error.what());
  }
}

}  // namespace

bool SweepRow::has_failed() const { return status != 0 && status != kCheckFailed; }

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

std::optional<SweepRow> fly_row(const Sweep& sweep, long row, const std::string& directory,
                                const std::atomic<FlightStop>& stop) {
  const Clock::time_point start = Clock::now();
  SweepRow result;
  result.row = row;
  result.draw = sweep.draw(row);
  const KeepResults keep = directory.empty() ? KeepResults::none : sweep.settings().keep_results;
  fly_once(sweep, result, keep == KeepResults::all ? directory : "", stop);
  if (keep == KeepResults::failed && result.status == kFailed) {
    fly_once(sweep, result, directory, stop);
  }
  if (result.status == kInterrupted) return std::nullopt;
  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (result.has_failed() || result.collected.empty()) {
    result.collected.assign(sweep.settings().collect.size(), std::nan(""));
  }
  return result;
}

}  // namespace spacedyn
