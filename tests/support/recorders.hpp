/// @file
/// Runs without outputs, runs that stop, and options of integrators in short.
#pragma once

#include "spacedyn/integration/trajectory.hpp"

namespace spacedyn::testing {

/// Keeps every output, and may stop the run after the step that passes a time.
class StoppedTrajectory : public Trajectory {
 public:
  bool on_step(double time, const IntegratorStatistics& statistics) override {
    return Trajectory::on_step(time, statistics) && time < stop_at;
  }

  double stop_at = std::numeric_limits<double>::infinity();
};

/// Runs from a state to a time without outputs in between.
inline SimulationResult simulate(const SimulationSetup& setup, const State& initial,
                                 double duration) {
  SimulationObserver observer;
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
