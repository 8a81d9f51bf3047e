#include "spacedyn/control/thruster_valves.hpp"

#include <algorithm>

#include "forces/point_load.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {

int tank_index(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.tanks().size(); ++i) {
    if (model.tanks()[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

ThrusterValves::ThrusterValves(const std::string& owner, const Model& model,
                               std::vector<Thruster> thrusters,
                               const ThrusterModulation& modulation)
    : thrusters_(std::move(thrusters)), modulation_(modulation) {
  if (thrusters_.empty()) throw DomainError(owner + "it has no thrusters");
  check_modulation(owner, modulation_);
  for (std::size_t i = 0; i < thrusters_.size(); ++i) {
    const Thruster& thruster = thrusters_[i];
    if (thruster.at.body < 0 || thruster.at.body >= model.body_count()) {
      throw DomainError(owner + '\'' + thruster.name + "' is on no body of the model");
    }
    if (!modulation_.acts() && !opens(thruster)) {
      throw DomainError(owner + "thruster '" + thruster.name +
                        "' has a minimum on-time, a delay or a rise or fall time, but is opened "
                        "continuously");
    }
    if (modulation_.acts() && !opens(thruster, modulation_)) {
      throw DomainError(owner + "thruster '" + thruster.name +
                        "' has a minimum on-time or a delay beyond the period of its modulation");
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (thrusters_[j].name != thruster.name) continue;
      throw DomainError(owner + '\'' + thruster.name + "' is named twice");
    }
  }
}

bool ThrusterValves::opens(const Thruster& thruster) {
  return thruster.drive.minimum_on_time == 0.0 && thruster.drive.delay == 0.0 &&
         !thruster.drive.ramps();
}

bool ThrusterValves::opens(const Thruster& thruster, const ThrusterModulation& modulation) {
  const bool switches = modulation.type == ThrusterModulation::Type::schmitt;
  return thruster.drive.delay < modulation.period &&
         (switches || thruster.drive.minimum_on_time <= modulation.period);
}

bool ThrusterValves::ramps() const {
  return std::any_of(thrusters_.begin(), thrusters_.end(),
                     [](const Thruster& thruster) { return thruster.drive.ramps(); });
}

void ThrusterValves::openings(const ValveMemory& memory, ConstVectorRef valves, double time,
                              VectorRef openings) const {
  for (int i = 0; i < size(); ++i) {
    openings(i) = thrust_level(thrusters_[static_cast<std::size_t>(i)].drive, valves(i),
                               memory.settles(i), time);
  }
}

void ThrusterValves::opening_rates(const ValveMemory& memory, ConstVectorRef valves,
                                   VectorRef rates) const {
  for (int i = 0; i < size(); ++i) {
    rates(i) =
        thrust_slope(thrusters_[static_cast<std::size_t>(i)].drive, valves(i), memory.settles(i));
  }
}

Vector3 ThrusterValves::force(const EvaluationContext& context, int thruster) const {
  const Thruster& jet = thrusters_[static_cast<std::size_t>(thruster)];
  return jet.drive.force * (frame_orientation(context.frames, jet.at) * jet.drive.direction);
}

void ThrusterValves::apply(const EvaluationContext& context, ConstVectorRef openings,
                           Loads& loads) const {
  for (int i = 0; i < size(); ++i) {
    const Frame& at = thrusters_[static_cast<std::size_t>(i)].at;
    add_at(at, context, openings(i) * force(context, i), Vector3::Zero(), loads);
  }
}

void ThrusterValves::flow(ConstVectorRef openings, VectorRef rates) const {
  for (int i = 0; i < size(); ++i) {
    const ThrusterDrive& drive = thrusters_[static_cast<std::size_t>(i)].drive;
    rates(i) = drive.force * openings(i) / (drive.specific_impulse * kStandardGravity);
  }
}

void ThrusterValves::append_outputs(std::vector<ActuatorOutput>& outputs) const {
  for (int i = 0; i < size(); ++i) {
    const Thruster& thruster = thrusters_[static_cast<std::size_t>(i)];
    outputs.push_back(
        {thruster.name, kThrustQuantity,
         [force = thruster.drive.force, i](const EvaluationContext&, ConstVectorRef command) {
           return force * command(i);
         }});
  }
}

}  // namespace spacedyn
