/// @file
/// How a branch and the base respond to turns and rates of its joints.
#pragma once

#include "dynamics/kernels/branch_inverse.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Sums over what each joint carries, tips first; a sum waits where the walk jumps to another tip.
template <int kSize>
inline void sum_from_tips(const BranchArrays& branch, const BaseArrays& base, int row) {
  BranchLane P[kSize] = {};
  double* waiting = branch.scratch;
  for (int j = branch.size - 1; j >= 0; --j) {
    const BranchJoint& joint = branch.tree[j];
    const JointTerms& terms = branch.terms[j];
    if (joint.children == 0) {
      for (int r = 0; r < kSize; ++r) {
        store(waiting + r * kLanes, P[r]);
        P[r] = BranchLane{};
      }
      waiting += kSize * kLanes;
    }
    for (int child = 1; child < joint.children; ++child) {
      waiting -= kSize * kLanes;
      for (int r = 0; r < kSize; ++r) P[r] += load<BranchLane>(waiting + r * kLanes);
    }
    const long at = static_cast<long>(j) * branch.stride + row;
    const BranchLane m = load<BranchLane>(branch.inverse + at);
    for (int r = 0; r < kSize; ++r) P[r] += m * terms.response[r];
    store(branch.configuration + at, -product<kSize>(P, terms.turn));
    store(branch.velocity + at, -product<JointTerms::kRate>(P, terms.rate));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const JointTerms& turn = base.turns[axis];
    const long at = static_cast<long>(axis) * branch.stride + row;
    store(branch.base_configuration + at, -product<kSize>(P, turn.turn));
    store(branch.base_velocity + at, -product<JointTerms::kRate>(P, turn.rate));
  }
}

/// Sums over what carries each joint, from the base on; where joints fork, the sum is kept, and a
/// child of the base starts from that of the base.
inline void sum_from_base(const BranchArrays& branch, int row) {
  constexpr int kSpatial = JointTerms::kSpatial;
  BranchLane Q[kSpatial];
  for (int r = 0; r < kSpatial; ++r) {
    Q[r] = load<BranchLane>(branch.inverse + (branch.size + r) * long(branch.stride) + row);
  }
  for (int j = 0; j < branch.size; ++j) {
    const BranchJoint& joint = branch.tree[j];
    const JointTerms& terms = branch.terms[j];
    if (joint.parent >= 0 && joint.parent != j - 1) {
      const double* kept = branch.scratch + (joint.fork - 1) * kSpatial * kLanes;
      for (int r = 0; r < kSpatial; ++r) Q[r] = load<BranchLane>(kept + r * kLanes);
    }
    const long at = static_cast<long>(j) * branch.stride + row;
    double* configuration = branch.configuration + at;
    double* velocity = branch.velocity + at;
    store(configuration, load<BranchLane>(configuration) - product<kSpatial>(Q, terms.load));
    store(velocity, load<BranchLane>(velocity) - product<kSpatial>(Q, terms.rate_load));
    const BranchLane m = load<BranchLane>(branch.inverse + at);
    for (int r = 0; r < kSpatial; ++r) Q[r] += m * terms.axis[r];
    if (joint.children > 1) {
      double* kept = branch.scratch + joint.fork * kSpatial * kLanes;
      for (int r = 0; r < kSpatial; ++r) store(kept + r * kLanes, Q[r]);
    }
  }
}

inline void respond(const BranchArrays& branch, const BaseArrays& base) {
  constexpr int kWithoutWrenches = JointTerms::kSize - 3;
  for (int row = 0; row < branch.size + 6; row += kLanes) {
    if (base.has_wrenches) {
      sum_from_tips<JointTerms::kSize>(branch, base, row);
    } else {
      sum_from_tips<kWithoutWrenches>(branch, base, row);
    }
    sum_from_base(branch, row);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
