/// @file
/// Outputs of a motion that something else integrates.
#pragma once

#include <vector>

#include "integration/equations/equations_of_motion.hpp"
#include "integration/equations/projection.hpp"

namespace spacedyn {

/// Hands out states of a motion as a run does: momentum, energy, accelerations and forces are those
/// of the equations of motion, and the centroid is kept on its path. Integrals of the audit are
/// zero and there are no energies of sources, for they need all that lies between.
class GivenMotion {
 public:
  /// @param setup  whose loads depend on time and state alone: no events, nothing that samples and
  ///               nothing that is held or has states of its own; must outlive this object
  /// @throws DomainError, DimensionError as Simulator and Simulator::run()
  GivenMotion(const SimulationSetup& setup, const State& initial);

  /// @throws NumericalError if the equations have no solution there
  void hand_out(double time, const State& state, SimulationObserver& observer);

 private:
  [[noreturn]] void fail_at(double time) const;

  EquationsOfMotion equations_;
  CentroidPath centroid_path_;
  VectorX x_;
};

}  // namespace spacedyn
