#include "spacedyn/recording/run_watches.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "recording/derived_columns.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/recording/modal_rates.hpp"
#include "spacedyn/recording/run_watch.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {
namespace {

Matrix3 attitude(const Model& model, std::size_t robot, const State& state) {
  return model.robots().empty() ? state.A_0 : base_motion(model, model.robots()[robot], state).A_0;
}

bool only_bounces(const Event& event) {
  return !event.actions.empty() &&
         std::all_of(event.actions.begin(), event.actions.end(), [](const EventAction& action) {
           return std::holds_alternative<BounceAction>(action);
         });
}

std::vector<Event> watched_events(const SimulationSetup& setup) {
  std::vector<Event> events;
  for (Event& event : all_events(setup)) {
    const bool is_own = std::any_of(setup.events.begin(), setup.events.end(),
                                    [&](const Event& other) { return other.name == event.name; });
    if (is_own && event.is_noted && !only_bounces(event)) events.push_back(std::move(event));
  }
  return events;
}

double value_at(const Event& event, const SimulationPoint& point) {
  if (!event.quantity) return event.value(context_of(point));
  return event.quantity->value(
             {context_of(point), point.forces, point.discrete, point.rigid_contacts}) -
         event.level;
}

/// Of an opening: a thruster that is open so far is fully open.
constexpr double kRounding = 1e-9;

/// Share of its period for which the pulse of a valve that is open lasts, delays apart.
double pulse_share(const DiscreteState::ControllerState& state,
                   const ThrusterModulation& modulation, Eigen::Index thruster, double time) {
  const double ends = state.valves.shuts(thruster);
  if (state.command(thruster) <= 0.0 || !std::isfinite(ends)) return 0.0;
  const double begun = std::floor(time / modulation.period * (1.0 + kRounding));
  return std::min(1.0, ends / modulation.period - begun);
}

/// An instant as elements see it.
class Evaluation {
 public:
  Evaluation(const Model& model, State state, double time)
      : model_(model), state_(std::move(state)), time_(time), frames_(model), velocities_(model) {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
  }
  EvaluationContext of(const SystemElements::Slot& slot) const {
    return slice_of({time_, model_, state_, frames_, velocities_, state_.z}, slot.slice);
  }

 private:
  const Model& model_;
  State state_;
  double time_;
  LinkFrames frames_;
  LinkVelocities velocities_;
};

State with_auxiliary(const SystemElements& elements, State state) {
  if (state.z.size() == 0) state.z = elements.initial_auxiliary();
  return state;
}

}  // namespace

BaseRotationWatch::BaseRotationWatch(const ForcedSystem& system, const State& start)
    : model_(system.model), is_fixed_(system.base_mode == BaseMode::fixed) {
  const std::size_t bases = std::max<std::size_t>(1, model_->robots().size());
  for (std::size_t i = 0; i < bases; ++i) start_.push_back(attitude(*model_, i, start));
  add_quantities(bases);
}

void BaseRotationWatch::see(const SimulationPoint& point) {
  for (std::size_t i = 0; i < start_.size(); ++i) {
    const Matrix3 turn = attitude(*model_, i, point.state) * start_[i].transpose();
    keep(i, axis_angle_from_matrix(turn).angle, point.time);
  }
}

std::vector<BaseRotation> BaseRotationWatch::rotations() const {
  const std::vector<Robot>& robots = model_->robots();
  if (robots.empty()) {
    if (is_fixed_) return {};
    return {{"base", peaks()[0].value, peaks()[0].time}};
  }
  std::vector<BaseRotation> rotations;
  for (std::size_t i = 0; i < robots.size(); ++i) {
    if (!robots[i].moves()) continue;
    rotations.push_back({robots[i].name, peaks()[i].value, peaks()[i].time});
  }
  return rotations;
}

EventWatch::EventWatch(const SimulationSetup& setup) : events_(watched_events(setup)) {
  add_quantities(events_.size(), -std::numeric_limits<double>::infinity());
}

void EventWatch::see(const SimulationPoint& point) {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (events_[i].unit.empty()) continue;
    keep(i, -std::abs(value_at(events_[i], point)), point.time);
  }
}

std::vector<MissedEvent> EventWatch::missed(const std::vector<EventRecord>& happened) const {
  std::vector<MissedEvent> missed;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    const auto is_this = [&](const EventRecord& record) { return record.name == event.name; };
    if (std::any_of(happened.begin(), happened.end(), is_this)) continue;
    missed.push_back({event.name, event.unit, -peaks()[i].value, peaks()[i].time});
  }
  return missed;
}

