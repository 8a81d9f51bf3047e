/// @file
/// The first step size of an adaptive method.
#pragma once

#include "integration/equations_of_motion.hpp"
#include "integration/error_norm.hpp"
#include "integration/stepper.hpp"

namespace spacedyn {

/// Guess from the state and its first two derivatives, after Hairer, Nørsett and Wanner, Solving
/// Ordinary Differential Equations I, II.4. Costs one evaluation; overwrites the step's end.
double guess_first_step(EquationsOfMotion& equations, const ErrorNorm& norm, Step& step);

}  // namespace spacedyn
