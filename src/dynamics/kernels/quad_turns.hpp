/// @file
/// How what a joint carries seems to move when the joint turns: rows of terms, those of spherical
/// joints apart.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"
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

}  // namespace spacedyn::SPACEDYN_ISA
