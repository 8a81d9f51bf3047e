#include "system/sensor_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/robot_of.hpp"
#include "spacedyn/control/thruster_valves.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "system/instants.hpp"
#include "system/motion_of.hpp"
#include "system/sampling.hpp"

namespace spacedyn {
namespace {

/// Whether the base of the robot that carries a body floats.
bool floats(const ForcedSystem& system, int body) {
  if (const Robot* robot = robot_of(*system.model, body)) return robot->floats;
  return system.model->robots().empty() && system.base_mode == BaseMode::floating;
}

void check_taken(const ForcedSystem& system, const Controller& controller) {
  const std::string owner = "controller '" + controller.name() + "': ";
  if (!controller.sensors().empty() && !(controller.sample_period() > 0.0)) {
    throw DomainError(owner + "it takes sensors, so it needs a sample period");
  }
  for (const std::string& name : controller.sensors()) {
    const auto named = std::find_if(system.sensors.begin(), system.sensors.end(),
                                    [&](const Sensor& sensor) { return sensor.name == name; });
    if (named == system.sensors.end()) {
      throw DomainError(owner + "the system has no sensor '" + name + '\'');
    }
    if (can_stand_for_truth(named->type) || controller.looks_at_readings()) continue;
    throw DomainError(owner + "a reading of " + std::string(to_string(named->type)) + " '" + name +
                      "' cannot stand in place of the truth");
  }
}

double sample_instant(const Sensor& sensor, long index) {
  return static_cast<double>(index) * sensor.sample_period;
}

/// The position of the camera of a filter; its own if there is none before it.
std::size_t camera_of(const ForcedSystem& system, std::size_t filter) {
  std::size_t i = 0;
  while (i < filter && system.sensors[i].name != system.sensors[filter].camera) ++i;
  return i;
}

bool is_same_place(const Frame& a, const Frame& b) {
  return a.body == b.body && a.position == b.position && a.rotation == b.rotation;
}

/// When the oldest reading on its way arrives.
double next_arrival(const Sensor& sensor, const DiscreteState::SensorState& state) {
  if (state.delayed.empty() || state.next_delayed == state.next_sample) {
    return std::numeric_limits<double>::infinity();
  }
  return sample_instant(sensor, state.next_delayed) + sensor.delay;
}

VectorX& delayed_reading(DiscreteState::SensorState& state, long index) {
  return state.delayed[static_cast<std::size_t>(index) % state.delayed.size()];
}

}  // namespace

void check_estimate(const ForcedSystem& system, std::size_t index) {
  const Sensor& sensor = system.sensors[index];
  const std::string owner = '\'' + sensor.name + "': ";
  const bool is_filter = sensor.type == SensorType::target_filter;
  if (!is_filter && sensor.type != SensorType::momentum_observer) return;
  if (!acceleration_fields(system).empty()) {
    throw DomainError(owner + "it knows uniform gravity alone, not an orbit or a field");
  }
  if (!is_filter) {
    if (floats(system, sensor.at.body)) return;
    throw DomainError(owner + "it is on a robot whose base does not float");
  }
  const Sensor& camera = system.sensors[camera_of(system, index)];
  if (camera.type != SensorType::relative_pose) {
    throw DomainError(owner + "its camera must be a relative_pose that comes before it");
  }
  if (!is_same_place(camera.at, sensor.at) || !is_same_place(camera.target, sensor.target) ||
      camera.sample_period != sensor.sample_period || camera.delay != sensor.delay) {
    throw DomainError(owner + "it has not the places, the period and the delay of its camera");
  }
  const auto has_noise = [](const VectorX& noise) {
    return noise.size() == 6 && noise.minCoeff() > 0.0;
  };
  if (has_noise(sensor.filter.noise) || has_noise(camera.errors.noise) ||
      has_noise(camera.errors.noise_density)) {
    return;
  }
  throw DomainError(owner + "its camera has components without noise, so it needs its own 'noise'");
}

void check_sensors(const ForcedSystem& system) {
  for (std::size_t i = 0; i < system.sensors.size(); ++i) {
    const Sensor& sensor = system.sensors[i];
    check_sensor(sensor, *system.model);
    for (std::size_t j = 0; j < i; ++j) {
      if (system.sensors[j].name != sensor.name) continue;
      throw DomainError("two sensors are named '" + sensor.name + '\'');
    }
    check_estimate(system, i);
  }
  for (const auto& controller : system.controllers) check_taken(system, *controller);
}

std::vector<const AccelerationField*> acceleration_fields(const ForcedSystem& system) {
  std::vector<const AccelerationField*> fields;
  for (const auto& force : system.forces) {
    const AccelerationField* field = declarations_of(*force).field;
    if (field != nullptr) fields.push_back(field);
  }
  return fields;
}

SensorSampler::SensorSampler(const ForcedSystem& system)
    : system_(system), fields_(acceleration_fields(system)), accelerations_(*system.model) {}

bool SensorSampler::needs_forces(double time, const DiscreteState& discrete) const {
  const double now = latest_same_instant(time);
  for (std::size_t i = 0; i < system_.sensors.size(); ++i) {
    const Sensor& sensor = system_.sensors[i];
    if (!sensor_traits(sensor.type).feels_forces) continue;
    if (sample_instant(sensor, discrete.sensors[i].next_sample) <= now) return true;
  }
  return false;
}

const Sensor* SensorSampler::find_ambiguous(const LoopEquations* loops,
                                            const EvaluationContext& context,
                                            const Mobility& mobility, const DiscreteState& discrete,
                                            long changes) {
  if (looked_at_ == changes) return ambiguous_;
  looked_at_ = changes;
  const LoopEquations none(*system_.model, {});
  const HeldSystem held{loops != nullptr ? *loops : none, holding_motions(system_, discrete),
                        mobility, context.state, context.time};
  const auto found =
      std::find_if(system_.sensors.begin(), system_.sensors.end(), [&](const Sensor& sensor) {
        return sensor.type == SensorType::force_torque &&
               !holder_of_ambiguous_reaction(held, sensor.at.body).empty();
      });
  ambiguous_ = found == system_.sensors.end() ? nullptr : &*found;
  return ambiguous_;
}

void SensorSampler::sample(const EvaluationContext& context, const VectorX& acceleration,
                           const Loads& loads, const LoopReactions* reactions,
                           DiscreteState& discrete) {
  const double now = latest_same_instant(context.time);
  const Loads* felt = &loads;
  if (needs_forces(context.time, discrete)) {
    compute_link_accelerations(context.model, context.state, context.frames, context.velocities,
                               acceleration, accelerations_);
    if (reactions != nullptr) {
      felt_ = loads;
      add_to_loads(*reactions, felt_);
      felt = &felt_;
    }
  }
  SensorContext instant{context, fields_, &accelerations_, felt};
  instant.gravity = system_.gravity;
  for (std::size_t i = 0; i < system_.sensors.size(); ++i) {
    const Sensor& sensor = system_.sensors[i];
    DiscreteState::SensorState& state = discrete.sensors[i];
    for (; sample_instant(sensor, state.next_sample) <= now; ++state.next_sample) {
      const bool arrives = state.delayed.empty();
      VectorX& reading = arrives ? state.reading : delayed_reading(state, state.next_sample);
      take_sample(sensor, seen_by(sensor, instant, discrete), system_.seed, state.next_sample,
                  state.memory, reading);
      if (state.next_sample == 0) state.reading = reading;
    }
    for (; next_arrival(sensor, state) <= now; ++state.next_delayed) {
      state.reading = delayed_reading(state, state.next_delayed);
    }
  }
}

SensorContext SensorSampler::seen_by(const Sensor& sensor, const SensorContext& instant,
                                     DiscreteState& discrete) const {
  SensorContext seen = instant;
  if (sensor.type != SensorType::target_filter) return seen;
  const std::size_t i =
      camera_of(system_, static_cast<std::size_t>(&sensor - system_.sensors.data()));
  DiscreteState::SensorState& state = discrete.sensors[i];
  seen.camera = &system_.sensors[i];
  // it has just sampled
  seen.pose =
      state.delayed.empty() ? &state.reading : &delayed_reading(state, state.next_sample - 1);
  return seen;
}

double sampled_at(const Sensor& sensor, const DiscreteState::SensorState& state) {
  const long next = state.delayed.empty() ? state.next_sample : state.next_delayed;
  return sample_instant(sensor, std::max(next - 1, 0L));
}

double SensorSampler::next(const DiscreteState& discrete) const {
  double next = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < system_.sensors.size(); ++i) {
    const Sensor& sensor = system_.sensors[i];
    const DiscreteState::SensorState& state = discrete.sensors[i];
    next = std::min({next, sample_instant(sensor, state.next_sample), next_arrival(sensor, state)});
  }
  return next;
}

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Nearest multiples of a resolution.
void round_to(double resolution, VectorX& values) {
  if (resolution == 0.0) return;
  for (double& value : values) value = resolution * std::round(value / resolution);
}

