#include "spacedyn/integration/position_stops.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/forces/spherical_stop.hpp"

namespace spacedyn {
namespace {

bool has_own_stop(const SimulationSetup& setup, int joint) {
  const auto stops = [joint](const auto& force) {
    const std::optional<JointRange> stop = declarations_of(*force).stop;
    return stop && stop->joint == joint;
  };
  const auto bounces = [joint](const Event& event) {
    return std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
      const auto* bounce = std::get_if<BounceAction>(&action);
      return bounce != nullptr && bounce->joint == joint;
    });
  };
  return std::any_of(setup.forces.begin(), setup.forces.end(), stops) ||
         std::any_of(setup.events.begin(), setup.events.end(), bounces);
}

bool follows_reference(const SimulationSetup& setup, int joint) {
  return std::any_of(setup.prescribed_joints.begin(), setup.prescribed_joints.end(),
                     [&](const PrescribedJoint& prescribed) { return prescribed.joint == joint; });
}

void add_event(SimulationSetup& setup, int joint, bool upper, CrossingDirection direction,
               std::vector<EventAction> actions) {
  const Joint& own = setup.model->joint(joint);
  const double limit = upper ? own.position_upper : own.position_lower;
  if (std::isinf(limit)) return;
  setup.events.push_back({own.name + (upper ? " limit upper" : " limit lower"),
                          joint_position_event(joint, limit), direction, std::move(actions)});
}

}  // namespace

std::vector<int> joints_without_stops(const SimulationSetup& setup) {
  std::vector<int> joints;
  for (int i = 1; i <= setup.model->joint_count(); ++i) {
    const Joint& joint = setup.model->joint(i);
    if (std::isinf(joint.position_lower) && std::isinf(joint.position_upper)) continue;
    if (!follows_reference(setup, i) && !has_own_stop(setup, i)) joints.push_back(i);
  }
  return joints;
}

std::vector<CompoundJoint> spherical_joints_without_stops(const SimulationSetup& setup) {
  std::vector<CompoundJoint> joints;
  for (const CompoundJoint& joint : setup.model->compound_joints()) {
    if (std::isinf(joint.angle_limit)) continue;
    if (!follows_reference(setup, joint.first) && !has_own_stop(setup, joint.first)) {
      joints.push_back(joint);
    }
  }
  return joints;
}

void add_compliant_stops(SimulationSetup& setup, double stiffness, double damping) {
  for (const CompoundJoint& joint : spherical_joints_without_stops(setup)) {
    setup.forces.push_back(std::make_shared<SphericalStop>(
        joint.name + " limit",
        SphericalStop::Settings{joint.first, joint.angle_limit, stiffness, damping}));
  }
  for (const int joint : joints_without_stops(setup)) {
    const Joint& own = setup.model->joint(joint);
    setup.forces.push_back(std::make_shared<JointStop>(
        own.name + " limit",
        JointStop::Settings{joint, own.position_lower, own.position_upper, stiffness, damping}));
  }
}

void add_impulsive_stops(SimulationSetup& setup, double restitution) {
  if (!(restitution >= 0.0 && restitution <= 1.0)) {
    throw DomainError("the restitution of stops at position limits must lie between 0 and 1");
  }
  if (const auto turning = spherical_joints_without_stops(setup); !turning.empty()) {
    throw DomainError("the stop of spherical joint '" + turning.front().name +
                      "' yields: it has a stiffness and no restitution");
  }
  for (const int joint : joints_without_stops(setup)) {
    for (const bool upper : {false, true}) {
      add_event(setup, joint, upper, upper ? CrossingDirection::rising : CrossingDirection::falling,
                {BounceAction{joint, restitution, true}});
    }
  }
}

}  // namespace spacedyn
