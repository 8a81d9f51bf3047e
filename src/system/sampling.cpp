#include "system/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spacedyn/control/thruster_valves.hpp"
#include "system/instants.hpp"
#include "system/sensor_sampling.hpp"

namespace spacedyn {
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