/// Sensors of a controller in the order in which it names them.
std::vector<std::size_t> sensors_of(const Controller& controller, const ForcedSystem& system) {
  std::vector<std::size_t> indices;
  for (const std::string& name : controller.sensors()) {
    const auto named = std::find_if(system.sensors.begin(), system.sensors.end(),
                                    [&](const Sensor& sensor) { return sensor.name == name; });
    indices.push_back(static_cast<std::size_t>(named - system.sensors.begin()));
  }
  return indices;
}

/// Those that stand for the truth, in the order in which their readings are taken over.
std::vector<std::size_t> taken_of(std::vector<std::size_t> indices, const ForcedSystem& system) {
  const auto order = [&](std::size_t i) {
    const SensorType type = system.sensors[i].type;
    return type == SensorType::target_filter ? 0 : type == SensorType::gyroscope ? 2 : 1;
  };
  std::sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
    return order(a) != order(b) ? order(a) < order(b) : a < b;
  });
  indices.erase(
      std::remove_if(indices.begin(), indices.end(),
                     [&](std::size_t i) { return !can_stand_for_truth(system.sensors[i].type); }),
      indices.end());
  return indices;
}

VectorX& delayed_command(DiscreteState::ControllerState& state, long index) {
  return state.delayed[static_cast<std::size_t>(index) % state.delayed.size()];
}

}  // namespace

