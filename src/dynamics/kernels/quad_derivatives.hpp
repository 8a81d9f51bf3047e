/// @file
/// From the motion of the bodies of one state to the terms of which all derivatives are made.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"
#include "dynamics/kernels/quad_shares.hpp"
#include "dynamics/tree/joint_terms.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Gravity counts as an acceleration of everything.
template <typename Lane>
inline Spatial<Lane> falling(const Spatial<Lane>& a, const Surroundings& surroundings) {
  const Vec3<double>& g = surroundings.gravity;
  return {a.angular, {a.linear.x - g.x, a.linear.y - g.y, a.linear.z - g.z}};
}

/// Three rows of six of a block, one joint per lane.
template <typename Lane>
inline void store_term(TermBlock& terms, int row, int lane, const Spatial<Lane>& term) {
  store_rows(terms.rows + row, lane, term.angular);
  store_rows(terms.rows + row + 3, lane, term.linear);
}
template <typename Lane>
inline Spatial<Lane> load_term(const TermBlock& terms, int row, int lane) {
  return {load_rows<Lane>(terms.rows + row, lane), load_rows<Lane>(terms.rows + row + 3, lane)};
}

/// Ψ̇ and Ψ̈ of spherical joints come from the link below all three coordinates. They wait where the
/// responses will be until those of all joints have been written.
template <bool kSolved>
inline void keep_spherical_turns(const Tree& tree, const QuadRecord* bodies,
                                 const Surroundings& surroundings, TermBlock* terms) {
  const auto at = [](const double* from) { return Spatial<double>{load3(from), load3(from + 4)}; };
  for (int k = 0; k < tree.spherical_count; ++k) {
    const int first = tree.spherical[k];
    const QuadRecord& lower = bodies[tree.lower[first]];
    const Spatial<double> v = at(lower.motion);
    Spatial<double> a = at(lower.motion + 8);
    if constexpr (kSolved) a = a + at(lower.p);
    a = falling(a, surroundings);
    for (int entry = first; entry < first + 3; ++entry) {
      const Spatial<double> S = at(bodies[entry].axis), turn = cross_motion(v, S);
      TermBlock& block = terms[entry / kBlock];
      store_term(block, kTermResponse, entry % kBlock, turn);
      store_term(block, kTermResponse + 6, entry % kBlock,
                 cross_motion(a, S) + cross_motion(v, turn));
    }
  }
}
inline void put_spherical_turns(const Tree& tree, TermBlock* terms) {
  for (int k = 0; k < tree.spherical_count; ++k) {
    for (int entry = tree.spherical[k]; entry < tree.spherical[k] + 3; ++entry) {
      TermBlock& block = terms[entry / kBlock];
      for (int row = 0; row < 12; ++row) {
        block.rows[kTermTurn + row][entry % kBlock] =
            block.rows[kTermResponse + row][entry % kBlock];
      }
    }
  }
}

/// S, Ψ̇ and Ψ̈ of joints; v and a (gravity subtracted) of the body above a joint serve as well as
/// those of the one below.
template <typename Lane>
inline void write_turns(const Spatial<Lane>& S, const Spatial<Lane>& v, const Spatial<Lane>& a,
                        int lane, TermBlock& terms) {
  const Spatial<Lane> turn = cross_motion(v, S);
  store_term(terms, kTermS, lane, S);
  store_term(terms, kTermTurn, lane, turn);
  store_term(terms, kTermTurnRate, lane, cross_motion(a, S) + cross_motion(v, turn));
}

template <typename Lane>
inline Spatial<Lane> gather_spatial(const double* from) {
  return {gather3<Lane>(from, kStride), gather3<Lane>(from + 4, kStride)};
}

