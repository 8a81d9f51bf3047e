/// @file
/// What others need of the poses and velocities: Jacobians of points and the frames of all links.
#pragma once

#include "dynamics/kernels/quad_kinematics.hpp"

namespace spacedyn::SPACEDYN_ISA {

/// Three doubles and not one more.
inline void store_three(double* to, const Quad& a) { to[0] = a[0], to[1] = a[1], to[2] = a[2]; }

/// A point of a body from its frame origin, link axes, to inertial axes about its origin.
inline Quad point_of(const QuadRecord& body, const double* point) {
  return load<Quad>(body.frame + 12) + load<Quad>(body.frame) * point[0] +
         load<Quad>(body.frame + 4) * point[1] + load<Quad>(body.frame + 8) * point[2];
}

/// After update_positions() or move(): J_m of (16), 6×n, rows (linear, angular), of a point of an
/// entry, and its place from the base centroid if anyone wants it.
inline void point_jacobian(const Tree& tree, double* memory, int entry, const double* point,
                           double* J, double* place) {
  const QuadScratch scratch(memory, tree);
  const Quad p = point_of(scratch.bodies[entry], point);
  if (place != nullptr) store_three(place, load<Quad>(origin_of(tree, scratch, entry).place) + p);
  for (int i = 0; i < 6 * (tree.bodies - 1); ++i) J[i] = 0.0;
  for (int i = entry; i > 0; i = tree.lower[i]) {
    const QuadSpatial s = load_spatial(scratch.bodies[i].axis);
    double* column = J + 6 * (tree.body[i] - 1);
    store_three(column, s.linear + cross(s.angular, p));
    store_three(column + 3, s.angular);
  }
}

/// After update_positions() or move(): unit twists of all joints, 6×n, rows (linear, angular), of
/// what is at the base centroid.
inline void joint_twists(const Tree& tree, double* memory, double* S) {
  const QuadScratch scratch(memory, tree);
  for (int i = 1; i < tree.bodies; ++i) {
    const QuadSpatial s = load_spatial(scratch.bodies[i].axis);
    double* column = S + 6 * (tree.body[i] - 1);
    store_three(column, s.linear - cross(s.angular, load<Quad>(origin_of(tree, scratch, i).place)));
    store_three(column + 3, s.angular);
  }
}

/// Axes of a body, and place and velocity of a point of it from the base centroid, (linear,
/// angular).
inline void point_motion(const Tree& tree, double* memory, int entry, const double* point,
                         double* axes, double* place, double* velocity) {
  const QuadScratch scratch(memory, tree);
  const QuadRecord& body = scratch.bodies[entry];
  const QuadOrigin& origin = origin_of(tree, scratch, entry);
  for (int column = 0; column < 3; ++column) {
    store_three(axes + 3 * column, load<Quad>(body.frame + 4 * column));
  }
  const Quad p = point_of(body, point), omega = load<Quad>(body.motion);
  store_three(place, load<Quad>(origin.place) + p);
  store_three(velocity,
              load<Quad>(origin.velocity) + (load<Quad>(body.motion + 4) + cross(omega, p)));
  store_three(velocity + 3, omega);
}

/// After move(): frames and velocities of all bodies, by body of the Model, inertial.
inline void export_links(const Tree& tree, double* memory, const double* r_0, const double* v_0,
                         const KernelLinks& links) {
  const QuadScratch scratch(memory, tree);
  const Quad r{r_0[0], r_0[1], r_0[2], 0.0}, v{v_0[0], v_0[1], v_0[2], 0.0};
  for (int i = 0; i < tree.bodies; ++i) {
    const QuadRecord& body = scratch.bodies[i];
    const QuadOrigin& its = origin_of(tree, scratch, i);
    const Quad origin = r + load<Quad>(its.place), velocity = v + load<Quad>(its.velocity);
    const int number = tree.body[i];
    const Quad z = load<Quad>(body.frame + 8), o = origin + load<Quad>(body.frame + 12);
    const Quad centroid = point_of(body, tree.links[i].c);
    const Quad omega = load<Quad>(body.motion);
    double* A = links.A + 9 * number;
    store_three(A, load<Quad>(body.frame));
    store_three(A + 3, load<Quad>(body.frame + 4));
    store_three(A + 6, z);
    store_three(links.r + 3 * number, origin + centroid);
    store_three(links.o + 3 * number, o);
    store_three(links.v + 3 * number,
                velocity + load<Quad>(body.motion + 4) + cross(omega, centroid));
    store_three(links.omega + 3 * number, omega);
    if (i == 0) continue;
    store_three(links.k + 3 * number, z);
    store_three(links.p + 3 * number, o - z * scratch.joints[i / kBlock].slide[i % kBlock]);
  }
  // exactly as given: subtracting and adding the centroid again would round
  for (int axis = 0; axis < 3; ++axis) links.r[axis] = r_0[axis];
}

}  // namespace spacedyn::SPACEDYN_ISA
