#include "integration/equations/failure.hpp"

#include <fmt/format.h>

namespace spacedyn {
namespace {

std::string joint_name(const Model& model, int joint) {
  return fmt::format("joint '{}'", model.joint(joint).name);
}

std::string describe_row(const Model& model, int row) {
  if (row < 3) return "acceleration of the base";
  if (row < 6) return "angular acceleration of the base";
  return "acceleration of " + joint_name(model, row - 5);
}

std::string describe_quantity(const Model& model, const StateLayout& layout,
                              const Failure& failure) {
  using Cause = Failure::Cause;
  switch (failure.cause) {
    case Cause::attitude_left_chart:
      return "attitude of the base";
    case Cause::joint_left_chart:
      return "rotation of " + joint_name(model, failure.index);
    case Cause::torque_not_finite:
      return "torque of " + joint_name(model, failure.index);
    case Cause::base_wrench_not_finite:
      return "force or moment on the base";
    case Cause::body_load_not_finite:
      return fmt::format("external load on '{}'", model.body(failure.index).name);
    case Cause::inertia_not_positive_definite:
      return "inertia matrix";
    case Cause::iteration_diverged:
      return "end of the step";
    case Cause::loop_not_closed:
    case Cause::branch_ambiguous:
      return fmt::format("loop '{}'", failure.loop->name);
    case Cause::contact_jammed:
    case Cause::contact_not_kept:
    case Cause::contact_not_solved:
      return fmt::format("contact '{}'", *failure.contact);
    case Cause::motion_not_kept:
      return fmt::format("constraint '{}'", *failure.contact);
    case Cause::reaction_not_unique:
      return fmt::format("reading of sensor '{}'", *failure.contact);
    case Cause::too_many_steps:
      return "number of steps";
    case Cause::acceleration_not_finite:
      return describe_row(model, failure.index);
    case Cause::none:
    case Cause::state_not_finite:
    case Cause::step_too_small:
      break;
  }
  return describe_component(model, layout, failure.index);
}

const char* describe_cause(Failure::Cause cause) {
  switch (cause) {
    case Failure::Cause::attitude_left_chart:
    case Failure::Cause::joint_left_chart:
      return " turns by more than 270° in one step; a smaller step is needed";
    case Failure::Cause::inertia_not_positive_definite:
      return " is not positive definite";
    case Failure::Cause::too_many_steps:
      return " has reached max_steps";
    case Failure::Cause::reaction_not_unique:
      return " is not unique: rows of loops or constraints follow from others, so forces go round "
             "in them that move nothing";
    case Failure::Cause::iteration_diverged:
      return " is not found by Newton's method; a smaller step is needed";
    case Failure::Cause::loop_not_closed:
      return " cannot be closed at the end of the step: other loops, locked joints or prescribed "
             "motion contradict it, or a smaller step is needed";
    case Failure::Cause::branch_ambiguous:
      return " is at a singular posture where paths branch, and none of them follows from its "
             "motion; another start, or a smaller step or tolerance, is needed";
    case Failure::Cause::contact_jammed:
      return " jams: with its friction no force keeps rigid bodies from entering each other "
             "(Painlevé); less friction, or a compliant law, is needed";
    case Failure::Cause::contact_not_kept:
    case Failure::Cause::motion_not_kept:
      return " cannot be kept closed at the end of the step: loops, locked joints or prescribed "
             "motion contradict it, or a smaller step is needed";
    case Failure::Cause::contact_not_solved:
      return " has no forces that satisfy all rigid contacts to 1e-10 of their velocities; "
             "time_stepping (integrator.method) or a compliant law takes such contacts";
    case Failure::Cause::step_too_small:
      return " needs steps so small that the end is out of reach; the motion diverges or the "
             "tolerance is too tight";
    default:
      return " is not finite";
  }
}

}  // namespace

std::string describe_component(const Model& model, const StateLayout& layout, int component) {
  if (component < StateLayout::theta) return "position of the base";
  if (component < StateLayout::q) return "attitude of the base";
  if (component < layout.v_0()) return "position of " + joint_name(model, component - 5);
  if (component < layout.omega_0()) return "velocity of the base";
  if (component < layout.qd()) return "angular velocity of the base";
  if (component < layout.z()) {
    return "velocity of " + joint_name(model, component - layout.qd() + 1);
  }
  const int integral = component - layout.integrals();
  if (integral >= 0 && integral < StateLayout::throughput) return "impulse that supports the base";
  if (integral >= 0) return "energy put in by imposed motion";
  return layout.auxiliary_names[static_cast<std::size_t>(component - layout.z())];
}

NumericalError numerical_error(const Model& model, const StateLayout& layout,
                               const Failure& failure, double time, long step) {
  const std::string quantity = describe_quantity(model, layout, failure);
  return {fmt::format("integration stopped at t = {:.9g} s after {} steps: {}{}", time, step,
                      quantity, describe_cause(failure.cause)),
          time, step, quantity};
}

}  // namespace spacedyn
