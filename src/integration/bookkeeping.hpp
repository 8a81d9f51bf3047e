/// @file
/// Rates of the audit integrals: what enters and leaves a system at one instant.
#pragma once

#include "integration/element_set.hpp"
#include "integration/layout.hpp"
#include "spacedyn/integration/audit.hpp"
#include "spacedyn/state/loads.hpp"

namespace spacedyn {

using BookVector = Eigen::Matrix<double, StateLayout::kBooks, 1>;

/// Derivative of the audit integrals.
/// @param loads   external wrenches and gravity
/// @param forces  all of [F_b; τ], those of prescribed coordinates and supports included
/// @param power   what elements store and dissipate; the rest of their power is work
BookVector book_rates(const Model& model, const State& state, const LinkFrames& frames,
                      const LinkVelocities& velocities, const Loads& loads, const VectorX& forces,
                      const ElementPower& power);

/// The magnitudes of momentum_scale(), kept from vanishing where rounding does not.
///
/// A pendulum with a point mass has no angular momentum about its centroid, a spinning top no
/// linear one, and both have rounding errors. A thousandth of the linear scale (relative to the
/// base) times the radius of gyration of the system about the base bounds the angular scale from
/// below, a thousandth of the angular scale divided by that radius the linear one.
MomentumScale audit_scale(const Model& model, const LinkFrames& frames,
                          const LinkVelocities& velocities);

Bookkeeping unpack_books(const BookVector& books);
BookVector pack_books(const Bookkeeping& books);

}  // namespace spacedyn
