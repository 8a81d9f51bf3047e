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

/// column_k = T a_k over the joints [begin, end), a register of joints at a time for all columns,
/// and what is added of these joints to each.
template <int kCount>
inline void follow_base(const BaseArrays& base, const double* const (&a)[kCount], int begin,
                        int end, double* const (&columns)[kCount],
                        const double* const* added = nullptr) {
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
      if (added != nullptr) even += load<BranchLane>(added[k] + (at - begin));
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
    if (branch.size < base.size && !base.is_held) follow_base(base, a, 0, base.size, columns);
    for (int k = 0; k < 3; ++k) {
      if (base.is_held) {
        fill(columns[k], 6 + base.size, 0.0);
      } else {
        write_base(a[k], columns[k]);
      }
      copy(own[k], columns[k] + 6 + branch.begin, branch.size);
    }
  }
}

/// Columns of turns and rates of the base from what each branch adds.
inline void compose_turns(const BranchArrays* branches, int count, const BaseArrays& base,
                          const DerivativeArrays& out) {
  constexpr int kColumns = 6;  // about three axes, configurations first
  const auto own = [](const BranchArrays& branch, int c) {
    return (c < 3 ? branch.base_configuration : branch.base_velocity) + c % 3 * long(branch.stride);
  };
  double* const columns[] = {out.configuration + 3 * out.stride, out.configuration + 4 * out.stride,
                             out.configuration + 5 * out.stride, out.velocity + 3 * out.stride,
                             out.velocity + 4 * out.stride,      out.velocity + 5 * out.stride};
  double total[kColumns][6] = {}, rest[kColumns][6];
  for (int c = 0; c < kColumns && !base.is_held; ++c) {
    const TermRows load = terms_of(base.turns, c % 3).from(c < 3 ? kTermLoad : kTermRateLoad);
    for (int j = 0; j < 6; ++j) {
      const double on_base = load[j];
      for (int i = 0; i < 6; ++i) total[c][i] -= base.inverse[6 * j + i] * on_base;
    }
    for (int b = 0; b < count; ++b) {
      const double* a = own(branches[b], c) + branches[b].size;
      for (int i = 0; i < 6; ++i) total[c][i] += a[i];
    }
  }
  for (int c = 0; c < kColumns; ++c) write_base(total[c], columns[c]);
  for (int b = 0; b < count; ++b) {
    const BranchArrays& branch = branches[b];
    const double* x[kColumns];
    for (int c = 0; c < kColumns; ++c) {
      x[c] = own(branch, c);
      // the branch already follows its own part of the base's acceleration
      for (int i = 0; i < 6; ++i) rest[c][i] = total[c][i] - x[c][branch.size + i];
      if (base.is_held) copy(x[c], columns[c] + 6 + branch.begin, branch.size);
    }
    if (base.is_held) continue;
    follow_base<kColumns>(base, {rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]},
                          branch.begin, branch.begin + branch.size, columns, x);
  }
}

inline void compose_base(const BranchArrays* branches, int count, const BaseArrays& base,
                         const DerivativeArrays& out) {
  compose_turns(branches, count, base, out);
  if (base.is_held) fill(out.force, 6 * out.stride, 0.0);
  for (int i = 0; i < 6 && !base.is_held; ++i) {
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

/// What is above the diagonal by columns, then its mirror image.
inline void compose_inverse(const BranchArrays* branches, int count, const BaseArrays& base,
                            double* out, long stride) {
  for (int i = 0; i < 6; ++i) {
    if (base.is_held) {
      fill(out + i * stride, 6, 0.0);
    } else {
      write_base(base.inverse + 6 * (i < 3 ? i + 3 : i - 3), out + i * stride);
    }
  }
  for (int b = 0; b < count; ++b) {
    const BranchArrays& branch = branches[b];
    for (int j = 0; j < branch.size; ++j) {
      const double* own = branch.inverse + j * long(branch.stride);
      double* column = out + (6 + branch.begin + j) * stride;
      if (base.is_held) {
        fill(column, 6 + branch.begin, 0.0);
      } else {
        write_base(own + branch.size, column);
        follow_base<1>(base, {own + branch.size}, 0, branch.begin, {column});
      }
      copy(own, column + 6 + branch.begin, j + 1);
    }
  }
  mirror(out, 6 + base.size, stride);
}

}  // namespace spacedyn::SPACEDYN_ISA
