/// @file
/// A finished run with made-up numbers.
#pragma once

#include "spacedyn/math/rotations.hpp"
#include "spacedyn/reporting/run_record.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing {

inline RunRecord example_record() {
  RunRecord record;
  record.scenario = "slew";
  record.model = std::make_shared<const Model>(one_link());
  record.duration = 20.0;
  record.output_interval = 0.5;
  record.sources = {{"slew.yaml", "spacedyn: 1\n"}, {"robot.yaml", "name: \"\xff\"\n"}};
  record.overrides = {{"duration", "20"}};
  record.columns = {{"time_s", "s"}, {"base_quaternion_w", ""}};
  record.started = "2024-06-11T08:00:00Z";
  return record;
}

/// The same after the run.
inline RunRecord finished_record() {
  RunRecord record = example_record();
  record.status = RunStatus::complete;
  record.time = 20.0;
  record.wall_seconds = 0.5;
  record.statistics = {120, 3, 740};
  record.files = {"results/slew/slew.csv", "results/slew/slew.meta.json"};
  SimulationResult result;
  result.time = 20.0;
  result.state = State(*record.model);
  result.state.r_0 = {1.0, 2.0, 3.0};
  result.state.A_0 = rotation_z(0.5);
  result.state.q << 0.25;
  result.state.qd << -0.125;
  result.initial_momentum.linear = {1.0, 0.0, 0.0};
  result.final_momentum.linear = {1.5, 0.0, 0.0};
  result.final_momentum.angular_base = {0.0, 7.0, 0.0};
  result.initial_energy.kinetic = 2.0;
  result.final_energy.kinetic = 2.0;
  result.final_energy.gravity = -0.5;
  MomentumScale scale;
  scale.linear = 2.0;
  scale.angular = 4.0;
  result.audit.update(result.initial_momentum, scale, result.initial_energy, {});
  result.audit.update(result.final_momentum, scale, result.final_energy, {});
  record.result = result;
  record.checks = {{"momentum_drift", 0.25, 1e-9}, {"energy_residual", 1e-12, 1e-8}};
  return record;
}

}  // namespace spacedyn::testing
