#include <algorithm>
#include <cmath>
#include <string>

#include "model/model_validation.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void require(bool rule, const std::string& path, const char* message,
             std::vector<Problem>& problems) {
  if (!rule) problems.push_back({Severity::error, path, message, ""});
}

/// Terms that no component of a rotation vector has.
void refuse_terms(const JointDescription& joint, const char* message, const std::string& path,
                  std::vector<Problem>& problems) {
  const bool limited = joint.position_lower != -kInfinity || joint.position_upper != kInfinity;
  require(!limited, path + ".position_limits", message, problems);
  require(joint.rotor_inertia == 0.0, path + ".rotor_inertia", message, problems);
  require(!joint.friction.is_present() && joint.friction.breakaway == 0.0, path + ".friction",
          message, problems);
}

void refuse_all_terms(const JointDescription& joint, const char* message, const std::string& path,
                      std::vector<Problem>& problems) {
  refuse_terms(joint, message, path, problems);
  require(joint.stiffness == 0.0, path + ".stiffness", message, problems);
  require(joint.rest_position == 0.0, path + ".rest_position", message, problems);
  require(joint.velocity_limit == kInfinity, path + ".velocity_limit", message, problems);
  require(joint.effort_limit == kInfinity, path + ".effort_limit", message, problems);
  require(joint.damping == 0.0, path + ".damping", message, problems);
  require(!joint.wheel, path + ".reaction_wheel", message, problems);
}

void validate_drive(const JointDescription& joint, const std::string& path,
                    std::vector<Problem>& problems) {
  const auto is_finite_at_least = [](double value, double least) {
    return std::isfinite(value) && value >= least;
  };
  require(is_finite_at_least(joint.rotor_inertia, 0.0), path + ".rotor_inertia",
          "expected a finite number of at least 0", problems);
  require(std::isfinite(joint.gear_ratio) && joint.gear_ratio != 0.0, path + ".gear_ratio",
          "expected a finite number other than 0", problems);
  require(joint.rotor_coupling == RotorCoupling::reflected || joint.type == JointType::revolute,
          path + ".rotor_coupling",
          "expected 'reflected': only rotors of revolute joints spin about the joint's axis",
          problems);
  const JointFriction& friction = joint.friction;
  require(is_finite_at_least(friction.coulomb, 0.0), path + ".friction.coulomb",
          "expected a finite number of at least 0", problems);
  require(friction.breakaway == 0.0 || is_finite_at_least(friction.breakaway, friction.coulomb),
          path + ".friction.static",
          "expected at least the Coulomb friction, which friction at rest does not fall below",
          problems);
  require(friction.breakaway == 0.0 || friction.coulomb > 0.0, path + ".friction.coulomb",
          "expected Coulomb friction beside the friction at rest", problems);
  require(friction.stribeck_velocity > 0.0 && std::isfinite(friction.stribeck_velocity),
          path + ".friction.stribeck_velocity", "expected a finite, positive number", problems);
  require(friction.presliding > 0.0 && std::isfinite(friction.presliding),
          path + ".friction.presliding", "expected a finite, positive number", problems);
}

void validate_limits(const JointDescription& joint, const std::string& path,
                     std::vector<Problem>& problems) {
  require(joint.position_lower <= joint.position_upper, path + ".position_limits",
          "expected [lower, upper] with lower ≤ upper", problems);
  require(joint.velocity_limit > 0.0, path + ".velocity_limit", "expected a positive number",
          problems);
  require(joint.effort_limit > 0.0, path + ".effort_limit", "expected a positive number", problems);
  if (joint.stiffness > 0.0 && joint.position_lower <= joint.position_upper &&
      (joint.rest_position < joint.position_lower || joint.rest_position > joint.position_upper)) {
    problems.push_back({Severity::warning, path + ".rest_position",
                        "the spring is at rest outside the position limits", ""});
  }
}

void validate_axis(const Vector3& axis, const std::string& path, std::vector<Problem>& problems) {
  require(axis.allFinite() && !axis.isZero(0.0), path, "expected a finite vector other than zero",
          problems);
}

/// Passive terms, limits and drive of one coordinate.
void validate_terms(const JointDescription& joint, const std::string& path,
                    std::vector<Problem>& problems) {
  require(std::isfinite(joint.stiffness) && joint.stiffness >= 0.0, path + ".stiffness",
          "expected a finite number of at least 0", problems);
  require(std::isfinite(joint.damping) && joint.damping >= 0.0, path + ".damping",
          "expected a finite number of at least 0", problems);
  require(std::isfinite(joint.rest_position), path + ".rest_position", "expected a finite number",
          problems);
  validate_limits(joint, path, problems);
  validate_drive(joint, path, problems);
}

void validate_universal(const JointDescription& joint, const std::string& path,
                        std::vector<Problem>& problems) {
  constexpr double kPerpendicular = 1e-9;
  const double cosine = joint.axis.normalized().dot(joint.second_axis.normalized());
  // NaN where an axis is zero, which has its own message
  require(!(std::abs(cosine) > kPerpendicular), path + ".axes",
          "expected two perpendicular axes, as those of a universal joint are", problems);
}

