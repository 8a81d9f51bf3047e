#include "spacedyn/model/modal_appendage.hpp"

#include <algorithm>
#include <cmath>

#include "math/decompositions.hpp"
#include "model/assembly.hpp"
#include "model/model_validation.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Roundings of the programs that print participation factors.
constexpr double kModalTolerance = 1e-6;
/// Fraction of a mass below which a centroid is lost in roundings.
constexpr double kVanishing = 1e-8;

/// Rigid mass matrix about the root, (linear, angular).
Matrix6 rigid_matrix(const BodyDescription& body) {
  const Matrix3 c = tilde(body.center_of_mass);
  Matrix6 M;
  M << body.mass * Matrix3::Identity(), body.mass * c.transpose(), body.mass * c,
      body.inertia + body.mass * c * c.transpose();
  return M;
}

/// The same with what the modes take part in removed.
Matrix6 residual_matrix(const ModalAppendageDescription& appendage) {
  Matrix6 M = rigid_matrix(appendage);
  for (const AppendageMode& mode : appendage.modes) {
    Vector6 L;
    L << mode.translation, mode.rotation;
    M -= L * L.transpose();
  }
  return M;
}

/// What moves with one mode, at rest, in the appendage's frame.
BodyDescription modal_body(const AppendageMode& mode) {
  BodyDescription body;
  const Vector3& p = mode.translation;
  const Vector3& h = mode.rotation;
  if (p.isZero(0.0)) {
    // a disc: no body has inertia about one axis alone
    body.inertia = 0.5 * (h.squaredNorm() * Matrix3::Identity() + h * h.transpose());
  } else {
    body.mass = p.squaredNorm();
    body.center_of_mass = p.cross(h) / p.squaredNorm();
  }
  return body;
}

LinkDescription modal_link(const ModalAppendageDescription& appendage, std::size_t k) {
  const AppendageMode& mode = appendage.modes[k];
  const bool slides = !mode.translation.isZero(0.0);
  LinkDescription link;
  static_cast<BodyDescription&>(link) = modal_body(mode);
  link.name = appendage.name + "_mode_" + std::to_string(k + 1);
  link.parent = appendage.parent;
  JointDescription& joint = link.joint;
  joint.type = slides ? JointType::prismatic : JointType::revolute;
  joint.axis = slides ? mode.translation : mode.rotation;
  joint.origin = appendage.origin;
  joint.origin.position += appendage.origin.rotation * link.center_of_mass;
  link.center_of_mass.setZero();
  const double modal_mass = joint.axis.squaredNorm();
  joint.stiffness = modal_mass * mode.frequency * mode.frequency;
  joint.damping = 2.0 * mode.damping_ratio * modal_mass * mode.frequency;
  return link;
}

/// A body that takes away what another one has.
BodyDescription negative(BodyDescription body) {
  body.mass = -body.mass;
  body.inertia = -body.inertia;
  return body;
}

BodyDescription& parent_of(ModelDescription& robot, const std::string& name) {
  if (robot.base.name == name) return robot.base;
  for (LinkDescription& link : robot.links) {
    if (link.name == name) return link;
  }
  throw DomainError("no body is named '" + name + "', which should carry an appendage");
}

}  // namespace

std::vector<Problem> validate_modal_appendage(const ModalAppendageDescription& appendage,
                                              const std::string& path) {
  std::vector<Problem> problems;
  const auto require = [&](bool rule, const std::string& key, const std::string& message) {
    if (!rule) problems.push_back({Severity::error, path + '.' + key, message, ""});
  };
  validate_body(appendage, path, problems);
  validate_pose(appendage.origin, path + ".origin", problems);
  require(!appendage.modes.empty(), "modes", "expected at least one mode, got none");
  for (std::size_t k = 0; k < appendage.modes.size(); ++k) {
    const AppendageMode& mode = appendage.modes[k];
    const Vector3& p = mode.translation;
    const Vector3& h = mode.rotation;
    const std::string key = "modes." + std::to_string(k);
    require(std::isfinite(mode.frequency) && mode.frequency > 0.0, key + ".frequency",
            "expected a finite, positive frequency");
    require(std::isfinite(mode.damping_ratio) && mode.damping_ratio >= 0.0, key + ".damping_ratio",
            "expected a finite number of at least 0");
    require(p.allFinite() && h.allFinite(), key, "expected finite participation factors");
    require(!p.isZero(0.0) || !h.isZero(0.0), key,
            "expected a mode that takes part in some motion of the root, got zeros");
    require(std::abs(p.dot(h)) <= kModalTolerance * p.norm() * h.norm(), key + ".rotation",
            "expected a rotation normal to the translation: a mode with both along one axis is a "
            "screw, which is not supported");
  }
  if (!problems.empty()) return problems;
  const Matrix6 whole = rigid_matrix(appendage);
  const Vector6 scale = whole.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  const Matrix6 rest = scale.asDiagonal() * residual_matrix(appendage) * scale.asDiagonal();
  const double least = symmetric_eigenvalues(MatrixX(rest))(0);
  require(least >= -kModalTolerance, "modes",
          "expected modes that take part in no more than the whole appendage, got participation "
          "factors that contradict its mass and inertia");
  return problems;
}

void add_modal_appendage(ModelDescription& robot, const ModalAppendageDescription& appendage) {
  std::vector<Problem> problems = validate_modal_appendage(appendage, appendage.name);
  const bool refused = std::any_of(problems.begin(), problems.end(), [](const Problem& problem) {
    return problem.severity == Severity::error;
  });
  if (refused) throw ModelError(std::move(problems));

  BodyDescription& parent = parent_of(robot, appendage.parent);
  MassSum sum;
  sum.add(parent, Pose{});
  sum.add(appendage, appendage.origin);
  for (const AppendageMode& mode : appendage.modes) {
    sum.add(negative(modal_body(mode)), appendage.origin);
  }
  const Matrix3 inertia = sum.inertia();
  BodyDescription rest = parent;
  rest.mass = sum.mass();
  rest.center_of_mass = sum.center_of_mass();
  rest.inertia = 0.5 * (inertia + inertia.transpose());
  for (CollisionShape shape : appendage.collisions) {
    shape.origin = compose(appendage.origin, shape.origin);  // it touches where it is at rest
    rest.collisions.push_back(std::move(shape));
  }
  const double whole = parent.mass + appendage.mass;
  const double reach = appendage.center_of_mass.norm() + appendage.origin.position.norm();
  if (std::abs(rest.mass) < kVanishing * whole &&
      sum.moment().norm() > kVanishing * whole * reach) {
    throw DomainError("what remains of '" + appendage.parent + "' when '" + appendage.name +
                      "' is attached to it has no mass: change its mass by a millionth");
  }
  // modes in two planes take the mass that moves in each: more than there is, which modes give back
  std::vector<Problem> left;
  validate_body(rest, "parent", left);
  if (!left.empty() && left.front().severity == Severity::error) rest.carries_modes = true;
  parent = rest;
  for (std::size_t k = 0; k < appendage.modes.size(); ++k) {
    robot.links.push_back(modal_link(appendage, k));
  }
  robot.frames.push_back({appendage.name, appendage.parent, appendage.origin, appendage.notes});
}

}  // namespace spacedyn
