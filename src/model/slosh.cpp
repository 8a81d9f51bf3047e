#include "spacedyn/model/slosh.hpp"

#include <cmath>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

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

}  // namespace spacedyn
