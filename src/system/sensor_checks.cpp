#include "system/sensor_checks.hpp"

#include <algorithm>

#include "spacedyn/error.hpp"
#include "spacedyn/sensing/measurement.hpp"

namespace spacedyn {
namespace {

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
    if (can_stand_for_truth(named->type)) continue;
    throw DomainError(owner + "a reading of " + std::string(to_string(named->type)) + " '" + name +
                      "' cannot stand in place of the truth");
  }
}

}  // namespace

void check_sensors(const ForcedSystem& system) {
  for (std::size_t i = 0; i < system.sensors.size(); ++i) {
    const Sensor& sensor = system.sensors[i];
    check_sensor(sensor, *system.model);
    for (std::size_t j = 0; j < i; ++j) {
      if (system.sensors[j].name != sensor.name) continue;
      throw DomainError("two sensors are named '" + sensor.name + '\'');
    }
  }
  for (const auto& controller : system.controllers) check_taken(system, *controller);
}

}  // namespace spacedyn
