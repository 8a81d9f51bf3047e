/// @file
/// Everything that acts on a system at one instant.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Forces and moments on the system, inertial axes.
///
/// External wrenches are those the environment applies **on** a body ([SpaceDyn] (18)); they are
/// summed per body about its centroid, which loses nothing for a rigid body.
struct SPACEDYN_EXPORT Loads {
  Vector3 gravity = Vector3::Zero();  ///< g, acceleration of free fall, m/s²
  Vector6 F_b = Vector6::Zero();  ///< (F_0, N_0): force and moment on the base about its centroid
  VectorX tau;                    ///< τ: joint torques or forces, size n
  Matrix3X force;                 ///< external force on body i in column i, N, 3×(n+1)
  Matrix3X moment;                ///< external moment about the centroid of body i, N m

  Loads() = default;
  /// No load at all, sizes from the model.
  explicit Loads(const Model& model);

  /// @throws DimensionError unless the sizes are those of the model; DomainError unless finite
  void check(const Model& model) const;

  /// Removes every load; gravity stays.
  void clear();

  /// Adds a force through @p point (inertial) and a moment on a body with centroid @p r.
  void add_wrench(int body, const Vector3& r, const Vector3& point, const Vector3& f,
                  const Vector3& n) {
    force.col(body) += f;
    moment.col(body) += n + (point - r).cross(f);
  }
};

}  // namespace spacedyn
