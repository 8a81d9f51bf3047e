/// @file
/// Momentum, energy and the sizes of their terms, summed over the bodies, one body per lane.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The sum over the lanes.
template <typename Lane>
inline double sum_of(const Lane& x) {
  double all[LaneTraits<Lane>::width], sum = 0.0;
  store(all, x);
  for (const double each : all) sum += each;
  return sum;
}
template <typename Lane>
inline Vec3<double> sum_of(const Vec3<Lane>& v) {
  return {sum_of(v.x), sum_of(v.y), sum_of(v.z)};
}
inline void store3(double* to, const Vec3<double>& v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

/// Places and velocities of the origins of kLanes bodies, against those of the base.
template <typename Lane>
struct OriginLanes {
  Vec3<Lane> place = zero3<Lane>(), velocity = zero3<Lane>();

  OriginLanes(const Tree& tree, const QuadScratch& scratch, int first) {
    if (tree.opening_count == 0) return;
    double rows[6][LaneTraits<Lane>::width] = {};
    for (int lane = 0; lane < LaneTraits<Lane>::width && first + lane < tree.bodies; ++lane) {
      const QuadOrigin& origin = origin_of(tree, scratch, first + lane);
      for (int axis = 0; axis < 3; ++axis) {
        rows[axis][lane] = origin.place[axis], rows[3 + axis][lane] = origin.velocity[axis];
      }
    }
    place = {load<Lane>(rows[0]), load<Lane>(rows[1]), load<Lane>(rows[2])};
    velocity = {load<Lane>(rows[3]), load<Lane>(rows[4]), load<Lane>(rows[5])};
  }
};

/// Sums that do not need the centroid of the system.
template <typename Lane>
struct MotionSums {
  Vec3<Lane> moment = zero3<Lane>();    ///< Σ m r, from the base centroid
  Vec3<Lane> relative = zero3<Lane>();  ///< Σ m v, against the base centroid
  Vec3<Lane> spin = zero3<Lane>();      ///< Σ I ω
  Vec3<Lane> orbit = zero3<Lane>();     ///< Σ m r × v
  Lane mass{}, speeds{}, relative_speeds{}, spins{}, twice_energy{}, squares{}, traces{};

  /// Leaves places and velocities of the centroids where external wrenches have been.
  [[gnu::always_inline]] void add(const LinkBlock& links, const QuadRecord* bodies,
                                  const OriginLanes<Lane>& origin, const Vec3<double>& v_0,
                                  int lane, JointBlock& joints) {
    const BodyLanes<Lane> body = gather_bodies<Lane>(links, bodies, lane);
    const Vec3<Lane>& omega = body.v.angular;
    const Vec3<Lane> r = origin.place + body.r;
    const Vec3<Lane> v = origin.velocity + (body.v.linear + cross(omega, body.r));
    const Vec3<Lane> whole{v.x + v_0.x, v.y + v_0.y, v.z + v_0.z};
    store_rows(joints.force, lane, r), store_rows(joints.moment, lane, v);
    const Sym3<Lane> I = load_inertia<Lane>(links, lane);
    const Vec3<Lane> along = transposed_times(body.A, omega), turn = I * along;
    const Lane m = body.mass;
    mass += m;
    moment = moment + r * m;
    relative = relative + v * m;
    spin = spin + body.A * turn;
    orbit = orbit + cross(r, whole) * m;
    const Lane square = dot(whole, whole);
    speeds += m * square_root(square);
    relative_speeds += m * square_root(dot(v, v));
    spins += square_root(dot(turn, turn));
    twice_energy += m * square + dot(turn, along);
    squares += m * dot(r, r);
    traces += I.xx + I.yy + I.zz;
  }
};

/// After move(). What external wrenches of bodies have been is lost.
inline void sum_motion(const Tree& tree, double* memory, const double* v_0, KernelSums& sums) {
  using Lane = Pack<kLanes>;
  const QuadScratch scratch(memory, tree);
  const Vec3<double> velocity = load3(v_0);
  MotionSums<Lane> all;
  for (int first = 0; first < tree.bodies; first += kLanes) {
    const int b = first / kBlock;
    all.add(tree.blocks[b], scratch.bodies + first, {tree, scratch, first}, velocity,
            first % kBlock, scratch.joints[b]);
  }
  double rotors = 0.0;
  for (int i = 1; i < tree.bodies; ++i) {
    const double rate = scratch.joints[i / kBlock].rate[i % kBlock];
    rotors += tree.links[i].armature * rate * rate;
  }
  const double mass = sum_of(all.mass), inverse = mass > 0.0 ? 1.0 / mass : 0.0;
  const Vec3<double> relative = sum_of(all.relative), spin = sum_of(all.spin);
  const Vec3<double> r_g = sum_of(all.moment) * inverse, v_g = relative * inverse;
  Vec3<Lane> orbit = zero3<Lane>();
  Lane sizes{};
  for (int first = 0; first < tree.bodies; first += kLanes) {
    const JointBlock& joints = scratch.joints[first / kBlock];
    const int lane = first % kBlock;
    const auto r = load_rows<Lane>(joints.force, lane), v = load_rows<Lane>(joints.moment, lane);
    const Vec3<Lane> arm{r.x - r_g.x, r.y - r_g.y, r.z - r_g.z};
    const Vec3<Lane> own{v.x - v_g.x, v.y - v_g.y, v.z - v_g.z};
    const Lane m = load<Lane>(tree.blocks[first / kBlock].rows[kRowMass] + lane);
    orbit = orbit + cross(arm, own) * m;
    sizes += m * square_root(dot(arm, arm) * dot(own, own));
  }
  store3(sums.r_g, r_g), store3(sums.v_g, v_g);
  store3(sums.linear, relative + velocity * mass);
  store3(sums.angular_base, spin + sum_of(all.orbit));
  store3(sums.angular_centroid, spin + sum_of(orbit));
  sums.linear_size = sum_of(all.speeds);
  sums.angular_size = sum_of(all.spins) + sum_of(sizes);
  sums.relative_size = sum_of(all.relative_speeds);
  sums.twice_energy = sum_of(all.twice_energy) + rotors;
  sums.inertia = sum_of(all.squares) + 0.5 * sum_of(all.traces);
}

}  // namespace spacedyn::SPACEDYN_ISA
