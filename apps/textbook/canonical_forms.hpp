/// @file
/// The equation of motion in the canonical forms of [RBDA] 3.1, for integrators of one's own.
#pragma once

#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/math/attitude_coordinates.hpp"

namespace spacedyn {

/// H(q) α̇ + C(q, α) = τ and q̇ = Q(q) α for a model, in chosen attitude coordinates.
///
/// q = [r_0; attitude; joint positions], 6 or 7 + n numbers; α = [v_0; ω_0; joint velocities] and
/// τ = [F_0; N_0; joint forces], 6 + n, inertial axes, at the base centroid. α is not q̇. Hold one
/// object per thread: it owns the memory of the computation.
class CanonicalForm {
 public:
  /// @param model  must outlive the object
  /// @throws DimensionError for more links than Topology::kMaxDenseLinks.
  CanonicalForm(const Model& model, AttitudeCoordinates attitude);

  /// Everything that acts besides τ, constant until set again: gravity, wrenches, and F_b and τ of
  /// the loads. They enter through C. @throws DimensionError
  void set_environment(const Loads& environment);

  AttitudeCoordinates attitude() const { return attitude_; }
  int position_size() const;                                            ///< of q: 3 + 3 or 4 + n
  int velocity_size() const { return model_->velocity_size(); }         ///< of α and τ: 6 + n
  int state_size() const { return position_size() + velocity_size(); }  ///< of x = [q; α]

  /// @name Between State and the columns q, α and x = [q; α]
  /// @{
  VectorX position(const State& state) const;
  VectorX state_vector(const State& state) const;
  /// @throws DimensionError
  State state(ConstVectorRef q, ConstVectorRef alpha) const;
  /// @}

  /// @name The equation of motion (3.5), of which (3.1) is the case α = q̇
  /// @throws DimensionError, DomainError for a column that is no state
  /// @{
  MatrixX H(ConstVectorRef q);
  VectorX C(ConstVectorRef q, ConstVectorRef alpha);
  /// α̇ = H⁻¹ (τ − C), (3.3). On a fixed base α̇ is zero in its six rows, whatever τ says there.
  /// @throws NumericalError if H is not positive definite
  VectorX FD(ConstVectorRef q, ConstVectorRef alpha, ConstVectorRef tau);
  /// τ = H α̇ + C, (3.4), by the O(n) recursion.
  VectorX ID(ConstVectorRef q, ConstVectorRef alpha, ConstVectorRef alpha_rate);
  /// @}

  /// @name The rate of q, (3.6) and (3.7)
  /// @throws DimensionError; DomainError where the attitude coordinates are singular
  /// @{
  VectorX qdfn(ConstVectorRef q, ConstVectorRef alpha) const;
  MatrixX Q(ConstVectorRef q) const;
  /// @}

  /// State-space form (3.9): ẋ = [qdfn; FD], x = [q; α].
  VectorX FDx(ConstVectorRef x, ConstVectorRef tau);
  /// The same without allocation. @param rate  out: ẋ
  void FDx(ConstVectorRef x, ConstVectorRef tau, VectorRef rate);

 private:
  void assign(ConstVectorRef q, ConstVectorRef alpha, State& state) const;
  void read(ConstVectorRef q, ConstVectorRef alpha);
  void write_position_rate(ConstVectorRef q, ConstVectorRef alpha, VectorRef rate) const;
  void solve(ConstVectorRef tau, VectorRef alpha_rate);

  const Model* model_;
  AttitudeCoordinates attitude_;
  Mobility mobility_;
  State state_;
  Loads environment_, loads_;
  DynamicsWorkspace workspace_;
  VectorX forces_;
};

}  // namespace spacedyn
