/// @file
/// Rates of the audit integrals: what enters and leaves a system at one instant.
#pragma once

#include "inertia/system_sums.hpp"
#include "integration/element_set.hpp"
#include "integration/layout.hpp"
#include "spacedyn/integration/audit.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

using BookVector = Eigen::Matrix<double, StateLayout::kBooks, 1>;

/// What a system receives from outside and from its joints at one instant, inertial axes.
struct Received {
  Vector3 force;   ///< N
  Vector3 moment;  ///< about the system centroid, N m
  double power;    ///< W
};

/// The part that needs no frames of links: complete if nothing but gravity and joint forces acts.
/// @param forces  all of [F_b; τ], those of prescribed coordinates and supports included
/// @param mass    of the system
Received received_by_coordinates(const State& state, const Loads& loads, const VectorX& forces,
                                 double mass);
/// Adds the rest: what a force on the base does about the centroid, and wrenches on bodies.
void add_received_by_links(const Model& model, const LinkFrames& frames,
                           const LinkVelocities& velocities, const Loads& loads,
                           const VectorX& forces, Received& received);

/// Derivative of the audit integrals.
/// @param power  what elements store and dissipate; the rest of what is received is work
BookVector book_rates(const Received& received, const ElementPower& power);

/// The magnitudes of momentum_scale(), kept from vanishing where rounding does not.
///
/// A pendulum with a point mass has no angular momentum about its centroid, a spinning top no
/// linear one, and both have rounding errors. A thousandth of the linear scale (relative to the
/// base) times the radius of gyration of the system about the base bounds the angular scale from
/// below, a thousandth of the angular scale divided by that radius the linear one.
MomentumScale audit_scale(const SystemSums& sums);

Bookkeeping unpack_books(const BookVector& books);
BookVector pack_books(const Bookkeeping& books);

}  // namespace spacedyn
