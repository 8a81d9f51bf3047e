/// @file
/// Tips to base: articulated-body inertias, [Featherstone] in lanes.
#pragma once

#include "batch/kernels/branches.hpp"
#include "batch/kernels/release.hpp"

namespace spacedyn::SPACEDYN_ISA {

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
