#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "math/decompositions.hpp"
#include "model/model_validation.hpp"
#include "model/short_number.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
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

namespace {

// an eigenvalue or asymmetry beyond this fraction of the trace is no rounding error of its author
constexpr double kInertiaTolerance = 1e-12;
// identified tensors are printed with a few digits; a warning needs a clear violation
constexpr double kTriangleTolerance = 1e-9;
constexpr double kRotationTolerance = 1e-6;

void validate_inertia(const BodyDescription& body, const std::string& path, bool may_be_part,
                      std::vector<Problem>& problems) {
  const Matrix3& I = body.inertia;
  if (!I.allFinite()) {
    problems.push_back({Severity::error, path, "expected finite numbers", ""});
    return;
  }
  if (body.carries_modes) return;
  const double scale = std::abs(I.trace());
  const double asymmetry = (I - I.transpose()).cwiseAbs().maxCoeff();
  const Severity severity = body.unphysical_inertia ? Severity::warning : Severity::error;
  if (asymmetry > kInertiaTolerance * scale) {
    problems.push_back({severity, path,
                        "expected a symmetric tensor, got elements that differ by " +
                            short_number(asymmetry) + " kg m²",
                        body.unphysical_inertia ? "its symmetric part is used" : ""});
    if (!body.unphysical_inertia) return;
  }
  const Vector3 eigenvalues = symmetric_eigenvalues(Matrix3(0.5 * (I + I.transpose())));
  if (eigenvalues(0) < -kInertiaTolerance * scale) {
    problems.push_back(
        {severity, path,
         "expected a positive semidefinite tensor, got the eigenvalue " +
             short_number(eigenvalues(0)) + " kg m²",
         body.unphysical_inertia ? "" : "'unphysical_inertia: true' accepts the tensor as it is"});
    return;
  }
  if (!may_be_part &&
      eigenvalues(0) + eigenvalues(1) < eigenvalues(2) - kTriangleTolerance * scale) {
    problems.push_back(
        {Severity::warning, path,
         "no rigid body has these principal moments: " + short_number(eigenvalues(0)) + " + " +
             short_number(eigenvalues(1)) + " < " + short_number(eigenvalues(2)) + " kg m²",
         ""});
  }
}

/// Number of the elements of CollisionShape::size that count.
int size_count(CollisionType type) {
  switch (type) {
    case CollisionType::sphere:
      return 1;
    case CollisionType::box:
    case CollisionType::ellipsoid:
      return 3;
    case CollisionType::cylinder:
    case CollisionType::capsule:
      return 2;
    case CollisionType::mesh:
      break;  // its scale has any sign
  }
  return 0;
}

class CollisionValidator {
 public:
  CollisionValidator(const ModelDescription& description, std::vector<Problem>& problems)
      : problems_(problems), may_have_dots_(!description.robots.empty()) {
    bodies_.emplace(description.base.name, &description.base);
    for (const LinkDescription& link : description.links) bodies_.emplace(link.name, &link);
  }

  void check(const BodyDescription& body, const std::string& path) {
    for (std::size_t i = 0; i < body.collisions.size(); ++i) {
      const std::string own = path + ".collision." + std::to_string(i);
      check_name(body, body.collisions[i].name, own + ".name");
      check_shape(body.collisions[i], own);
    }
  }

 private:
  void error(const std::string& path, const std::string& message) {
    problems_.push_back({Severity::error, path, message, ""});
  }

  void check_name(const BodyDescription& body, const std::string& name, const std::string& path) {
    if (name.empty() || (!may_have_dots_ && name.find('.') != std::string::npos)) {
      return error(path, "expected a name without dots, got '" + name + "'");
    }
    if (name == "terrain" || name == "all") {
      return error(path,
                   "expected another name, got '" + name + "', which has a meaning of its own");
    }
    const auto named = bodies_.find(name);
    if (named != bodies_.end() && named->second != &body) {
      return error(path, "expected a name of its own, got '" + name + "' like a link");
    }
    const auto [owner, added] = taken_.emplace(name, path);
    if (!added) error(path, "expected a name of its own, got '" + name + "' like " + owner->second);
  }

  void check_shape(const CollisionShape& shape, const std::string& path) {
    validate_pose(shape.origin, path + ".origin", problems_);
    if (shape.type == CollisionType::mesh && shape.hull == nullptr) {
      return error(path, "expected the convex hull of a mesh");
    }
    for (int k = 0; k < size_count(shape.type); ++k) {
      if (std::isfinite(shape.size(k)) && shape.size(k) > 0.0) continue;
      return error(path, "expected a shape with positive, finite lengths");
    }
  }

  std::vector<Problem>& problems_;
  const bool may_have_dots_;  // those after the names of robots
  std::map<std::string, const BodyDescription*> bodies_;
  std::map<std::string, std::string> taken_;
};

}  // namespace

void validate_body(const BodyDescription& body, const std::string& path,
                   std::vector<Problem>& problems, bool may_be_part) {
  if (!std::isfinite(body.mass) || (body.mass < 0.0 && !body.carries_modes)) {
    problems.push_back({Severity::error, path + ".mass",
                        "expected a finite mass of at least 0 kg, got " + short_number(body.mass),
                        ""});
  }
  if (!body.center_of_mass.allFinite()) {
    problems.push_back({Severity::error, path + ".center_of_mass", "expected finite numbers", ""});
  }
  validate_inertia(body, path + ".inertia", may_be_part, problems);
}

void validate_pose(const Pose& pose, const std::string& path, std::vector<Problem>& problems) {
  if (!pose.position.allFinite()) {
    problems.push_back({Severity::error, path + ".xyz", "expected finite numbers", ""});
  }
  if (!pose.rotation.allFinite() || orthogonality_error(pose.rotation) > kRotationTolerance ||
      pose.rotation.determinant() < 0.0) {
    problems.push_back({Severity::error, path,
                        "expected a rotation: orthonormal to 1e-6 with determinant +1", ""});
  }
}

void validate_collisions(const ModelDescription& description, std::vector<Problem>& problems) {
  CollisionValidator validator(description, problems);
  validator.check(description.base, "base");
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    validator.check(description.links[i], "links." + std::to_string(i));
  }
}

}  // namespace spacedyn
