/// @file
/// Keys of task-level controllers and of their tasks, and what they share with other controllers
/// whose commands are torques of joints.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "loading/scenario/control_keys.hpp"
#include "spacedyn/control/joint_controller.hpp"
#include "spacedyn/control/whole_body.hpp"

namespace spacedyn::loading {

/// What tasks are read for.
struct TaskPlace {
  WholeBody::Level level;
  bool in_stack = true;  ///< whether `priority` and `weight` are keys
};

/// @name Tables of keys, by the level of their controller
/// @{
Mapping<Task> frame_task_keys(const TaskPlace& place);
/// A frame task with `mass`, `damping` and `stiffness` of an impedance.
Mapping<Task> impedance_keys();
/// @}

/// The key `tasks`.
KeyGroup<WholeBody::Settings> tasks_key();

namespace kind {
/// `all`, `linear`, `angular` or a list of `x y z rx ry rz`, as rows of a twist.
Kind<std::vector<int>> axes(const char* title);
/// One number for all rows or driven joints, or one for each; by its size the reader knows.
Kind<VectorX> each_row(const Quantity& quantity, const char* title);

}  // namespace kind

/// One value becomes one for each of so many rows; another number of values is reported.
/// @returns whether it fits
bool fit_rows(MapReader& map, const char* key, VectorX& values, Eigen::Index rows,
              const char* what = "axis");

struct WholeBodyInput : ControlInput {
  WholeBodyInput() { task.axes = {0, 1, 2, 3, 4, 5}; }

  WholeBody::Settings settings;
  Task task;                ///< of a preset
  std::string robot;        ///< its name; empty: not said
  std::vector<int> joints;  ///< without wheels
  std::vector<int> wheels;
  VectorX rates;                           ///< of reaction_null_space
  double gain = 0.0;                       ///< 1/s, of the same
  std::vector<int> base_axes = {3, 4, 5};  ///< of the same
};

/// A key of the stack.
template <typename T>
auto stack_setting(T WholeBody::Settings::*member) {
  return [member](WholeBodyInput& input) -> T& { return input.settings.*member; };
}

/// @name Keys
/// @{
/// `robot`, `joints`, timing and `effort_limit`.
void add_stack_keys(Mapping<WholeBodyInput>& keys);
void add_level(Mapping<WholeBodyInput>& keys);
void add_rate_gain(Mapping<WholeBodyInput>& keys, Presence presence);
void add_damping(Mapping<WholeBodyInput>& keys);
/// `limits` and `limit_gain`.
void add_limits(Mapping<WholeBodyInput>& keys);
/// @}

/// @name What a controller knows besides the motion
/// @{
/// Takes the wrench of an observer in place of the forces on an impedance; reports estimates that
/// no task looks at. @returns whether there are none
bool take_estimates(Reading& reading, WholeBodyInput& input);
/// The forces on the links of impedances; reports those that cannot be known.
/// @returns whether there are none
bool take_known_forces(Reading& reading, WholeBody::Settings& settings);
/// @}

/// Adds the controller of settings that are right, with the tasks that they have.
void add_whole_body(Reading& reading, WholeBodyInput& input);

template <typename Settings>
struct JointInput : ControlInput {
  Settings settings;

  JointTracking& tracking() { return settings; }
};

/// A setting of a controller's own, or one that all share.
/// @{
template <typename Settings, typename T>
auto setting(T Settings::*member) {
  return [member](JointInput<Settings>& input) -> T& { return input.settings.*member; };
}

template <typename Settings, typename T>
auto tracked(T JointTracking::*member) {
  return [member](JointInput<Settings>& input) -> T& { return input.tracking().*member; };
}
/// @}

namespace kind {
/// Joints that a controller drives; sets what later keys are measured in.
Kind<std::vector<int>> driven_joints();
Kind<VectorX> effort_limit();
}  // namespace kind

/// Adds a controller of joints that it may drive.
/// @param alone  whether no other one may drive them
/// @param arguments  of its constructor, between name and settings
template <typename Controller, typename Input, typename... Arguments>
void add_joint_controller(Reading& reading, Input& input, bool alone,
                          const Arguments&... arguments) {
  const ErrorMark errors(reading.problems());
  claim_joints(reading, input.settings.joints, input.name, alone);
  if (errors.found()) return;
  VectorX& limits = input.tracking().effort_limit;
  if (limits.size() == 0) {
    limits.resize(static_cast<Eigen::Index>(input.settings.joints.size()));
    for (Eigen::Index i = 0; i < limits.size(); ++i) {
      const int joint = input.settings.joints[static_cast<std::size_t>(i)];
      limits(i) = reading.scenario->model->joint(joint).effort_limit;
    }
  }
  input.settings.sample_period = input.sample_period;
  reading.scenario->add_controller(
      std::make_shared<Controller>(input.name, arguments..., std::move(input.settings)),
      input.sensors);
}

}  // namespace spacedyn::loading
