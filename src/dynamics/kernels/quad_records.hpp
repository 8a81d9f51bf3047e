/// @file
/// The memory of the kernels of one state, and how origins of branches are related to the base.
#pragma once

#include "dynamics/kernels/quads.hpp"
#include "dynamics/kernels/tree.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Of what upper bodies hand down: columns, force.
struct QuadSum {
  double numbers[56];
};
constexpr int kSumStride = sizeof(QuadSum) / sizeof(double);

/// Everything an evaluation keeps about one body: 11 cache lines, all vectors of four. Sums are
/// elsewhere: forward dynamics needs those of bodies that carry several, and long chains would
/// bring the others into the caches as well.
struct QuadRecord {
  double frame[16];   ///< columns of A, frame origin
  double axis[8];     ///< s
  double motion[16];  ///< v, a
  double rigid[24];   ///< inertia: columns of the second moment, then momenta of the three turns
  double p[8];        ///< force; after articulated_body(), what unknowns add to a
  double U[8];        ///< I_A s
  double inverse_D, residual, acceleration;
  double* sum;  ///< numbers of its QuadSum; those of eight bodies are contiguous
  double unused[4];
};
constexpr int kStride = sizeof(QuadRecord) / sizeof(double);

/// Joints of eight bodies, one per lane.
struct JointBlock {
  double angle[kBlock], sine[kBlock], cosine[kBlock];
  double slide[kBlock], rate[kBlock];
  double given[kBlock];                        ///< accelerations to be included in a
  double R[6][kBlock];                         ///< first two columns of C R_z(q)
  double d[3][kBlock];                         ///< l + k q
  double force[3][kBlock], moment[3][kBlock];  ///< external wrenches
};

/// An origin about which bodies are computed.
struct QuadOrigin {
  double place[4], velocity[4];  ///< against the base centroid; the origin moves uniformly
  double base[8];                ///< unknown acceleration of the base, as seen from here
  double is_apart;               ///< 1 if a free joint hands nothing but given forces on, else 0
  double unused[7];
};

/// The memory of one evaluation, aligned to cache lines.
struct QuadScratch {
  QuadRecord* bodies;
  JointBlock* joints;
  QuadOrigin* origins;  ///< that of the base, then those of openings
  QuadSum* sums;

  QuadScratch(double* start, const Tree& tree)
      : bodies(reinterpret_cast<QuadRecord*>(start)),
        joints(reinterpret_cast<JointBlock*>(bodies + kBlock * tree.block_count)),
        origins(reinterpret_cast<QuadOrigin*>(joints + tree.block_count)),
        sums(reinterpret_cast<QuadSum*>(origins + 1 + tree.opening_count)) {}
  static unsigned long size(const Tree& tree) {
    const auto blocks = static_cast<unsigned long>(tree.block_count);
    const auto count = static_cast<unsigned long>(1 + tree.opening_count);
    return (blocks * (kBlock * (sizeof(QuadRecord) + sizeof(QuadSum)) + sizeof(JointBlock)) +
            count * sizeof(QuadOrigin)) /
           sizeof(double);
  }
};

/// Once, in memory of zeros.
inline void prepare_scratch(const Tree& tree, double* memory) {
  const QuadScratch scratch(memory, tree);
  for (int i = 0; i < kBlock * tree.block_count; ++i) {
    scratch.bodies[i].sum = scratch.sums[i].numbers;
  }
}

/// Three rows of a block from a lane on.
template <typename Lane>
inline Vec3<Lane> load_rows(const double (*rows)[kBlock], int lane) {
  return {load<Lane>(rows[0] + lane), load<Lane>(rows[1] + lane), load<Lane>(rows[2] + lane)};
}
template <typename Lane>
inline void store_rows(double (*rows)[kBlock], int lane, const Vec3<Lane>& v) {
  store(rows[0] + lane, v.x), store(rows[1] + lane, v.y), store(rows[2] + lane, v.z);
}

inline const QuadOrigin& origin_of(const Tree& tree, const QuadScratch& scratch, int entry) {
  return scratch.origins[tree.origin[entry]];
}
/// A force about the origin of a branch, about that of the base.
inline QuadSpatial from_base(const QuadOrigin& origin, const QuadSpatial& force) {
  return {force.angular + cross(load<Quad>(origin.place), force.linear), force.linear};
}
/// What passes through an opening to the base of a force that acts on no coordinate of it.
inline QuadSpatial leave_opening(const QuadOrigin& origin, const QuadSpatial& force) {
  const Quad none{0.0, 0.0, 0.0, 0.0};
  return origin.is_apart != 0.0 ? QuadSpatial{none, none} : from_base(origin, force);
}
/// An acceleration that unknowns add to a body, about an origin `d` further on.
inline QuadSpatial seen_from(const Quad& d, const QuadSpatial& acceleration) {
  return {acceleration.angular, acceleration.linear + cross(acceleration.angular, d)};
}

/// The force that a unit of a coordinate of a free joint exerts, about the point where its axes
/// meet.
inline QuadSpatial dual_axis(const QuadRecord& body) {
  const Quad none{0.0, 0.0, 0.0, 0.0}, angular = load<Quad>(body.axis);
  const bool turns = angular[0] != 0.0 || angular[1] != 0.0 || angular[2] != 0.0;
  return {angular, turns ? none : load<Quad>(body.axis + 4)};
}

/// From the origin of one branch to that of another, which moves against it.
struct QuadPassage {
  Quad place, velocity;

  QuadPassage(const QuadOrigin& from, const QuadOrigin& to)
      : place(load<Quad>(to.place) - load<Quad>(from.place)),
        velocity(load<Quad>(to.velocity) - load<Quad>(from.velocity)) {}
  /// Velocity of a body, against the other origin.
  QuadSpatial velocity_of(const QuadSpatial& v) const {
    return {v.angular, v.linear + cross(v.angular, place) - velocity};
  }
  /// Its acceleration: what moves along sees ω × velocity more.
  QuadSpatial acceleration_of(const QuadSpatial& a, const Quad& omega) const {
    return {a.angular, a.linear + cross(a.angular, place) + cross(omega, velocity)};
  }
};

}  // namespace spacedyn::SPACEDYN_ISA
