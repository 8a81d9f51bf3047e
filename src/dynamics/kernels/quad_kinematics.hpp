/// @file
/// Outward sweep of one state by vectors: 3-vectors of one body in a Quad where bodies depend on
/// one another, one body per lane where they do not.
#pragma once

#include "dynamics/kernels/problem.hpp"
#include "dynamics/kernels/quad_records.hpp"
#include "dynamics/kernels/rigid_inertia.hpp"
#include "dynamics/kernels/sincos.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Joint variables in the order of entries.
template <bool kMoving>
inline void order_joints(const Tree& tree, const KernelState<double>& state, JointBlock* joints) {
  for (int i = 1; i < tree.bodies; ++i) {
    const int j = tree.body[i] - 1;
    joints[i / kBlock].slide[i % kBlock] = state.q[j];
    if constexpr (kMoving) joints[i / kBlock].rate[i % kBlock] = state.qd[j];
  }
}

/// C R_z(q) and l + k q of the joints of one block, one joint per lane; the third column of C
/// stays as it is.
inline void turn_joints(const LinkBlock& links, JointBlock& joints) {
  using Lane = Pack<kLanes>;
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const Lane q = load<Lane>(joints.slide + lane);
    store(joints.angle + lane, q * load<Lane>(links.rows[kRowTurn] + lane));
    store(joints.slide + lane, q * load<Lane>(links.rows[kRowSlide] + lane));
  }
  sincos_array<Lane>(joints.angle, joints.sine, joints.cosine, kBlock);
  for (int lane = 0; lane < kBlock; lane += kLanes) {
    const Lane c = load<Lane>(joints.cosine + lane), s = load<Lane>(joints.sine + lane);
    const auto x = load_rows<Lane>(links.rows + kRowC, lane);
    const auto y = load_rows<Lane>(links.rows + kRowC + 3, lane);
    const auto k = load_rows<Lane>(links.rows + kRowC + 6, lane);
    const auto l = load_rows<Lane>(links.rows + kRowL, lane);
    store_rows(joints.R, lane, x * c + y * s);
    store_rows(joints.R + 3, lane, y * c - x * s);
    store_rows(joints.d, lane, l + k * load<Lane>(joints.slide + lane));
  }
}

/// Pose and motion of one body in registers.
struct QuadBody {
  Quad x, y, z, o;
  QuadSpatial v, a;
};
template <bool kMoving>
inline void store_body(QuadRecord& record, const QuadBody& body) {
  store(record.frame, body.x), store(record.frame + 4, body.y);
  store(record.frame + 8, body.z), store(record.frame + 12, body.o);
  if constexpr (kMoving) {
    store_spatial(record.motion, body.v);
    store_spatial(record.motion + 8, body.a);
  }
}
template <bool kMoving>
inline QuadBody load_body(const QuadRecord& record) {
  QuadBody body{load<Quad>(record.frame),
                load<Quad>(record.frame + 4),
                load<Quad>(record.frame + 8),
                load<Quad>(record.frame + 12),
                {},
                {}};
  if constexpr (kMoving) {
    body.v = load_spatial(record.motion);
    body.a = load_spatial(record.motion + 8);
  }
  return body;
}

inline QuadBody quad_base(const Tree& tree, const KernelState<double>& state,
                          const QuadSpatial& acceleration) {
  const double* A = state.A_0;
  const double* c = tree.links[0].c;
  const Quad x{A[0], A[1], A[2], 0.0}, y{A[3], A[4], A[5], 0.0}, z{A[6], A[7], A[8], 0.0};
  const Quad omega{state.omega_0[0], state.omega_0[1], state.omega_0[2], 0.0};
  const Quad zero{0.0, 0.0, 0.0, 0.0};
  return {x, y, z, zero - x * c[0] - y * c[1] - z * c[2], {omega, zero}, acceleration};
}

/// v × m with the shuffles shared.
inline QuadSpatial cross_motion(const QuadSpatial& v, const QuadSpatial& m) {
  const Quad omega = yzx(v.angular), m_angular = yzx(m.angular);
  const Quad angular = v.angular * m_angular - omega * m.angular;
  const Quad linear = (v.angular * yzx(m.linear) - omega * m.linear) +
                      (v.linear * m_angular - yzx(v.linear) * m.angular);
  return {yzx(angular), yzx(linear)};
}

