#include "spacedyn/model/slosh.hpp"

#include <cmath>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Axes along or about which the mass moves.
std::vector<int> moving_axes(const SloshDescription& slosh) {
  if (slosh.type == SloshType::pendulum) return {0, 1};
  std::vector<int> axes;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::isfinite(slosh.stiffness(axis))) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

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
  for (const int axis : axes) {
    LinkDescription link;
    const std::string joint = slosh.name + '_' + "xyz"[axis];
    const bool is_last = axis == axes.back();
    link.name = is_last ? slosh.name : joint;
    link.parent = parent;
    link.joint.name = joint;
    link.joint.type = swings ? JointType::revolute : JointType::prismatic;
    link.joint.axis = Vector3::Unit(axis);
    link.joint.damping = slosh.damping;
    if (axis == axes.front()) link.joint.origin.position = slosh.position;
    if (!swings) link.joint.stiffness = slosh.stiffness(axis);
    if (is_last) {
      link.mass = slosh.mass;
      link.notes = slosh.notes;
      if (swings) link.center_of_mass = Vector3(0.0, 0.0, -slosh.length);
    }
    parent = link.name;
    robot.links.push_back(std::move(link));
  }
}

}  // namespace spacedyn
