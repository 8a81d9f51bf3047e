#include "spacedyn/model/locking.hpp"

#include <algorithm>
#include <cmath>

#include "model/description_tree.hpp"
#include "model/poses.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/joint_traits.hpp"

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
  for (const LoopDescription& loop : description.loops) {
    if (std::find(loop.joints.begin(), loop.joints.end(), joint) != loop.joints.end()) {
      refuse(loop.name);
    }
  }
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

}  // namespace spacedyn
