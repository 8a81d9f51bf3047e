// What systems whose tanks empty cannot do.
#include <fmt/format.h>

#include "integration/run/setup_checks.hpp"
#include "spacedyn/error.hpp"
#include "system/propellant_flow.hpp"

namespace spacedyn {

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
