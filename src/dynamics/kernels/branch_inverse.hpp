/// @file
/// The inverse inertia of one branch and the base.
#pragma once

#include "dynamics/kernels/branch_arrays.hpp"
#include "dynamics/kernels/mirror.hpp"
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

inline void fill(double* values, long count, double value) {
  for (long i = 0; i < count; ++i) values[i] = value;
}

/// As many columns of a branch as kCount registers have lanes: from the first on.
struct Columns {
  int first, end;  ///< of those that belong to joints
  bool are_above(const BranchJoint& joint, int i) const { return i < first && joint.end >= end; }
};

/// Forces on the joints of some columns go inward: rows −D⁻¹ Sᵀ F + D⁻¹ e, then F += U row. A lane
/// changes where the joint of its column is carried, so that branches need not be told apart.
template <int kCount>
inline void push_inward(const BranchArrays& branch, const BaseArrays& base,
                        const Columns& columns) {
  const BranchLane numbers = lane_numbers(), zero{};
  BranchLane F[kCount][6] = {};
  for (int i = columns.end - 1; i >= 0; --i) {
    const BranchJoint& joint = branch.tree[i];
    const QuadRecord& body = body_of(branch, base, i);
    const QuadRows S{body.axis}, U{body.U};
    const bool all = columns.are_above(joint, i);
    double* row = branch.inverse + i * long(branch.stride) + columns.first;
    for (int b = 0; b < kCount; ++b, row += kLanes) {
      BranchLane m = -body.inverse_D * product<6>(F[b], S);
      if (!all) {
        const BranchLane column = numbers + double(columns.first + b * kLanes);
        m = select(column == double(i) + zero, body.inverse_D + zero, m);
        m = select(column < double(i) + zero, zero, m);
        m = select(column < double(joint.end) + zero, m, zero);
      }
      store(row, m);
      for (int r = 0; r < 6; ++r) F[b][r] += U[r] * m;
    }
  }
}

/// Accelerations of the bodies go outward: row −= D⁻¹ Uᵀ A, A += S row. The six columns after the
/// joints are those of unit accelerations of the base.
template <int kCount>
inline void pull_outward(const BranchArrays& branch, const BaseArrays& base,
                         const Columns& columns) {
  constexpr int kKept = 6 * kCount * kLanes;
  const BranchLane numbers = lane_numbers(), zero{};
  BranchLane A[kCount][6];
  for (int b = 0; b < kCount; ++b) {
    const BranchLane of_base = numbers + double(columns.first + b * kLanes - branch.size);
    for (int r = 0; r < 6; ++r) A[b][r] = select(of_base == double(r) + zero, 1.0 + zero, zero);
  }
  for (int i = 0; i < columns.end; ++i) {
    const BranchJoint& joint = branch.tree[i];
    const QuadRecord& body = body_of(branch, base, i);
    const QuadRows S{body.axis}, U{body.U};
    // where joints fork, the accelerations below are kept for the others
    double* kept = branch.scratch + joint.fork * kKept;
    if (joint.parent >= 0 && joint.parent != i - 1) __builtin_memcpy(A, kept - kKept, sizeof A);
    double* row = branch.inverse + i * long(branch.stride) + columns.first;
    for (int b = 0; b < kCount; ++b, row += kLanes) {
      const BranchLane m = load<BranchLane>(row) - body.inverse_D * product<6>(A[b], U);
      store(row, m);
      for (int r = 0; r < 6; ++r) A[b][r] += S[r] * m;
    }
    if (joint.children > 1) __builtin_memcpy(kept, A, sizeof A);
  }
}

template <int kCount>
inline void invert_columns(const BranchArrays& branch, const BaseArrays& base, int first) {
  const int end = first + kCount * kLanes;
  const Columns columns{first, end < branch.size ? end : branch.size};
  push_inward<kCount>(branch, base, columns);
  pull_outward<kCount>(branch, base, columns);
}

/// Joints of a branch, and six rows of the base if it answers.
inline int rows_of(const BranchArrays& branch, const BaseArrays& base) {
  return base.is_held ? branch.size : branch.size + 6;
}

