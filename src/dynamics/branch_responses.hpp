/// @file
/// Memory and wiring of the branch kernels.
#pragma once

#include <array>
#include <vector>

#include "dynamics/articulated_bodies.hpp"
#include "dynamics/branch_kernels.hpp"

namespace spacedyn {

/// Responses of all branches with the base held, and how each follows the base.
class BranchResponses {
 public:
  explicit BranchResponses(const TreeWalk& walk);

  /// O(Σ size²), allocates nothing.
  void compute(const TreeWalk& walk, const ArticulatedBodies& articulated,
               const DerivativeTerms& terms);

  int count() const { return static_cast<int>(branches_.size()); }
  /// Results of a branch, in the order of its range of the walk.
  const BranchArrays& operator[](int branch) const {
    return branches_[static_cast<std::size_t>(branch)];
  }

 private:
  std::vector<BranchJoint> tree_;
  std::vector<BranchArrays> branches_;
  std::vector<double> memory_, scratch_;
};

}  // namespace spacedyn
