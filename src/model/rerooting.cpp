#include "spacedyn/model/rerooting.hpp"

#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/assembly.hpp"
#include "model/description_tree.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/joint_traits.hpp"

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

}  // namespace spacedyn
