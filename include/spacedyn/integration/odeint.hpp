/// @file
/// Boost.Odeint for Eigen vectors, in the one order of inclusion that works.
///
/// The Eigen adapter is not self-contained: it specializes templates of the first header. Without
/// it the steppers compile as well, treat vectors as ranges, never size their temporaries and write
/// out of bounds; the assertions below turn that into an error. Not part of spacedyn.hpp: only what
/// includes this needs Boost.
#pragma once

// clang-format off
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/external/eigen/eigen.hpp>
// clang-format on

#include <type_traits>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

namespace odeint = boost::numeric::odeint;

static_assert(odeint::is_resizeable<VectorX>::value, "odeint would not size its temporaries");
static_assert(
    std::is_same_v<odeint::algebra_dispatcher<VectorX>::algebra_type, odeint::vector_space_algebra>,
    "odeint would iterate over elements instead of using Eigen's arithmetic");

}  // namespace spacedyn
