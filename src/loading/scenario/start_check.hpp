/// @file
/// Whether a scenario can start at all, and within what its model is good for.
#pragma once

#include "loading/scenario/scenario_context.hpp"
#include "spacedyn/loading/scenario.hpp"

namespace spacedyn::loading {

/// Frames and velocities of all links at the start.
struct StartMotion {
  explicit StartMotion(const Scenario& scenario);

  LinkFrames frames;
  LinkVelocities velocities;
};

/// Reports, at the model's place, an H of the free coordinates that is not positive definite at the
/// initial configuration.
void check_start_regularity(const Scenario& scenario, const Value& model, ProblemList& problems);

/// Warns, at the model's place, of modal appendages that turn too fast at the start.
void check_modal_rates(const Scenario& scenario, const Value& model, ProblemList& problems);

/// Warns where the start is so large that energies, or forces from velocities, overflow.
/// @param place  of the scenario
void check_magnitudes(const Scenario& scenario, const Value& place, ProblemList& problems);

/// Warns where the method's cost of a step grows with the cube of many coordinates.
/// @param place  of the scenario
void check_cost(const Scenario& scenario, const Value& place, ProblemList& problems);

/// Warns where forces begin and end, as of contacts and tethers, that the method's estimate of its
/// error does not see.
/// @param place  of the scenario
void check_kinks(const Scenario& scenario, const Value& place, ProblemList& problems);

/// Warns where the result file will have gigabytes.
/// @param place  of the scenario
void check_result_size(const Scenario& scenario, const Value& place, ProblemList& problems);

/// Warns, at their sample periods, of controllers whose linear loop about the start is unstable as
/// it is sampled.
void check_sampled_loops(const Scenario& scenario, const ScenarioContext& sections);

/// Warns of joints that start outside of their limits.
void check_start_limits(ScenarioContext& scenario);
/// Warns of joints that nothing holds beside those that are controlled.
void check_undriven_joints(ScenarioContext& scenario);
/// Reports contacts that start in penetration, or that the method cannot follow.
void check_contacts(ScenarioContext& scenario);

}  // namespace spacedyn::loading
