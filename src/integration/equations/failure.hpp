/// @file
/// What went wrong in an evaluation, noted without allocating and put into words when thrown.
#pragma once

#include <string>

#include "integration/equations/layout.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// The first thing that failed in an attempted step.
struct Failure {
  enum class Cause {
    none,
    state_not_finite,     ///< index: component of the integrated vector
    attitude_left_chart,  ///< the base turned too far in one step
    joint_left_chart,     ///< a spherical joint did
    torque_not_finite,    ///< index: joint
    base_wrench_not_finite,
    body_load_not_finite,  ///< index: body
    inertia_not_positive_definite,
    acceleration_not_finite,  ///< index: row of u̇
    too_many_steps,
    loop_not_closed,
    branch_ambiguous,     ///< a loop is where its path branches, and none follows from the motion
    contact_jammed,       ///< no forces satisfy a rigid contact with friction
    contact_not_kept,     ///< points of a rigid contact cannot be kept on each other
    contact_not_solved,   ///< no impulses or forces have been found
    motion_not_kept,      ///< the gap of a motion constraint cannot be kept at zero
    reaction_not_unique,  ///< loops leave open what a sensor of force reads
    iteration_diverged,   ///< an implicit method found no end of its step
    step_too_small        ///< index: component of the integrated vector with the largest error
  };

  Cause cause = Cause::none;
  int index = 0;
  const Loop* loop = nullptr;            ///< of loop_not_closed and branch_ambiguous
  const std::string* contact = nullptr;  ///< name, of those about elements and sensors

  explicit operator bool() const { return cause != Cause::none; }
};

/// `velocity of joint 'elbow'`, for a component of the integrated vector below its audit integrals.
std::string describe_component(const Model& model, const StateLayout& layout, int component);

/// The exception for a failure.
/// @param time  of the last good state
/// @param step  accepted steps before it
NumericalError numerical_error(const Model& model, const StateLayout& layout,
                               const Failure& failure, double time, long step);

}  // namespace spacedyn
