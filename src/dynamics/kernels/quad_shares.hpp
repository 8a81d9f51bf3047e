/// @file
/// What the derivatives of dynamics need of subtrees: inertias, gyroscopic terms and held wrenches,
/// which add up.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// D of a moving body about the origin: D S = v ×* I S − I (v × S) + S ×* I v for any motion S.
///
/// It is zero for a pure translation S, because dynamics is the same in all uniformly moving
/// frames; so it takes the angular part alone. As a matrix it is [İ_O − L̃; −2 P̃].
template <typename Lane>
struct Gyroscopic {
  Sym3<Lane> inertia_rate;  ///< İ_O
  Vec3<Lane> L, P;          ///< momentum about the origin
};

/// How the wrench of a body seen from the body changes when it turns by α and the wrench keeps its
/// inertial direction, [α × n + c × (α × f); α × f] = [moment α; α × force].
template <typename Lane>
struct HeldWrench {
  Mat3<Lane> moment;  ///< −ñ − c̃ f̃
  Vec3<Lane> force;
};

/// Of a subtree as if its joints were locked: where QuadRecord::sum has its columns; the force is
/// in QuadRecord::p.
enum SumPlace { kSumJ = 0, kSumH = 12, kSumRate = 16, kSumL = 28, kSumP = 32, kSumWrench = 40 };
constexpr int kSumWithoutWrench = 40, kSumWhole = 56;

template <typename Lane>
struct SubtreeLanes {
  Rigid<Lane> I;
  Gyroscopic<Lane> D;
  HeldWrench<Lane> K;
  Spatial<Lane> f;
};

template <typename Lane>
inline void scatter_symmetric(double* to, const Sym3<Lane>& m) {
  scatter_quads(to, kSumStride, m.xx, m.xy, m.xz);
  scatter_quads(to + 4, kSumStride, m.xy, m.yy, m.yz);
  scatter_quads(to + 8, kSumStride, m.xz, m.yz, m.zz);
}
template <typename Lane>
inline Sym3<Lane> gather_symmetric(const double* from) {
  const auto x = gather3<Lane>(from, kSumStride), y = gather3<Lane>(from + 4, kSumStride);
  return {x.x, x.y, x.z, y.y, y.z, gather3<Lane>(from + 8, kSumStride).z};
}

/// İ_O from the inertia about the centroid at r: ω̃ I − I ω̃ − P̃ r̃ − r̃ P̃, of which the first two
/// are a matrix and its transpose.
template <typename Lane>
inline Sym3<Lane> inertia_rate(const Sym3<Lane>& I, const Vec3<Lane>& omega, const Vec3<Lane>& r,
                               const Vec3<Lane>& P) {
  const Vec3<Lane> x = cross(omega, Vec3<Lane>{I.xx, I.xy, I.xz});
  const Vec3<Lane> y = cross(omega, Vec3<Lane>{I.xy, I.yy, I.yz});
  const Vec3<Lane> z = cross(omega, Vec3<Lane>{I.xz, I.yz, I.zz});
  return Sym3<Lane>{2.0 * x.x, x.y + y.x, x.z + z.x, 2.0 * y.y, y.z + z.y, 2.0 * z.z} +
         products_of_inertia(P, r);
}

/// −ñ − c̃ f̃ = (c·f) E − f cᵀ − ñ.
template <typename Lane>
inline Mat3<Lane> held_moment(const Vec3<Lane>& c, const Vec3<Lane>& f, const Vec3<Lane>& n) {
  return {{c.y * f.y + c.z * f.z, -(f.y * c.x) - n.z, n.y - f.z * c.x},
          {n.z - f.x * c.y, c.x * f.x + c.z * f.z, -(f.z * c.y) - n.x},
          {-(f.x * c.z) - n.y, n.x - f.y * c.z, c.x * f.x + c.y * f.y}};
}

/// The sum of a branch about its own origin as the base sees it: D is that of a body that moves
/// with the origin besides. The wrench is turned about the base.
struct SeenShare {
  double sum[kSumWhole];
  SeenShare(const QuadOrigin& origin, double mass, const double* own);
};
[[gnu::noinline]] inline SeenShare::SeenShare(const QuadOrigin& origin, double mass,
                                              const double* own) {
  __builtin_memcpy(sum, own, sizeof sum);
  const Vec3<double> d = load3(origin.place), w = load3(origin.velocity);
  const Rigid<double> whole{mass, load3(sum + kSumH), symmetric_of_columns(sum + kSumJ)};
  const Rigid<double> seen = moved(whole, d);
  const Vec3<double> P = load3(sum + kSumP), L = load3(sum + kSumL),
                     f = load3(sum + kSumWrench + 12);
  const Sym3<double> rate = symmetric_of_columns(sum + kSumRate) + products_of_inertia(P, d) +
                            products_of_inertia(w, seen.moment);
  store_rigid(seen, sum);
  store_columns(sum + kSumRate, rate);
  store_four(sum + kSumP, P + w * mass);
  store_four(sum + kSumL, L + cross(whole.moment, w) + cross(d, P + w * mass));
  const Mat3<double> K = held_moment(d, f, zero3<double>());
  const Mat3<double> held{load3(sum + kSumWrench), load3(sum + kSumWrench + 4),
                          load3(sum + kSumWrench + 8)};
  store_four(sum + kSumWrench, held.a + K.a);
  store_four(sum + kSumWrench + 4, held.b + K.b);
  store_four(sum + kSumWrench + 8, held.c + K.c);
}

template <int kSize>
inline void add_share(const double* sum, const QuadSpatial& p, QuadRecord& lower) {
  using Lane = Pack<kLanes>;
  for (int k = 0; k < kSize; k += kLanes) {
    store(lower.sum + k, load<Lane>(lower.sum + k) + load<Lane>(sum + k));
  }
  store_spatial(lower.p, load_spatial(lower.p) + p);
}

/// Adds every body to its lower one.
template <int kSize>
inline void sum_shares(const Tree& tree, const QuadScratch& scratch) {
  for (int i = tree.bodies - 1; i > 0; --i) {
    const QuadRecord& upper = scratch.bodies[i];
    const QuadSpatial p = load_spatial(upper.p);
    if (tree.opens[i] == 0) {
      add_share<kSize>(upper.sum, p, scratch.bodies[tree.lower[i]]);
    } else {
      const QuadOrigin& origin = origin_of(tree, scratch, i);
      const SeenShare seen(origin, tree.links[i].carried_mass, upper.sum);
      add_share<kSize>(seen.sum, from_base(origin, p), scratch.bodies[0]);
    }
  }
}

}  // namespace spacedyn::SPACEDYN_ISA