/// A joint moves a body against its lower one: the recursion itself, nothing else. @returns s
template <bool kMoving>
[[gnu::always_inline]] inline QuadSpatial move_body(const LinkBlock& links,
                                                    const JointBlock& joints, int lane,
                                                    QuadRecord& record, QuadBody& body) {
  const auto turned = [&](const double(*column)[kBlock]) {
    return body.x * column[0][lane] + body.y * column[1][lane] + body.z * column[2][lane];
  };
  const Quad x = turned(joints.R), y = turned(joints.R + 3), z = turned(links.rows + kRowC + 6);
  body.o = body.o + turned(joints.d);
  body.x = x, body.y = y, body.z = z;
  const double turn = links.rows[kRowTurn][lane], slide = links.rows[kRowSlide][lane];
  const QuadSpatial s{z * turn, cross(body.o, z) * turn + z * slide};
  store_spatial(record.axis, s);
  if constexpr (kMoving) {
    const QuadSpatial joint = s * joints.rate[lane];
    body.a = body.a + cross_motion(body.v, joint) + s * joints.given[lane];
    body.v = body.v + joint;
  }
  return s;
}

/// The slides of an opening from the base on; the origin comes to be where they end. @returns the
/// last of the slid bodies, which rests at the origin as far as the base does not turn
template <bool kMoving>
[[gnu::noinline]] inline QuadBody open_origin(const Tree& tree, const Opening& opening,
                                              const QuadScratch& scratch, QuadOrigin& origin) {
  QuadBody body = load_body<kMoving>(scratch.bodies[0]);
  const int end = opening.entry + opening.slides;
  for (int i = opening.entry; i < end; ++i) {
    move_body<kMoving>(tree.blocks[i / kBlock], scratch.joints[i / kBlock], i % kBlock,
                       scratch.bodies[i], body);
    store_body<kMoving>(scratch.bodies[i], body);
  }
  store(origin.place, body.o);
  if constexpr (kMoving) store(origin.velocity, body.v.linear + cross(body.v.angular, body.o));
  const QuadPassage passage(scratch.origins[0], origin);
  for (int i = opening.entry; i < end; ++i) {
    body = load_body<kMoving>(scratch.bodies[i]);
    body.o = body.o - passage.place;
    if constexpr (kMoving) {
      body.a = passage.acceleration_of(body.a, body.v.angular);
      body.v = passage.velocity_of(body.v);
    }
    store_body<kMoving>(scratch.bodies[i], body);
  }
  return body;
}

/// Poses and axes of all bodies and, if moving, velocities and accelerations; JointBlock::given
/// holds the accelerations of joints that are to be included.
template <bool kMoving>
inline void sweep_outward(const Tree& tree, QuadBody body, const QuadScratch& scratch) {
  for (int b = 0; b < tree.block_count; ++b) turn_joints(tree.blocks[b], scratch.joints[b]);
  store_body<kMoving>(scratch.bodies[0], body);
  for (int i = 1; i < tree.bodies; ++i) {
    if (tree.opens[i] != 0) {
      const Opening& opening = tree.openings[tree.origin[i] - 1];
      body = open_origin<kMoving>(tree, opening, scratch, scratch.origins[tree.origin[i]]);
      i += opening.slides - 1;
      continue;
    }
    if (tree.lower[i] != i - 1) body = load_body<kMoving>(scratch.bodies[tree.lower[i]]);
    move_body<kMoving>(tree.blocks[i / kBlock], scratch.joints[i / kBlock], i % kBlock,
                       scratch.bodies[i], body);
    store_body<kMoving>(scratch.bodies[i], body);
  }
}

/// Poses alone, for Jacobians and the inertia matrix.
inline void update_positions(const Tree& tree, const KernelState<double>& state, double* memory) {
  const QuadScratch scratch(memory, tree);
  order_joints<false>(tree, state, scratch.joints);
  sweep_outward<false>(tree, quad_base(tree, state, QuadSpatial{}), scratch);
}

/// The axes of a spherical joint are fixed in the link that it carries; axes that turn one after
/// the other would add Σ_{j<k} (s_j ω_j) × (s_k ω_k) to its acceleration, which is given back. Out
/// of line: few robots have such joints, and the others pay for nothing but the question.
[[gnu::noinline]] inline void fix_spherical_axes(const Tree& tree, JointBlock* joints) {
  for (int k = 0; k < tree.spherical_count; ++k) {
    const int x = tree.spherical[k], y = x + 1, z = x + 2;
    const double wx = joints[x / kBlock].rate[x % kBlock];
    const double wy = joints[y / kBlock].rate[y % kBlock];
    const double wz = joints[z / kBlock].rate[z % kBlock];
    joints[x / kBlock].given[x % kBlock] -= wy * wz;
    joints[y / kBlock].given[y % kBlock] += wx * wz;
    joints[z / kBlock].given[z % kBlock] -= wx * wy;
  }
}

