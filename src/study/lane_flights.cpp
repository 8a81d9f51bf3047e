#include "study/flight.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "integration/run/given_motion.hpp"
#include "integration/steppers/timeline.hpp"
#include "spacedyn/batch/batch_dynamics.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "study/sweep_implementation.hpp"

namespace spacedyn {
namespace {

using Clock = std::chrono::steady_clock;

/// Steps after which an order to end is looked for.
constexpr int kMostSteps = 64;
/// Part of a step by which it may miss the instant that it is to end at, as of single flights.
constexpr double kStretch = 1e-9;

/// The controller of a scenario that lanes fly; null without one.
std::shared_ptr<const JointPd> control_of(const Scenario& scenario) {
  if (scenario.setup.controllers.empty()) return nullptr;
  const std::shared_ptr<const Controller>& first = scenario.setup.controllers.front();
  return {first, declarations_of(*first).batch_law};
}

/// The first element of a list by its name, empty if there is none.
template <typename List, typename Name>
std::string first_of(const char* what, const List& list, const Name& name) {
  return list.empty() ? "" : fmt::format("{} '{}'", what, name(list.front()));
}

/// Lanes fly a single controller of joints.
std::string controller_obstacle(const SimulationSetup& setup) {
  for (const auto& controller : setup.controllers) {
    const bool is_known = declarations_of(*controller).batch_law != nullptr;
    if (is_known && controller == setup.controllers.front()) continue;
    return fmt::format("controller '{}'", controller->name());
  }
  return "";
}

std::string element_obstacle(const SimulationSetup& setup) {
  const auto joint_name = [&](int joint) { return setup.model->joint(joint).name; };
  const auto name_of = [](const auto& element) { return element->name(); };
  for (const std::string& found :
       {first_of("robot", setup.model->robots(), [](const Robot& each) { return each.name; }),
        first_of("spherical joint", setup.model->spherical_joints(), joint_name),
        first_of("following joint", setup.model->followers(),
                 [&](const Follower& each) { return joint_name(each.joint); }),
        first_of("force", setup.forces, name_of),
        first_of("connection", setup.connections,
                 [](const Connection& each) { return each.name(); }),
        first_of("sensor", setup.sensors, [](const Sensor& each) { return each.name; }),
        first_of("event", setup.events, [](const Event& each) { return each.name; }),
        first_of("prescribed joint", setup.prescribed_joints,
                 [&](const PrescribedJoint& each) { return joint_name(each.joint); }),
        first_of("locked joint", setup.locked_joints, joint_name), controller_obstacle(setup)}) {
    if (!found.empty()) return found;
  }
  const bool is_fixed = setup.base_mode == BaseMode::fixed;
  const bool is_moved = setup.base_mode == BaseMode::prescribed;
  if (is_moved || is_fixed != setup.model->has_fixed_base()) {
    return is_moved ? "a prescribed base" : "a floating base that is held";
  }
  return "";
}

std::string time_obstacle(const Scenario& scenario) {
  const IntegratorOptions& integrator = scenario.setup.integrator;
  if (integrator.stepper || integrator.method != IntegrationMethod::rk4) {
    return fmt::format("integrator.method {}", method_traits(integrator).name);
  }
  if (integrator.project_momentum) return "integrator.project_momentum";
  if (scenario.checks.momentum_drift) return "checks.momentum_drift";
  if (scenario.checks.energy_residual) return "checks.energy_residual";
  if (scenario.checks.attitude_error) return "checks.attitude_error";
  const double steps = scenario.output_interval / integrator.step;
  // a step that would have to be divided for an output; rounding of the quotient of two decimals
  if (std::abs(steps - std::round(steps)) > 4.0 * std::numeric_limits<double>::epsilon() * steps) {
    return fmt::format("output.interval {:g} s, no whole number of steps of {:g} s",
                       scenario.output_interval, integrator.step);
  }
  return "";
}

/// A row on its way.
class Lane {
 public:
  /// @throws Error as a single flight
  Lane(const Sweep& sweep, long row)
      : row_(start_of(sweep, row)),
        scenario_(sweep.implementation().family->variant(sweep.overrides_of(row_.draw))),
        layout_(sweep.implementation().plan.layout_for(scenario_)),
        numbers_(sweep.implementation().plan, layout_->columns()),
        recorder_(*layout_, numbers_),
        motion_(scenario_.setup, scenario_.initial) {}

