#include "integration/run/setup_checks.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "forces/element_checks.hpp"
#include "integration/events/event_actions.hpp"
#include "sensing/loop_reactions.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/inertia/regularity.hpp"
#include "spacedyn/state/followers.hpp"
#include "system/motion_of.hpp"
#include "system/sensor_sampling.hpp"

namespace spacedyn {
namespace {

bool is_positive(double value) { return std::isfinite(value) && value > 0.0; }

void require(bool condition, const char* message) {
  if (!condition) throw DomainError(message);
}

void check_tolerances(const IntegratorOptions& options) {
  const AbsoluteTolerance& absolute = options.absolute_tolerance;
  for (const double value :
       {absolute.position, absolute.attitude, absolute.joint, absolute.linear_velocity,
        absolute.angular_velocity, absolute.joint_velocity, absolute.auxiliary}) {
    require(is_positive(value), "absolute tolerances must be positive and finite");
  }
  require(options.relative_tolerance >= 0.0 && options.relative_tolerance < 1.0,
          "the relative tolerance must be at least 0 and less than 1");
}

void check_integrator(const IntegratorOptions& options) {
  require(options.max_steps > 0, "max_steps must be positive");
  require(
      !options.stepper || options.method == IntegratorOptions().method,
      "a stepper of one's own takes the place of the method, which must be left at its default");
  if (!is_adaptive(options)) {
    const std::string name(method_traits(options).name);
    require(is_positive(options.step), (name + " needs a positive, finite step").c_str());
    require(std::isinf(options.max_step),
            ("max_step belongs to adaptive methods; " + name + " has a step").c_str());
    require(options.newmark_beta >= 0.0 && options.newmark_beta <= 0.5,
            "newmark_beta must lie between 0 and 1/2");
    require(options.newmark_gamma >= 0.5 && options.newmark_gamma <= 1.0,
            "newmark_gamma must lie between 1/2 and 1");
    require(is_positive(options.contact_tolerance),
            "contact_tolerance must be positive and finite");
    require(options.contact_iterations > 0, "contact_iterations must be positive");
    return;
  }
  require(options.step >= 0.0 && std::isfinite(options.step),
          "the first step must be finite and not negative");
  require(options.max_step > 0.0, "max_step must be positive");
  check_tolerances(options);
}

template <typename List>
void check_elements(const List& elements, const Model& model) {
  for (const auto& element : elements) {
    require(element != nullptr, "a force element or controller is missing (null pointer)");
    element->check(model);
  }
}

void check_reference(const Reference* reference, int size, const std::string& what) {
  if (reference == nullptr) throw DomainError(fmt::format("the {} has no reference", what));
  if (reference->size() == size) return;
  throw DimensionError(fmt::format("the reference of the {} has {} components, expected {}", what,
                                   reference->size(), size));
}

void check_prescribed_joints(const SimulationSetup& setup) {
  std::vector<bool> seen(static_cast<std::size_t>(setup.model->body_count()), false);
  for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
    if (prescribed.joint < 1 || prescribed.joint > setup.model->joint_count()) {
      throw DomainError(fmt::format("joint {} is prescribed, but model '{}' has joints 1 to {}",
                                    prescribed.joint, setup.model->name(),
                                    setup.model->joint_count()));
    }
    const std::string& name = setup.model->joint(prescribed.joint).name;
    if (seen[static_cast<std::size_t>(prescribed.joint)]) {
      throw DomainError(fmt::format("joint '{}' is prescribed twice", name));
    }
    seen[static_cast<std::size_t>(prescribed.joint)] = true;
    check_reference(prescribed.reference.get(), 1, fmt::format("prescribed joint '{}'", name));
  }
}

void check_locked_joints(const SimulationSetup& setup) {
  const MethodTraits method = method_traits(setup.integrator);
  if (!setup.locked_joints.empty() && !method.imposes_motion) {
    throw DomainError(
        fmt::format("{} cannot lock joints; locked joints need another method", method.name));
  }
  std::vector<bool> seen(static_cast<std::size_t>(setup.model->body_count()), false);
  for (const int joint : setup.locked_joints) {
    if (joint < 1 || joint > setup.model->joint_count()) {
      throw DomainError(fmt::format("joint {} is locked, but model '{}' has joints 1 to {}", joint,
                                    setup.model->name(), setup.model->joint_count()));
    }
    const std::string& name = setup.model->joint(joint).name;
    if (seen[static_cast<std::size_t>(joint)]) {
      throw DomainError(fmt::format("joint '{}' is locked twice", name));
    }
    seen[static_cast<std::size_t>(joint)] = true;
    for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
      if (prescribed.joint != joint) continue;
      throw DomainError(fmt::format("joint '{}' is both prescribed and locked", name));
    }
  }
}

