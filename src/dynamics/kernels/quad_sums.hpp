/// @file
/// Momentum, energy and the sizes of their terms, summed over the bodies.
#pragma once

#include "dynamics/kernels/quad_points.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// The vector A b of a body's link axes.
inline Quad turned(const QuadRecord& body, const Quad& b) {
  return load<Quad>(body.frame) * b[0] + load<Quad>(body.frame + 4) * b[1] +
         load<Quad>(body.frame + 8) * b[2];
}

/// I of six numbers times b, in link axes.
inline Quad inertia_times(const double* I, const Quad& b) {
  return Quad{I[0], I[1], I[2], 0.0} * b[0] + Quad{I[1], I[3], I[4], 0.0} * b[1] +
         Quad{I[2], I[4], I[5], 0.0} * b[2];
}

/// Centroid of a body and its velocity, both relative to those of the base.
struct QuadCentroid {
  Quad r, v;
  QuadCentroid(const QuadRecord& body, const QuadOrigin& origin, const double* c)
      : r(point_of(body, c)),
        v(load<Quad>(origin.velocity) +
          (load<Quad>(body.motion + 4) + cross(load<Quad>(body.motion), r))) {
    r = load<Quad>(origin.place) + r;
  }
};

/// Sums about the centroid of the system, in registers.
struct QuadSums {
  Quad linear, angular_base, angular_centroid;
  Quad sizes;    ///< Σ m |v|, Σ |I ω|, Σ m |r − r_g| |v − v_g|, Σ m |v − v_0|
  Quad scalars;  ///< Σ m v², Σ ω·I ω, Σ m |r − r_0|², Σ tr I
};

inline void add_body(const LinkConstants& link, const QuadRecord& body,
                     const QuadCentroid& centroid, const Quad& v_0, const Quad& r_g,
                     const Quad& v_g, QuadSums& sums) {
  const double m = link.mass;
  const Quad v = v_0 + centroid.v, arm = centroid.r - r_g, relative = centroid.v - v_g;
  const Quad omega = load<Quad>(body.motion), none{0.0, 0.0, 0.0, 0.0};
  // in link axes
  const Quad along = sums_of(load<Quad>(body.frame) * omega, load<Quad>(body.frame + 4) * omega,
                             load<Quad>(body.frame + 8) * omega, none);
  const Quad spin = inertia_times(link.I, along);
  const Quad turned_spin = turned(body, spin);
  sums.linear = sums.linear + v * m;
  sums.angular_base = sums.angular_base + turned_spin + cross(centroid.r, v) * m;
  sums.angular_centroid = sums.angular_centroid + turned_spin + cross(arm, relative) * m;
  const Quad squares = sums_of(v * v, spin * spin, arm * arm, centroid.v * centroid.v);
  const Quad others = sums_of(spin * along, centroid.r * centroid.r, relative * relative, none);
  const Quad lengths = square_root(squares * Quad{1.0, 1.0, others[2], 1.0});
  sums.sizes = sums.sizes + lengths * Quad{m, 1.0, m, m};
  sums.scalars = sums.scalars +
                 Quad{m * squares[0], others[0], m * others[1], link.I[0] + link.I[3] + link.I[5]};
}

inline void store_sums(const QuadSums& from, KernelSums& to) {
  store(to.linear, from.linear);
  store(to.angular_base, from.angular_base);
  store(to.angular_centroid, from.angular_centroid);
  to.linear_size = from.sizes[0];
  to.angular_size = from.sizes[1] + from.sizes[2];
  to.relative_size = from.sizes[3];
  to.twice_energy = from.scalars[0] + from.scalars[1];
  to.inertia = from.scalars[2] + 0.5 * from.scalars[3];
}

/// After move().
inline void sum_motion(const Tree& tree, double* memory, const double* v_0, KernelSums& sums) {
  const QuadScratch scratch(memory, tree);
  const Quad none{0.0, 0.0, 0.0, 0.0}, velocity{v_0[0], v_0[1], v_0[2], 0.0};
  const auto centroid_of = [&](int i) {
    return QuadCentroid(scratch.bodies[i], origin_of(tree, scratch, i), tree.links[i].c);
  };
  double mass = 0.0, rotors = 0.0;
  Quad moment = none, linear = none;
  for (int i = 0; i < tree.bodies; ++i) {
    const QuadCentroid centroid = centroid_of(i);
    const double m = tree.links[i].mass, rate = scratch.joints[i / kBlock].rate[i % kBlock];
    moment = moment + centroid.r * m, linear = linear + centroid.v * m;
    mass += m;
    rotors += tree.links[i].armature * rate * rate;
  }
  const double inverse = mass > 0.0 ? 1.0 / mass : 0.0;
  const Quad r_g = moment * inverse, v_g = linear * inverse;
  QuadSums all{none, none, none, none, none};
  for (int i = 0; i < tree.bodies; ++i) {
    add_body(tree.links[i], scratch.bodies[i], centroid_of(i), velocity, r_g, v_g, all);
  }
  store(sums.r_g, r_g), store(sums.v_g, v_g);
  store_sums(all, sums);
  sums.twice_energy += rotors;
}

}  // namespace spacedyn::SPACEDYN_ISA
