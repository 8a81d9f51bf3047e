// Whether controllers can be sampled and drive their joints side by side.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integration/run/setup_checks.hpp"
#include "spacedyn/error.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {
namespace {

void check_digitization(const Controller& controller) {
  const Digitization digital = controller.digitization();
  if (digital.is_ideal()) return;
  if (controller.sample_period() == 0.0) {
    throw DomainError(
        fmt::format("delay and resolutions of '{}' need a sample period", controller.name()));
  }
  for (const double value : {digital.delay, digital.position_resolution,
                             digital.velocity_resolution, digital.command_resolution}) {
    if (value >= 0.0 && std::isfinite(value)) continue;
    throw DomainError(fmt::format("delay and resolutions of '{}' must be finite and not negative",
                                  controller.name()));
  }
  if (controller.digitization().delay <= 1000.0 * controller.sample_period()) return;
  throw DomainError(
      fmt::format("the delay of '{}' is longer than 1000 sample periods", controller.name()));
}

void check_sample_periods(const SimulationSetup& setup) {
  for (const auto& controller : setup.controllers) {
    const double period = controller->sample_period();
    if (!(period >= 0.0) || !std::isfinite(period)) {
      throw DomainError(fmt::format("the sample period of '{}' must be finite and not negative",
                                    controller->name()));
    }
    check_digitization(*controller);
  }
}

/// Whether events turn a controller on or off.
bool is_switched(const SimulationSetup& setup, const Controller& controller) {
  return std::any_of(setup.events.begin(), setup.events.end(), [&](const Event& event) {
    return std::any_of(event.actions.begin(), event.actions.end(), [&](const EventAction& action) {
      const auto* turns = std::get_if<SwitchAction>(&action);
      return turns != nullptr && turns->controller == controller.name();
    });
  });
}

/// A joint that one of two controllers drives alone, and the other, too; 0: none.
int contested_joint(const Controller& one, const Controller& other) {
  const DrivenJoints own = one.driven_joints(), others = other.driven_joints();
  if (!own.alone && !others.alone) return 0;
  const auto contested = std::find_first_of(own.joints.begin(), own.joints.end(),
                                            others.joints.begin(), others.joints.end());
  return contested == own.joints.end() ? 0 : *contested;
}

void check_drivers(const SimulationSetup& setup) {
  for (std::size_t i = 0; i < setup.controllers.size(); ++i) {
    const Controller& one = *setup.controllers[i];
    for (std::size_t j = i + 1; j < setup.controllers.size(); ++j) {
      const Controller& other = *setup.controllers[j];
      const int joint = contested_joint(one, other);
      if (joint == 0 || is_switched(setup, one) || is_switched(setup, other)) continue;
      throw DomainError(
          fmt::format("'{}' and '{}' both drive joint '{}': controllers that events turn on and "
                      "off may share it",
                      one.name(), other.name(), setup.model->joint(joint).name));
    }
  }
}

}  // namespace

void check_controllers(const SimulationSetup& setup) {
  check_sample_periods(setup);
  check_drivers(setup);
}

// What systems whose tanks empty cannot do.

void check_tanks(const SimulationSetup& setup) {
  if (!draws_from_tanks(setup)) return;
  const IntegrationMethod method = setup.integrator.method;
  if (method == IntegrationMethod::rodas || method == IntegrationMethod::newmark ||
      method == IntegrationMethod::variational) {
    throw DomainError(
        fmt::format("{} cannot let tanks empty; thrusters that draw from tanks need another method",
                    method_traits(method).name));
  }
  if (setup.integrator.project_momentum) {
    throw DomainError("project_momentum cannot be used where tanks empty");
  }
  if (setup.base_mode == BaseMode::floating) return;
  for (const Tank& tank : setup.model->tanks()) {
    if (tank.body != 0) continue;
    throw DomainError(fmt::format(
        "tank '{}' is on a base that is held or moved, where it cannot empty", tank.name));
  }
}

}  // namespace spacedyn