void check_prescribed_base(const SimulationSetup& setup) {
  require(setup.prescribed_base.has_value() == (setup.base_mode == BaseMode::prescribed),
          "prescribed_base is given exactly if the base mode is prescribed");
  if (!setup.prescribed_base) return;
  const PrescribedBase& base = *setup.prescribed_base;
  require(std::abs(base.axis.norm() - 1.0) < 1e-9,
          "the axis of a prescribed base must have length 1");
  if (base.position) check_reference(base.position.get(), 3, "position of the prescribed base");
  if (base.angle) check_reference(base.angle.get(), 1, "angle of the prescribed base");
}

/// Methods that integrate momenta cannot be told velocities.
void check_what_method_can(const SimulationSetup& setup) {
  const MethodTraits method = method_traits(setup.integrator);
  if (method.imposes_motion) return;
  if (setup.prescribed_joints.empty() && setup.base_mode != BaseMode::prescribed) return;
  throw DomainError(fmt::format(
      "{} cannot impose motion; prescribed joints and bases need another method", method.name));
}

/// Coordinates of a spherical joint that are imposed: all of a joint or none.
void check_spherical_joints(const SimulationSetup& setup) {
  const Model& model = *setup.model;
  if (model.spherical_joints().empty()) return;
  const MethodTraits method = method_traits(setup.integrator);
  if (!method.turns_spherical_joints) {
    throw DomainError(fmt::format("{} cannot turn spherical joints; '{}' needs another method",
                                  method.name, model.joint(model.spherical_joints().front()).name));
  }
  std::vector<int> imposed;
  for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
    imposed.push_back(prescribed.joint);
  }
  require_whole_spherical_joints(model, imposed, "the prescribed joints");
  require_whole_spherical_joints(model, setup.locked_joints, "the locked joints");
}

void check_loops(const SimulationSetup& setup) {
  const MethodTraits method = method_traits(setup.integrator);
  const bool has_connections =
      std::any_of(setup.connections.begin(), setup.connections.end(),
                  [](const Connection& connection) { return connection.is_rigid(); });
  if ((!setup.model->has_loops() && !has_connections) || method.closes_loops) return;
  throw DomainError(fmt::format("{} cannot keep loops closed; model '{}' needs another method",
                                method.name, setup.model->name()));
}

template <typename Visit>
void for_each_rigid_contact(const SimulationSetup& setup, const Visit& visit) {
  for (const auto& force : setup.forces) {
    const RigidContact* contact = declarations_of(*force).rigid;
    if (contact != nullptr) visit(*contact);
  }
}

/// What a method that steps over contacts cannot do.
void check_stepped_contact(const SimulationSetup& setup, const RigidContact& contact) {
  if (contact.settings().impact == ImpactLaw::poisson) {
    throw DomainError(fmt::format(
        "time_stepping has Newton's law of impact alone; '{}' has Poisson's", contact.name()));
  }
  for (const Event& event : setup.events) {
    if (event.owner != &contact) continue;
    throw DomainError(
        fmt::format("time_stepping steps over the instants at which '{}' begins and ends; event "
                    "'{}' needs another method",
                    contact.name(), event.name));
  }
}

void check_rigid_contacts(const SimulationSetup& setup) {
  const MethodTraits method = method_traits(setup.integrator);
  for_each_rigid_contact(setup, [&](const RigidContact& contact) {
    if (method.steps_contacts) return check_stepped_contact(setup, contact);
    if (contact.has_patches()) {
      throw DomainError(fmt::format(
          "{} keeps contacts of single points; shapes of '{}' touch along a patch, which "
          "time_stepping can follow",
          method.name, contact.name()));
    }
    if (method.closes_loops) return;
    throw DomainError(fmt::format("{} cannot keep rigid contacts; '{}' needs another method",
                                  method.name, contact.name()));
  });
}

void check_start_apart(const SimulationSetup& setup, const State& start) {
  for_each_rigid_contact(setup, [&](const RigidContact& contact) {
    LinkFrames frames(*setup.model);
    compute_link_frames(*setup.model, start, frames);
    const double depth =
        deepest_point(contact.settings().pairs, contact.settings().terrain.get(), frames);
    double size = 0.0;
    for (const ContactPair& pair : contact.settings().pairs) {
      const BodyShape& shape = pair.a;
      size = std::max(size, bounding_radius(shape.type, shape.size, shape.hull.get()));
    }
    if (depth <= kStartPenetration * size) return;
    throw DomainError(
        fmt::format("the shapes of rigid contact '{}' are {:.6g} m inside each other "
                    "at the start",
                    contact.name(), depth));
  });
}

void check_connections(const SimulationSetup& setup) {
  const Model& model = *setup.model;
  const auto is_inside = [&](const Frame& frame) {
    return frame.body >= 0 && frame.body < model.body_count();
  };
  for (const Connection& connection : setup.connections) {
    const Loop& loop = connection.loop;
    const bool fits = std::all_of(loop.joints.begin(), loop.joints.end(), [&](int joint) {
      return joint >= 1 && joint <= model.joint_count();
    });
    if (!fits || !is_inside(loop.from) || !is_inside(loop.to)) {
      throw DomainError(
          fmt::format("connection '{}' is not one of model '{}'", connection.name(), model.name()));
    }
    if (connection.force < static_cast<int>(setup.forces.size())) continue;
    throw DomainError(fmt::format("connection '{}' is force {}, but there are {}",
                                  connection.name(), connection.force, setup.forces.size()));
  }
}

