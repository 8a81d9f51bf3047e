#include "spacedyn/model/rerooting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/assembly.hpp"
#include "model/description_tree.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/model/locking.hpp"
#include "spacedyn/model/submodel.hpp"

namespace spacedyn {
namespace {

const char* const kKey = "placed_by";

/// How far the frame origin of the lower body moves when a joint is turned round, in its axes.
Vector3 origin_shift(const JointDescription& joint) {
  return joint.type == JointType::prismatic ? Vector3(Vector3::Zero()) : joint.origin.position;
}

/// The joint seen from its upper link. With O the joint's place and M(a, q) its displacement,
/// X_upper = X_lower O M(a, q), hence X_lower = X_upper M(−a, q) O⁻¹, and what remains is to move
/// O⁻¹ to the left of M: the rotation turns the axis, the position is the shift of the origin.
JointDescription reversed(const LinkDescription& upper, const Vector3& lower_shift,
                          const Vector3& upper_shift) {
  JointDescription joint = upper.joint;
  const Matrix3 A = clean_rotation(joint.origin.rotation);
  joint.name = joint_name(upper);
  joint.origin.position = -upper_shift - A.transpose() * (joint.origin.position - lower_shift);
  joint.origin.rotation = A.transpose();
  joint.axis = -(A * joint.axis);
  return joint;
}

BodyDescription shifted(BodyDescription body, const Vector3& shift) {
  body.center_of_mass -= shift;
  for (Visual& visual : body.visuals) visual.origin.position -= shift;
  for (CollisionShape& shape : body.collisions) shape.origin.position -= shift;
  return body;
}

void refuse_compound(const LinkDescription& link) {
  if (joint_traits(link.joint.type).size <= 1) return;
  throw DomainError("cannot turn round joint '" + joint_name(link) +
                    "': it has several coordinates");
}

/// A rotor that acts on the link below its joint would have to act on the one above it.
void refuse_coupled_rotor(const LinkDescription& link) {
  if (link.joint.rotor_inertia == 0.0 || link.joint.rotor_coupling == RotorCoupling::reflected) {
    return;
  }
  throw DomainError("cannot turn round joint '" + joint_name(link) +
                    "': its rotor is fully coupled to the link that carries it");
}

}  // namespace

BasePoint base_point(const ModelDescription& model) {
  const auto& details = model.base.notes.details;
  return details.empty() || details.count(kKey) == 0 ? BasePoint::centroid : BasePoint::frame;
}

void set_base_point(ModelDescription& model, BasePoint point) {
  auto& details = model.base.notes.details;
  details.erase(kKey);
  if (point == BasePoint::frame) details[kKey] = kBasePointNames[1];
}

Matrix3 clean_rotation(const Matrix3& rotation) {
  constexpr double kExact = 8.0 * std::numeric_limits<double>::epsilon();
  return orthogonality_error(rotation) <= kExact ? rotation : nearest_rotation(rotation);
}

Pose compose(const Pose& outer, const Pose& inner) {
  return {outer.position + outer.rotation * inner.position,
          outer.rotation * clean_rotation(inner.rotation)};
}

Pose joint_displacement(const JointDescription& joint, double q) {
  Pose displacement;
  const bool slides = joint.type == JointType::prismatic;
  const double way = slides ? q : q * joint.pitch / (2.0 * kPi);  // no pitch but that of a screw
  if (!slides) displacement.rotation = rotation_about(joint.axis, q);
  displacement.position = way * joint.axis.normalized();
  return displacement;
}

ModelDescription rerooted(const ModelDescription& description, const std::string& new_base) {
  const DescriptionTree tree(description);
  const std::vector<std::size_t> path = tree.path(new_base);
  if (path.empty()) return description;
  if (description.base.fixed) {
    throw DomainError("cannot make '" + new_base + "' the base: '" + description.base.name +
                      "' is fixed to the inertial frame; set its 'fixed' to false first");
  }

  for (const std::size_t i : path) {
    refuse_compound(description.links[i]);
    refuse_coupled_rotor(description.links[i]);
  }

  // each link on the path gives its joint to the body below it
  ModelDescription result = description;
  std::unordered_map<std::string, Vector3> shifts;
  for (std::size_t step = 0; step < path.size(); ++step) {
    const LinkDescription& upper = description.links[path[step]];
    const bool from_base = step == 0;
    const BodyDescription lower =
        from_base ? static_cast<const BodyDescription&>(description.base)
                  : static_cast<const BodyDescription&>(description.links[path[step - 1]]);
    const bool last = step + 1 == path.size();
    const Vector3 shift = origin_shift(upper.joint);
    const Vector3 upper_shift =
        last ? Vector3(Vector3::Zero()) : origin_shift(description.links[path[step + 1]].joint);
    LinkDescription& link = result.links[path[step]];
    static_cast<BodyDescription&>(link) = shifted(lower, shift);
    link.parent = upper.name;
    link.joint = reversed(upper, shift, upper_shift);
    shifts.emplace(lower.name, shift);
  }
  static_cast<BodyDescription&>(result.base) = description.links[path.back()];

  // what else sits on a body whose origin moved; joints on the path know already
  for (std::size_t i = 0; i < result.links.size(); ++i) {
    const auto moved = shifts.find(description.links[i].parent);
    const bool on_path = result.links[i].name != description.links[i].name;
    if (moved != shifts.end() && !on_path) result.links[i].joint.origin.position -= moved->second;
  }
  for (FrameDescription& frame : result.frames) {
    if (const auto moved = shifts.find(frame.link); moved != shifts.end()) {
      frame.origin.position -= moved->second;
    }
  }
  return result;
}

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
