/// @file
/// First derivatives of inverse and forward dynamics with respect to configuration, velocity and
/// acceleration or force.
///
/// A change of configuration is δx = [δr_0; δθ; δq], size 6 + n, with δθ a rotation vector on the
/// left: A_0 ← Exp(δθ) A_0, inertial axes. Everything else stays as it is: u = [v_0; ω_0; q̇], u̇,
/// gravity and all Loads keep their inertial components, external wrenches their place in the body.
/// Columns of δr_0 and v_0 are therefore zero.
///
/// Of joints j and k on one path, j upward of k, τ_k depends on q_j by how the composite body above
/// k answers to the motion that joint j makes it see, a scalar product of two 6-vectors; so inverse
/// dynamics takes O(n · depth). With respect to forward dynamics,
/// ∂u̇ = −H⁻¹ ∂ID at the accelerations found, of which each column costs O(n).
#pragma once

#include <memory>

#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Derivatives of [F_b; τ] of inverse dynamics, each (6+n)×(6+n).
struct SPACEDYN_EXPORT InverseDynamicsDerivatives {
  MatrixX configuration;  ///< ∂[F_b; τ]/∂x, x = [r_0; θ; q]
  MatrixX velocity;       ///< ∂[F_b; τ]/∂u
  MatrixX acceleration;   ///< ∂[F_b; τ]/∂u̇ = H

  InverseDynamicsDerivatives() = default;
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  explicit InverseDynamicsDerivatives(const Model& model);
};

/// Accelerations and their derivatives, each (6+n)×(6+n). Rows of prescribed coordinates are zero,
/// and so are columns of forces on them.
struct SPACEDYN_EXPORT ForwardDynamicsDerivatives {
  VectorX acceleration;   ///< u̇; before a computation, those of the prescribed coordinates
  MatrixX configuration;  ///< ∂u̇/∂x, x = [r_0; θ; q]
  MatrixX velocity;       ///< ∂u̇/∂u
  MatrixX force;          ///< ∂u̇/∂[F_b; τ], H⁻¹ of the free coordinates

  ForwardDynamicsDerivatives() = default;
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  explicit ForwardDynamicsDerivatives(const Model& model);
};

/// Memory for derivatives of one model, sized once; use by one thread at a time.
class SPACEDYN_EXPORT DerivativesWorkspace {
 public:
  /// All that is needed of the model is copied; keeps the instruction_set() of this moment.
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  explicit DerivativesWorkspace(const Model& model);
  ~DerivativesWorkspace();
  DerivativesWorkspace(DerivativesWorkspace&&) noexcept;
  DerivativesWorkspace& operator=(DerivativesWorkspace&&) noexcept;

  struct Implementation;
  Implementation& implementation() { return *implementation_; }

 private:
  std::unique_ptr<Implementation> implementation_;
};

/// Derivatives of inverse_dynamics(). O(n · depth) scalar products, allocates nothing, never
/// throws.
/// @param acceleration  u̇, size 6 + n
/// @param loads         gravity and wrenches; F_b and τ are not read
/// @pre all sizes are those of the model of the workspace
SPACEDYN_EXPORT void inverse_dynamics_derivatives(const State& state, ConstVectorRef acceleration,
                                                  const Loads& loads,
                                                  DerivativesWorkspace& workspace,
                                                  InverseDynamicsDerivatives& derivatives) noexcept;

/// Accelerations as of hybrid_dynamics() and their derivatives, O(n²), allocates nothing, never
/// throws. Forces that depend on the state themselves, ∂[F_b; τ]/∂x = Q_x, add H⁻¹ Q_x to the
/// result: `derivatives.configuration += derivatives.force * Q_x`.
/// @param derivatives  in: accelerations of prescribed coordinates; out: all
/// @pre all sizes are those of the model of the workspace
SPACEDYN_EXPORT DynamicsStatus forward_dynamics_derivatives(
    const State& state, const Loads& loads, const Mobility& mobility,
    DerivativesWorkspace& workspace, ForwardDynamicsDerivatives& derivatives) noexcept;

/// H⁻¹ of the free coordinates, exactly symmetric, rows and columns of the others zero: what
/// forward_dynamics_derivatives() finds with respect to forces, at the cost of that alone. O(n²)
/// without forming H, allocates nothing, never throws.
/// @param H_inverse  out: (6+n)×(6+n); keeps what it holds if H is not positive definite
/// @pre all sizes are those of the model of the workspace
SPACEDYN_EXPORT DynamicsStatus inverse_inertia(const State& state, const Mobility& mobility,
                                               DerivativesWorkspace& workspace,
                                               Eigen::Ref<MatrixX> H_inverse) noexcept;

/// @name At a state: conveniences that size everything themselves
/// @throws DimensionError, DomainError if a size is wrong or a number not finite; NumericalError if
/// H is not positive definite.
/// @{
SPACEDYN_EXPORT InverseDynamicsDerivatives inverse_dynamics_derivatives(const Model& model,
                                                                        const State& state,
                                                                        ConstVectorRef acceleration,
                                                                        const Loads& loads);
/// The model's own mobility; a fixed base keeps zero acceleration.
SPACEDYN_EXPORT ForwardDynamicsDerivatives forward_dynamics_derivatives(const Model& model,
                                                                        const State& state,
                                                                        const Loads& loads);
/// The model's own mobility.
SPACEDYN_EXPORT MatrixX inverse_inertia(const Model& model, const State& state);
/// @}

}  // namespace spacedyn
