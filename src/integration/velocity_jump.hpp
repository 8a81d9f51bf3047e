/// @file
/// Velocities after an impulse.
#pragma once

#include <utility>

#include <Eigen/Cholesky>

#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// H of the free coordinates at one configuration, solved for the jumps that impulses cause.
class VelocityJump {
 public:
  /// @throws NumericalError if H of the free coordinates is not positive definite
  VelocityJump(const Model& model, const LinkFrames& frames, const Mobility& mobility);

  /// Δu = H⁻¹ Λ of a generalized impulse Λ, size 6 + n; prescribed rows stay.
  VectorX of_impulse(const VectorX& impulse) const;
  /// Δu = H⁻¹ e (eᵀ H⁻¹ e)⁻¹ Δq̇: the internal impulse that changes one joint's velocity so much.
  VectorX of_joint(int joint, double change) const;
  /// Impulse that holds a joint meanwhile, e_iᵀ (H Δu − Λ), and the size of the sum's terms.
  std::pair<double, double> reaction(int joint, const VectorX& jump, const VectorX& impulse) const;

 private:
  Mobility mobility_;
  MatrixX H_;
  Eigen::LLT<MatrixX> factorization_;
};

/// Jᵀ [p; l] of an impulse p through a point of a body and an angular impulse l, size 6 + n.
VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular);

}  // namespace spacedyn
