/// @file
/// What an IncrementalAssembly holds. Private.
#pragma once

#include <vector>

#include <Eigen/Cholesky>

#include "constraints/articulated_loops.hpp"
#include "constraints/elimination_plan.hpp"
#include "constraints/indices.hpp"
#include "constraints/loop_rows.hpp"
#include "spacedyn/constraints/assembly_incremental.hpp"

namespace spacedyn {

struct IncrementalAssembly::Memory {
  Memory(const Model& model, const Mobility& its_mobility, std::vector<Loop> loops);

  const Model& model() const { return equations.model(); }
  DynamicsStatus update(const State& state, const LinkFrames& frames) noexcept;
  void place_couplings(const State& state) noexcept;
  void place_rows(const LinkFrames& frames) noexcept;
  bool pass_joint(int body) noexcept;
  void close_loops(int body) noexcept;
  void eliminate(int body, int loop, const double* C) noexcept;
  void fall_inward(const double* f) noexcept;
  void rise_outward(double* y) noexcept;
  void solve(const double* f, ConstVectorRef b, double* y) noexcept;
  bool is_redundant(int row) const;

  LoopEquations equations;
  Mobility mobility;
  EliminationPlan plan;
  std::vector<Matrix3> axes;                         // of loops, in those of `from`
  std::vector<std::vector<int>> positive, negative;  // joints that move one of the two bodies alone
  std::vector<ArticulatedJoint> joints;              // entry 0 is the base
  Eigen::LLT<Matrix6> base;
  std::vector<LoopRow> rows;
  std::vector<Vector3> points;           // second ones
  std::vector<double> coefficients;      // of joints in couplings, in file order
  std::vector<std::size_t> coefficient;  // of each loop the first
  std::vector<double> C, e, N, T, Y;
  std::vector<BlockRow> ranks;
  VectorX lambda, right, nothing, null_vector, force, response;
  MatrixX null_vectors;
  std::vector<int> most_pivots, noted;  // of each loop
  double least_pivot = 0.0;             // part of what joints have added
  int rank = 0;
};

}  // namespace spacedyn
