#include "dynamics/branch_kernels.hpp"

namespace spacedyn {
namespace {

constexpr int kLanes = 2;
typedef double Lanes __attribute__((vector_size(8 * kLanes)));

inline Lanes load(const double* from) {
  Lanes value;
  __builtin_memcpy(&value, from, sizeof(value));
  return value;
}

inline void store(const Lanes& value, double* to) { __builtin_memcpy(to, &value, sizeof(value)); }

template <int Count>
inline Lanes product(const Lanes* a, const double* b) {
  Lanes sum = a[0] * b[0];
  for (int i = 1; i < Count; ++i) sum += a[i] * b[i];
  return sum;
}

inline void copy(const double* from, double* to, int first, int last) {
  for (int i = first; i < last; ++i) to[i] = from[i];
}

/// row = −D⁻¹ Sᵀ F, F += U row over the columns of what joint i carries.
void push_inward(const BranchArrays& branch, int i, double* F) {
  const BranchJoint& joint = branch.tree[i];
  const double* S = branch.terms[i].axis;
  double* row = branch.inverse + static_cast<long>(i) * branch.stride;
  const long stride = branch.stride;
  for (int c = 0; c < branch.size; ++c) row[c] = 0.0;
  row[i] = joint.inverse_D;
  for (int r = 0; r < 6; ++r) F[r * stride + i] = joint.U[r] * joint.inverse_D;
  for (int c = i + 1; c < joint.end; ++c) {
    double sum = S[0] * F[c];
    for (int r = 1; r < 6; ++r) sum += S[r] * F[r * stride + c];
    const double m = -joint.inverse_D * sum;
    row[c] = m;
    for (int r = 0; r < 6; ++r) F[r * stride + c] += joint.U[r] * m;
  }
}

/// row −= D⁻¹ Uᵀ A, A += S row over the columns from i on.
void pull_outward(const BranchArrays& branch, int i, double* A) {
  const BranchJoint& joint = branch.tree[i];
  const double* S = branch.terms[i].axis;
  double* row = branch.inverse + static_cast<long>(i) * branch.stride;
  const long stride = branch.stride;
  for (int c = i; c < branch.size; ++c) {
    double sum = joint.U[0] * A[c];
    for (int r = 1; r < 6; ++r) sum += joint.U[r] * A[r * stride + c];
    const double m = row[c] - joint.inverse_D * sum;
    row[c] = m;
    for (int r = 0; r < 6; ++r) A[r * stride + c] += S[r] * m;
  }
}

/// Sums over what each joint carries, tips first; a sum waits where the walk jumps to another tip.
void sum_from_tips(const BranchArrays& branch, int row) {
  constexpr int kSize = JointTerms::kSize;
  Lanes P[kSize] = {};
  double* waiting = branch.scratch;
  for (int j = branch.size - 1; j >= 0; --j) {
    const BranchJoint& joint = branch.tree[j];
    const JointTerms& terms = branch.terms[j];
    if (joint.children == 0) {
      for (int r = 0; r < kSize; ++r) {
        store(P[r], waiting + r * kLanes);
        P[r] = Lanes{};
      }
      waiting += kSize * kLanes;
    }
    for (int child = 1; child < joint.children; ++child) {
      waiting -= kSize * kLanes;
      for (int r = 0; r < kSize; ++r) P[r] += load(waiting + r * kLanes);
    }
    const long at = static_cast<long>(j) * branch.stride + row;
    const Lanes m = load(branch.inverse + at);
    for (int r = 0; r < kSize; ++r) P[r] += m * terms.response[r];
    store(-product<kSize>(P, terms.turn), branch.configuration + at);
    store(-product<JointTerms::kRate>(P, terms.rate), branch.velocity + at);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const long at = static_cast<long>(axis) * branch.stride + row;
    const JointTerms& turn = branch.base_turns[axis];
    store(-product<kSize>(P, turn.turn), branch.base_configuration + at);
    store(-product<JointTerms::kRate>(P, turn.rate), branch.base_velocity + at);
  }
  for (int r = 0; r < 6; ++r) {
    store(-P[r], branch.coupling + static_cast<long>(r) * branch.stride + row);
  }
}

/// Sums over what carries each joint, from the base on; where joints fork, the sum is kept.
void sum_from_base(const BranchArrays& branch, int row) {
  constexpr int kSpatial = JointTerms::kSpatial;
  Lanes Q[kSpatial] = {};
  for (int j = 0; j < branch.size; ++j) {
    const BranchJoint& joint = branch.tree[j];
    const JointTerms& terms = branch.terms[j];
    if (joint.parent >= 0 && joint.parent != j - 1) {
      const double* kept = branch.scratch + (joint.fork - 1) * kSpatial * kLanes;
      for (int r = 0; r < kSpatial; ++r) Q[r] = load(kept + r * kLanes);
    }
    const long at = static_cast<long>(j) * branch.stride + row;
    double* configuration = branch.configuration + at;
    double* velocity = branch.velocity + at;
    store(load(configuration) - product<kSpatial>(Q, terms.load), configuration);
    store(load(velocity) - product<kSpatial>(Q, terms.rate_load), velocity);
    const Lanes m = load(branch.inverse + at);
    for (int r = 0; r < kSpatial; ++r) Q[r] += m * terms.axis[r];
    if (joint.children > 1) {
      double* kept = branch.scratch + joint.fork * kSpatial * kLanes;
      for (int r = 0; r < kSpatial; ++r) store(Q[r], kept + r * kLanes);
    }
  }
}

}  // namespace

void compute_branch_inverse(const BranchArrays& branch) {
  const long stride = branch.stride;
  double* F = branch.scratch;
  for (int i = branch.size - 1; i >= 0; --i) push_inward(branch, i, F);

  double* A = branch.scratch;
  for (long i = 0; i < 6 * stride; ++i) A[i] = 0.0;
  for (int i = 0; i < branch.size; ++i) {
    const BranchJoint& joint = branch.tree[i];
    double* kept = A + joint.fork * 6 * stride;
    if (joint.parent >= 0 && joint.parent != i - 1) {
      for (int r = 0; r < 6; ++r) copy(kept + r * stride, A + r * stride, i, branch.size);
    }
    pull_outward(branch, i, A);
    if (joint.children < 2) continue;
    kept += 6 * stride;
    for (int r = 0; r < 6; ++r) copy(A + r * stride, kept + r * stride, i, branch.size);
  }

  // symmetric
  for (int i = 0; i < branch.size; ++i) {
    for (int c = i + 1; c < branch.size; ++c) {
      branch.inverse[c * stride + i] = branch.inverse[i * stride + c];
    }
  }
}

void compute_branch_responses(const BranchArrays& branch) {
  for (int row = 0; row < branch.size; row += kLanes) {
    sum_from_tips(branch, row);
    sum_from_base(branch, row);
  }
}

}  // namespace spacedyn
