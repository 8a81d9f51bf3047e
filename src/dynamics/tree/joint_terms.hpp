/// @file
/// The few vectors per joint of which all derivatives of dynamics are made: plain numbers, because
/// kernels compiled for wide vector registers may not include anything that has code.
#pragma once

namespace spacedyn {

/// Rows of TermBlock: vectors of three or of six, angular part first.
///
/// Ψ̇ = v_λ × S and Ψ̈ = a_λ × S + v_λ × Ψ̇ are how the lower link seems to move when everything above
/// it has turned by the joint: then δf = I Ψ̈ + D Ψ̇ of each body above, besides turning itself. For
/// joint j at or below joint k on a path, with Φ = 2 Ψ̇,
/// ∂τ_k/∂q_j = response_k · [Ψ̈; Ψ̇; S]_j, ∂τ_k/∂q̇_j = response_k · [Φ; S]_j; for j strictly below k
/// ∂τ_j/∂q_k = S_j · load_k, ∂τ_j/∂q̇_k = S_j · rate_load_k, and H_jk = S_j · response_k.
enum TermRow {
  kTermS = 0,
  kTermTurn = 6,       ///< Ψ̇
  kTermTurnRate = 12,  ///< Ψ̈
  kTermResponse = 18,  ///< Iᶜ S; (Dᶜ)ᵀ S, three; (Kᶜ)ᵀ S, three
  kTermLoad = 30,      ///< S ×* F + Iᶜ Ψ̈ + Dᶜ Ψ̇ + Kᶜ S
  kTermRateLoad = 36,  ///< Iᶜ Φ + Dᶜ S
  kTermRows = 42
};

/// Terms of eight joints, one per lane, in the order of the entries of a Tree. Turns of the base
/// about the inertial axes are three such joints, for which Φ = Ψ̇.
struct TermBlock {
  static constexpr int kWidth = 8;
  double rows[kTermRows][kWidth];
};

/// The place of a joint in its branch.
struct BranchJoint {
  int parent;  ///< position in the branch, −1 on the base
  int end;     ///< one past its subtree
  int children;
  int fork;  ///< number of joints below it that carry several
};

}  // namespace spacedyn
