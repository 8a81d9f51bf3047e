/// @file
/// What went wrong in an evaluation, noted without allocating and put into words when thrown.
#pragma once

#include <cmath>
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
  /// Takes this failure unless there is one already. @returns false
  bool note(Cause what, int which = 0, const Loop* open = nullptr) {
    if (!*this) *this = {what, which, open};
    return false;
  }
  /// @param name  of an element or a sensor; must outlive this object
  bool note(Cause what, const std::string& name) {
    if (!*this) *this = {what, 0, nullptr, &name};
    return false;
  }
  void clear() { *this = {}; }
};

/// Index of the first element that is not finite; the size if all are.
template <typename Derived>
int first_not_finite(const Eigen::DenseBase<Derived>& values) {
  int i = 0;
  while (i < values.size() && std::isfinite(values.derived().coeff(i))) ++i;
  return i;
}

/// Whether all elements are finite: a sum in registers, where allFinite() decides one by one.
template <typename Derived>
bool is_finite(const Eigen::MatrixBase<Derived>& values) {
  return (0.0 * values).sum() == 0.0;
}

/// `velocity of joint 'elbow'`, for a component of the integrated vector below its audit integrals.
std::string describe_component(const Model& model, const StateLayout& layout, int component);

/// The exception for a failure.
/// @param time  of the last good state
/// @param step  accepted steps before it
NumericalError numerical_error(const Model& model, const StateLayout& layout,
                               const Failure& failure, double time, long step);

}  // namespace spacedyn
