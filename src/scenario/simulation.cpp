#include "spacedyn/scenario/simulation.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "integration/run/run.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/model/names.hpp"
#include "system/instants.hpp"

namespace spacedyn {
namespace {

/// The latest row.
class LatestRow final : public RowSink {
 public:
  void write(ConstVectorRef row) override { numbers = row; }
  void flush() override {}
  VectorX numbers;
};

SimulationSetup seeded(SimulationSetup setup, std::uint64_t seed) {
  setup.seed = seed;
  return setup;
}

}  // namespace

/// One run, and what is seen of it.
class Simulation::Flight final : public SimulationObserver {
 public:
  Flight(const Scenario& scenario, std::uint64_t seed, const State& initial)
      : simulator_(seeded(scenario.setup, seed)),
        layout_(simulator_.setup(), initial, scenario.channels),
        recorder_(layout_, row_),
        run_(start_run(simulator_.setup(), initial, OutputTimes::on_demand(scenario.duration), {},
                       *this)) {
    advance_to(0.0, scenario.output_interval);
  }

  void advance_to(double time, double interval) {
    try {
      run_->advance_to(time, interval);
    } catch (...) {
      has_failed_ = true;
      throw;
    }
    if (run_->is_over()) result_ = run_->finish();
  }
  void command(const std::string& name, ConstVectorRef values);
  bool is_over() const { return has_failed_ || result_.has_value(); }

  void on_output(const SimulationPoint& point) override {
    time_ = point.time;
    state_ = point.state;
    recorder_.on_output(point);
  }
  void on_event(const EventRecord& event) override { events_.push_back(event); }

  double time() const { return time_; }
  const State& state() const { return state_; }
  const std::vector<Column>& columns() const { return layout_.columns(); }
  const VectorX& row() const { return row_.numbers; }
  const std::vector<EventRecord>& events() const { return events_; }
  const std::optional<SimulationResult>& result() const { return result_; }

 private:
  Simulator simulator_;
  RowLayout layout_;
  LatestRow row_;
  Recorder recorder_;
  double time_ = 0.0;
  State state_;
  std::vector<EventRecord> events_;
  std::optional<SimulationResult> result_;
  bool has_failed_ = false;
  std::unique_ptr<Run> run_;
};

void Simulation::Flight::command(const std::string& name, ConstVectorRef values) {
  std::vector<std::string> known;
  const auto& controllers = simulator_.setup().controllers;
  for (std::size_t i = 0; i < controllers.size(); ++i) {
    const Controller& external = *controllers[i];
    if (!declarations_of(external).awaits_commands) continue;
    known.push_back(external.name());
    if (external.name() != name) continue;
    if (values.size() != external.command_size()) {
      throw DimensionError("the command of '" + name + "' has " + std::to_string(values.size()) +
                           " components, expected " + std::to_string(external.command_size()));
    }
    if (!values.allFinite()) throw DomainError("the command of '" + name + "' is not finite");
    // from its next sample on
    run_->parts().equations.discrete().controllers[i].memory = values;
    return;
  }
  throw DomainError("expected the name of a controller of type external, got '" + name + "'" +
                    did_you_mean(name, known));
}

Simulation::Simulation(Scenario scenario)
    : scenario_(std::make_shared<const Scenario>(std::move(scenario))) {
  reset();
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const Scenario& Simulation::scenario() const { return *scenario_; }

void Simulation::reset() { reset(scenario_->setup.seed, scenario_->initial); }

void Simulation::reset(std::uint64_t seed) { reset(seed, scenario_->initial); }

void Simulation::reset(std::uint64_t seed, const State& initial) {
  flight_ = std::make_unique<Flight>(*scenario_, seed, initial);
  begun_ = dt_ = 0.0;
  steps_ = 0;
}

bool Simulation::step(double dt) {
  if (!(dt > 0.0) || std::isinf(dt)) {
    throw DomainError(fmt::format("a step must be finite and positive, got {:g} s", dt));
  }
  if (is_over()) throw DomainError("the run is over: reset() begins another");
  if (dt != dt_) {
    begun_ = begun_ + static_cast<double>(steps_) * dt_;
    dt_ = dt;
    steps_ = 0;
  }
  const double end = begun_ + static_cast<double>(++steps_) * dt;
  const bool is_last = latest_same_instant(end) >= scenario_->duration;
  flight_->advance_to(is_last ? scenario_->duration : end, dt);
  return !is_over();
}

void Simulation::command(const std::string& controller, ConstVectorRef values) {
  flight_->command(controller, values);
}

double Simulation::time() const { return flight_->time(); }
const State& Simulation::state() const { return flight_->state(); }
const std::vector<Column>& Simulation::columns() const { return flight_->columns(); }
const VectorX& Simulation::observe() const { return flight_->row(); }
bool Simulation::is_over() const { return flight_->is_over(); }

std::vector<EventRecord> Simulation::events() const {
  std::vector<EventRecord> events;
  for (const EventRecord& event : flight_->events()) {
    if (event.time <= latest_same_instant(time())) events.push_back(event);
  }
  return events;
}

const SimulationResult& Simulation::result() const {
  if (flight_->result()) return *flight_->result();
  throw DomainError("the run has no result: it is not over, or has failed");
}

}  // namespace spacedyn
