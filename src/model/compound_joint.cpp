#include "model/assembly.hpp"

#include "model/description_tree.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

std::vector<Vector3> coordinate_axes(const JointDescription& joint) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  switch (joint.type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
      return {joint.axis.normalized()};
    case JointType::spherical:
      return {x, y, z};
    case JointType::universal:
      return {joint.axis.normalized(), joint.second_axis.normalized()};
    case JointType::cylindrical:
      return {joint.axis.normalized(), joint.axis.normalized()};
    case JointType::planar: {
      const Matrix3 plane = rotation_from_z_to(joint.axis);
      return {plane.col(0), plane.col(1), plane.col(2)};
    }
    case JointType::free:
      return {x, y, z, x, y, z};
  }
  return {};
}

std::vector<LinkDescription> elementary_links(const LinkDescription& link) {
  const JointTraits& traits = joint_traits(link.joint.type);
  if (traits.size <= 1) return {link};
  const std::vector<Vector3> axes = coordinate_axes(link.joint);
  std::vector<LinkDescription> links;
  for (int k = 0; k < traits.size; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const std::string name = coordinate_name(joint_name(link), link.joint.type, k);
    LinkDescription part;
    if (k + 1 == traits.size) part = link;
    if (k + 1 < traits.size) part.name = name;
    part.parent = k == 0 ? link.parent : links.back().name;
    part.joint = link.joint.coordinates.empty() ? JointDescription() : link.joint.coordinates[i];
    part.joint.name = name;
    part.joint.type = traits.coordinates[i].motion;
    part.joint.origin = k == 0 ? link.joint.origin : Pose();
    part.joint.axis = axes[i];
    links.push_back(std::move(part));
  }
  return links;
}

}  // namespace spacedyn
