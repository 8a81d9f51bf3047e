/// @file
/// What controllers whose commands are torques of joints share: their settings and keys.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "loading/scenario/control_keys.hpp"
#include "spacedyn/control/joint_controller.hpp"

namespace spacedyn::loading {

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