/// What is known to the right of the diagonal as columns.
inline void mirror(const BranchArrays& branch, int columns) {
  constexpr int kTile = 8;
  const long stride = branch.stride;
  for (int first = 0; first < branch.size; first += kTile) {
    const int end = first + kTile < branch.size ? first + kTile : branch.size;
    for (int i = first; i < end; ++i) {
      const double* from = branch.inverse + i * stride;
      for (int c = i + 1; c < end; ++c) branch.inverse[c * stride + i] = from[c];
    }
    transpose_block(branch.inverse + first * stride + end, branch.inverse + end * stride + first,
                    columns - end, end - first, stride);
  }
}

/// H⁻¹ of the branch with its base held, then six columns T of how it follows the base.
inline void invert_held(const BranchArrays& branch, const BaseArrays& base) {
  const int columns = rows_of(branch, base);
  int first = 0;
  for (; first + kLanes < columns; first += 2 * kLanes) invert_columns<2>(branch, base, first);
  if (first < columns) invert_columns<1>(branch, base, first);
  mirror(branch, columns);
}

/// Accelerations of the base as seen from the origin of a branch, those of turns about the base:
/// S of its turns has what each moves the origin.
inline double shift_of(const BranchArrays& branch, const BaseArrays& base, int axis, int i) {
  return terms_of(base.turns + branch.origin, axis)[kTermS + 3 + i];
}

/// By how much Φ of a turn of the base differs from Ψ̇ as seen from the origin of a branch, e × w of
/// an origin that moves with w: Ψ̇ has it once, and Φ, which is Ψ̇ where the base is, twice.
inline double moving_of(const TermBlock* turns, int axis, int i) {
  const TermRows turn = terms_of(turns, axis).from(kTermTurn);
  double moving = turn[3 + i];
  for (int k = 0; k < 3; ++k) moving -= turn[k] * terms_of(turns, k)[kTermS + 3 + i];
  return moving;
}

/// Moves T to where all branches have it and computes I_0⁻¹ Tᵀ. Columns spill over into the next
/// branch, which comes later.
inline void follow(const BranchArrays& branch, const BaseArrays& base, double* base_rows) {
  for (int row = 0; row < branch.size; row += kLanes) {
    BranchLane T[6];
    for (int r = 0; r < 6; ++r) {
      T[r] = load<BranchLane>(branch.inverse + (branch.size + r) * long(branch.stride) + row);
    }
    for (int axis = 0; branch.origin != 0 && axis < 3; ++axis) {
      for (int i = 0; i < 3; ++i) T[axis] += shift_of(branch, base, axis, i) * T[3 + i];
    }
    for (int r = 0; r < 6; ++r) store(base.coupling + r * base.stride + branch.begin + row, T[r]);
    for (int r = 0; r < 6; ++r) {
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
  for (int row = 0; row < branch.size; row += kLanes) {
    BranchLane T[6];
    for (int r = 0; r < 6; ++r) {
      T[r] = load<BranchLane>(base.coupling + r * base.stride + branch.begin + row);
    }
    for (int c = 0; c < branch.size; ++c) {
      double* column = branch.inverse + c * stride + row;
      BranchLane sum = load<BranchLane>(column);
      for (int r = 0; r < 6; ++r) sum += T[r] * base_rows[r * stride + c];
      store(column, sum);
    }
  }
  for (int c = 0; c < branch.size; ++c) {
    double* rest = branch.inverse + c * stride + branch.size;
    for (int r = 0; r < 6; ++r) rest[r] = base_rows[r * stride + c];
  }
  for (int r = 0; r < 6; ++r) {
    double* column = branch.inverse + (branch.size + r) * stride;
    copy(base_rows + r * stride, column, branch.size);
    copy(base.inverse + 6 * r, column + branch.size, 6);
  }
}

inline void invert(const BranchArrays& branch, const BaseArrays& base) {
  invert_held(branch, base);
  if (base.is_held) return;
  follow(branch, base, branch.scratch);
  release_base(branch, base, branch.scratch);
}

}  // namespace spacedyn::SPACEDYN_ISA