ThrusterWatch::ThrusterWatch(const ForcedSystem& system) : system_(system) {
  for (std::size_t i = 0; i < system.controllers.size(); ++i) {
    const Controller& controller = *system.controllers[i];
    const ThrusterValves* nozzles = controller.valves();
    if (nozzles == nullptr || nozzles->modulation().type == ThrusterModulation::Type::schmitt) {
      continue;
    }
    openers_.push_back({i, VectorX::Zero(controller.command_size())});
    add_quantities(static_cast<std::size_t>(nozzles->size()));
  }
}

void ThrusterWatch::see(const SimulationPoint& point) {
  std::size_t next = 0;
  for (Opener& opener : openers_) {
    const Controller& controller = *system_.controllers[opener.controller];
    const ThrusterValves& nozzles = *controller.valves();
    const DiscreteState::ControllerState& state = point.discrete.controllers[opener.controller];
    const std::size_t first = next;
    next += static_cast<std::size_t>(nozzles.size());
    if (!state.acts()) continue;
    if (controller.sample_period() > 0.0) {
      opener.command = state.command;
    } else {
      controller.command(context_of(point), opener.command);
    }
    for (Eigen::Index k = 0; k < nozzles.size(); ++k) {
      const double opening = nozzles.modulation().acts()
                                 ? pulse_share(state, nozzles.modulation(), k, point.time)
                                 : opener.command(k);
      keep(first + static_cast<std::size_t>(k), opening, point.time);
    }
  }
}

std::vector<std::string> ThrusterWatch::warnings() const {
  std::vector<std::string> texts;
  std::size_t next = 0;
  for (const Opener& opener : openers_) {
    const Controller& controller = *system_.controllers[opener.controller];
    std::string names;
    double earliest = 0.0;
    for (const Thruster& thruster : controller.valves()->thrusters()) {
      const Peak& greatest = peaks()[next++];
      if (greatest.value < 1.0 - kRounding) continue;
      earliest = names.empty() ? greatest.time : std::min(earliest, greatest.time);
      names += (names.empty() ? "'" : ", '") + thruster.name + '\'';
    }
    if (names.empty()) continue;
    texts.push_back(fmt::format(
        "thrusters of '{}' are saturated: fully open from t = {:.4g} s on were {}; what "
        "it asks for may be more than they give",
        controller.name(), earliest, names));
  }
  return texts;
}

