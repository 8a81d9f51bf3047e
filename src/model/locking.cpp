#include "spacedyn/model/locking.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/assembly.hpp"
#include "model/description_tree.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/submodel.hpp"

namespace spacedyn {
namespace {

JointDescription locked(const JointDescription& joint, double position) {
  JointDescription fixed;
  fixed.name = joint.name;
  fixed.type = JointType::fixed;
  fixed.origin.rotation = clean_rotation(joint.origin.rotation);
  fixed.origin.position = joint.origin.position;
  fixed.origin = compose(fixed.origin, joint_displacement(joint, position));
  fixed.axis = joint.axis;
  fixed.notes = joint.notes;
  return fixed;
}

/// A coupling or transmission has no meaning where one of its joints does not move.
void refuse_coupled(const ModelDescription& description, const std::string& joint) {
  const auto refuse = [&](const std::string& name) {
    throw DomainError("cannot lock joint '" + joint + "': '" + name +
                      "' acts between it and others; remove that first");
  };
  for (const JointCouplingDescription& coupling : description.couplings) {
    const auto& joints = coupling.joints;
    if (std::find(joints.begin(), joints.end(), joint) != joints.end()) refuse(coupling.name);
  }
  for (const TransmissionDescription& transmission : description.transmissions) {
    if (transmission.motor == joint || transmission.joint == joint) refuse(transmission.name);
  }
  for (const LinkDescription& link : description.links) {
    if (!link.joint.mimic) continue;
    if (joint_name(link) == joint || link.joint.mimic->joint == joint) {
      throw DomainError("cannot lock joint '" + joint + "': '" + joint_name(link) + "' follows '" +
                        link.joint.mimic->joint + "'; remove that first");
    }
  }
  for (const LoopDescription& loop : description.loops) {
    if (std::find(loop.joints.begin(), loop.joints.end(), joint) != loop.joints.end()) {
      refuse(loop.name);
    }
  }
}

/// Keeps the elements for which `keep` holds.
template <typename List, typename Predicate>
void keep_if(List& list, Predicate keep) {
  list.erase(
      std::remove_if(list.begin(), list.end(), [&](const auto& element) { return !keep(element); }),
      list.end());
}

/// Keeps the couplings and transmissions between joints that are left.
void keep_elements_of_links(ModelDescription& part) {
  std::unordered_set<std::string> joints;
  for (const LinkDescription& link : part.links) joints.insert(joint_name(link));
  DescriptionTree::keep_elements(joints, part);
}

/// The name, or that name with the first number that makes it one of its own.
std::string free_name(const std::string& name, const std::unordered_set<std::string>& taken) {
  std::string result = name;
  for (int k = 2; taken.count(result) > 0; ++k) result = name + '_' + std::to_string(k);
  return result;
}

/// What turns on when the link of a geared joint is gone: a body without mass on the same joint.
/// The rotor at rest is part of the lower body, its energy belongs to the joint.
LinkDescription idle_rotor(const LinkDescription& link, const ModelDescription& remaining) {
  std::unordered_set<std::string> points{remaining.base.name}, joints;
  for (const LinkDescription& each : remaining.links) {
    points.insert(each.name);
    joints.insert(joint_name(each));
  }
  for (const FrameDescription& frame : remaining.frames) points.insert(frame.name);
  LinkDescription rotor;
  rotor.name = free_name(link.name + "_rotor", points);
  rotor.parent = link.parent;
  JointDescription& joint = rotor.joint;
  joint.name = free_name(joint_name(link) + "_motor", joints);
  joint.type = link.joint.type;
  joint.origin = link.joint.origin;
  joint.axis = link.joint.axis;
  joint.pitch = link.joint.pitch;
  joint.velocity_limit = link.joint.velocity_limit;
  joint.effort_limit = link.joint.effort_limit;
  joint.rotor_inertia = link.joint.rotor_inertia;
  joint.gear_ratio = link.joint.gear_ratio;
  joint.rotor_coupling = link.joint.rotor_coupling;
  joint.friction = link.joint.friction;
  return rotor;
}

}  // namespace

ModelDescription lock_joints(const ModelDescription& description, const JointPositions& positions) {
  const DescriptionTree tree(description);
  ModelDescription result = description;
  for (const auto& [name, position] : positions) {
    JointDescription& joint = result.links[tree.link_of_joint(name)].joint;
    if (joint.type == JointType::fixed) {
      throw DomainError("cannot lock joint '" + name + "': it is fixed already");
    }
    if (joint_traits(joint.type).size > 1) {
      throw DomainError("cannot lock joint '" + name +
                        "': it has several coordinates; lock it in a scenario");
    }
    if (!std::isfinite(position)) {
      throw DomainError("cannot lock joint '" + name + "': its position is not finite");
    }
    refuse_coupled(description, name);
    joint = locked(joint, position);
  }
  return result;
}

ModelDescription unlock_joints(const ModelDescription& locked, const ModelDescription& original,
                               const std::vector<std::string>& joints) {
  const DescriptionTree tree(locked);
  const DescriptionTree original_tree(original);
  ModelDescription result = locked;
  for (const std::string& name : joints) {
    LinkDescription& link = result.links[tree.link_of_joint(name)];
    const LinkDescription& source = original.links[original_tree.link_of_joint(name)];
    if (link.joint.type != JointType::fixed) {
      throw DomainError("cannot unlock joint '" + name + "': it moves already");
    }
    if (source.joint.type == JointType::fixed) {
      throw DomainError("cannot unlock joint '" + name + "': the original has it fixed, too");
    }
    if (link.name != source.name || link.parent != source.parent) {
      throw DomainError("cannot unlock joint '" + name + "': it joins '" + link.parent + "' to '" +
                        link.name + "', but '" + source.parent + "' to '" + source.name +
                        "' in the original");
    }
    link.joint = source.joint;
  }
  return result;
}

ModelDescription submodel(const ModelDescription& description, const std::string& link) {
  const DescriptionTree tree(description);
  if (tree.is_base(link)) return description;
  ModelDescription part = description;
  part.name = link;
  part.base = BaseDescription{};
  static_cast<BodyDescription&>(part.base) = description.links[tree.link(link)];
  const auto names = tree.subtree(link);
  keep_if(part.links, [&](const LinkDescription& each) { return names.count(each.parent) > 0; });
  keep_if(part.frames, [&](const FrameDescription& each) { return names.count(each.link) > 0; });
  keep_elements_of_links(part);
  return part;
}

DetachedDescriptions detach(const ModelDescription& description, const std::string& link) {
  const DescriptionTree tree(description);
  if (tree.is_base(link)) {
    throw DomainError("cannot detach '" + link + "': it is the base; choose a link");
  }
  DetachedDescriptions parts{description, submodel(description, link), ""};
  const auto names = tree.subtree(link);
  keep_if(parts.remaining.links,
          [&](const LinkDescription& each) { return names.count(each.name) == 0; });
  keep_if(parts.remaining.frames,
          [&](const FrameDescription& each) { return names.count(each.link) == 0; });
  keep_elements_of_links(parts.remaining);
  const LinkDescription& cut = description.links[tree.link(link)];
  if (cut.joint.rotor_inertia > 0.0) {
    parts.remaining.links.push_back(idle_rotor(cut, parts.remaining));
    parts.idle_motor = parts.remaining.links.back().joint.name;
  }
  return parts;
}

}  // namespace spacedyn
