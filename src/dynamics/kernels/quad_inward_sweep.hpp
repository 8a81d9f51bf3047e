/// @file
/// From the tips to the base: articulated inertias and forces, their columns in registers.
#pragma once

#include "dynamics/kernels/problem.hpp"
#include "dynamics/kernels/quad_matrix.hpp"
#include "dynamics/kernels/quad_records.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Whether each opening is a free joint on whose intermediate bodies nothing acts: exactly the
/// forces of its coordinates pass through it, which digits lost on a long way would spoil.
inline void find_free_openings(const Tree& tree, const KernelMobility& mobility,
                               const QuadScratch& scratch) {
  for (int k = 0; k < tree.opening_count; ++k) {
    const Opening& opening = tree.openings[k];
    bool is_free = opening.freedoms == 6;
    for (int i = opening.entry; is_free && i < opening.entry + 6; ++i) {
      is_free = mobility.free[i] != 0.0 && tree.links[i].armature == 0.0;
      for (int r = 0; r < 8 && i < opening.entry + 5; ++r) {
        is_free = is_free && scratch.bodies[i].p[r] == 0.0;
      }
    }
    scratch.origins[1 + k].is_apart = is_free ? 1.0 : 0.0;
  }
}

/// What unknowns add to the acceleration of the base, as seen from the origins of openings.
inline void show_base(const Tree& tree, const QuadScratch& scratch, const QuadSpatial& base) {
  for (int k = 1; k <= tree.opening_count; ++k) {
    QuadOrigin& origin = scratch.origins[k];
    store_spatial(origin.base, seen_from(load<Quad>(origin.place), base));
  }
}

/// What the inward sweep carries from a body to the entry before it.
struct QuadHanded {
  QuadMatrix I;
  QuadSpatial p;
};

/// One joint of the inward sweep. A prescribed joint passes everything on: its 1/D is zero.
[[gnu::always_inline]] inline QuadHanded reduce_joint(QuadRecord& body, bool is_free, double tau,
                                                      const LinkConstants& link,
                                                      const QuadHanded& whole,
                                                      Quad& smallest_pivot) {
  const QuadSpatial s = load_spatial(body.axis);
  const QuadSpatial U = times(whole.I, body.axis);
  store_spatial(body.U, U);
  const Quad residual = tau - dot(s, whole.p);
  Quad inverse_D = everywhere(0.0);
  if (is_free) {
    const Quad D = dot(s, U) + everywhere(link.armature);
    smallest_pivot = minimum(D * link.inverse_bound, smallest_pivot);
    inverse_D = 1.0 / D;
  }
  body.inverse_D = inverse_D[0];
  body.residual = residual[0];
  const QuadSpatial T = U * inverse_D;
  return {minus_outer(whole.I, T, body.U), whole.p + T * residual};
}

[[gnu::always_inline]] inline QuadHanded operator+(const QuadHanded& a, const QuadHanded& b) {
  return {a.I + b.I, a.p + b.p};
}
inline QuadHanded zero_handed() {
  const QuadSpatial o = zero_spatial();
  return {{o, o, o, o, o, o}, o};
}
[[gnu::always_inline]] inline QuadHanded load_sum(const QuadRecord& body) {
  return {load_matrix(body.sum), load_spatial(body.sum + 48)};
}
/// Hands I_A and p_A to a lower body that is not the entry before.
inline void hand_down(bool opens, const QuadHanded& handed, QuadRecord& lower) {
  const QuadHanded sum = opens ? handed : load_sum(lower) + handed;
  store_matrix(lower.sum, sum.I);
  store_spatial(lower.sum + 48, sum.p);
}

/// What an opening hands to the base.
[[gnu::noinline]] inline QuadHanded leave_opening(const Tree& tree, const Opening& opening,
                                                  const double* tau, const QuadScratch& scratch,
                                                  const QuadOrigin& origin,
                                                  const QuadHanded& handed) {
  if (origin.is_apart == 0.0) return {from_base(origin, handed.I), from_base(origin, handed.p)};
  QuadHanded only_forces = zero_handed();
  for (int i = opening.entry; i < opening.entry + 6; ++i) {
    only_forces.p = only_forces.p + dual_axis(scratch.bodies[i]) * tau[tree.body[i] - 1];
  }
  only_forces.p = from_base(origin, only_forces.p);
  return only_forces;
}

