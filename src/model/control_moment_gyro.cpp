#include "spacedyn/model/control_moment_gyro.hpp"

#include <cmath>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

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
