/// @file
/// Memory and wiring of the branch kernels.
#pragma once

#include <vector>

#include "dynamics/kernels/branch_arrays.hpp"
#include "dynamics/tree/tree_walk.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// Derivatives of accelerations from the terms of joints: branches on a held base first, then all
/// with the base.
class BranchResponses {
 public:
  BranchResponses(const TreeWalk& walk, const Tree& tree, const BranchKernels& kernels);

  /// Matrices of (6+n) columns, coordinates in model order. O(n · largest branch), allocates
  /// nothing.
  void compute(const TreeWalk& walk, MatrixX& configuration, MatrixX& velocity, MatrixX& force);

  /// H⁻¹ alone, exactly symmetric.
  void invert(const TreeWalk& walk, Eigen::Ref<MatrixX> inverse);
  /// Derivatives of inverse dynamics: columns of all joints but for armatures, and rows of all
  /// joints. O(n · largest branch), allocates nothing.
  void compute_forces(const TreeWalk& walk, MatrixX& configuration, MatrixX& velocity,
                      MatrixX& acceleration);

  /// What these read: terms or scratch, and I_0⁻¹ of a free base, are to be filled in.
  BaseArrays& base() { return base_; }

 private:
  void place_branches(const TreeWalk& walk, const Tree& tree);
  int count() const { return static_cast<int>(branches_.size()); }
  template <typename Kernels>
  void compose(const TreeWalk& walk, MatrixX& configuration, MatrixX& velocity, MatrixX& third,
               const Kernels& write);
  void scatter(const TreeWalk& walk, const MatrixX& from, Eigen::Ref<MatrixX> to) const;

  const BranchKernels& kernels_;
  bool in_model_order_ = true;
  std::vector<BranchJoint> tree_;
  std::vector<BranchArrays> branches_;
  BaseArrays base_{};
  std::vector<double> memory_, scratch_, ends_;
  MatrixX configuration_, velocity_, force_;  // where the order of the walk is not the model's
};

}  // namespace spacedyn