/// Poses, velocities, and the accelerations that velocities and given accelerations cause; gravity
/// is a force. `given` has the accelerations of coordinates that are not free.
inline void move(const Tree& tree, const double* free, const KernelState<double>& state,
                 const double* given, double* memory) {
  const QuadScratch scratch(memory, tree);
  order_joints<true>(tree, state, scratch.joints);
  for (int i = 1; i < tree.bodies; ++i) {
    scratch.joints[i / kBlock].given[i % kBlock] = free[i] != 0.0 ? 0.0 : given[5 + tree.body[i]];
  }
  if (tree.spherical_count > 0) fix_spherical_axes(tree, scratch.joints);
  QuadSpatial base{Quad{0.0, 0.0, 0.0, 0.0}, Quad{0.0, 0.0, 0.0, 0.0}};
  if (free[0] == 0.0) {
    base = {Quad{given[3], given[4], given[5], 0.0}, Quad{given[0], given[1], given[2], 0.0}};
  }
  sweep_outward<true>(tree, quad_base(tree, state, base), scratch);
}

/// Whether a wrench acts on any body.
inline bool has_wrenches(const Tree& tree, const KernelLoads<double>& loads) {
  if (loads.force == nullptr) return false;
  unsigned long long bits = 0;
  for (int i = 0; i < 3 * tree.bodies; ++i) {
    unsigned long long force, moment;
    __builtin_memcpy(&force, loads.force + i, sizeof force);
    __builtin_memcpy(&moment, loads.moment + i, sizeof moment);
    bits |= force | moment;
  }
  return (bits << 1) != 0;  // the sign of a zero does not count
}

/// External wrenches in the order of entries, if there are any.
inline bool order_wrenches(const Tree& tree, const KernelLoads<double>& loads, JointBlock* joints) {
  if (!has_wrenches(tree, loads)) return false;
  for (int i = 0; i < tree.bodies; ++i) {
    JointBlock& block = joints[i / kBlock];
    for (int axis = 0; axis < 3; ++axis) {
      block.force[axis][i % kBlock] = loads.force[3 * tree.body[i] + axis];
      block.moment[axis][i % kBlock] = loads.moment[3 * tree.body[i] + axis];
    }
  }
  return true;
}

/// kLanes bodies, one per lane.
template <typename Lane>
struct BodyLanes {
  Mat3<Lane> A;
  Vec3<Lane> r;
  Spatial<Lane> v, a;
  Lane mass;
};
template <typename Lane>
[[gnu::always_inline]] inline BodyLanes<Lane> gather_bodies(const LinkBlock& links,
                                                            const QuadRecord* from, int lane) {
  const double *frame = from->frame, *motion = from->motion;
  const Mat3<Lane> A{gather3<Lane>(frame, kStride), gather3<Lane>(frame + 4, kStride),
                     gather3<Lane>(frame + 8, kStride)};
  const auto o = gather3<Lane>(frame + 12, kStride);
  return {A,
          o + A * load_rows<Lane>(links.rows + kRowCentroid, lane),
          {gather3<Lane>(motion, kStride), gather3<Lane>(motion + 4, kStride)},
          {gather3<Lane>(motion + 8, kStride), gather3<Lane>(motion + 12, kStride)},
          load<Lane>(links.rows[kRowMass] + lane)};
}
template <typename Lane>
inline Sym3<Lane> load_inertia(const LinkBlock& links, int lane) {
  const auto first = load_rows<Lane>(links.rows + kRowI, lane);
  const auto rest = load_rows<Lane>(links.rows + kRowI + 3, lane);
  return {first.x, first.y, first.z, rest.x, rest.y, rest.z};
}

/// What acts from outside: gravity on all bodies, wrenches if there are any.
struct Surroundings {
  Vec3<double> gravity;
  bool wrenches;
};

/// (30), (31) about the common origin from N = I ω̇ + ω × I ω, wrenches subtracted.
template <typename Lane>
[[gnu::always_inline]] inline Spatial<Lane> total_force(const JointBlock& joints,
                                                        const Surroundings& surroundings, int lane,
                                                        const BodyLanes<Lane>& body, Vec3<Lane> N) {
  const Vec3<Lane>& omega = body.v.angular;
  const Vec3<double>& g = surroundings.gravity;
  const Vec3<Lane> fall{body.a.linear.x - g.x, body.a.linear.y - g.y, body.a.linear.z - g.z};
  Vec3<Lane> F =
      (fall + cross(body.a.angular, body.r) + cross(omega, body.v.linear + cross(omega, body.r))) *
      body.mass;
  if (surroundings.wrenches) {
    F = F - load_rows<Lane>(joints.force, lane);
    N = N - load_rows<Lane>(joints.moment, lane);
  }
  return {N + cross(body.r, F), F};
}
template <typename Lane>
inline void scatter_force(QuadRecord* to, const Spatial<Lane>& p) {
  scatter3(to->p, kStride, p.angular);
  scatter3(to->p + 4, kStride, p.linear);
}

}  // namespace spacedyn::SPACEDYN_ISA