/// Two joints of a run at once: both products with the inertia and all scalar products, then both
/// divisions side by side, that of the second by the determinant of the two. Both are free.
[[gnu::always_inline]] inline QuadHanded reduce_two_joints(
    QuadRecord& body, QuadRecord& next, const LinkConstants& link, const LinkConstants& next_link,
    const double (&tau)[2], const QuadHanded& whole, const QuadHanded& more, Quad& smallest_pivot) {
  const QuadSpatial s = load_spatial(body.axis), next_s = load_spatial(next.axis);
  const QuadSpatial U = times(whole.I, body.axis);
  store_spatial(body.U, U);
  const QuadHanded both{whole.I + more.I, whole.p + more.p};
  const QuadSpatial rigid_U = times(both.I, next.axis);  // as if the first joint were locked
  const Quad D = dot(s, U) + everywhere(link.armature), coupling = dot(next_s, U);
  const Quad rigid_D = dot(next_s, rigid_U) + everywhere(next_link.armature);
  const Quad residual = tau[0] - dot(s, whole.p), rigid_residual = tau[1] - dot(next_s, both.p);
  const Quad determinant = D * rigid_D - coupling * coupling;
  const Quad inverse_D = 1.0 / D, next_inverse_D = D * (1.0 / determinant);
  const Quad ratio = coupling * inverse_D;
  const Quad next_residual = rigid_residual - ratio * residual;
  const QuadSpatial next_U = rigid_U - U * ratio;
  store_spatial(next.U, next_U);
  smallest_pivot = minimum(D * link.inverse_bound, smallest_pivot);
  smallest_pivot = minimum(determinant * inverse_D * next_link.inverse_bound, smallest_pivot);
  body.inverse_D = inverse_D[0], body.residual = residual[0];
  next.inverse_D = next_inverse_D[0], next.residual = next_residual[0];
  const QuadSpatial T = U * inverse_D, next_T = next_U * next_inverse_D;
  return {minus_outer(minus_outer(both.I, T, body.U), next_T, next.U),
          both.p + T * residual + next_T * next_residual};
}

/// From the tips to the base; @returns inertia and force of the whole as the base feels them.
/// @tparam kPairs  whether joints of a run are reduced two at a time
/// @param join  called with an entry and what it carries, before its joint is reduced
/// @param pass  called with an entry after that
template <bool kPairs, typename Join, typename Pass>
[[gnu::always_inline]] inline QuadHanded sweep_inward(const Tree& tree,
                                                      const KernelMobility& mobility,
                                                      const double* tau, const QuadScratch& scratch,
                                                      double& pivot, const Join& join,
                                                      const Pass& pass) {
  find_free_openings(tree, mobility, scratch);
  Quad smallest_pivot = everywhere(pivot);
  QuadHanded carried = zero_handed();  // added even where it is zero: a branch here costs registers
  const auto brought = [&](int i) {
    const QuadRecord& body = scratch.bodies[i];
    const QuadHanded own{load_rigid(body.rigid, tree.links[i].mass), load_spatial(body.p)};
    return tree.visits[i].collects != 0 ? own + load_sum(body) : own;
  };
  for (int i = tree.bodies - 1;; --i) {
    QuadRecord& body = scratch.bodies[i];
    QuadHanded whole =
        carried + QuadHanded{load_rigid(body.rigid, tree.links[i].mass), load_spatial(body.p)};
    if (tree.visits[i].collects != 0) whole = whole + load_sum(body);
    if (i == 0) {
      pivot = smallest_pivot[0];
      return whole;
    }
    const int next = i - 1;
    if (kPairs && tree.visits[i].hands_on != 0 && next != 0 && mobility.free[i] != 0.0 &&
        mobility.free[next] != 0.0) {
      carried = reduce_two_joints(body, scratch.bodies[next], tree.links[i], tree.links[next],
                                  {tau[tree.body[i] - 1], tau[tree.body[next] - 1]}, whole,
                                  brought(next), smallest_pivot);
      i = next;
    } else {
      join(i, whole);
      carried = reduce_joint(body, mobility.free[i] != 0.0, tau[tree.body[i] - 1], tree.links[i],
                             whole, smallest_pivot);
      pass(i);
    }
    if (tree.visits[i].hands_on != 0) continue;
    if (tree.opens[i] != 0) {
      carried = leave_opening(tree, tree.openings[tree.origin[i] - 1], tau, scratch,
                              origin_of(tree, scratch, i), carried);
    }
    hand_down(tree.visits[i].opens != 0, carried, scratch.bodies[tree.lower[i]]);
    carried = zero_handed();
  }
}
/// The same of a tree alone.
inline QuadHanded sweep_inward(const Tree& tree, const KernelMobility& mobility, const double* tau,
                               const QuadScratch& scratch, double& pivot) {
  const auto join = [](int, QuadHanded&) {};
  const auto pass = [](int) {};
  return sweep_inward<true>(tree, mobility, tau, scratch, pivot, join, pass);
}

}  // namespace spacedyn::SPACEDYN_ISA
