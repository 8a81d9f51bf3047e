#include "model/poses.hpp"

#include <limits>

#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

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
  if (joint.type == JointType::revolute) displacement.rotation = rotation_about(joint.axis, q);
  if (joint.type == JointType::prismatic) displacement.position = q * joint.axis.normalized();
  return displacement;
}

}  // namespace spacedyn