std::vector<std::string> element_warnings(const SimulationSetup& setup, const State& start,
                                          const SimulationResult& result) {
  const SystemElements elements(setup);
  const Evaluation first(*setup.model, with_auxiliary(elements, start), 0.0);
  const Evaluation last(*setup.model, result.state, result.time);
  const auto has_happened = [&](const std::string& name) {
    return std::any_of(result.events.begin(), result.events.end(),
                       [&](const EventRecord& event) { return event.name == name; });
  };
  std::vector<std::string> texts;
  for (const SystemElements::Slot& slot : elements.slots()) {
    const auto doubt = declarations_of(slot.element()).doubt;
    std::string text = doubt ? doubt(first.of(slot), last.of(slot), has_happened) : "";
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

namespace {

const char* rate_unit(const Joint& joint) { return coordinate_units(joint.type).velocity; }

/// Whether nothing but loads and control drives a joint, so that its effort is theirs.
bool is_plain(const Joint& joint) {
  return joint.stiffness == 0.0 && joint.damping == 0.0 && !joint.friction.is_present();
}

/// Shares of the limits from which on they act: torque fades out over the last thousandth of the
/// momentum, and is off its own limit by rounding alone.
constexpr double kFullMomentum = 0.999, kFullTorque = 1.0 - 1e-6;

}  // namespace

RunWatch::~RunWatch() = default;

void RunWatch::go_on_from(const std::vector<Peak>& earlier) {
  if (earlier.size() != peaks_.size()) {
    throw DimensionError(fmt::format("{} greatest values are given for {} quantities of a run",
                                     earlier.size(), peaks_.size()));
  }
  peaks_ = earlier;
}

JointRateWatch::JointRateWatch(std::shared_ptr<const Model> model) : model_(std::move(model)) {
  add_quantities(2 * static_cast<std::size_t>(model_->joint_count()));
}

void JointRateWatch::see(const SimulationPoint& point) {
  const std::size_t joints = peaks().size() / 2;
  for (std::size_t i = 0; i < joints; ++i) {
    keep(i, std::abs(point.state.qd(static_cast<Eigen::Index>(i))), point.time);
    if (is_plain(model_->joint(static_cast<int>(i) + 1))) {
      keep(joints + i, std::abs(point.forces(static_cast<Eigen::Index>(6 + i))), point.time);
    }
  }
}

std::vector<std::string> JointRateWatch::warnings() const {
  // what only rounds beyond a limit that a motion is planned to reach keeps to it
  constexpr double kSlack = 1e-6;
  std::vector<std::string> texts;
  const std::size_t joints = peaks().size() / 2;
  for (std::size_t i = 0; i < joints; ++i) {
    const Joint& joint = model_->joint(static_cast<int>(i) + 1);
    const Peak &rate = peaks()[i], &effort = peaks()[joints + i];
    if (rate.value > joint.velocity_limit * (1.0 + kSlack)) {
      texts.push_back(fmt::format(
          "joint '{}' moves at {:.3g} {} at t = {:.4g} s, beyond its velocity_limit of {:.3g} {}",
          joint.name, rate.value, rate_unit(joint), rate.time, joint.velocity_limit,
          rate_unit(joint)));
    }
    if (effort.value >= joint.effort_limit * (1.0 - kSlack) && effort.value > 0.0) {
      const char* unit = coordinate_units(joint.type).effort;
      texts.push_back(
          fmt::format("the drive of joint '{}' is saturated: it gives {:.3g} {} at t = "
                      "{:.4g} s, its effort_limit is {:.3g} {}",
                      joint.name, effort.value, unit, effort.time, joint.effort_limit, unit));
    }
  }
  return texts;
}

ModalRateWatch::ModalRateWatch(std::vector<ModalAppendage> appendages)
    : appendages_(std::move(appendages)) {
  add_quantities(appendages_.size());
}

void ModalRateWatch::see(const SimulationPoint& point) { see(point.time, point.velocities); }

void ModalRateWatch::see(double time, const LinkVelocities& velocities) {
  for (std::size_t i = 0; i < appendages_.size(); ++i) {
    const auto body = static_cast<std::size_t>(appendages_[i].body);
    keep(i, velocities.omega[body].norm(), time);
  }
}

std::vector<std::string> ModalRateWatch::warnings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < appendages_.size(); ++i) {
    const ModalAppendage& appendage = appendages_[i];
    const double fraction = peaks()[i].value / appendage.first_frequency;
    if (!(fraction > kMostModalRate)) continue;
    texts.push_back(fmt::format(
        "modal appendage '{}' turns at {:.3g} rad/s at t = {:.4g} s, {:.0f} % of its first "
        "frequency: beyond {:.0f} % linear modes leave out too much of how rotation stiffens it",
        appendage.name, peaks()[i].value, peaks()[i].time, 100.0 * fraction,
        100.0 * kMostModalRate));
  }
  return texts;
}

ReactionWheelWatch::ReactionWheelWatch(std::shared_ptr<const Model> model)
    : model_(std::move(model)), joints_(wheel_joints(*model_)) {
  add_quantities(2 * joints_.size());
}

void ReactionWheelWatch::see(const SimulationPoint& point) {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int joint = joints_[i];
    const WheelDrive& drive = *model_->wheel(joint);
    const double speed = point.state.qd(joint - 1);
    // capped, so that the time is that at which a limit was reached first
    const auto use = [&](std::size_t quantity, double share, double full) {
      keep(quantity, std::min(std::abs(share), full), point.time);
    };
    use(2 * i, drive.spin_inertia * speed / drive.momentum_limit, kFullMomentum);
    if (!point.mobility.joint_free(joint)) continue;  // what holds it is not its motor
    const double torque = point.forces(joint + 5) - friction_torque(drive, speed);
    use(2 * i + 1, torque / drive.torque_limit, kFullTorque);
  }
}

std::vector<std::string> ReactionWheelWatch::warnings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const std::string& name = model_->joint(joints_[i]).name;
    const WheelDrive& drive = *model_->wheel(joints_[i]);
    const Peak &momentum = peaks()[2 * i], &torque = peaks()[2 * i + 1];
    if (momentum.value >= kFullMomentum) {
      texts.push_back(
          fmt::format("wheel '{}' reaches its momentum_limit of {:.3g} N m s at t = {:.4g} s: it "
                      "takes up no more, and the body turns",
                      name, drive.momentum_limit, momentum.time));
    }
    if (torque.value >= kFullTorque) {
      texts.push_back(
          fmt::format("the torque of wheel '{}' is cut off: it gives its torque_limit of {:.3g} "
                      "N m at t = {:.4g} s, more may be asked for",
                      name, drive.torque_limit, torque.time));
    }
  }
  return texts;
}

}  // namespace spacedyn
