/// @file
/// Boost.Odeint for Eigen vectors, in the one order of inclusion that works.
///
/// The Eigen adapter is not self-contained: it specializes templates of the first header. Without
/// it the steppers compile as well, treat vectors as ranges, never size their temporaries and write
/// out of bounds; the assertions below turn that into an error.
#pragma once

// clang-format off
#include <boost/numeric/odeint.hpp>
#include <boost/numeric/odeint/external/eigen/eigen.hpp>
// clang-format on

#include <type_traits>

#include "spacedyn/math/types.hpp"

namespace spacedyn {

namespace odeint = boost::numeric::odeint;

using OdeintEuler = odeint::euler<VectorX, double, VectorX, double>;
using OdeintRk4 = odeint::runge_kutta4<VectorX, double, VectorX, double>;
using OdeintCashKarp54 = odeint::runge_kutta_cash_karp54<VectorX, double, VectorX, double>;
using OdeintFehlberg78 = odeint::runge_kutta_fehlberg78<VectorX, double, VectorX, double>;
using OdeintDopri5 = odeint::runge_kutta_dopri5<VectorX, double, VectorX, double>;

static_assert(odeint::is_resizeable<VectorX>::value, "odeint would not size its temporaries");
static_assert(
    std::is_same_v<odeint::algebra_dispatcher<VectorX>::algebra_type, odeint::vector_space_algebra>,
    "odeint would iterate over elements instead of using Eigen's arithmetic");

}  // namespace spacedyn
