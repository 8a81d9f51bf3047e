/// @file
/// Who puts energy into a system, and what became of it.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"

namespace spacedyn {

struct SimulationSetup;

/// Something that puts energy into a system or takes it out.
struct EnergySource {
  enum class Kind {
    force,       ///< a force element, the springs and the dry friction of the joints included
    controller,  ///< stores and dissipates nothing
    motion,      ///< what drives prescribed coordinates; stores and dissipates nothing
    events       ///< impulses put in, bounces and locks dissipate
  };
  std::string name;
  Kind kind;
};

/// The sources of a set-up in the order of SimulationPoint::sources: `passive_joints` if the joints
/// have springs, dampers or drive trains, the forces, `dry_friction` of the joints, the
/// controllers, `reaction_wheels`, `prescribed_motion` and `events`, where there are any.
/// @pre the set-up has a model
SPACEDYN_EXPORT std::vector<EnergySource> energy_sources(const SimulationSetup& setup);

/// What one source has done since the start. Work and dissipation of all sources add up to those of
/// AuditIntegrals, stored energies to Energy::elastic.
struct SourceEnergy {
  double work = 0.0;        ///< put in, J: ∫ (power of its loads + dV/dt + dissipated power) dt
  double dissipated = 0.0;  ///< J
  double stored = 0.0;      ///< V, holds now, J
};

/// One line of the energy budget of a run: `start` holds what it stored then.
struct SourceBudget {
  std::string name;
  SourceEnergy start, end;
};

}  // namespace spacedyn
