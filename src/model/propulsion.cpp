#include <algorithm>
#include <cmath>

#include "model/assembly.hpp"
#include "model/model_validation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/description.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/model/names.hpp"
#include "spacedyn/model/reaction_wheel.hpp"
#include "spacedyn/model/thruster.hpp"

namespace spacedyn {
namespace {

bool is_duration(double value) { return std::isfinite(value) && value >= 0.0; }

const BodyDescription* body_named(const ModelDescription& robot, const std::string& name) {
  if (robot.base.name == name) return &robot.base;
  for (const LinkDescription& link : robot.links) {
    if (link.name == name) return &link;
  }
  return nullptr;
}

/// Axes along which the mass moves.
std::vector<int> moving_axes(const SloshDescription& slosh) {
  if (slosh.type == SloshType::pendulum) return {0, 1, 2};
  std::vector<int> axes;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::isfinite(slosh.stiffness(axis))) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

std::vector<Problem> validate_thruster(const ThrusterDrive& thruster, const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  require(thruster.direction.allFinite() && !thruster.direction.isZero(0.0), "direction",
          "expected a finite vector other than zero: thrust along nothing");
  require(std::isfinite(thruster.force) && thruster.force > 0.0, "force",
          "expected a finite, positive force");
  require(thruster.specific_impulse > 0.0, "specific_impulse",
          "expected a positive number of seconds");
  require(is_duration(thruster.minimum_on_time), "minimum_on_time",
          "expected a finite time of at least 0 s");
  require(is_duration(thruster.delay), "delay", "expected a finite time of at least 0 s");
  require(is_duration(thruster.rise_time), "rise_time", "expected a finite time of at least 0 s");
  require(is_duration(thruster.fall_time), "fall_time", "expected a finite time of at least 0 s");
  return problems;
}

void add_thruster(ModelDescription& robot, const std::string& name, const std::string& at,
                  const ThrusterDrive& thruster) {
  std::vector<Problem> problems = validate_thruster(thruster, name);
  if (!problems.empty()) throw ModelError(std::move(problems));
  FrameDescription frame;
  frame.name = name;
  frame.thruster = thruster;
  const std::string centroid = ".com";
  const bool is_centroid = at.size() > centroid.size() &&
                           at.compare(at.size() - centroid.size(), centroid.size(), centroid) == 0;
  const std::string owner = is_centroid ? at.substr(0, at.size() - centroid.size()) : at;
  const auto named = std::find_if(robot.frames.begin(), robot.frames.end(),
                                  [&](const FrameDescription& each) { return each.name == at; });
  if (named != robot.frames.end()) {
    frame.link = named->link;
    frame.origin = named->origin;
  } else if (const BodyDescription* body = body_named(robot, owner)) {
    frame.link = owner;
    if (is_centroid) frame.origin.position = body->center_of_mass;
  } else {
    throw DomainError("no frame or link is named '" + at + "', where thruster '" + name +
                      "' should be");
  }
  robot.frames.push_back(std::move(frame));
}

Thruster make_thruster(const FrameDescription& description, const Model& model) {
  Thruster thruster{description.name, model.frame(description.name), *description.thruster};
  thruster.drive.direction.normalize();
  return thruster;
}

std::vector<Problem> validate_tank(const TankDescription& tank, const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  require(tank.position.allFinite(), "position", "expected finite numbers");
  require(std::isfinite(tank.propellant) && tank.propellant > 0.0, "propellant",
          "expected a finite, positive mass: an empty tank feeds nothing");
  require(std::isfinite(tank.radius) && tank.radius >= 0.0, "radius",
          "expected a finite radius of at least 0");
  return problems;
}

void add_tank(ModelDescription& robot, const TankDescription& tank) {
  std::vector<Problem> problems = validate_tank(tank, tank.name);
  if (!problems.empty()) throw ModelError(std::move(problems));
  LinkDescription link;
  link.name = tank.name;
  link.parent = tank.body;
  link.mass = tank.propellant;
  link.inertia = 0.4 * tank.propellant * tank.radius * tank.radius * Matrix3::Identity();
  link.joint.type = JointType::fixed;
  link.joint.origin.position = tank.position;
  link.tank = TankShape{tank.radius};
  link.notes = tank.notes;
  robot.links.push_back(std::move(link));
}

void validate_tanks(const ModelDescription& robot, std::vector<Problem>& problems) {
  const auto refuse = [&](const std::string& path, const std::string& message) {
    problems.push_back({Severity::error, path, message, ""});
  };
  std::vector<std::string> tanks;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const LinkDescription& link = robot.links[i];
    if (!link.tank) continue;
    tanks.push_back(link.name);
    const std::string path = "links." + std::to_string(i);
    const double radius = link.tank->radius;
    if (link.joint.type != JointType::fixed) {
      refuse(path + ".joint.type", "expected fixed, for the link is a tank");
    }
    if (!(link.mass > 0.0)) refuse(path + ".mass", "expected propellant in the tank, got none");
    if (!(radius >= 0.0) || !std::isfinite(radius)) {
      refuse(path + ".tank.radius", "expected a finite radius of at least 0");
    }
    const Matrix3 sphere = 0.4 * link.mass * radius * radius * Matrix3::Identity();
    if (!link.inertia.isApprox(sphere, 1e-9) && !(link.inertia - sphere).isZero(1e-300)) {
      refuse(path + ".inertia", "expected that of a full sphere, for the link is a tank");
    }
  }
  for (std::size_t i = 0; i < robot.frames.size(); ++i) {
    const auto& thruster = robot.frames[i].thruster;
    if (!thruster || thruster->tank.empty()) continue;
    const std::string path = "frames." + std::to_string(i) + ".thruster.";
    bool is_known = false;
    for (const std::string& tank : tanks) is_known = is_known || tank == thruster->tank;
    if (!is_known) {
      refuse(path + "tank", "expected the name of a tank, got '" + thruster->tank + '\'' +
                                did_you_mean(thruster->tank, tanks));
    } else if (std::isinf(thruster->specific_impulse)) {
      refuse(
          path + "specific_impulse",
          "expected a finite specific impulse, for it draws from tank '" + thruster->tank + '\'');
    }
  }
}

Tank make_tank(const LinkDescription& description, const Model& model) {
  const Frame center = model.frame(description.name + ".com");
  return {description.name, center.body, center.position, description.mass,
          description.tank->radius};
}

std::vector<Problem> validate_slosh(const SloshDescription& slosh, const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const char* key, const char* message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  require(slosh.position.allFinite(), "position", "expected finite numbers");
  require(std::isfinite(slosh.mass) && slosh.mass > 0.0, "mass",
          "expected a finite, positive mass");
  require(std::isfinite(slosh.damping) && slosh.damping >= 0.0, "damping",
          "expected a finite number of at least 0");
  if (slosh.type == SloshType::pendulum) {
    require(std::isfinite(slosh.length) && slosh.length > 0.0, "length",
            "expected a finite, positive length");
    return problems;
  }
  require((slosh.stiffness.array() >= 0.0).all(), "stiffness",
          "expected stiffnesses of at least 0");
  require(!moving_axes(slosh).empty(), "stiffness",
          "expected a direction in which the mass moves, got none: all are rigid");
  return problems;
}

void add_slosh(ModelDescription& robot, const SloshDescription& slosh) {
  std::vector<Problem> problems = validate_slosh(slosh, slosh.name);
  if (!problems.empty()) throw ModelError(std::move(problems));
  const bool swings = slosh.type == SloshType::pendulum;
  const std::vector<int> axes = moving_axes(slosh);
  std::string parent = slosh.body;
  const Vector3 at_rest =
      swings ? slosh.position - slosh.length * Vector3::UnitZ() : slosh.position;
  for (const int axis : axes) {
    LinkDescription link;
    const std::string joint = slosh.name + '_' + "xyz"[axis];
    const bool is_last = axis == axes.back();
    link.name = is_last ? slosh.name : joint;
    link.parent = parent;
    link.joint.name = joint;
    link.joint.type = JointType::prismatic;
    link.joint.axis = Vector3::Unit(axis);
    // about the pivot: the mass moves at its length times the rate
    link.joint.damping = swings ? slosh.damping / (slosh.length * slosh.length) : slosh.damping;
    if (axis == axes.front()) link.joint.origin.position = at_rest;
    if (!swings) link.joint.stiffness = slosh.stiffness(axis);
    if (is_last) {
      link.mass = slosh.mass;
      link.notes = slosh.notes;
    }
    parent = link.name;
    robot.links.push_back(std::move(link));
  }
  if (!swings) return;
  FrameDescription pivot;
  pivot.name = slosh.name + "_pivot";
  pivot.link = slosh.body;
  pivot.origin.position = slosh.position;
  LoopDescription rod;
  rod.name = slosh.name + "_rod";
  rod.type = LoopType::distance;
  rod.from = pivot.name;
  rod.to = slosh.name;
  rod.length = slosh.length;
  robot.frames.push_back(std::move(pivot));
  robot.loops.push_back(std::move(rod));
}

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
