/// @file
/// What a DerivativesWorkspace holds.
#pragma once

#include "dynamics/derivatives/branch_responses.hpp"
#include "dynamics/tree/tree_memory.hpp"
#include "spacedyn/dynamics/derivatives.hpp"

namespace spacedyn {

/// The rows of one joint or turn.
struct JointTerms {
  const double* at;
  JointTerms(const TermBlock* blocks, int entry)
      : at(blocks[entry / TermBlock::kWidth].rows[0] + entry % TermBlock::kWidth) {}
  double operator[](int row) const { return at[row * TermBlock::kWidth]; }
};

/// Σ of six or three products of rows from @p a and @p b on.
template <int kCount>
inline double product(const JointTerms& x, int a, const JointTerms& y, int b) {
  // three sums side by side: the processor need not wait for each
  double sums[3] = {};
  for (int i = 0; i < kCount; ++i) sums[i % 3] += x[a + i] * y[b + i];
  return sums[0] + sums[1] + sums[2];
}

/// ∂τ of the joint above with respect to turning or moving the one below.
inline double turning_answer(const JointTerms& upper, const JointTerms& lower, bool has_wrenches) {
  const double turning = product<6>(upper, kTermResponse, lower, kTermTurnRate) +
                         product<3>(upper, kTermResponse + 6, lower, kTermTurn);
  return has_wrenches ? turning + product<3>(upper, kTermResponse + 9, lower, kTermS) : turning;
}

/// What ∂τ_lower/∂q_upper has in excess, of two coordinates of a spherical joint: its axes turn
/// with the link that it carries, not one after the other.
inline double spherical_excess(const JointTerms& upper, const JointTerms& lower,
                               bool has_wrenches) {
  return product<6>(upper, kTermLoad, lower, kTermS) - turning_answer(lower, upper, has_wrenches);
}

struct DerivativesWorkspace::Implementation {
  explicit Implementation(const Model& model)
      : memory(model, Mobility(model)),
        walk(memory.tree),
        terms(static_cast<std::size_t>(memory.tree.block_count)),
        turns(static_cast<std::size_t>(1 + memory.tree.opening_count)),
        ignored(static_cast<std::size_t>(model.velocity_size())),
        responses(walk, memory.tree, memory.kernels.branches) {}

  TreeWorkspace::Memory memory;
  TreeWalk walk;
  std::vector<TermBlock> terms;  ///< of all joints
  std::vector<TermBlock> turns;  ///< of the base about the inertial axes, as from each origin
  std::vector<double> ignored;   ///< forces that were not asked for
  BranchResponses responses;
};

}  // namespace spacedyn