void check_reactions(const SimulationSetup& setup, const LoopEquations& loops, const State& start) {
  for (const Sensor& sensor : setup.sensors) {
    if (sensor.type != SensorType::force_torque) continue;
    const Mobility free = mobility(setup, DiscreteState(setup));
    const std::string holder = holder_of_ambiguous_reaction(
        {loops, holding_motions(setup, DiscreteState(setup)), free, start}, sensor.at.body);
    if (holder.empty()) continue;
    throw DomainError(fmt::format("{} '{}': {}", to_string(sensor.type), sensor.name,
                                  ambiguous_reaction_text(holder)));
  }
}

/// The start as it is once prescribed joints are where their references say.
void check_start_on_loops(const SimulationSetup& setup, State start) {
  const std::vector<Loop> loops = active_loops(setup, DiscreteState(setup));
  if (loops.empty() && holding_motions(setup, DiscreteState(setup)).empty()) return;
  for (const PrescribedJoint& prescribed : setup.prescribed_joints) {
    const ReferenceValue value = prescribed.reference->evaluate(0, 0.0);
    start.q(prescribed.joint - 1) = value.position;
    start.qd(prescribed.joint - 1) = value.velocity;
  }
  follow(*setup.model, start);
  const LoopResidual position = position_residual(*setup.model, loops, start);
  if (!position.is_closed()) {
    throw DomainError(fmt::format("the start violates loop '{}' by {:.3g} {}; assemble it",
                                  position.loop, position.value, position.is_angle ? "rad" : "m"));
  }
  const LoopResidual velocity = velocity_residual(*setup.model, loops, start);
  if (!velocity.is_closed()) {
    throw DomainError(
        fmt::format("the start violates loop '{}' by {:.3g} {} in velocity; assemble it",
                    velocity.loop, velocity.value, velocity.is_angle ? "rad/s" : "m/s"));
  }
  check_reactions(setup, LoopEquations(*setup.model, loops), start);
}

void check_projection(const SimulationSetup& setup) {
  if (!setup.integrator.project_momentum) return;
  require(setup.base_mode == BaseMode::floating && setup.prescribed_joints.empty(),
          "project_momentum needs a floating base and no prescribed joints");
  require(setup.model->total_mass() > 0.0, "project_momentum needs a system with mass");
}

}  // namespace

void check_setup(const SimulationSetup& setup) {
  require(setup.model != nullptr, "a simulation needs a model");
  require(setup.gravity.allFinite(), "gravity is not finite");
  check_integrator(setup.integrator);
  check_elements(setup.forces, *setup.model);
  check_elements(setup.controllers, *setup.model);
  check_controllers(setup);
  check_sensors(setup);
  check_prescribed_joints(setup);
  check_locked_joints(setup);
  check_spherical_joints(setup);
  check_prescribed_base(setup);
  check_what_method_can(setup);
  check_connections(setup);
  check_loops(setup);
  check_rigid_contacts(setup);
  check_motions(setup);
  check_projection(setup);
  check_tanks(setup);
  check_events(setup);
}

void check_start(const SimulationSetup& setup, const State& initial, int auxiliary_size) {
  initial.check(*setup.model);
  if (initial.z.size() != 0 && initial.z.size() != auxiliary_size) {
    throw DimensionError(
        fmt::format("z has {} elements, expected {} or none", initial.z.size(), auxiliary_size));
  }
  if (setup.base_mode == BaseMode::fixed) {
    require(initial.v_0.isZero(0.0) && initial.omega_0.isZero(0.0),
            "the base is fixed but its initial velocity is not zero");
  }
  for (const int joint : setup.locked_joints) {
    if (initial.qd(joint - 1) == 0.0) continue;
    throw DomainError(fmt::format("joint '{}' is locked but its initial velocity is not zero",
                                  setup.model->joint(joint).name));
  }
  check_start_on_loops(setup, initial);
  check_start_on_motions(setup, initial);
  check_start_apart(setup, initial);
  // those need no inertia of their own
  if (!setup.prescribed_joints.empty() || !setup.locked_joints.empty()) return;
  const auto loose = find_singularity(*setup.model, initial, setup.base_mode == BaseMode::floating);
  if (!loose) return;
  throw NumericalError(
      fmt::format("the inertia matrix is not positive definite at the start: {} can move without "
                  "resistance",
                  *loose),
      0.0, 0, "inertia matrix");
}

void check_times(double duration, double output_interval) {
  require(is_positive(duration), "the duration must be positive and finite");
  require(is_positive(output_interval), "the output interval must be positive and finite");
}

void check_output_times(const std::vector<double>& times) {
  const bool ascends =
      std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end();
  require(!times.empty() && ascends && times.front() >= 0.0 && is_positive(times.back()),
          "output times must be ascending, not negative and finite, the last one positive");
}

}  // namespace spacedyn
