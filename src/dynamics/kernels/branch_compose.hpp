/// @file
/// From each branch with the base to the whole system: the other branches follow the base.
#pragma once

#include "dynamics/kernels/branch_response.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The base's rows of a column, linear part first.
inline void write_base(const double* a, double* column) {
  for (int i = 0; i < 3; ++i) {
    column[i] = a[i + 3];
    column[i + 3] = a[i];
  }
}

/// column_k = T a_k over the joints [begin, end), a register of joints at a time for all columns.
template <int kCount>
inline void follow_base(const BaseArrays& base, const double* const (&a)[kCount], int begin,
                        int end, double* const (&columns)[kCount]) {
  const bool narrow = end - begin < kLanes;
  for (int i = begin; i < end; i += kLanes) {
    // the last register overlaps the one before
    const int at = narrow || i + kLanes <= end ? i : end - kLanes;
    BranchLane T[6];
    for (int r = 0; r < 6; ++r) T[r] = load<BranchLane>(base.coupling + r * base.stride + at);
    for (int k = 0; k < kCount; ++k) {
      BranchLane even = T[0] * a[k][0], odd = T[1] * a[k][1];
      even += T[2] * a[k][2], odd += T[3] * a[k][3];
      even += T[4] * a[k][4], odd += T[5] * a[k][5];
      double* to = columns[k] + 6 + at;
      if (narrow) {
        double joints[kLanes];
        store(joints, even + odd);
        copy(joints, to, end - begin);
      } else {
        store(to, even + odd);
      }
    }
    if (narrow) return;
  }
}

/// Columns of a branch, with their last six rows those of the base, as those of the whole system.
inline void compose(const BranchArrays& branch, const BaseArrays& base,
                    const DerivativeArrays& out) {
  for (int j = 0; j < branch.size; ++j) {
    const long to = (6 + branch.begin + j) * out.stride;
    const long at = static_cast<long>(j) * branch.stride;
    const double* const own[] = {branch.configuration + at, branch.velocity + at,
                                 branch.inverse + at};
    double* const columns[] = {out.configuration + to, out.velocity + to, out.force + to};
    const double* const a[] = {own[0] + branch.size, own[1] + branch.size, own[2] + branch.size};
    if (branch.size < base.size) follow_base(base, a, 0, base.size, columns);
    for (int k = 0; k < 3; ++k) {
      write_base(a[k], columns[k]);
      copy(own[k], columns[k] + 6 + branch.begin, branch.size);
    }
  }
}

/// Columns of turns and rates of the base about one axis from what each branch adds.
inline void compose_turn(const BranchArrays* branches, int count, const BaseArrays& base, int axis,
                         const DerivativeArrays& out) {
  const TermRows turn = terms_of(base.turns, axis);
  const TermRows loads[] = {turn.from(kTermLoad), turn.from(kTermRateLoad)};
  double* const columns[] = {out.configuration + (3 + axis) * out.stride,
                             out.velocity + (3 + axis) * out.stride};
  const auto own = [axis](const BranchArrays& branch, int k) {
    return (k == 0 ? branch.base_configuration : branch.base_velocity) + axis * long(branch.stride);
  };
  double total[2][6] = {}, rest[2][6];
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 6; ++j) {
      const double load_on_base = loads[k][j];
      for (int i = 0; i < 6; ++i) total[k][i] -= base.inverse[6 * j + i] * load_on_base;
    }
    for (int b = 0; b < count; ++b) {
      const double* a = own(branches[b], k) + branches[b].size;
      for (int i = 0; i < 6; ++i) total[k][i] += a[i];
    }
    write_base(total[k], columns[k]);
  }
  for (int b = 0; b < count; ++b) {
    const BranchArrays& branch = branches[b];
    // the branch already follows its own part of the base's acceleration
    for (int k = 0; k < 2; ++k) {
      const double* a = own(branch, k) + branch.size;
      for (int i = 0; i < 6; ++i) rest[k][i] = total[k][i] - a[i];
    }
    follow_base<2>(base, {rest[0], rest[1]}, branch.begin, branch.begin + branch.size, columns);
    for (int k = 0; k < 2; ++k) {
      const double* x = own(branch, k);
      double* joints = columns[k] + 6 + branch.begin;
      for (int i = 0; i < branch.size; ++i) joints[i] += x[i];
    }
  }
}

inline void compose_base(const BranchArrays* branches, int count, const BaseArrays& base,
                         const DerivativeArrays& out) {
  for (int axis = 0; axis < 3; ++axis) compose_turn(branches, count, base, axis, out);
  for (int i = 0; i < 6; ++i) {
    // forces come linear part first
    const int force = i < 3 ? i + 3 : i - 3;
    double* column = out.force + i * out.stride;
    write_base(base.inverse + 6 * force, column);
    for (int b = 0; b < count; ++b) {
      const BranchArrays& branch = branches[b];
      copy(branch.inverse + (branch.size + force) * long(branch.stride), column + 6 + branch.begin,
           branch.size);
    }
  }
  fill(out.configuration, 3 * out.stride, 0.0);
  fill(out.velocity, 3 * out.stride, 0.0);
}

}  // namespace spacedyn::SPACEDYN_ISA