Sampler::Sampler(const SystemElements& elements)
    : system_(elements.system()),
      fields_(acceleration_fields(system_)),
      believed_(*elements.system().model) {
  for (const SystemElements::Slot& slot : elements.slots()) {
    if (!slot.is_sampled()) continue;
    const bool modulates = slot.valves != nullptr && slot.valves->modulation().acts();
    const std::vector<std::size_t> named = sensors_of(*slot.controller, system_);
    Eigen::Index size = 0;
    for (const std::size_t i : named) size += sensor_traits(system_.sensors[i].type).reading;
    clocks_.push_back({&slot, slot.controller->sample_period(), slot.controller->digitization(),
                       taken_of(named, system_), named, modulates ? slot.valves : nullptr,
                       VectorX::Zero(modulates ? slot.controller->command_size() : 0),
                       VectorX::Zero(size)});
  }
}

double Sampler::Clock::next_effect(const DiscreteState::ControllerState& state) const {
  if (state.delayed.empty() || state.next_delayed == state.next_sample) return kNever;
  return instant(state.next_delayed) + digitization.delay;
}

void Sampler::sample(const EvaluationContext& context, DiscreteState& discrete) {
  const double now = latest_same_instant(context.time);
  for (Clock& clock : clocks_) {
    DiscreteState::ControllerState& state = discrete.controllers[clock.slot->controller_index];
    for (; clock.instant(state.next_sample) <= now; ++state.next_sample) {
      if (!state.on) continue;
      if (clock.valves != nullptr) {
        compute(clock, context, discrete, clock.wanted);
        const Eigen::Index others = clock.wanted.size() - clock.valves->size();
        state.command.tail(others) = clock.wanted.tail(others);
        plan_pulses(clock, state);
        continue;
      }
      compute(clock, context, discrete,
              state.delayed.empty() ? state.command : delayed_command(state, state.next_sample));
    }
    if (clock.valves != nullptr) {
      state.next_delayed = state.next_sample;
      move_valves(clock, context.time, state);
      continue;
    }
    for (; clock.next_effect(state) <= now; ++state.next_delayed) {
      if (state.on) state.command = delayed_command(state, state.next_delayed);
    }
  }
}

