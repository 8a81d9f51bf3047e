#include "spacedyn/forces/reaction_wheels.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/forces/load_derivatives.hpp"

namespace spacedyn {
namespace {

/// Part of the momentum limit over which torque fades out.
constexpr double kFade = 1e-3;
/// Speed at which Coulomb friction turns round, rad/s.
constexpr double kCreep = 1e-3;

/// How much of a torque gets through, and how that changes with the speed.
struct Passage {
  double share = 1.0;
  double by_speed = 0.0;
};

Passage passage(const WheelDrive& drive, double torque, double speed) {
  if (std::isinf(drive.momentum_limit) || torque * speed <= 0.0) return {};
  const double left = 1.0 - std::abs(drive.spin_inertia * speed) / drive.momentum_limit;
  if (left >= kFade) return {};
  if (left <= 0.0) return {0.0, 0.0};
  return {left / kFade, -std::copysign(drive.spin_inertia / (drive.momentum_limit * kFade), speed)};
}

}  // namespace

double limited_torque(const WheelDrive& drive, double torque, double speed) {
  const double within = std::clamp(torque, -drive.torque_limit, drive.torque_limit);
  return within * passage(drive, within, speed).share;
}

double friction_torque(const WheelDrive& drive, double speed) {
  return -drive.viscous * speed - drive.coulomb * std::tanh(speed / kCreep);
}

std::vector<int> wheel_joints(const Model& model) {
  std::vector<int> joints;
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.wheel(i) != nullptr) joints.push_back(i);
  }
  return joints;
}

ReactionWheels::ReactionWheels(const Model& model)
    : ForceElement("reaction_wheels"), joints_(wheel_joints(model)) {
  for (const int joint : joints_) drives_.push_back(*model.wheel(joint));
}

void ReactionWheels::check(const Model& model) const {
  for (const int joint : joints_) check_joint(*this, joint, model);
}

void ReactionWheels::apply(const EvaluationContext& context, Loads& loads) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int joint = joints_[i];
    const WheelDrive& drive = drives_[i];
    const double speed = context.state.qd(joint - 1);
    double& torque = loads.tau(joint - 1);
    torque = limited_torque(drive, torque, speed) + friction_torque(drive, speed);
  }
}

void ReactionWheels::limit(const EvaluationContext& context, const Loads& loads,
                           LoadDerivatives& derivatives) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int joint = joints_[i];
    const WheelDrive& drive = drives_[i];
    const double speed = context.state.qd(joint - 1), torque = loads.tau(joint - 1);
    const double within = std::clamp(torque, -drive.torque_limit, drive.torque_limit);
    const Passage now = passage(drive, within, speed);
    const double share = within == torque ? now.share : 0.0;
    const Eigen::Index row = LoadDerivatives::joint(joint);
    if (share != 1.0) {
      derivatives.force_configuration.row(row) *= share;
      derivatives.force_velocity.row(row) *= share;
      derivatives.force_auxiliary.row(row) *= share;
      derivatives.force_time(row) *= share;
    }
    derivatives.force_velocity(row, row) += within * now.by_speed;
  }
}

bool ReactionWheels::differentiate(const EvaluationContext& context,
                                   LoadDerivatives& derivatives) const {
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int joint = joints_[i];
    const WheelDrive& drive = drives_[i];
    const double speed = context.state.qd(joint - 1);
    const Eigen::Index row = LoadDerivatives::joint(joint);
    const double level = 1.0 / std::cosh(std::min(std::abs(speed / kCreep), 700.0));
    derivatives.force_velocity(row, row) -= drive.viscous + drive.coulomb / kCreep * level * level;
  }
  return true;
}

EnergyRates ReactionWheels::energy_rates(const EvaluationContext& context) const {
  double power = 0.0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const double speed = context.state.qd(joints_[i] - 1);
    power -= friction_torque(drives_[i], speed) * speed;
  }
  return {0.0, power};
}

}  // namespace spacedyn
