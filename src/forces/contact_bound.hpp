/// @file
/// What bounds the gap of a pair of shapes between two instants. Private.
#pragma once

#include "forces/root_bound.hpp"
#include "spacedyn/forces/contact_force.hpp"

namespace spacedyn {

/// @param outside  sign of the root function where the shapes are apart
/// @param rate     of the root function
RootBound pair_bound(const EvaluationContext& context, const ContactPair& pair, double outside,
                     double rate);

}  // namespace spacedyn
