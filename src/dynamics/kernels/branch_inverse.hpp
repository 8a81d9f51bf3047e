/// @file
/// The inverse inertia of one branch and the base.
#pragma once

#include "dynamics/kernels/branch_arrays.hpp"
#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

using BranchLane = Pack<kLanes>;

/// Numbers 0, 1, … of the lanes.
inline BranchLane lane_numbers() {
  BranchLane numbers{};
  for (int i = 0; i < kLanes; ++i) numbers[i] = i;
  return numbers;
}

/// What articulated_body() left of the body above joint i of a branch.
inline const QuadRecord& body_of(const BranchArrays& branch, const BaseArrays& base, int i) {
  return reinterpret_cast<const QuadRecord*>(base.scratch)[1 + branch.begin + i];
}

/// Rows of one joint or turn from a row on.
struct TermRows {
  const double* at;
  TermRows from(int row) const { return {at + row * TermBlock::kWidth}; }
  double operator[](int i) const { return at[i * TermBlock::kWidth]; }
};
inline TermRows terms_of(const TermBlock* blocks, int entry) {
  return {blocks[entry / TermBlock::kWidth].rows[0] + entry % TermBlock::kWidth};
}
inline TermRows terms_of(const BranchArrays& branch, const BaseArrays& base, int i) {
  return terms_of(base.terms, 1 + branch.begin + i);
}

/// Six numbers of two quads.
struct QuadRows {
  const double* at;
  double operator[](int i) const { return at[i < 3 ? i : i + 1]; }
};

/// Σ a_i b_i in two chains, for the latency.
template <int Count, typename Factors>
inline BranchLane product(const BranchLane* a, const Factors& b) {
  BranchLane even = a[0] * b[0], odd = a[1] * b[1];
  for (int i = 2; i + 1 < Count; i += 2) {
    even += a[i] * b[i];
    odd += a[i + 1] * b[i + 1];
  }
  if constexpr (Count % 2 == 1) even += a[Count - 1] * b[Count - 1];
  return even + odd;
}

inline int lane_start(int column) { return column - column % kLanes; }

inline void fill(double* values, long count, double value) {
  for (long i = 0; i < count; ++i) values[i] = value;
}

/// row = −D⁻¹ Sᵀ F, F += U row over the columns of what joint i carries.
inline void push_inward(const BranchArrays& branch, const BaseArrays& base, int i, double* F) {
  const BranchJoint& joint = branch.tree[i];
  const QuadRecord& body = body_of(branch, base, i);
  const QuadRows S{body.axis}, U{body.U};
  const double inverse_D = body.inverse_D;
  const long stride = branch.stride;
  double* row = branch.inverse + i * stride;
  fill(row, stride, 0.0);
  const BranchLane numbers = lane_numbers(), zero{};
  for (int c = lane_start(i); c < joint.end; c += kLanes) {
    BranchLane force[6];
    for (int r = 0; r < 6; ++r) force[r] = load<BranchLane>(F + r * stride + c);
    // what lies beyond the subtree belongs to others; what lies before i is still zero
    const BranchLane column = numbers + double(c);
    const BranchLane unit = select(column == double(i) + zero, inverse_D + zero, zero);
    const BranchLane m =
        select(column < double(joint.end) + zero, unit - inverse_D * product<6>(force, S), zero);
    store(row + c, m);
    for (int r = 0; r < 6; ++r) store(F + r * stride + c, force[r] + U[r] * m);
  }
}

/// row −= D⁻¹ Uᵀ A, A += S row over the columns from i on; what comes before i is not used.
inline void pull_outward(const BranchArrays& branch, const BaseArrays& base, int i, double* A) {
  const QuadRecord& body = body_of(branch, base, i);
  const QuadRows S{body.axis}, U{body.U};
  const double inverse_D = body.inverse_D;
  const long stride = branch.stride;
  double* row = branch.inverse + i * stride;
  for (int c = lane_start(i); c < branch.size; c += kLanes) {
    BranchLane a[6];
    for (int r = 0; r < 6; ++r) a[r] = load<BranchLane>(A + r * stride + c);
    const BranchLane m = load<BranchLane>(row + c) - inverse_D * product<6>(a, U);
    store(row + c, m);
    for (int r = 0; r < 6; ++r) store(A + r * stride + c, a[r] + S[r] * m);
  }
}

