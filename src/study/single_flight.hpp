/// @file
/// A flight in memory, or into a folder. Private.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenario/run_outcome.hpp"
#include "spacedyn/scenario/scenario_run.hpp"
#include "study/flight.hpp"

namespace spacedyn {

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
class SingleFlight {
 public:
  SingleFlight(const FlightPlan& plan, const Scenario& scenario,
               const std::atomic<FlightStop>& stop)
      : times_(plan.times),
        wall_time_(plan.wall_time),
        scenario_(scenario),
        stop_(stop),
        layout_(plan.collect.layout_for(scenario)),
        numbers_(numbers_of(plan, layout_->columns())),
        recorder_(*layout_, *numbers_) {
    if (plan.collect.needs_summary()) watches_.emplace(scenario);
    observer_.emplace(recorder_, watches_ ? &*watches_ : nullptr, stop_);
    record_.scenario = scenario.name;
    record_.model = scenario.setup.model;
    record_.integrator = scenario.setup.integrator;
    for (const Diagnostic& remark : scenario.remarks) {
      record_.notes.push_back(remark.path + ": " + remark.message);
    }
  }

  /// In memory.
  void fly(SweepRow& row) {
    Simulator simulator(scenario_.setup);
    end(times_.empty() ? simulator.run(scenario_.initial, scenario_.duration,
                                       scenario_.output_interval, *observer_)
                       : simulator.run(scenario_.initial, times_, *observer_),
        row);
  }

  SimulationObserver& observer() { return *observer_; }
  /// What becomes of a run that this flight's observer has watched.
  void end(SimulationResult result, SweepRow& row) {
    finish(std::move(result));
    judge(row, observer_->time());
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
  std::optional<FlightObserver> observer_;
  RunRecord record_;
};

}  // namespace spacedyn
