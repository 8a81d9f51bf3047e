#include "spacedyn/model/reaction_wheel.hpp"

#include <algorithm>
#include <cmath>

#include "model/model_validation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

bool is_not_negative(double value) { return std::isfinite(value) && value >= 0.0; }

/// Transverse inertia of the rotor alone about its centroid, with the spin inertia along z.
Matrix3 rotor_inertia(const ReactionWheelDescription& wheel) {
  Matrix3 inertia = Matrix3::Zero();
  inertia.diagonal() << wheel.transverse_inertia, wheel.transverse_inertia,
      wheel.drive.spin_inertia;
  inertia(0, 2) = inertia(2, 0) = wheel.dynamic_imbalance;
  return inertia;
}

/// Cosine between the axes of a gyro beyond which they are not perpendicular.
constexpr double kRightAngle = 1e-9;

LinkDescription turning_part(const std::string& name, const std::string& parent,
                             const Vector3& axis, double inertia) {
  LinkDescription link;
  link.name = name;
  link.parent = parent;
  const Vector3 a = axis.normalized();
  link.inertia = inertia * a * a.transpose();
  link.joint.axis = axis;
  return link;
}

}  // namespace

void validate_wheel_drive(const WheelDrive& drive, const std::string& path,
                          std::vector<Problem>& problems) {
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  require(std::isfinite(drive.spin_inertia) && drive.spin_inertia > 0.0, "spin_inertia",
          "expected a finite, positive inertia about the axis");
  require(drive.torque_limit > 0.0, "torque_limit", "expected a positive number");
  require(drive.momentum_limit > 0.0, "momentum_limit", "expected a positive number");
  require(is_not_negative(drive.viscous), "friction.viscous",
          "expected a finite number of at least 0");
  require(is_not_negative(drive.coulomb), "friction.coulomb",
          "expected a finite number of at least 0");
}

std::vector<Problem> validate_reaction_wheel(const ReactionWheelDescription& wheel,
                                             const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  validate_wheel_drive(wheel.drive, path, problems);
  require(wheel.axis.allFinite() && !wheel.axis.isZero(0.0), "axis",
          "expected a finite vector other than zero");
  require(wheel.position.allFinite(), "position", "expected finite numbers");
  require(is_not_negative(wheel.mass), "mass", "expected a finite mass of at least 0 kg");
  require(is_not_negative(wheel.transverse_inertia), "transverse_inertia",
          "expected a finite number of at least 0");
  require(is_not_negative(wheel.static_imbalance), "static_imbalance",
          "expected a finite number of at least 0");
  require(wheel.static_imbalance == 0.0 || wheel.mass > 0.0, "static_imbalance",
          "expected a wheel with a mass of its own, whose centroid is off the axis");
  require(std::isfinite(wheel.dynamic_imbalance), "dynamic_imbalance", "expected a finite number");
  const double product = wheel.dynamic_imbalance;
  require(product * product <= wheel.transverse_inertia * wheel.drive.spin_inertia,
          "dynamic_imbalance",
          "expected a product of inertia that a body with this transverse and spin inertia can "
          "have");
  return problems;
}

void add_reaction_wheel(ModelDescription& robot, const ReactionWheelDescription& wheel) {
  std::vector<Problem> problems = validate_reaction_wheel(wheel, wheel.name);
  if (!problems.empty()) throw ModelError(std::move(problems));
  // the link's frame has the body's axes; an imbalance is fixed to the axes with z along the spin
  const Matrix3 R_a = rotation_from_z_to(wheel.axis);
  LinkDescription link;
  link.name = wheel.name;
  link.parent = wheel.body;
  link.notes = wheel.notes;
  link.mass = wheel.mass;
  if (wheel.static_imbalance > 0.0) {
    link.center_of_mass = R_a.col(0) * (wheel.static_imbalance / wheel.mass);
  }
  const Matrix3 inertia = R_a * rotor_inertia(wheel) * R_a.transpose();
  link.inertia = 0.5 * (inertia + inertia.transpose());
  link.joint.origin.position = wheel.position;
  link.joint.axis = wheel.axis;
  link.joint.wheel = wheel.drive;
  robot.links.push_back(std::move(link));
}

std::vector<Problem> validate_control_moment_gyro(const ControlMomentGyroDescription& gyro,
                                                  const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  const auto is_axis = [](const Vector3& axis) { return axis.allFinite() && !axis.isZero(0.0); };
  const auto is_inertia = [](double value) { return std::isfinite(value) && value > 0.0; };
  require(is_axis(gyro.gimbal_axis), "gimbal_axis", "expected a finite vector other than zero");
  require(is_axis(gyro.spin_axis), "spin_axis", "expected a finite vector other than zero");
  require(gyro.position.allFinite(), "position", "expected finite numbers");
  require(is_inertia(gyro.gimbal_inertia), "gimbal_inertia", "expected a finite, positive inertia");
  require(is_inertia(gyro.spin_inertia), "spin_inertia", "expected a finite, positive inertia");
  require(std::isfinite(gyro.rotor_speed) && gyro.rotor_speed != 0.0, "rotor_speed",
          "expected a finite speed other than zero");
  require(gyro.gimbal_rate_limit > 0.0, "gimbal_rate_limit", "expected a positive number");
  require(gyro.rotor_torque_limit > 0.0, "rotor_torque_limit", "expected a positive number");
  if (!problems.empty()) return problems;
  const double cosine = gyro.gimbal_axis.normalized().dot(gyro.spin_axis.normalized());
  require(std::abs(cosine) <= kRightAngle, "spin_axis",
          "expected an axis perpendicular to the gimbal axis");
  return problems;
}

void add_control_moment_gyro(ModelDescription& robot, const ControlMomentGyroDescription& gyro) {
  std::vector<Problem> problems = validate_control_moment_gyro(gyro, gyro.name);
  if (!problems.empty()) throw ModelError(std::move(problems));
  LinkDescription gimbal =
      turning_part(gyro.name, gyro.body, gyro.gimbal_axis, gyro.gimbal_inertia);
  gimbal.notes = gyro.notes;
  gimbal.joint.origin.position = gyro.position;
  gimbal.joint.velocity_limit = gyro.gimbal_rate_limit;
  // of a gimbal nothing but its joint's inertia is given: it is a wheel without limits
  gimbal.joint.wheel = WheelDrive{gyro.gimbal_inertia};
  LinkDescription rotor =
      turning_part(gyro.name + "_rotor", gyro.name, gyro.spin_axis, gyro.spin_inertia);
  rotor.joint.wheel = WheelDrive{gyro.spin_inertia};
  rotor.joint.wheel->rotor_speed = gyro.rotor_speed;
  rotor.joint.wheel->torque_limit = gyro.rotor_torque_limit;
  robot.links.push_back(std::move(gimbal));
  robot.links.push_back(std::move(rotor));
}

}  // namespace spacedyn
