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

Bookkeeping unpack_books(const BookVector& books);

}  // namespace spacedyn
