/// @file
/// Axes and rows of K of points that move. Private.
#pragma once

#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

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
