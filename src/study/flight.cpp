#include "study/flight.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <new>

#include <fmt/format.h>

#include "scenario/run_outcome.hpp"
#include "spacedyn/scenario/scenario_run.hpp"
#include "study/lane_flights.hpp"
#include "study/sweep_implementation.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;

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
  Flight(const FlightPlan& plan, const Scenario& scenario, const std::atomic<FlightStop>& stop)
      : times_(plan.times),
        wall_time_(plan.wall_time),
        scenario_(scenario),
        stop_(stop),
        layout_(plan.collect.layout_for(scenario)),
        numbers_(numbers_of(plan, layout_->columns())),
        recorder_(*layout_, *numbers_) {
    if (plan.collect.needs_summary()) watches_.emplace(scenario);
    record_.scenario = scenario.name;
    record_.model = scenario.setup.model;
    record_.integrator = scenario.setup.integrator;
    for (const Diagnostic& remark : scenario.remarks) {
      record_.notes.push_back(remark.path + ": " + remark.message);
    }
  }

  /// In memory.
  void fly(SweepRow& row) {
    FlightObserver observer(recorder_, watches_ ? &*watches_ : nullptr, stop_);
    Simulator simulator(scenario_.setup);
    finish(times_.empty() ? simulator.run(scenario_.initial, scenario_.duration,
                                          scenario_.output_interval, observer)
                          : simulator.run(scenario_.initial, times_, observer));
    judge(row, observer.time());
  }

  void fly_into(const std::string& directory, const std::vector<Override>& overrides,
                SweepRow& row) {
    FlightObserver observer(recorder_, nullptr, stop_);
    const OutputDirectory files(scenario_.name, directory, scenario_.format,
                                ExistingFiles::overwrite);
    record_ = start_record(scenario_, overrides, files);
    ScenarioRunOptions options;
    options.checkpoint_interval = kNever;
    options.observer = &observer;
    run_scenario(scenario_, files, options, record_);
    judge(row, observer.time());
  }

 private:
  static constexpr double kNever = 1e9;  // s

  static std::unique_ptr<FlightNumbers> numbers_of(const FlightPlan& plan,
                                                   const std::vector<Column>& columns) {
    if (plan.times.empty()) return std::make_unique<Collection>(plan.collect, columns);
    return std::make_unique<Samples>(plan.collect, columns, plan.times);
  }

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
      row.status = is_slow ? row_status::kFailed : row_status::kInterrupted;
      row.message = too_slow_message(wall_time_, time, scenario_.duration);
      return;
    }
    for (const CheckOutcome& check : record_.checks) {
      if (check.passed()) continue;
      row.status = row_status::kCheckFailed;
      row.message +=
          fmt::format("{}check {}: {:.3g} exceeds the limit {:g}", row.message.empty() ? "" : "; ",
                      check.name, check.value, check.limit);
    }
    row.collected = numbers_->finish(record_);
  }

  const std::vector<double>& times_;
  double wall_time_;
  const Scenario& scenario_;
  const std::atomic<FlightStop>& stop_;
  std::shared_ptr<RowLayout> layout_;
  std::unique_ptr<FlightNumbers> numbers_;
  Recorder recorder_;
  std::optional<RunWatches> watches_;
  RunRecord record_;
};

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
      Flight(plan, scenario, stop).fly(row);
    } else {
      const Scenario scenario = reload_scenario(sweep.sources(), overrides);
      Flight(plan, scenario, stop).fly_into(directory, overrides, row);
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
    Flight(plan, scenario, stop).fly(row);
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

}  // namespace spacedyn
