/// @file
/// What a run needs to be continued later as if it had never stopped.
#pragma once

#include <string>

#include "spacedyn/integration/options.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// A run between two steps.
struct Checkpoint {
  double time = 0.0;  ///< s
  State state;        ///< there; the last good one of a run that failed
  long outputs = 0;   ///< points that the observer has been given until then
  IntegratorStatistics statistics;
  std::string memory;  ///< of integrator, controllers, events and audit: for this very version of
                       ///< the library on this kind of machine
};

}  // namespace spacedyn
