/// @file
/// The flights of the reference data, flown by the Simulator.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "spacedyn/control/function_controller.hpp"
#include "support/recorders.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing {

/// The torque law of a reference trajectory, evaluated at the start of each step and held.
inline std::shared_ptr<const Controller> torque_law(const Model& model,
                                                    const nlohmann::json& trajectory) {
  const nlohmann::json& law = trajectory.at("torque_law");
  const VectorX constant = vector_of(law.at("tau_const"));
  const VectorX K = vector_of(law.at("Kp"));
  const VectorX D = vector_of(law.at("Kd"));
  const VectorX desired = vector_of(law.at("q_des"));
  return std::make_shared<FunctionController>(
      "law", model.joint_count(),
      [=](const EvaluationContext& now, VectorRef tau) {
        for (Eigen::Index i = 0; i < tau.size(); ++i) {
          tau(i) = constant(i) + K(i) * (desired(i) - now.state.q(i)) - D(i) * now.state.qd(i);
        }
      },
      trajectory.at("dt").get<double>());
}

inline State start_state(const Model& model, const nlohmann::json& sample) {
  State state(model);
  state.r_0 = vector3_of(sample.at("R0"));
  state.A_0 = matrix_of(sample.at("A0"));
  state.v_0 = vector3_of(sample.at("v0"));
  state.omega_0 = vector3_of(sample.at("w0"));
  state.q = vector_of(sample.at("q"));
  state.qd = vector_of(sample.at("qd"));
  return state;
}

/// Flies a reference trajectory with a method and returns the worst relative difference to it.
inline double worst_difference(const std::string& name, const IntegratorOptions& integrator) {
  const nlohmann::json& trajectory = reference(name).at("trajectory");
  const auto model = std::make_shared<const Model>(reference_model(reference(name).at("model")));
  const nlohmann::json& samples = trajectory.at("samples");
  const double dt = trajectory.at("dt").get<double>();

  SimulationSetup setup;
  setup.model = model;
  setup.integrator = integrator;
  setup.controllers = {torque_law(*model, trajectory)};
  Trajectory actual;
  const SimulationResult result = Simulator(setup).run(
      start_state(*model, samples.front()), trajectory.at("steps").get<double>() * dt,
      trajectory.at("sample_every").get<double>() * dt, actual);
  EXPECT_EQ(result.statistics.steps, trajectory.at("steps").get<long>());
  EXPECT_EQ(actual.points.size(), samples.size());

  double worst = 0.0;
  for (std::size_t i = 0; i < std::min(samples.size(), actual.points.size()); ++i) {
    const State& state = actual.points[i].state;
    const nlohmann::json& expected = samples[i];
    const double energy = expected.at("kinetic_energy").get<double>();
    worst = std::max({worst, relative_difference(state.r_0, vector3_of(expected.at("R0"))),
                      relative_difference(state.A_0, matrix_of(expected.at("A0"))),
                      relative_difference(state.v_0, vector3_of(expected.at("v0"))),
                      relative_difference(state.omega_0, vector3_of(expected.at("w0"))),
                      relative_difference(state.q, vector_of(expected.at("q"))),
                      relative_difference(state.qd, vector_of(expected.at("qd"))),
                      relative_difference(actual.points[i].forces.tail(model->joint_count()),
                                          vector_of(expected.at("tau"))),
                      std::abs(actual.points[i].energy.kinetic - energy) / std::max(1.0, energy)});
  }
  return worst;
}

}  // namespace spacedyn::testing
