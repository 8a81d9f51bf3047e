#include "spacedyn/model/aggregate.hpp"

#include <algorithm>
#include <unordered_set>

#include "model/description_tree.hpp"
#include "model/prefixed_names.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

constexpr const char* kWorld = "world";

void check_part(const RobotPart& part, const std::vector<RobotPart>& parts) {
  if (part.model == nullptr) {
    throw DomainError("cannot aggregate: robot '" + part.name + "' has no model");
  }
  if (part.name.empty() || part.name == kWorld || part.name.find('.') != std::string::npos) {
    throw DomainError("cannot aggregate: expected a name without dots other than 'world', got '" +
                      part.name + "'");
  }
  const auto count = std::count_if(parts.begin(), parts.end(),
                                   [&](const RobotPart& other) { return other.name == part.name; });
  if (count > 1) {
    throw DomainError("cannot aggregate: two robots are named '" + part.name + "'");
  }
}

/// `<robot>.base`, unless the robot has a joint, link or frame of that name itself.
std::string name_of_base_joint(const ModelDescription& part, const std::string& robot) {
  std::unordered_set<std::string> taken;
  for (const LinkDescription& link : part.links) {
    taken.insert(link.name);
    taken.insert(joint_name(link));
  }
  for (const FrameDescription& frame : part.frames) taken.insert(frame.name);
  const auto is_free = [&](const std::string& name) {
    if (taken.count(name) > 0) return false;
    for (int k = 0; k < joint_traits(JointType::free).size; ++k) {
      if (taken.count(coordinate_name(name, JointType::free, k)) > 0) return false;
    }
    return true;
  };
  std::string name = robot + ".base";
  while (!is_free(name)) name += "_joint";
  return name;
}

/// The base as a link on the inertial frame.
LinkDescription standing_base(const ModelDescription& part, const RobotPart& robot) {
  LinkDescription link;
  static_cast<BodyDescription&>(link) = part.base;
  link.parent = kWorld;
  link.joint.name = name_of_base_joint(part, robot.name);
  link.joint.type = robot.floats ? JointType::free : JointType::fixed;
  if (!robot.floats) {
    const Vector3& centroid = robot.model->body(0).center_of_mass;
    link.joint.origin.rotation = robot.base.rotation;
    link.joint.origin.position = robot.base.position - robot.base.rotation * centroid;
  }
  return link;
}

}  // namespace

ModelDescription aggregate(const std::string& name, const std::vector<RobotPart>& parts) {
  if (parts.empty()) throw DomainError("cannot aggregate: expected at least one robot, got none");
  ModelDescription whole;
  whole.name = name;
  whole.base.name = kWorld;
  whole.base.fixed = true;
  for (const RobotPart& robot : parts) {
    check_part(robot, parts);
    const ModelDescription part = prefixed(robot.model->description(), robot.name + '.');
    whole.links.push_back(standing_base(part, robot));
    append_parts(part, whole);
    const Body& base = robot.model->body(0);
    whole.robots.push_back({robot.name, part.base.name, base.center_of_mass, base.mass});
  }
  return whole;
}

}  // namespace spacedyn
