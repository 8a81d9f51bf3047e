#include "spacedyn/recording/joint_watches.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/recording/modal_rates.hpp"
#include "spacedyn/recording/run_watch.hpp"

namespace spacedyn {
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
