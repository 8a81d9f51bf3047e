#include "spacedyn/model/attachment.hpp"

#include <unordered_set>

#include "model/description_tree.hpp"
#include "model/prefixed_names.hpp"
#include "spacedyn/error.hpp"

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

}  // namespace spacedyn
