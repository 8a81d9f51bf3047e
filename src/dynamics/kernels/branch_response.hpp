/// @file
/// How a branch and the base respond to turns and rates of its joints.
#pragma once

#include "dynamics/kernels/branch_inverse.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// P · [Ψ̈; Ψ̇; S] and P · [Φ; S] of one joint.
template <int kSize>
inline void write_products(const BranchLane* P, const TermRows& terms, double phi,
                           double* configuration, double* velocity) {
  const TermRows axis = terms.from(kTermS), turn = terms.from(kTermTurn);
  const TermRows turn_rate = terms.from(kTermTurnRate);
  BranchLane q = product<6>(P, turn_rate), q_rest = product<3>(P + 6, turn);
  const BranchLane v = product<6>(P, turn), v_rest = product<3>(P + 6, axis);
  if constexpr (kSize > 9) {
    for (int r = 0; r < 3; ++r) q_rest += P[9 + r] * axis[r];
  }
  store(configuration, q + q_rest);
  store(velocity, v_rest + phi * v);
}

/// Sums P = −Σ M response over what each joint carries, tips first; a sum waits where the walk
/// jumps to another tip.
template <int kSize>
inline void sum_from_tips(const BranchArrays& branch, const BaseArrays& base, int row) {
  BranchLane P[kSize] = {};
  double* waiting = branch.scratch;
  for (int j = branch.size - 1; j >= 0; --j) {
    const BranchJoint& joint = branch.tree[j];
    const TermRows terms = terms_of(branch, base, j);
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
    for (int r = 0; r < kSize; ++r) P[r] -= m * terms[kTermResponse + r];
    write_products<kSize>(P, terms, 2.0, branch.configuration + at, branch.velocity + at);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const long at = static_cast<long>(axis) * branch.stride + row;
    double* velocity = branch.base_velocity + at;
    write_products<kSize>(P, terms_of(base.turns + branch.origin, axis), 1.0,
                          branch.base_configuration + at, velocity);
    if (branch.origin == 0) continue;
    BranchLane v = load<BranchLane>(velocity);
    for (int i = 0; i < 3; ++i) v += moving_of(base.turns + branch.origin, axis, i) * P[3 + i];
    store(velocity, v);
  }
}

/// Sums Q = −Σ M S over what carries each joint, from the base on; where joints fork, the sum is
/// kept, and a child of the base starts from that of the base.
inline void sum_from_base(const BranchArrays& branch, const BaseArrays& base, int row) {
  constexpr int kSpatial = 6;
  BranchLane Q[kSpatial] = {};
  for (int r = 0; r < kSpatial && !base.is_held; ++r) {
    Q[r] = -load<BranchLane>(branch.inverse + (branch.size + r) * long(branch.stride) + row);
  }
  for (int axis = 0; branch.origin != 0 && axis < 3; ++axis) {
    for (int i = 0; i < 3; ++i) Q[3 + i] += shift_of(branch, base, axis, i) * Q[axis];
  }
  for (int j = 0; j < branch.size; ++j) {
    const BranchJoint& joint = branch.tree[j];
    const TermRows terms = terms_of(branch, base, j);
    if (joint.parent >= 0 && joint.parent != j - 1) {
      const double* kept = branch.scratch + (joint.fork - 1) * kSpatial * kLanes;
      for (int r = 0; r < kSpatial; ++r) Q[r] = load<BranchLane>(kept + r * kLanes);
    }
    const long at = static_cast<long>(j) * branch.stride + row;
    double* configuration = branch.configuration + at;
    double* velocity = branch.velocity + at;
    const TermRows load_row = terms.from(kTermLoad), rate_load = terms.from(kTermRateLoad);
    const BranchLane q = product<kSpatial>(Q, load_row) + load<BranchLane>(configuration);
    const BranchLane v = product<kSpatial>(Q, rate_load) + load<BranchLane>(velocity);
    store(configuration, q);
    store(velocity, v);
    const BranchLane m = load<BranchLane>(branch.inverse + at);
    for (int r = 0; r < kSpatial; ++r) Q[r] -= m * terms[kTermS + r];
    if (joint.children > 1) {
      double* kept = branch.scratch + joint.fork * kSpatial * kLanes;
      for (int r = 0; r < kSpatial; ++r) store(kept + r * kLanes, Q[r]);
    }
  }
}

inline void respond(const BranchArrays& branch, const BaseArrays& base) {
  for (int row = 0; row < rows_of(branch, base); row += kLanes) {
    if (base.has_wrenches) {
      sum_from_tips<12>(branch, base, row);
    } else {
      sum_from_tips<9>(branch, base, row);
    }
    sum_from_base(branch, base, row);
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
