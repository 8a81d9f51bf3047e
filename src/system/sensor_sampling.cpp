#include "system/sensor_sampling.hpp"

#include <algorithm>
#include <limits>

#include "model/robot_of.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/sensing/measurement.hpp"
#include "system/instants.hpp"
#include "system/motion_of.hpp"

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

}  // namespace spacedyn
