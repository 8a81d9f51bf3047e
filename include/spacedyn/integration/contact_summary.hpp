/// @file
/// What became of each contact in a run.
#pragma once

#include <string>

#include "spacedyn/export.hpp"

namespace spacedyn {

/// One contact from the start to the end of a run.
struct ContactSummary {
  std::string name;
  long count = 0;              ///< how often it began; one that holds at the start counts
  double first = 0.0;          ///< s, when it began first; only if count > 0
  double last = 0.0;           ///< s, when it ended last, or the end of the run while it holds
  double largest_force = 0.0;  ///< of the normal force, summed over its points, N
  double impulse = 0.0;        ///< ∫ normal force dt, N s
  double friction_work = 0.0;  ///< of friction on the bodies, J, not positive
  bool is_rigid = false;
  double energy_lost = 0.0;  ///< of a rigid contact: in its impacts, friction included, J
  double residual = 0.0;     ///< likewise: the largest violation of its conditions, m/s: of impacts
                             ///< by their equations, of velocities in between
};

}  // namespace spacedyn
