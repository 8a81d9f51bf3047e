/// @file
/// Runs that are kept in memory.
#pragma once

#include <vector>

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn {

/// One output of a run, copied from its SimulationPoint.
struct TrajectoryPoint {
  double time;           ///< s
  State state;           ///< positions and velocities
  VectorX acceleration;  ///< u̇, size 6 + n
  VectorX forces;        ///< base wrench and joint torques, size 6 + n
  Momentum momentum;
  Energy energy;
  AuditIntegrals integrals;  ///< work put in, energy dissipated, impulses
};

/// An observer that keeps every output of a run, and when its steps ended.
///
/// It appends: one object may watch a run and its continuation.
class SPACEDYN_EXPORT Trajectory : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override;
  bool on_step(double time, const IntegratorStatistics& statistics) override;

  std::vector<TrajectoryPoint> points;  ///< by ascending time
  std::vector<double> step_times;       ///< ends of the accepted steps, s
  SimulationResult result;              ///< how the run ended; of simulate() only
};

/// Runs a set-up from t = 0 and keeps its outputs.
/// @param output_interval  s, positive; the end is always an output, too
/// @throws as Simulator and Simulator::run()
SPACEDYN_EXPORT Trajectory simulate(const SimulationSetup& setup, const State& initial,
                                    double duration, double output_interval);

}  // namespace spacedyn