  const Scenario& scenario() const { return scenario_; }
  long row() const { return row_.row; }
  bool is_lost() const { return is_lost_; }

  void hand_out(double time, const BatchStates& states, int lane) {
    if (is_lost_) return;
    try {
      is_lost_ = !states.is_finite(lane);
      if (!is_lost_) motion_.hand_out(time, states.get(lane), recorder_);
    } catch (const NumericalError&) {
      is_lost_ = true;
    }
  }

  SweepRow finish() {
    row_.collected = numbers_.finish({});
    return std::move(row_);
  }
  SweepRow fail(int status, const std::string& message) {
    row_.status = status;
    row_.message = message;
    row_.collected.assign(row_.collected.size(), std::nan(""));
    return std::move(row_);
  }

 private:
  static SweepRow start_of(const Sweep& sweep, long row) {
    SweepRow start;
    start.row = row;
    start.draw = sweep.draw(row);
    start.collected.resize(sweep.settings().collect.size());
    return start;
  }

  SweepRow row_;
  Scenario scenario_;
  std::shared_ptr<RowLayout> layout_;
  Collection numbers_;
  Recorder recorder_;
  GivenMotion motion_;
  bool is_lost_ = false;
};

using Lanes = std::vector<std::unique_ptr<Lane>>;

/// Moves all lanes by the steps that a single flight takes.
class LaneRun {
 public:
  LaneRun(Lanes& lanes, const std::atomic<FlightStop>& stop)
      : lanes_(lanes),
        stop_(stop),
        common_(lanes.front()->scenario()),
        step_(common_.setup.integrator.step),
        dynamics_(common_.setup.model, {1, common_.setup.gravity}),
        states_(dynamics_.model(), static_cast<int>(lanes.size())),
        forces_(dynamics_.model().velocity_size(), states_.count()),
        timeline_(common_.setup, common_.duration),
        outputs_(common_.output_interval, common_.duration) {
    for (int i = 0; i < states_.count(); ++i) states_.set(i, lane(i).scenario().initial);
    run_.control = control_of(common_);
  }

  /// @return false if it was told to end, or if a single flight would have too many steps
  bool fly() {
    hand_out();
    while (time_ < common_.duration) {
      const Breakpoint segment = timeline_.next(time_, std::numeric_limits<double>::infinity());
      run_.latest = segment.last_before;
      while (outputs_.is_before(segment.time)) {
        // not to the output itself, which is the same instant but for rounding
        if (!advance_to(grid(std::lround(outputs_.next() / step_)))) return false;
        hand_out();
      }
      if (!advance_to(segment.time)) return false;
      if (outputs_.is_due(time_)) hand_out();
    }
    return true;
  }

  double time() const { return time_; }

 private:
  Lane& lane(int index) { return *lanes_[static_cast<std::size_t>(index)]; }

  double grid(long index) const { return static_cast<double>(index) * step_; }

  void hand_out() {
    for (int i = 0; i < states_.count(); ++i) lane(i).hand_out(outputs_.next(), states_, i);
    outputs_.advance();
  }

  /// Steps on the grid of the method, the last one shorter if the end is none of its instants.
  bool advance_to(double end) {
    const double margin = kStretch * step_;
    while (time_ < end) {
      long whole = 0;
      if (std::abs(time_ - grid(grid_index_)) <= margin) {
        while (whole < kMostSteps && grid(grid_index_ + whole + 1) <= end + margin) ++whole;
      }
      const double next =
          std::min(whole > 0 ? grid(grid_index_ + whole) : grid(grid_index_ + 1), end);
      run_.start = time_;
      run_.steps = static_cast<int>(std::max(whole, 1L));
      run_.step = whole > 0 ? step_ : next - time_;
      steps_ += run_.steps;
      if (stop_ != FlightStop::none || steps_ > common_.setup.integrator.max_steps) return false;
      dynamics_.integrate(states_, forces_, run_);
      if (whole > 0) {
        grid_index_ += whole;
      } else if (grid(grid_index_ + 1) <= next + margin) {
        ++grid_index_;
      }
      time_ = next < end - margin ? next : end;
    }
    return true;
  }

