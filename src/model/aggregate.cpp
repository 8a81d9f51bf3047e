#include "spacedyn/model/aggregate.hpp"

#include <algorithm>
#include <unordered_set>

#include "model/description_tree.hpp"
#include "model/short_number.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

LinkDescription carried_base(const ModelDescription& attached, const Attachment& attachment) {
  LinkDescription link;
  static_cast<BodyDescription&>(link) = attached.base;
  link.parent = attachment.parent;
  link.joint = attachment.joint;
  if (link.notes.description.empty()) link.notes.description = attached.notes.description;
  if (link.notes.source.empty()) link.notes.source = attached.notes.source;
  return link;
}

void refuse_shared_names(const ModelDescription& robot, const ModelDescription& whole) {
  std::unordered_set<std::string> points{robot.base.name}, joints;
  const auto claim = [](std::unordered_set<std::string>& taken, const std::string& name,
                        const char* what) {
    if (taken.insert(name).second) return;
    throw DomainError("cannot attach: both models have a " + std::string(what) + " named '" + name +
                      "'; give the attachment a prefix");
  };
  for (const LinkDescription& link : whole.links) {
    claim(points, link.name, "link or frame");
    claim(joints, joint_name(link), "joint");
  }
  for (const FrameDescription& frame : whole.frames) claim(points, frame.name, "link or frame");
  std::unordered_set<std::string> elements;
  for (const auto& each : whole.couplings) claim(elements, each.name, "coupling or transmission");
  for (const auto& each : whole.transmissions) {
    claim(elements, each.name, "coupling or transmission");
  }
  for (const auto& each : whole.loops) claim(elements, each.name, "loop");
}

constexpr const char* kWorld = "world";
constexpr const char* kTurnSuffix = "_angle";

void check_part(const RobotPart& part, const std::vector<RobotPart>& parts) {
  if (part.model == nullptr) {
    throw DomainError("cannot aggregate: robot '" + part.name + "' has no model");
  }
  if (part.floats && part.turn_axis) {
    throw DomainError("cannot aggregate: the base of robot '" + part.name +
                      "' either floats or is carried");
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
    if (taken.count(name) > 0 || taken.count(name + kTurnSuffix) > 0) return false;
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

/// Slides along x, y, z and a turn, all through the centroid of the base, and the base on them.
std::vector<LinkDescription> carried_base(const ModelDescription& part, const RobotPart& robot) {
  LinkDescription base = standing_base(part, robot);
  const std::string stem = base.joint.name;
  base.joint.origin.position -= robot.base.position;
  std::vector<LinkDescription> links;
  std::string carrier = kWorld;
  const auto add = [&](const std::string& name, JointType type, const Vector3& axis) {
    LinkDescription link;
    link.name = link.joint.name = name;
    link.parent = carrier;
    link.joint.type = type;
    link.joint.axis = axis;
    carrier = name;
    links.push_back(link);
  };
  for (int k = 0; k < 3; ++k) {
    add(coordinate_name(stem, JointType::free, k), JointType::prismatic, Vector3::Unit(k));
  }
  add(stem + kTurnSuffix, JointType::revolute, *robot.turn_axis);
  base.parent = carrier;
  links.push_back(std::move(base));
  return links;
}

}  // namespace

Attachment::Attachment() { joint.type = JointType::fixed; }

ModelDescription attach(const ModelDescription& robot, const ModelDescription& attached,
                        const Attachment& attachment) {
  const DescriptionTree tree(robot);
  const DescriptionTree attached_tree(attached);
  tree.require_body(attachment.parent);
  if (attached.base.fixed) {
    throw DomainError("cannot attach '" + attached.base.name +
                      "': it is fixed to the inertial frame; set its 'fixed' to false first");
  }
  const ModelDescription part = prefixed(attached, attachment.prefix);
  ModelDescription result = robot;
  result.links.push_back(carried_base(part, attachment));
  append_parts(part, result);
  refuse_shared_names(robot, result);
  return result;
}

ModelDescription aggregate(const std::string& name, const std::vector<RobotPart>& parts) {
  if (parts.empty()) throw DomainError("cannot aggregate: expected at least one robot, got none");
  ModelDescription whole;
  whole.name = name;
  whole.base.name = kWorld;
  whole.base.fixed = true;
  for (const RobotPart& robot : parts) {
    check_part(robot, parts);
    const ModelDescription part = prefixed(robot.model->description(), robot.name + '.');
    if (robot.turn_axis) {
      for (LinkDescription& link : carried_base(part, robot))
        whole.links.push_back(std::move(link));
    } else {
      whole.links.push_back(standing_base(part, robot));
    }
    append_parts(part, whole);
    const Body& base = robot.model->body(0);
    whole.robots.push_back(
        {robot.name, part.base.name, base.center_of_mass, base.mass, robot.turn_axis.has_value()});
  }
  return whole;
}

}  // namespace spacedyn
