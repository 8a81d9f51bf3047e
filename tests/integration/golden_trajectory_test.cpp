#include "spacedyn/control/function_controller.hpp"
#include "support/recorders.hpp"
#include "support/reference_data.hpp"

namespace spacedyn {
namespace {

using testing::reference;
using testing::relative_difference;
using testing::vector3_of;
using testing::vector_of;

/// The torque law of a reference trajectory, evaluated at the start of each step and held.
std::shared_ptr<const Controller> torque_law(const Model& model, const nlohmann::json& trajectory) {
  const nlohmann::json& law = trajectory.at("torque_law");
  const VectorX constant = vector_of(law.at("tau_const"));
  const VectorX K = vector_of(law.at("Kp"));
  const VectorX D = vector_of(law.at("Kd"));
  const VectorX desired = vector_of(law.at("q_des"));
  return std::make_shared<FunctionController>(
      "law", model.joint_count(),
      [=](const Situation& now, VectorRef tau) {
        for (Eigen::Index i = 0; i < tau.size(); ++i) {
          tau(i) = constant(i) + K(i) * (desired(i) - now.state.q(i)) - D(i) * now.state.qd(i);
        }
      },
      trajectory.at("dt").get<double>());
}

State start_state(const Model& model, const nlohmann::json& sample) {
  State state(model);
  state.r_0 = vector3_of(sample.at("R0"));
  state.A_0 = testing::matrix_of(sample.at("A0"));
  state.v_0 = vector3_of(sample.at("v0"));
  state.omega_0 = vector3_of(sample.at("w0"));
  state.q = vector_of(sample.at("q"));
  state.qd = vector_of(sample.at("qd"));
  return state;
}

class GoldenTrajectory : public ::testing::TestWithParam<std::string> {};

/// The original integrates a quaternion where this library integrates a rotation vector, both by
/// the same Runge–Kutta method, so they differ by truncation and rounding.
TEST_P(GoldenTrajectory, IsReproducedByRk4WithTheSameStep) {
  const nlohmann::json& trajectory = reference(GetParam()).at("trajectory");
  const auto model =
      std::make_shared<const Model>(testing::reference_model(reference(GetParam()).at("model")));
  const nlohmann::json& samples = trajectory.at("samples");
  const double dt = trajectory.at("dt").get<double>();
  const double tolerance = GetParam() == "flexible_paddles" ? 1e-8 : 1e-10;

  SimulationSetup setup;
  setup.model = model;
  setup.integrator = testing::rk4(dt);
  setup.controllers = {torque_law(*model, trajectory)};
  testing::Trajectory actual;
  const SimulationResult result = Simulator(setup).run(
      start_state(*model, samples.front()), trajectory.at("steps").get<double>() * dt,
      trajectory.at("sample_every").get<double>() * dt, actual);

  ASSERT_EQ(actual.samples.size(), samples.size());
  EXPECT_EQ(result.statistics.steps, trajectory.at("steps").get<long>());
  double worst = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const State& state = actual.samples[i].state;
    const nlohmann::json& expected = samples[i];
    for (const double difference :
         {relative_difference(state.r_0, vector3_of(expected.at("R0"))),
          relative_difference(state.A_0, testing::matrix_of(expected.at("A0"))),
          relative_difference(state.v_0, vector3_of(expected.at("v0"))),
          relative_difference(state.omega_0, vector3_of(expected.at("w0"))),
          relative_difference(state.q, vector_of(expected.at("q"))),
          relative_difference(state.qd, vector_of(expected.at("qd"))),
          relative_difference(actual.samples[i].forces.tail(model->joint_count()),
                              vector_of(expected.at("tau"))),
          std::abs(actual.samples[i].energy.kinetic - expected.at("kinetic_energy").get<double>()) /
              std::max(1.0, expected.at("kinetic_energy").get<double>())}) {
      worst = std::max(worst, difference);
    }
  }
  RecordProperty("worst_relative_difference", std::to_string(worst));
  EXPECT_LT(worst, tolerance);
}

INSTANTIATE_TEST_SUITE_P(Reference, GoldenTrajectory,
                         ::testing::ValuesIn(testing::reference_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
}  // namespace spacedyn