inline void copy(const double* from, double* to, long count) {
  for (long i = 0; i < count; ++i) to[i] = from[i];
}

/// H⁻¹ of the branch with its base held.
inline void invert_held(const BranchArrays& branch, const BaseArrays& base) {
  const long stride = branch.stride;
  double* sweep = branch.scratch;
  fill(sweep, 6 * stride, 0.0);
  for (int i = branch.size - 1; i >= 0; --i) push_inward(branch, base, i, sweep);

  fill(sweep, 6 * stride, 0.0);
  for (int i = 0; i < branch.size; ++i) {
    const BranchJoint& joint = branch.tree[i];
    // where joints fork, the accelerations below are kept for the others
    double* kept = sweep + joint.fork * 6 * stride;
    if (joint.parent >= 0 && joint.parent != i - 1) copy(kept, sweep, 6 * stride);
    pull_outward(branch, base, i, sweep);
    if (joint.children > 1) copy(sweep, kept + 6 * stride, 6 * stride);
  }

  // symmetric
  for (int i = 0; i < branch.size; ++i) {
    for (int c = i + 1; c < branch.size; ++c) {
      branch.inverse[c * stride + i] = branch.inverse[i * stride + c];
    }
  }
}

/// T = −H⁻¹ U and I_0⁻¹ Tᵀ, the second into scratch. Columns spill over into the next branch, which
/// comes later.
inline void follow(const BranchArrays& branch, const BaseArrays& base, double* base_rows) {
  for (int row = 0; row < branch.size; row += kLanes) {
    BranchLane T[6] = {};
    for (int k = 0; k < branch.size; ++k) {
      const BranchLane m = load<BranchLane>(branch.inverse + k * long(branch.stride) + row);
      const TermRows response = terms_of(branch, base, k).from(kTermResponse);
      for (int r = 0; r < 6; ++r) T[r] -= m * response[r];
    }
    for (int r = 0; r < 6; ++r) {
      store(base.coupling + r * base.stride + branch.begin + row, T[r]);
      BranchLane sum = base.inverse[r] * T[0];
      for (int s = 1; s < 6; ++s) sum += base.inverse[6 * s + r] * T[s];
      store(base_rows + r * branch.stride + row, sum);
    }
  }
}

/// With a base that yields: H⁻¹ + T I_0⁻¹ Tᵀ, bordered by I_0⁻¹ Tᵀ and I_0⁻¹.
inline void release_base(const BranchArrays& branch, const BaseArrays& base,
                         const double* base_rows) {
  const long stride = branch.stride;
  const double* T = base.coupling + branch.begin;
  for (int c = 0; c < branch.size; ++c) {
    double* column = branch.inverse + c * stride;
    for (int row = 0; row < branch.size; row += kLanes) {
      BranchLane sum = load<BranchLane>(column + row);
      for (int r = 0; r < 6; ++r) {
        sum += load<BranchLane>(T + r * base.stride + row) * base_rows[r * stride + c];
      }
      store(column + row, sum);
    }
    for (int r = 0; r < 6; ++r) column[branch.size + r] = base_rows[r * stride + c];
  }
  for (int r = 0; r < 6; ++r) {
    double* column = branch.inverse + (branch.size + r) * stride;
    copy(base_rows + r * stride, column, branch.size);
    copy(base.inverse + 6 * r, column + branch.size, 6);
  }
}

inline void invert(const BranchArrays& branch, const BaseArrays& base) {
  invert_held(branch, base);
  follow(branch, base, branch.scratch);
  release_base(branch, base, branch.scratch);
}

}  // namespace spacedyn::SPACEDYN_ISA
