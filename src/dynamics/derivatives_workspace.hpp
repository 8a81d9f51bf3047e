/// @file
/// What a DerivativesWorkspace holds.
#pragma once

#include "dynamics/branch_responses.hpp"
#include "dynamics/tree_memory.hpp"
#include "spacedyn/dynamics/derivatives.hpp"

namespace spacedyn {

/// The rows of one joint or turn.
struct JointTerms {
  const double* at;
  JointTerms(const TermBlock* blocks, int entry)
      : at(blocks[entry / TermBlock::kWidth].rows[0] + entry % TermBlock::kWidth) {}
  double operator[](int row) const { return at[row * TermBlock::kWidth]; }
};

struct DerivativesWorkspace::Implementation {
  explicit Implementation(const Model& model)
      : memory(model, Mobility(model)),
        walk(memory.tree),
        terms(static_cast<std::size_t>(memory.tree.block_count)),
        turns{},
        ignored(static_cast<std::size_t>(model.velocity_size())),
        responses(walk, memory.kernels.branches) {}

  TreeWorkspace::Memory memory;
  TreeWalk walk;
  std::vector<TermBlock> terms;  ///< of all joints
  TermBlock turns;               ///< of the base about the inertial axes
  std::vector<double> ignored;   ///< forces that were not asked for
  BranchResponses responses;
};

}  // namespace spacedyn
