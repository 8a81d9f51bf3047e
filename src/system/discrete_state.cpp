#include "spacedyn/system/discrete_state.hpp"

#include <algorithm>

#include "model/assembly.hpp"
#include "model/model_validation.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/system/forced_system.hpp"

namespace spacedyn {
namespace {

DiscreteState::ControllerState start_of(const Controller& controller) {
  DiscreteState::ControllerState start;
  start.command = VectorX::Zero(controller.command_size());
  const double period = controller.sample_period();
  const double delay = controller.digitization().delay;
  if (period > 0.0 && delay > 0.0) {
    // all that a delay can hold back
    start.delayed.assign(static_cast<std::size_t>(delay / period) + 3, start.command);
  }
  const ThrusterValves* valves = controller.valves();
  if (valves != nullptr && valves->modulation().acts()) start.valves = ValveMemory(valves->size());
  start.memory = VectorX::Zero(controller.memory_size());
  return start;
}

DiscreteState::SensorState start_of(const Sensor& sensor) {
  DiscreteState::SensorState start;
  start.reading = VectorX::Zero(sensor_traits(sensor.type).reading);
  start.memory = sensor_memory(sensor);
  if (sensor.delay > 0.0) {
    start.delayed.assign(static_cast<std::size_t>(sensor.delay / sensor.sample_period) + 3,
                         start.reading);
  }
  return start;
}

/// What is planned is forgotten; forces fall.
void shut_all(const ThrusterValves& valves, double time, DiscreteState::ControllerState& state) {
  ValveMemory shut(valves.size());
  shut.settles = state.valves.settles;
  for (int i = 0; i < valves.size(); ++i) {
    shut.turn(i, valves.thrusters()[static_cast<std::size_t>(i)].drive, 0.0, time,
              state.command(i));
  }
  state.valves = shut;
}

}  // namespace

Connection make_connection(const Model& model, const LoopDescription& description, bool active) {
  ModelDescription alone = model.description();
  alone.loops = {description};
  std::vector<Problem> problems;
  validate_loops(alone, problems);
  if (!problems.empty()) throw ModelError(std::move(problems));
  return {make_loop(description, model), active};
}

DiscreteState::DiscreteState(const ForcedSystem& system)
    : locked(static_cast<std::size_t>(system.model->joint_count()), false),
      q_step_start(VectorX::Zero(system.model->joint_count())) {
  for (const int joint : system.locked_joints) locked[static_cast<std::size_t>(joint - 1)] = true;
  for (const auto& controller : system.controllers) controllers.push_back(start_of(*controller));
  for (const Sensor& sensor : system.sensors) sensors.push_back(start_of(sensor));
  tank_is_empty.assign(system.model->tanks().size(), false);
  for (const Connection& connection : system.connections) {
    const Loop& loop = connection.loop;
    connections.push_back(
        {connection.active, loop.to.position, loop.to.rotation, loop.length, loop.offset});
  }
  events.instants.resize(system.awaited.size());
  for (const auto& force : system.forces) {
    const RigidContact* rigid = declarations_of(*force).rigid;
    if (rigid == nullptr) continue;
    contact_points.resize(contact_points.size() + static_cast<std::size_t>(rigid->point_count()));
  }
}

Loop connection_loop(const ForcedSystem& system, const DiscreteState& discrete,
                     std::size_t connection) {
  Loop loop = system.connections[connection].loop;
  const DiscreteState::ConnectionState& state = discrete.connections[connection];
  loop.to.position = state.position;
  loop.to.rotation = state.rotation;
  loop.length = state.length;
  loop.offset = state.offset;
  return loop;
}

std::vector<Loop> active_loops(const ForcedSystem& system, const DiscreteState& discrete) {
  std::vector<Loop> loops = system.model->loops();
  for (std::size_t i = 0; i < system.connections.size(); ++i) {
    if (!system.connections[i].is_rigid() || !discrete.connections[i].active) continue;
    loops.push_back(connection_loop(system, discrete, i));
  }
  return loops;
}

Mobility mobility(const ForcedSystem& system, const DiscreteState& discrete) {
  std::vector<bool> free = discrete.locked;
  free.flip();
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    free[static_cast<std::size_t>(prescribed.joint - 1)] = false;
  }
  return {system.base_mode == BaseMode::floating, free};
}

Mobility start_mobility(const ForcedSystem& system) {
  return mobility(system, DiscreteState(system));
}

bool is_unsupported(const ForcedSystem& system) {
  const std::vector<Robot>& robots = system.model->robots();
  if (robots.empty()) return system.base_mode == BaseMode::floating;
  return std::all_of(robots.begin(), robots.end(), [](const Robot& robot) { return robot.floats; });
}

const Controller& current_controller(const ForcedSystem& system, const DiscreteState& discrete,
                                     std::size_t controller) {
  const std::shared_ptr<const Controller>& law = discrete.controllers[controller].law;
  return law ? *law : *system.controllers[controller];
}

void remember_event(const ForcedSystem& system, std::string_view name, double time,
                    DiscreteState& discrete) {
  for (std::size_t i = 0; i < system.awaited.size(); ++i) {
    if (system.awaited[i] == name) discrete.events.instants[i].push_back(time);
  }
}

void switch_controller(const ForcedSystem& system, std::string_view name, bool on, double time,
                       DiscreteState& discrete) {
  for (std::size_t i = 0; i < system.controllers.size(); ++i) {
    DiscreteState::ControllerState& state = discrete.controllers[i];
    if (system.controllers[i]->name() != name || state.on == on) continue;
    state.on = on;
    if (state.valves.size() > 0) shut_all(*system.controllers[i]->valves(), time, state);
    state.command.setZero();
    state.memory.setZero();
    state.next_delayed = state.next_sample;
  }
}

}  // namespace spacedyn
