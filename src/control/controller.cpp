#include "spacedyn/control/controller.hpp"

#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

void Controller::declare(Declarations& declared) const {
  if (nozzles() == nullptr) return;
  for (const Thruster& thruster : nozzles()->thrusters()) {
    declared.tanks.push_back(thruster.drive.tank);
  }
}

bool Controller::differentiate(const EvaluationContext&, ConstVectorRef, CommandMode,
                               LoadDerivatives&) const {
  return false;
}

}  // namespace spacedyn
