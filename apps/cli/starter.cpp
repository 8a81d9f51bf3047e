#include "starter.hpp"

namespace spacedyn::cli {
namespace {

constexpr const char* kModel =
    R"(# yaml-language-server: $schema=.schema/model.json
spacedyn: 1                     # format version
model:
  name: NAME
  description: A satellite with a two-joint arm.
  source: Round numbers to start from; replace them by those of your robot.
  base:
    name: satellite
    mass: 200.0                 # kg
    inertia: [40.0, 40.0, 50.0] # kg m^2 about the center of mass: xx, yy, zz
  links:
    - name: upper_arm
      parent: satellite
      joint:
        name: shoulder
        type: revolute
        origin: {xyz: [0.5, 0, 0]}          # from the base's frame, m
        axis: [0, 0, 1]
        position_limits: [-170 deg, 170 deg]
        effort_limit: 30.0                  # N*m
      mass: 12.0
      center_of_mass: [0.5, 0, 0]           # in the link's own frame, which starts at the joint
      inertia: [0.05, 1.0, 1.0]
    - name: forearm
      parent: upper_arm
      joint:
        name: elbow
        type: revolute
        origin: {xyz: [1.0, 0, 0]}
        axis: [0, 0, 1]
        position_limits: [-170 deg, 170 deg]
        effort_limit: 30.0
      mass: 8.0
      center_of_mass: [0.4, 0, 0]
      inertia: [0.03, 0.5, 0.5]
  frames:
    - {name: hand, link: forearm, xyz: [0.8, 0, 0]}
)";

constexpr const char* kScenario = R"(# yaml-language-server: $schema=.schema/scenario.json
spacedyn: 1
scenario:
  name: NAME
  description: The arm folds; with nothing to hold on to, the satellite turns the other way.
  model: robot.yaml             # relative to this file
  duration: 20 s
  initial:
    joints:
      shoulder: {position: 10 deg}
      elbow: {position: 20 deg}
  control:
    - type: joint_pd
      name: fold
      joints: [shoulder, elbow]
      stiffness: [60.0, 30.0]   # N*m/rad
      damping: [90.0, 40.0]     # N*m*s/rad
      reference: {type: quintic, to: [60 deg, -90 deg], from_time: 1, duration: 12}
  integrator: {method: dop853, relative_tolerance: 1.0e-9, absolute_tolerance: 1.0e-10}
  output: {interval: 0.05, channels: [state, momentum, energy, frames, joint_torque, element_energy]}
  checks: {momentum_drift: 1.0e-9, energy_residual: 1.0e-7}   # simulate fails beyond these
)";

std::string with_name(std::string text, const std::string& name) {
  const std::string placeholder = "NAME";
  text.replace(text.find(placeholder), placeholder.size(), name);
  return text;
}

}  // namespace

std::string starter_model(const std::string& name) { return with_name(kModel, name); }

std::string starter_scenario(const std::string& name) { return with_name(kScenario, name); }

}  // namespace spacedyn::cli
