#include "spacedyn/integration/quantities.hpp"

#include <cmath>
#include <utility>

#include "forces/root_bound.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/integration/events.hpp"
#include "spacedyn/model/joint_traits.hpp"

namespace spacedyn {
namespace {

Vector3 point_velocity(const EvaluationContext& now, const Frame& frame) {
  return frame_velocity(now.frames, now.velocities, frame).head<3>();
}

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
  EventQuantity quantity = motion_quantity("m", [=](const EvaluationContext& now) {
    return (frame_position(now.frames, a) - frame_position(now.frames, b)).norm();
  });
  quantity.root = [=](double level) { return frame_distance_event(a, b, level); };
  return quantity;
}

EventQuantity relative_speed_quantity(const Frame& a, const Frame& b) {
  return motion_quantity("m/s", [=](const EvaluationContext& now) {
    return (point_velocity(now, a) - point_velocity(now, b)).norm();
  });
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

}  // namespace spacedyn
