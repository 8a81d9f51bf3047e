#include "spacedyn/integration/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forces/root_bound.hpp"
#include "forces/separation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/integration/position_stops.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

/// sin θ k and cos θ of the rotation from the axes of one frame to those of another, inertial.
struct RelativeTurn {
  Vector3 sine;
  double cosine;

  RelativeTurn(const EvaluationContext& now, const Frame& from, const Frame& to) {
    const Matrix3 turn =
        frame_orientation(now.frames, to) * frame_orientation(now.frames, from).transpose();
    sine = 0.5 * Vector3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
    cosine = 0.5 * (turn.trace() - 1.0);
  }
};

EventQuantity motion_quantity(std::string unit,
                              std::function<double(const EvaluationContext&)> value) {
  return {[value = std::move(value)](const QuantityContext& at) { return value(at.now); },
          std::move(unit)};
}

std::string joint_unit(const Model& model, int joint, bool is_rate) {
  const auto& units = coordinate_units(model.joint(joint).type);
  return is_rate ? units.velocity : units.position;
}

}  // namespace

EventQuantity distance_quantity(const Frame& a, const Frame& b) {
  EventQuantity quantity = motion_quantity(
      "m", [=](const EvaluationContext& now) { return separation(now, a, b).distance.norm(); });
  quantity.root = [=](double level) { return frame_distance_event(a, b, level); };
  return quantity;
}

EventQuantity relative_speed_quantity(const Frame& a, const Frame& b) {
  return motion_quantity(
      "m/s", [=](const EvaluationContext& now) { return separation(now, a, b).velocity.norm(); });
}

EventQuantity relative_angle_quantity(const Frame& a, const Frame& b) {
  EventQuantity quantity = motion_quantity("rad", [=](const EvaluationContext& now) {
    const RelativeTurn turn(now, a, b);
    return std::atan2(turn.sine.norm(), turn.cosine);
  });
  // cos(level) − cos θ is smooth at 0 and π, too
  quantity.root = [=](double level) {
    const auto value = [=](const EvaluationContext& now) {
      return std::cos(level) - RelativeTurn(now, a, b).cosine;
    };
    const auto bound_of = [=](const EvaluationContext& now) {
      const Vector3 omega = now.velocities.omega[static_cast<std::size_t>(b.body)] -
                            now.velocities.omega[static_cast<std::size_t>(a.body)];
      RootBound bound = smooth_bound(RelativeTurn(now, a, b).sine.dot(omega));
      add_carriers(now, a.body, frame_position(now.frames, a), bound);
      add_carriers(now, b.body, frame_position(now.frames, b), bound);
      bound.pace = omega.norm();
      return bound;
    };
    return BoundedRoot(value, bound_of);
  };
  return quantity;
}

EventQuantity angular_rate_quantity(int body) {
  return motion_quantity("rad/s", [=](const EvaluationContext& now) {
    return now.velocities.omega[static_cast<std::size_t>(body)].norm();
  });
}

EventQuantity joint_position_quantity(const Model& model, int joint) {
  EventQuantity quantity =
      motion_quantity(joint_unit(model, joint, false),
                      [joint](const EvaluationContext& now) { return now.state.q(joint - 1); });
  quantity.root = [joint](double level) { return joint_position_event(joint, level); };
  return quantity;
}

EventQuantity joint_velocity_quantity(const Model& model, int joint) {
  return motion_quantity(joint_unit(model, joint, true),
                         [joint](const EvaluationContext& now) { return now.state.qd(joint - 1); });
}

EventQuantity joint_effort_quantity(const Model& model, int joint) {
  const bool slides = model.joint(joint).type == JointType::prismatic;
  return {[joint](const QuantityContext& at) { return at.forces(joint + 5); }, slides ? "N" : "N m",
          true};
}

EventQuantity wheel_momentum_quantity(int joint) {
  return motion_quantity("N m s", [joint](const EvaluationContext& now) {
    return now.model.wheel(joint)->spin_inertia * now.state.qd(joint - 1);
  });
}

EventQuantity contact_force_quantity(const ContactForce& contact) {
  EventQuantity quantity{
      [&contact](const QuantityContext& at) { return contact.normal_force(at.now); }, "N"};
  quantity.owner = &contact;
  return quantity;
}

EventQuantity rigid_contact_force_quantity(std::size_t index) {
  return {[index](const QuantityContext& at) { return at.rigid_contacts[index].normal_force; }, "N",
          true};
}

EventQuantity linear_momentum_quantity() {
  return motion_quantity("N s", [](const EvaluationContext& now) {
    return momentum(now.model, now.frames, now.velocities).linear.norm();
  });
}

EventQuantity angular_momentum_quantity() {
  return motion_quantity("N m s", [](const EvaluationContext& now) {
    return momentum(now.model, now.frames, now.velocities).angular_centroid.norm();
  });
}

EventQuantity kinetic_energy_quantity() {
  return motion_quantity("J", [](const EvaluationContext& now) {
    return kinetic_energy(now.model, now.frames, now.velocities);
  });
}

EventQuantity sensor_quantity(std::size_t sensor, int component, std::string unit) {
  return {[=](const QuantityContext& at) { return at.discrete.sensors[sensor].reading(component); },
          std::move(unit), false, true};
}

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
