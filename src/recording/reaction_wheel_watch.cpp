#include "spacedyn/recording/reaction_wheel_watch.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "spacedyn/forces/reaction_wheels.hpp"
#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {
namespace {

/// Shares of the limits from which on they act: torque fades out over the last thousandth of the
/// momentum, and is off its own limit by rounding alone.
constexpr double kFullMomentum = 0.999, kFullTorque = 1.0 - 1e-6;

}  // namespace

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