void Sampler::plan_pulses(const Clock& clock, DiscreteState::ControllerState& state) {
  const double instant = clock.instant(state.next_sample);
  ValveMemory& valves = state.valves;
  for (int i = 0; i < valves.size(); ++i) {
    const ThrusterDrive& drive = clock.valves->thrusters()[static_cast<std::size_t>(i)].drive;
    const double duration =
        on_time(clock.valves->modulation(), clock.wanted(i), drive.minimum_on_time, valves.held(i));
    if (duration == 0.0) continue;
    valves.next_opens(i) = instant + drive.delay;
    valves.next_shuts(i) = instant + drive.delay + duration;
  }
}

void Sampler::move_valves(const Clock& clock, double time, DiscreteState::ControllerState& state) {
  const double now = latest_same_instant(time);
  ValveMemory& valves = state.valves;
  for (int i = 0; i < valves.size(); ++i) {
    if (valves.settles(i) <= now) valves.settles(i) = kNever;
    if (valves.shuts(i) <= now) valves.shuts(i) = kNever;
    if (valves.next_opens(i) <= now) {
      valves.shuts(i) = valves.next_shuts(i);
      valves.next_opens(i) = kNever;
    }
    valves.turn(i, clock.valves->thrusters()[static_cast<std::size_t>(i)].drive,
                valves.shuts(i) < kNever ? 1.0 : 0.0, time, state.command(i));
  }
}

double Sampler::next(const DiscreteState& discrete) const {
  double next = kNever;
  for (const Clock& clock : clocks_) {
    const auto& state = discrete.controllers[clock.slot->controller_index];
    next = std::min({next, clock.instant(state.next_sample), clock.next_effect(state)});
    if (clock.valves == nullptr) continue;
    next = std::min({next, state.valves.shuts.minCoeff(), state.valves.next_opens.minCoeff(),
                     state.valves.settles.minCoeff()});
  }
  return next;
}

void Sampler::compute(Clock& clock, const EvaluationContext& context, DiscreteState& discrete,
                      VectorX& command) {
  const Digitization& digital = clock.digitization;
  const Controller& controller =
      current_controller(system_, discrete, clock.slot->controller_index);
  VectorX& memory = discrete.controllers[clock.slot->controller_index].memory;
  const auto decide = [&](const EvaluationContext& seen) {
    if (memory.size() == 0) return controller.command(slice_of(seen, clock.slot->slice), command);
    const EvaluationContext own = with_memory(seen, memory);
    controller.command(own, command);
    controller.advance(own, memory);
  };
  const bool is_coarse = digital.position_resolution != 0.0 || digital.velocity_resolution != 0.0;
  if (!is_coarse && clock.named.empty()) {
    decide(context);
  } else {
    believed_.begin(context);
    SensorContext now{context, fields_};
    now.gravity = system_.gravity;
    for (const std::size_t i : clock.sensors) {
      const DiscreteState::SensorState& sensor = discrete.sensors[i];
      believed_.take(system_.sensors[i], sensor.reading, sampled_at(system_.sensors[i], sensor),
                     now);
    }
    Eigen::Index first = 0;
    for (const std::size_t i : clock.named) {
      const VectorX& reading = discrete.sensors[i].reading;
      clock.readings.segment(first, reading.size()) = reading;
      first += reading.size();
    }
    round_to(digital.position_resolution, believed_.state.q);
    round_to(digital.velocity_resolution, believed_.state.qd);
    const EvaluationContext seen{
        context.time,         context.model,     believed_.state, believed_.frames,
        believed_.velocities, context.auxiliary, nullptr,         nullptr,
        context.mobility,     context.events,    &clock.readings};
    decide(seen);
  }
  round_to(digital.command_resolution, command);
}

}  // namespace spacedyn