/// What the bodies of a block bring to the subtrees they are in, and how they move.
/// @tparam kSolved  whether unknowns were found and add to the accelerations
template <bool kSolved>
inline void compute_shares(const LinkBlock& links, const JointBlock& joints,
                           const Surroundings& surroundings, QuadRecord* bodies, TermBlock& terms) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    QuadRecord* to = bodies + lane;
    auto [A, r, v, a, mass] = gather_bodies<Lane>(links, to, lane);
    if constexpr (kSolved) a = a + gather_spatial<Lane>(to->p);
    a = falling(a, surroundings);
    write_turns(gather_spatial<Lane>(to->axis), v, a, lane, terms);
    const Sym3<Lane> I = rotated(A, load_inertia<Lane>(links, lane));
    const Rigid<Lane> whole = rigid<Lane>(mass, r, I);
    scatter_symmetric(to->sum + kSumJ, whole.inertia);
    scatter3(to->sum + kSumH, kSumStride, whole.moment);
    // momentum, and force by (30), (31)
    const Vec3<Lane>& omega = v.angular;
    const Vec3<Lane> spin = I * omega, P = (v.linear + cross(omega, r)) * mass;
    Vec3<Lane> F = (a.linear + cross(a.angular, r)) * mass + cross(omega, P);
    Vec3<Lane> N = I * a.angular + cross(omega, spin);
    scatter_symmetric(to->sum + kSumRate, inertia_rate(I, omega, r, P));
    scatter3(to->sum + kSumL, kSumStride, spin + cross(r, P));
    scatter3(to->sum + kSumP, kSumStride, P);
    if (surroundings.wrenches) {
      const auto f = load_rows<Lane>(joints.force, lane), n = load_rows<Lane>(joints.moment, lane);
      const Mat3<Lane> K = held_moment(r, f, n);
      scatter3(to->sum + kSumWrench, kSumStride, K.a);
      scatter3(to->sum + kSumWrench + 4, kSumStride, K.b);
      scatter3(to->sum + kSumWrench + 8, kSumStride, K.c);
      scatter3(to->sum + kSumWrench + 12, kSumStride, f);
      F = F - f, N = N - n;
    }
    scatter_force(to, Spatial<Lane>{N + cross(r, F), F});
  }
}

/// Everything else about joints of which write_turns() has told how they move what they carry.
/// @param phi  Φ / Ψ̇
template <typename Lane>
inline void write_terms(const SubtreeLanes<Lane>& above, bool has_wrenches, double phi, int lane,
                        TermBlock& terms) {
  const auto S = load_term<Lane>(terms, kTermS, lane);
  const auto turn = load_term<Lane>(terms, kTermTurn, lane);
  const auto turn_rate = load_term<Lane>(terms, kTermTurnRate, lane);
  const Gyroscopic<Lane>& D = above.D;
  const Vec3<Lane>& s = S.angular;
  const Vec3<Lane> rate = D.inertia_rate * s, moment = cross(s, D.L);
  store_term(terms, kTermResponse, lane, above.I * S);
  store_rows(terms.rows + kTermResponse + 6, lane, rate - moment + cross(D.P, S.linear) * 2.0);
  const Vec3<Lane>& omega = turn.angular;
  const Spatial<Lane> gyration{D.inertia_rate * omega + cross(omega, D.L), cross(omega, D.P) * 2.0};
  const Spatial<Lane> turned{cross(s, above.f.angular) + cross(S.linear, above.f.linear),
                             cross(s, above.f.linear)};
  Spatial<Lane> load = turned + above.I * turn_rate + gyration;
  store_term(terms, kTermRateLoad, lane,
             above.I * turn * phi + Spatial<Lane>{rate + moment, cross(s, D.P) * 2.0});
  if (has_wrenches) {
    const HeldWrench<Lane>& K = above.K;
    store_rows(terms.rows + kTermResponse + 9, lane,
               transposed_times(K.moment, s) + cross(K.force, S.linear));
    load = load + Spatial<Lane>{K.moment * s, cross(s, K.force)};
  }
  store_term(terms, kTermLoad, lane, load);
}

template <typename Lane>
inline SubtreeLanes<Lane> gather_subtrees(const QuadRecord* from, bool has_wrenches, Lane mass) {
  const double* sum = from->sum;
  SubtreeLanes<Lane> whole{
      {mass, gather3<Lane>(sum + kSumH, kSumStride), gather_symmetric<Lane>(sum + kSumJ)},
      {gather_symmetric<Lane>(sum + kSumRate), gather3<Lane>(sum + kSumL, kSumStride),
       gather3<Lane>(sum + kSumP, kSumStride)},
      {},
      {gather3<Lane>(from->p, kStride), gather3<Lane>(from->p + 4, kStride)}};
  if (has_wrenches) {
    whole.K = {{gather3<Lane>(sum + kSumWrench, kSumStride),
                gather3<Lane>(sum + kSumWrench + 4, kSumStride),
                gather3<Lane>(sum + kSumWrench + 8, kSumStride)},
               gather3<Lane>(sum + kSumWrench + 12, kSumStride)};
  }
  return whole;
}

inline void write_joint_terms(const LinkBlock& links, const QuadRecord* bodies, bool has_wrenches,
                              TermBlock& terms) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const Lane mass = load<Lane>(links.rows[kRowCarriedMass] + lane);
    write_terms(gather_subtrees<Lane>(bodies + lane, has_wrenches, mass), has_wrenches, 2.0, lane,
                terms);
  }
}

