/// @file
/// The first step size of an adaptive method.
#pragma once

#include "integration/equations/equations_of_motion.hpp"
#include "integration/steppers/error_norm.hpp"
#include "integration/steppers/stepper.hpp"

namespace spacedyn {

/// Guess from the state and its first two derivatives in any unit of time, after Hairer, Nørsett
/// and Wanner, Solving Ordinary Differential Equations I, II.4. Costs one evaluation; overwrites
/// the step's end.
/// @param error_order  power of the step size in the method's error estimate
/// @param duration     of the run, s
double guess_first_step(EquationsOfMotion& equations, const ErrorNorm& norm, int error_order,
                        double duration, Step& step);

}  // namespace spacedyn
