/// @file
/// Rotations as functions of time, and the coordinates of joints that follow them.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/control/pose_reference.hpp"
#include "spacedyn/control/prescribed_motion.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// A = A_0 Exp(θ(t)) at the origin, θ a rotation vector as a function of time, of any length.
class SPACEDYN_EXPORT RotationPath final : public PoseReference {
 public:
  /// @param vector  θ, rad: three components with two derivatives
  /// @param first   A_0
  /// @throws DomainError without a reference or if the rotation is none; DimensionError unless it
  /// has three components
  explicit RotationPath(std::shared_ptr<const Reference> vector,
                        const Matrix3& first = Matrix3::Identity());
  PoseMotion evaluate(const Instant& now, const Pose& start) const override;
  std::vector<const Schedule*> schedules() const override { return {vector_.get()}; }

 private:
  std::shared_ptr<const Reference> vector_;
  Matrix3 first_;
};

/// Rotation vectors θ_k, one a column, of attitudes A_k = A_1 Exp(θ_k), as near to each other as
/// they can be, so that a spline through them turns as far as the attitudes do.
/// @throws DomainError without attitudes, or where two neighbours are half a turn or more apart
SPACEDYN_EXPORT MatrixX rotation_vectors(const std::vector<Matrix3>& attitudes);

/// The six coordinates of a free joint that follows a pose: position and velocity in the axes of
/// the joint frame, then the rotation vector, at most π long, with the angular velocity and
/// acceleration in the axes of the carried link. The last three are those of a spherical joint,
/// whose velocities are not the derivatives of its positions.
class SPACEDYN_EXPORT PoseCoordinates final : public Reference {
 public:
  /// @param start  where the pose begins unless it says so itself
  /// @throws DomainError without a pose
  PoseCoordinates(std::shared_ptr<const PoseReference> pose, const Pose& start);
  int size() const override { return 6; }
  ReferenceValue evaluate(int component, double time) const override;
  ReferenceValue at(int component, const Instant& now) const override;
  std::vector<const Schedule*> schedules() const override { return {pose_.get()}; }

 private:
  std::shared_ptr<const PoseReference> pose_;
  Pose start_;
};

/// A spherical joint that follows the rotation of a pose, or a free one that follows the pose,
/// given in the axes of the joint frame.
/// @param start  as that of PoseCoordinates
/// @throws DomainError without a pose or for another type of joint
SPACEDYN_EXPORT std::vector<PrescribedJoint> prescribed_joints(
    const CompoundJoint& joint, std::shared_ptr<const PoseReference> pose, const Pose& start = {});

}  // namespace spacedyn