/// Turning the base: v_0, ω_0 and their rates keep their inertial components.
inline void write_base_terms(const Tree& tree, const QuadRecord& base,
                             const QuadSpatial& acceleration, const Surroundings& surroundings,
                             TermBlock& terms) {
  using Lane = Pack<kLanes>;
  constexpr double kAxes[3][kBlock] = {{1.0}, {0.0, 1.0}, {0.0, 0.0, 1.0}};
  // each lane sees the same body
  const auto at = [](const auto& from) {
    return Vec3<Lane>{broadcast<Lane>(from[0]), broadcast<Lane>(from[1]), broadcast<Lane>(from[2])};
  };
  const auto symmetric_at = [](const double* m) {
    return Sym3<Lane>{broadcast<Lane>(m[0]), broadcast<Lane>(m[1]), broadcast<Lane>(m[2]),
                      broadcast<Lane>(m[5]), broadcast<Lane>(m[6]), broadcast<Lane>(m[10])};
  };
  const double *sum = base.sum, *K = base.sum + kSumWrench;
  const SubtreeLanes<Lane> whole{
      {broadcast<Lane>(tree.links[0].carried_mass), at(sum + kSumH), symmetric_at(sum + kSumJ)},
      {symmetric_at(sum + kSumRate), at(sum + kSumL), at(sum + kSumP)},
      {{at(K), at(K + 4), at(K + 8)}, at(K + 12)},
      {at(base.p), at(base.p + 4)}};
  const Spatial<Lane> v{at(base.motion), at(base.motion + 4)};
  const auto a =
      falling(Spatial<Lane>{at(acceleration.angular), at(acceleration.linear)}, surroundings);
  for (int lane = 0; lane < 3; lane += kLanes) {
    write_turns({load_rows<Lane>(kAxes, lane), zero3<Lane>()}, v, a, lane, terms);
    write_terms(whole, surroundings.wrenches, 1.0, lane, terms);
  }
}

/// A turn of the base about an inertial axis as seen from the origin of a branch.
inline QuadSpatial turn_of_base(const QuadOrigin& origin, int axis) {
  const Quad e{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0, 0.0};
  return {e, cross(e, load<Quad>(origin.place))};
}
inline Spatial<double> in_lanes(const QuadSpatial& m) {
  const auto at = [](const Quad& from) { return Vec3<double>{from[0], from[1], from[2]}; };
  return {at(m.angular), at(m.linear)};
}

/// S, Ψ̇ and Ψ̈ of turns of the base as seen from the origin of a branch.
inline void write_base_turns(const QuadOrigin& origin, const QuadRecord& base,
                             const QuadSpatial& acceleration, const Surroundings& surroundings,
                             TermBlock& terms) {
  const QuadOrigin own{};
  const QuadPassage passage(own, origin);
  const QuadSpatial v = load_spatial(base.motion);
  const auto a = falling(in_lanes(passage.acceleration_of(acceleration, v.angular)), surroundings);
  for (int axis = 0; axis < 3; ++axis) {
    write_turns(in_lanes(turn_of_base(origin, axis)), in_lanes(passage.velocity_of(v)), a, axis,
                terms);
  }
}

/// The terms of all joints and of three turns of the base, those of the base and those as seen
/// from the origins of openings, after move() with all accelerations
/// given or, solved, after articulated_body(). @returns whether wrenches act
template <bool kSolved>
inline bool derivative_terms(const Tree& tree, const KernelLoads<double>& loads, double* memory,
                             TermBlock* terms, TermBlock* base_terms) {
  const QuadScratch scratch(memory, tree);
  QuadRecord* bodies = scratch.bodies;
  const Surroundings surroundings{load3(loads.gravity),
                                  order_wrenches(tree, loads, scratch.joints)};
  QuadSpatial base_acceleration = load_spatial(bodies[0].motion + 8);
  if constexpr (kSolved) base_acceleration = base_acceleration + load_spatial(bodies[0].p);
  keep_spherical_turns<kSolved>(tree, bodies, surroundings, terms);
  for (int b = 0; b < tree.block_count; ++b) {
    compute_shares<kSolved>(tree.blocks[b], scratch.joints[b], surroundings, bodies + kBlock * b,
                            terms[b]);
  }
  put_spherical_turns(tree, terms);
  if (surroundings.wrenches) {
    sum_shares<kSumWhole>(tree, scratch);
  } else {
    sum_shares<kSumWithoutWrench>(tree, scratch);
  }
  for (int b = 0; b < tree.block_count; ++b) {
    write_joint_terms(tree.blocks[b], bodies + kBlock * b, surroundings.wrenches, terms[b]);
  }
  write_base_terms(tree, bodies[0], base_acceleration, surroundings, *base_terms);
  for (int k = 1; k <= tree.opening_count; ++k) {
    write_base_turns(scratch.origins[k], bodies[0], base_acceleration, surroundings, base_terms[k]);
  }
  return surroundings.wrenches;
}

}  // namespace spacedyn::SPACEDYN_ISA