/// What a joint that follows another may have itself.
void validate_mimic(const JointDescription& joint, const std::string& path,
                    std::vector<Problem>& problems) {
  const std::string place = path + ".mimic";
  require(joint_traits(joint.type).size == 1, place,
          "expected none: only a joint with one coordinate can follow another", problems);
  require(std::isfinite(joint.mimic->ratio) && joint.mimic->ratio != 0.0, place + ".ratio",
          "expected a finite number other than 0: a joint that follows nothing is fixed", problems);
  require(std::isfinite(joint.mimic->offset), place + ".offset", "expected a finite number",
          problems);
  const std::string message =
      "expected none: limits are those of '" + joint.mimic->joint + "', which it follows";
  require(joint.position_lower == -kInfinity && joint.position_upper == kInfinity,
          path + ".position_limits", message.c_str(), problems);
  require(joint.velocity_limit == kInfinity, path + ".velocity_limit", message.c_str(), problems);
  require(joint.effort_limit == kInfinity, path + ".effort_limit", message.c_str(), problems);
  require(!joint.wheel, path + ".reaction_wheel",
          "expected none: a joint that follows another has no drive of its own", problems);
}

/// A joint with several coordinates.
void validate_compound(const JointDescription& joint, const std::string& path,
                       std::vector<Problem>& problems) {
  refuse_all_terms(joint, "expected among the 'coordinates' of a joint that has several", path,
                   problems);
  if (joint.type == JointType::universal) {
    validate_axis(joint.axis, path + ".axes", problems);
    validate_axis(joint.second_axis, path + ".axes", problems);
    validate_universal(joint, path, problems);
  }
  if (joint.type == JointType::cylindrical || joint.type == JointType::planar) {
    validate_axis(joint.axis, path + ".axis", problems);
  }
  const JointTraits& traits = joint_traits(joint.type);
  const auto size = static_cast<std::size_t>(traits.size);
  if (joint.coordinates.empty()) return;
  require(joint.coordinates.size() == size, path + ".coordinates",
          "expected the terms of every coordinate of the joint, or of none", problems);
  for (std::size_t k = 0; k < std::min(size, joint.coordinates.size()); ++k) {
    JointDescription coordinate = joint.coordinates[k];
    coordinate.type = traits.coordinates[k].motion;
    const std::string place = path + ".coordinates." + (traits.coordinates[k].suffix + 1);
    validate_terms(coordinate, place, problems);
    require(coordinate.rotor_coupling == RotorCoupling::reflected, place + ".rotor_coupling",
            "expected 'reflected': what carries this coordinate may have no mass", problems);
    require(!coordinate.mimic && coordinate.angle_limit == kInfinity, place,
            "expected neither mimic nor angle_limit: they belong to whole joints", problems);
    if (traits.coordinates[k].spherical == 0) continue;
    refuse_terms(
        coordinate,
        "a coordinate of a rotation vector has springs, dampers and limits of velocity and "
        "torque only",
        place, problems);
    require(std::abs(coordinate.rest_position) <= kPi, place + ".rest_position",
            "expected at most half a turn, as components of rotation vectors are", problems);
  }
}

}  // namespace

void validate_joint(const JointDescription& joint, const std::string& path,
                    std::vector<Problem>& problems) {
  validate_pose(joint.origin, path + ".origin", problems);
  require(joint.type == JointType::screw || joint.pitch == 0.0, path + ".pitch",
          "expected none: only a screw has a pitch", problems);
  const int size = joint_traits(joint.type).size;
  require(joint.type == JointType::spherical || joint.angle_limit == kInfinity,
          path + ".angle_limit", "expected none: only a spherical joint has a total angle",
          problems);
  require(joint.angle_limit > 0.0 && (joint.angle_limit < kPi || joint.angle_limit == kInfinity),
          path + ".angle_limit",
          "expected an angle of more than 0 and less than 180 deg, further than which no attitude "
          "turns",
          problems);
  if (joint.mimic) validate_mimic(joint, path, problems);
  if (size == 0) {
    refuse_all_terms(joint, "a fixed joint does not move, so this has no effect; remove it", path,
                     problems);
    return;
  }
  if (size > 1) {
    validate_compound(joint, path, problems);
    return;
  }
  validate_axis(joint.axis, path + ".axis", problems);
  if (joint.type == JointType::screw) {
    require(std::isfinite(joint.pitch) && joint.pitch != 0.0, path + ".pitch",
            "expected a finite length per turn other than 0: a joint that turns without sliding is "
            "'revolute'",
            problems);
  }
  validate_terms(joint, path, problems);
  if (!joint.wheel) return;
  require(joint.type == JointType::revolute, path + ".reaction_wheel",
          "expected a revolute joint, about which a wheel turns", problems);
  validate_wheel_drive(*joint.wheel, path + ".reaction_wheel", problems);
}

}  // namespace spacedyn