  Lanes& lanes_;
  const std::atomic<FlightStop>& stop_;
  const Scenario& common_;
  const double step_;  // s
  BatchDynamics dynamics_;
  BatchStates states_;
  TiledVectors forces_;
  Timeline timeline_;
  OutputTimes outputs_;
  BatchRun run_;
  double time_ = 0.0;
  long grid_index_ = 0, steps_ = 0;
};

/// Flies lanes; what is left in them has to fly alone.
/// @return false if it was interrupted
bool fly_together(const Sweep& sweep, Lanes& lanes, const std::atomic<FlightStop>& stop,
                  std::vector<SweepRow>& flown) {
  const std::string obstacle = lanes_obstacle(lanes.front()->scenario());
  if (!obstacle.empty()) {
    for (const auto& lane : lanes) {
      flown.push_back(lane->fail(row_status::kRefused, "engine: lanes does not fly " + obstacle));
    }
    lanes.clear();
    return true;
  }
  LaneRun run(lanes, stop);
  if (!run.fly()) {
    if (stop == FlightStop::interrupted) return false;
    if (stop == FlightStop::none) return true;
    const std::string message = too_slow_message(sweep.settings().limits.wall_time, run.time(),
                                                 lanes.front()->scenario().duration);
    for (const auto& lane : lanes) flown.push_back(lane->fail(row_status::kFailed, message));
    lanes.clear();
    return true;
  }
  const auto lost = std::stable_partition(lanes.begin(), lanes.end(),
                                          [](const auto& lane) { return lane->is_lost(); });
  for (auto lane = lost; lane != lanes.end(); ++lane) flown.push_back((*lane)->finish());
  lanes.erase(lost, lanes.end());
  return true;
}

}  // namespace

std::string lanes_obstacle(const Scenario& scenario) {
  for (const std::string& found : {time_obstacle(scenario), element_obstacle(scenario.setup)}) {
    if (!found.empty()) return found;
  }
  try {
    BatchDynamics dynamics(scenario.setup.model, {1, scenario.setup.gravity});
    BatchStates none(dynamics.model(), 0);
    dynamics.integrate(none, TiledVectors(dynamics.model().velocity_size(), 0),
                       {0.0, 1.0, 0, control_of(scenario)});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

bool lanes_record(Channel channel) {
  return channel != Channel::energy && channel != Channel::element_energy;
}

bool lanes_may_differ_in(const std::string& key) { return key.rfind("initial.", 0) == 0; }

bool have_same_references(const Scenario& a, const Scenario& b) {
  const auto first = control_of(a), second = control_of(b);
  if (!first || !second) return first == second;
  // one that begins where its joints do has their positions until then
  const auto& of_first = first->settings();
  for (int i = 0; i < static_cast<int>(of_first.joints.size()); ++i) {
    for (const double time : {0.0, a.duration}) {
      const ReferenceValue one = of_first.reference->evaluate(i, time);
      const ReferenceValue other = second->settings().reference->evaluate(i, time);
      if (one.position != other.position || one.velocity != other.velocity) return false;
    }
  }
  return true;
}

std::vector<SweepRow> fly_in_lanes(const Sweep& sweep, const std::vector<long>& rows,
                                   FlightTimer& timer) {
  const Clock::time_point start = Clock::now();
  std::vector<long> alone;
  Lanes lanes;
  for (const long row : rows) {
    try {
      lanes.push_back(std::make_unique<Lane>(sweep, row));
    } catch (const Error&) {
      alone.push_back(row);
    }
  }
  std::vector<SweepRow> flown;
  if (!lanes.empty() && !fly_together(sweep, lanes, timer.order(), flown)) return {};
  const std::chrono::duration<double> taken = Clock::now() - start;
  for (SweepRow& row : flown) {
    row.wall_seconds = taken.count() / static_cast<double>(flown.size());
  }
  for (const auto& lane : lanes) alone.push_back(lane->row());
  for (const long row : alone) {
    if (!timer.begin(1)) break;
    auto single = fly_row(sweep, row, "", timer.order());
    if (single) flown.push_back(std::move(*single));
  }
  return flown;
}

}  // namespace spacedyn
