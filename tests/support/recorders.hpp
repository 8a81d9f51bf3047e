/// @file
/// Observers that keep what a simulation hands out.
#pragma once

#include <vector>

#include "spacedyn/integration/simulator.hpp"

namespace spacedyn::testing {

/// One output, copied.
struct Sample {
  double time;
  State state;
  VectorX acceleration, forces;
  Momentum momentum;
  Energy energy;
  AuditIntegrals integrals;
};

/// Keeps every output; on_step may be told to stop the run.
class Trajectory : public SimulationObserver {
 public:
  void on_output(const SimulationPoint& point) override {
    samples.push_back({point.time, point.state, point.acceleration, point.forces, point.momentum,
                       point.energy, point.integrals});
  }
  bool on_step(double time, const IntegratorStatistics&) override {
    step_times.push_back(time);
    return time < stop_at;
  }

  std::vector<Sample> samples;
  std::vector<double> step_times;
  double stop_at = std::numeric_limits<double>::infinity();
};

/// For runs whose result is all that matters.
class NoObserver final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint&) override {}
};

/// Runs from a state to a time without outputs in between.
inline SimulationResult simulate(const SimulationSetup& setup, const State& initial,
                                 double duration) {
  NoObserver observer;
  return Simulator(setup).run(initial, duration, duration, observer);
}

/// An adaptive method at one number for all tolerances.
inline IntegratorOptions adaptive(IntegrationMethod method, double tolerance) {
  IntegratorOptions options;
  options.method = method;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = {tolerance, tolerance, tolerance, tolerance,
                                tolerance, tolerance, tolerance};
  return options;
}

inline IntegratorOptions dopri5(double tolerance) {
  return adaptive(IntegrationMethod::dopri5, tolerance);
}

/// Steps of one size; those of adaptive methods are accepted whatever their error.
inline IntegratorOptions fixed_step(IntegrationMethod method, double step) {
  IntegratorOptions options;
  options.method = method;
  options.step = step;
  if (!is_adaptive(method)) return options;
  options.absolute_tolerance = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9};
  options.max_step = step;
  return options;
}

inline IntegratorOptions rk4(double step) { return fixed_step(IntegrationMethod::rk4, step); }

}  // namespace spacedyn::testing
