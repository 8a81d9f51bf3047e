/// @file
/// Tips to base: articulated-body inertias, [Featherstone] in lanes.
#pragma once

#include "batch/kernels/release.hpp"
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

/// Links from entry i downwards, as many plain ones as there are in a row and a turned one that
/// ends them. A function of its own, because here registers decide.
/// @param carried  in, out: what the entry before i + 1 has left, unless `fresh`
/// @return the next entry to visit
template <typename Lane>
[[gnu::noinline]] inline int sweep_chain(batch::Robot robot, const double* tau,
                                         Workspace<Lane> workspace, int i, bool fresh,
                                         Articulated<Lane>& carried) {
  Articulated<Lane> I;
  if (!fresh) {
    I = carried;
  } else if (robot.link[i].plain) {
    set_body(robot.link[i], workspace.entry(i), I);
    pass_plain(robot.link[i], tau, workspace.entry(i), I);
    --i;
  } else {
    clear(I);
  }
  for (; robot.link[i].plain; --i) {
    const batch::Link& link = robot.link[i];
    const Rows<Lane> rows = workspace.entry(i);
    add_body(link, rows, I);
    pass_plain(link, tau, rows, I);
  }
  const batch::Link& last = robot.link[i];
  if (last.prismatic || last.screw || last.branches || i == 0) {
    carried = I;
    return i;
  }
  pass_turned(last, tau, workspace.entry(i), I);
  if (last.follows) {
    carried = I;
  } else {
    hand_down(last, workspace.branch(robot.link[last.lower]), I);
  }
  return i - 1;
}

/// A revolute link that may be turned.
template <typename Lane>
[[gnu::noinline]] inline void sweep_turned(const batch::Link& link, const double* tau,
                                           Rows<Lane> rows, Articulated<Lane>& carried) {
  Articulated<Lane> I = carried;
  pass_turned(link, tau, rows, I);
  carried = I;
}

template <typename Lane>
[[gnu::noinline]] inline void sweep_sliding(const batch::Link& link, const double* q,
                                            const double* tau, Rows<Lane> rows,
                                            Articulated<Lane>& carried) {
  Articulated<Lane> I = carried;
  if (link.screw) {
    pass_screw(link, q, tau, rows, I);
  } else {
    pass_prismatic(link, q, tau, rows, I);
  }
  carried = I;
}

/// Second sweep, tips to base: articulated inertias. What arrives at the base is left in `I`.
template <typename Lane>
inline void sweep_inertias(batch::Robot robot, const double* q, const double* tau,
                           Workspace<Lane> workspace, Articulated<Lane>& I) {
  int i = robot.links;
  bool fresh = true;
  while (i > 0) {
    const batch::Link& first = robot.link[i];
    const bool slides = first.prismatic || first.screw;
    if (!slides && !first.branches) {
      i = sweep_chain(robot, tau, workspace, i, fresh, I);
      fresh = !robot.link[i + 1].follows;
      continue;
    }
    if (fresh) clear(I);
    const Rows<Lane> rows = workspace.entry(i--);
    if (first.branches) add_sum(workspace.branch(first), I);
    if (slides) {
      sweep_sliding(first, q, tau, rows, I);
    } else {
      sweep_turned(first, tau, rows, I);
    }
    fresh = !first.follows;
    if (fresh) hand_down(first, workspace.branch(robot.link[first.lower]), I);
  }
  if (fresh) clear(I);
  const batch::Link& base = robot.link[0];
  if (base.branches) add_sum(workspace.branch(base), I);
  add_body(base, workspace.entry(0), I);
}

}  // namespace spacedyn::SPACEDYN_ISA
