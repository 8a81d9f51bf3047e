/// @file
/// Sums of what several links hand down to the body that carries them.
#pragma once

#include "batch/kernels/workspace.hpp"

namespace spacedyn::SPACEDYN_ISA {

template <typename Lane>
SPACEDYN_INLINE void load_sum(Rows<Lane> rows, Articulated<Lane>& I) {
  using B = batch::BranchRows;
  rows.get(B::sum, I.A, 6);
  rows.get(B::sum + 6, I.B, 9);
  rows.get(B::sum + 15, I.M, 6);
  rows.get(B::sum + 21, I.n, 3);
  rows.get(B::sum + 24, I.f, 3);
}
template <typename Lane>
SPACEDYN_INLINE void store_sum(Rows<Lane> rows, const Articulated<Lane>& I) {
  using B = batch::BranchRows;
  rows.put(B::sum, I.A, 6);
  rows.put(B::sum + 6, I.B, 9);
  rows.put(B::sum + 15, I.M, 6);
  rows.put(B::sum + 21, I.n, 3);
  rows.put(B::sum + 24, I.f, 3);
}
template <typename Lane>
SPACEDYN_INLINE void clear(Articulated<Lane>& I) {
  const Lane zero = broadcast<Lane>(0.0);
  for (Lane& x : I.A) x = zero;
  for (Lane& x : I.B) x = zero;
  for (Lane& x : I.M) x = zero;
  for (int j = 0; j < 3; ++j) I.n[j] = I.f[j] = zero;
}
template <typename Lane>
SPACEDYN_INLINE void add(const Articulated<Lane>& I, Articulated<Lane>& sum) {
  for (int j = 0; j < 6; ++j) sum.A[j] += I.A[j];
  for (int j = 0; j < 9; ++j) sum.B[j] += I.B[j];
  for (int j = 0; j < 6; ++j) sum.M[j] += I.M[j];
  for (int j = 0; j < 3; ++j) sum.n[j] += I.n[j];
  for (int j = 0; j < 3; ++j) sum.f[j] += I.f[j];
}

/// Adds what the later links of a branching body have handed down.
template <typename Lane>
SPACEDYN_INLINE void add_sum(Rows<Lane> branch, Articulated<Lane>& I) {
  Articulated<Lane> sum;
  load_sum(branch, sum);
  add(sum, I);
}

template <typename Lane>
SPACEDYN_INLINE void add_rows(Rows<Lane> rows, int row, const Lane* x, int count) {
  for (int i = 0; i < count; ++i) rows.put(row + i, rows.get(row + i) + x[i]);
}

/// Hands an inertia to a body that branches: its sum begins with the first one that arrives.
template <typename Lane>
SPACEDYN_INLINE void hand_down(const batch::Link& link, Rows<Lane> branch,
                               const Articulated<Lane>& I) {
  using B = batch::BranchRows;
  if (link.first_sum) {
    store_sum(branch, I);
    return;
  }
  add_rows(branch, B::sum, I.A, 6);
  add_rows(branch, B::sum + 6, I.B, 9);
  add_rows(branch, B::sum + 15, I.M, 6);
  add_rows(branch, B::sum + 21, I.n, 3);
  add_rows(branch, B::sum + 24, I.f, 3);
}

}  // namespace spacedyn::SPACEDYN_ISA
