/// @file
/// The few vectors per joint of which all derivatives of dynamics are made: plain numbers, because
/// kernels compiled for wide vector registers may not include anything that has code.
#pragma once

namespace spacedyn {

/// Vectors of one joint, angular part first.
///
/// For joint j at or below joint k on a path:
/// ∂τ_k/∂q_j = response_k · turn_j, ∂τ_k/∂q̇_j = response_k · rate_j; for j strictly below k
/// ∂τ_j/∂q_k = axis_j · load_k, ∂τ_j/∂q̇_k = axis_j · rate_load_k, and H_jk = axis_j · response_k.
struct JointTerms {
  static constexpr int kSize = 12;  ///< of the vectors that configurations need
  static constexpr int kRate = 9;   ///< of those that velocities need
  static constexpr int kSpatial = 6;

  double response[kSize];      ///< Iᶜ S; (Dᶜ)ᵀ S; (Kᶜ)ᵀ S
  double turn[kSize];          ///< Ψ̈; angular part of Ψ̇; angular part of S
  double rate[kRate];          ///< 2 Ψ̇; angular part of S
  double axis[kSpatial];       ///< S
  double load[kSpatial];       ///< S ×* F + Iᶜ Ψ̈ + Dᶜ Ψ̇ + Kᶜ S
  double rate_load[kSpatial];  ///< 2 Iᶜ Ψ̇ + Dᶜ S
};

/// The place of a joint in its branch, and what it takes to let it yield.
struct BranchJoint {
  int parent;  ///< position in the branch, −1 on the base
  int end;     ///< one past its subtree
  int children;
  int fork;     ///< number of joints below it that carry several
  double U[6];  ///< articulated inertia times axis
  double inverse_D;
};

}  // namespace spacedyn
