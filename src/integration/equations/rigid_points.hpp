/// @file
/// The points of rigid contacts as rows of constraints: gaps, velocities, K and its bias. Private.
#pragma once

#include <vector>

#include "integration/equations/archive.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/math/types.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// One point at one instant. Components are along n, which points to the first body, and two
/// tangents.
struct RigidPointMotion {
  ContactPoint at;
  Matrix3 axes = Matrix3::Identity();  ///< columns n, t_1, t_2
  Vector3 velocity = Vector3::Zero();  ///< of the first body against the second there, in axes

  double gap() const { return -at.depth; }
  double approach() const { return -velocity(0); }
  Vector3 sliding() const { return axes.rightCols<2>() * velocity.tail<2>(); }
};

/// All points of all rigid contacts of a system, in a fixed order.
class RigidPoints {
 public:
  struct Point {
    const RigidContact* contact;
    std::size_t contact_index;  ///< among the rigid contacts
    const ContactPair* pair;
    int number;  ///< in the pair
  };
  struct Contact {
    const RigidContact* element;
    std::size_t slot;        ///< among the elements
    int first_integral;      ///< among those of all elements
    std::size_t first, end;  ///< points
  };

  explicit RigidPoints(const SystemElements& elements);

  const std::vector<Point>& points() const { return points_; }
  const std::vector<Contact>& contacts() const { return contacts_; }
  std::size_t size() const { return points_.size(); }
  /// The length of the mechanism: all offsets of its joints and the far side of its shapes, m.
  double length() const { return length_; }

  RigidPointMotion motion(const EvaluationContext& context, std::size_t point) const;
  /// Geometry alone, without velocities. For the start, and for gaps.
  ContactPoint locate(const LinkFrames& frames, std::size_t point) const;
  /// Kᵀ of a unit velocity along a direction; equally what a unit force along it does to the
  /// coordinates. @param column  out: size 6 + n
  void column(const EvaluationContext& context, std::size_t point, const Vector3& at,
              const Vector3& direction, VectorRef column) const;
  /// What velocities add to the second derivative of the gap, and to the tangential accelerations
  /// where nothing slides: K̇ u, in the axes of the motion.
  Vector3 bias(const EvaluationContext& context, std::size_t point,
               const RigidPointMotion& motion) const;

 private:
  std::vector<Point> points_;
  std::vector<Contact> contacts_;
  double length_ = 0.0;
};

/// A force through the centroid of a body and a moment, inertial axes.
struct BodyWrench {
  int body = 0;
  Vector3 force = Vector3::Zero();   ///< N
  Vector3 moment = Vector3::Zero();  ///< about the centroid, N m
  Vector3 point = Vector3::Zero();   ///< where the force acts, m

  void transfer(Archive& archive) { archive(body, force, moment, point); }
};

/// Columns n and two tangents, the same for the same n.
inline Matrix3 contact_axes(const Vector3& n) {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  Matrix3 axes;
  axes.col(0) = n;
  axes.col(1) = (Vector3::Unit(least) - n(least) * n).normalized();
  axes.col(2) = n.cross(axes.col(1));
  return axes;
}

/// A body, and the one against which its motion counts; −1: the inertial frame.
struct BodyPair {
  int body = 0, against = -1;
};

/// Kᵀ of a unit velocity along a direction of the point of a body that is now at a place; equally
/// what a unit force along it does to the coordinates.
/// @param column  out: size 6 + n
inline void point_row(const EvaluationContext& context, const BodyPair& pair, const Vector3& at,
                      const Vector3& direction, VectorRef column) {
  const LinkFrames& frames = context.frames;
  column.setZero();
  if (pair.against < 0) {
    column.head<3>() = direction;
    column.segment<3>(3) = (at - frames.r[0]).cross(direction);
  }
  const auto add = [&](int body, double sign) {
    for_each_joint_below(context.model, body, [&](int joint) {
      column(joint + 5) += sign * linear_column(context.model, frames, joint, at).dot(direction);
    });
  };
  add(pair.body, 1.0);
  if (pair.against >= 0) add(pair.against, -1.0);
}

}  // namespace spacedyn
