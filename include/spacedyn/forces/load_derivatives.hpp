/// @file
/// How loads depend on where a system is, how it moves, and when.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/kinematics/link_frames.hpp"

namespace spacedyn {

/// First derivatives of Q = [F_b; τ] + Σ Jᵀ F, size 6 + n, and of ż.
///
/// Changes of configuration are δx = [δr_0; δθ; δq] with the rotation vector δθ on the left, of
/// velocity δu, as those of ForwardDynamicsDerivatives, which take on `force * force_configuration`
/// and so on. A wrench on a body counts with how its force and its moment about the centroid
/// change; that the centroid moves with the body is part of the dynamics.
struct SPACEDYN_EXPORT LoadDerivatives {
  MatrixX force_configuration, force_velocity;  ///< ∂Q/∂x, ∂Q/∂u, (6+n)×(6+n)
  MatrixX force_auxiliary;                      ///< ∂Q/∂z, as many columns as z
  VectorX force_time;                           ///< ∂Q/∂t
  MatrixX rate_configuration, rate_velocity;    ///< ∂ż/∂x, ∂ż/∂u, as many rows as z
  MatrixX rate_auxiliary;                       ///< ∂ż/∂z
  VectorX rate_time;                            ///< ∂ż/∂t

  /// Row and column of the first of the auxiliary states of the element that is being asked.
  Eigen::Index slice = 0;

  /// Zero, for a model and a number of auxiliary states of all elements together.
  LoadDerivatives(const Model& model, int auxiliaries);
  void clear();

  /// Row of Q, or column of x or u, of joint 1…n.
  static Eigen::Index joint(int index) { return index + 5; }
};

/// Adds Jᵀ F of a force and a moment about the centroid of a body to a generalized force, size
/// 6 + n. O(depth), allocates nothing.
SPACEDYN_EXPORT void add_generalized_force(const Model& model, const LinkFrames& frames, int body,
                                           const Vector3& force, const Vector3& moment,
                                           VectorRef generalized);

}  // namespace spacedyn
