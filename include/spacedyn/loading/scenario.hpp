/// @file
/// A scenario as read from a file: a robot, what happens to it, and what to record.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/analysis/equilibrium.hpp"
#include "spacedyn/diagnostics.hpp"
#include "spacedyn/integration/trajectory.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/recording/modal_rates.hpp"
#include "spacedyn/recording/result_format.hpp"

namespace spacedyn {

/// Limits that a run must keep; exceeding one fails the scenario.
struct ScenarioChecks {
  std::optional<double> momentum_drift;
  std::optional<double> energy_residual;
  std::optional<double> attitude_error;
};

/// A validated scenario, ready to be simulated.
struct Scenario {
  std::string name;
  Notes notes;
  std::string file;        ///< path it was read from, may be empty
  std::string model_file;  ///< path of its model, empty for an inline one
  SimulationSetup setup;
  State initial;
  double duration = 0.0;         ///< s
  double output_interval = 0.0;  ///< s
  std::vector<Channel> channels;
  ResultFormat format = ResultFormat::hdf5;
  ScenarioChecks checks;
  std::optional<Equilibrium> equilibrium;  ///< in which it starts, where the file asks for one
  std::vector<ModalAppendage> modal_appendages;  ///< of the model
  std::vector<Diagnostic> warnings;
  std::vector<Diagnostic> remarks;  ///< notes on what overrides have left out of the file
  std::map<std::string, std::string> sources;  ///< text of every file read, by path
  /// What stands under each key of `scenario:`, overrides included, comments and layout not; equal
  /// texts mean equal runs of equal models. Without name, model, description and source.
  std::map<std::string, std::string> sections;
};

/// Runs a scenario and keeps its outputs in memory; no files are written.
/// @throws as Simulator and Simulator::run()
inline Trajectory simulate(const Scenario& scenario) {
  return simulate(scenario.setup, scenario.initial, scenario.duration, scenario.output_interval);
}

}  // namespace spacedyn
