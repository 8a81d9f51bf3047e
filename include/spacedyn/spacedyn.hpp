/// @file
/// The library by task: what most programs need. Forces, controllers, references and sensors that a
/// program makes itself are one header each, such as <spacedyn/forces/spring_damper.hpp>; what a
/// scenario file names needs none of them.
#pragma once

// symbols, frames and rules, and the version
#include "spacedyn/notation.hpp"
#include "spacedyn/version.hpp"

// rotations and constants
#include "spacedyn/math/attitude_coordinates.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

// robots: from files of all formats, or described in the program; their states and loads
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/robot_state.hpp"

// quantities of a state: motion, H and its blocks, momentum, J*, impacts, parameters
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/impact_index.hpp"
#include "spacedyn/inertia/manipulability.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reaction_null_space.hpp"
#include "spacedyn/inertia/regressor.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"

// dynamics: forward, inverse, their derivatives, closed loops, many states at once
#include "spacedyn/batch/batch_dynamics.hpp"
#include "spacedyn/constraints/closed_chain.hpp"
#include "spacedyn/constraints/constrained_derivatives.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/inertia_factorization.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"

// flights: of a scenario file, of what a program describes, step by step
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/integration/sensitivities.hpp"
#include "spacedyn/integration/trajectory.hpp"
#include "spacedyn/loading/scenario.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/scenario/simulation.hpp"

// questions about a system: equilibria, modes, linear models, postures, paths, many flights, best
// values
#include "spacedyn/analysis/equilibrium.hpp"
#include "spacedyn/analysis/free_floating_path.hpp"
#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/optimization/optimize.hpp"
#include "spacedyn/optimization/trajectory.hpp"
#include "spacedyn/study/sweep_run.hpp"
