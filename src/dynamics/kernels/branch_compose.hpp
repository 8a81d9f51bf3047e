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

/// T a of as many joints as there are lanes, from joint i on.
inline BranchLane followers(const BaseArrays& base, const double* a, int i) {
  const double* T = base.coupling + i;
  const long stride = base.stride;
  const BranchLane first = load<BranchLane>(T) * a[0] + load<BranchLane>(T + stride) * a[1];
  const BranchLane second =
      load<BranchLane>(T + 2 * stride) * a[2] + load<BranchLane>(T + 3 * stride) * a[3];
  const BranchLane third =
      load<BranchLane>(T + 4 * stride) * a[4] + load<BranchLane>(T + 5 * stride) * a[5];
  return first + second + third;
}

/// column = T a over the joints [begin, end); the last register overlaps the one before.
inline void follow_base(const BaseArrays& base, const double* a, int begin, int end,
                        double* column) {
  if (end - begin >= kLanes) {
    for (int i = begin; i < end; i += kLanes) {
      const int at = i + kLanes <= end ? i : end - kLanes;
      store(column + 6 + at, followers(base, a, at));
    }
    return;
  }
  for (int i = begin; i < end; ++i) {
    double sum = base.coupling[i] * a[0];
    for (int r = 1; r < 6; ++r) sum += base.coupling[r * base.stride + i] * a[r];
    column[6 + i] = sum;
  }
}

/// A column of a branch, with its last six rows those of the base, as one of the whole system.
inline void compose_column(const BranchArrays& branch, const BaseArrays& base, const double* x,
                           double* column) {
  const double* a = x + branch.size;
  write_base(a, column);
  if (branch.size < base.size) follow_base(base, a, 0, base.size, column);
  copy(x, column + 6 + branch.begin, branch.size);
}

inline void compose(const BranchArrays& branch, const BaseArrays& base,
                    const DerivativeArrays& out) {
  for (int j = 0; j < branch.size; ++j) {
    const long column = (6 + branch.begin + j) * out.stride;
    const long at = static_cast<long>(j) * branch.stride;
    compose_column(branch, base, branch.configuration + at, out.configuration + column);
    compose_column(branch, base, branch.velocity + at, out.velocity + column);
    compose_column(branch, base, branch.inverse + at, out.force + column);
  }
}

/// A column of a turn of the base from what each branch adds; @p own points at that of a branch.
template <typename Own>
inline void compose_turn(const BranchArrays* branches, int count, const BaseArrays& base,
                         const TermRows& load_on_base, const Own& own, double* column) {
  double a[6], rest[6];
  for (int i = 0; i < 6; ++i) {
    a[i] = 0.0;
    for (int j = 0; j < 6; ++j) a[i] -= base.inverse[6 * j + i] * load_on_base[j];
    for (int b = 0; b < count; ++b) a[i] += own(branches[b])[branches[b].size + i];
  }
  write_base(a, column);
  for (int b = 0; b < count; ++b) {
    const BranchArrays& branch = branches[b];
    // the branch already follows its own part of the base's acceleration
    const double* x = own(branch);
    for (int i = 0; i < 6; ++i) rest[i] = a[i] - x[branch.size + i];
    follow_base(base, rest, branch.begin, branch.begin + branch.size, column);
    for (int i = 0; i < branch.size; ++i) column[6 + branch.begin + i] += x[i];
  }
}

inline void compose_base(const BranchArrays* branches, int count, const BaseArrays& base,
                         const DerivativeArrays& out) {
  for (int axis = 0; axis < 3; ++axis) {
    const TermRows turn = terms_of(base.turns, axis);
    compose_turn(
        branches, count, base, turn.from(kTermLoad),
        [axis](const BranchArrays& b) { return b.base_configuration + axis * long(b.stride); },
        out.configuration + (3 + axis) * out.stride);
    compose_turn(
        branches, count, base, turn.from(kTermRateLoad),
        [axis](const BranchArrays& b) { return b.base_velocity + axis * long(b.stride); },
        out.velocity + (3 + axis) * out.stride);
  }
  for (int i = 0; i < 6; ++i) {
    // forces come linear part first
    const double* a = base.inverse + 6 * (i < 3 ? i + 3 : i - 3);
    write_base(a, out.force + i * out.stride);
    follow_base(base, a, 0, base.size, out.force + i * out.stride);
  }
  fill(out.configuration, 3 * out.stride, 0.0);
  fill(out.velocity, 3 * out.stride, 0.0);
}

}  // namespace spacedyn::SPACEDYN_ISA
