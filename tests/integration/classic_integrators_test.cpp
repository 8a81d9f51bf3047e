// The integrators of the original family: its own numbers for one step, and observed orders.
#include <cmath>

#include "integration/reference_flight.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::classic_integrators_test {
namespace {

class OneStep : public ::testing::TestWithParam<std::string> {
 protected:
  /// Largest difference of one step to the original's, constant loads held over it.
  static double difference(IntegrationMethod method, const char* original) {
    double worst = 0.0;
    const auto model =
        std::make_shared<const Model>(reference_model(reference(GetParam()).at("model")));
    for (const nlohmann::json& entry : reference(GetParam()).at("states")) {
      const ReferenceInputs inputs = reference_inputs(*model, entry.at("inputs"));
      const nlohmann::json& expected = entry.at("one_step").at(original);
      const double dt = entry.at("one_step").at("dt").get<double>();
      SimulationSetup setup;
      setup.model = model;
      setup.gravity = inputs.loads.gravity;
      setup.integrator = fixed_step(method, dt);
      setup.forces = {held_loads(*model, entry.at("inputs"), inputs)};
      const State end = simulate(setup, inputs.state, dt).state;
      worst = std::max({worst, relative_difference(end.r_0, vector3_of(expected.at("R0"))),
                        relative_difference(end.A_0, matrix_of(expected.at("A0"))),
                        relative_difference(end.v_0, vector3_of(expected.at("v0"))),
                        relative_difference(end.omega_0, vector3_of(expected.at("w0"))),
                        relative_difference(end.q, vector_of(expected.at("q"))),
                        relative_difference(end.qd, vector_of(expected.at("qd")))});
    }
    return worst;
  }

 private:
  /// Constant torques and base wrench; endpoint wrenches constant in inertial axes, at the moving
  /// endpoints.
  static std::shared_ptr<const ForceElement> held_loads(const Model& model,
                                                        const nlohmann::json& inputs,
                                                        const ReferenceInputs& given) {
    return std::make_shared<FunctionForce>(
        "held", [&model, inputs, given](const EvaluationContext& now, Loads& loads) {
          loads.F_b += given.loads.F_b;
          loads.tau += given.loads.tau;
          for (const Frame& frame : model.frames()) {
            const auto i = static_cast<std::size_t>(frame.body);
            loads.add_wrench(frame.body, now.frames.r[i], frame_position(now.frames, frame),
                             vector3_of(inputs.at("Fe").at(i - 1)),
                             vector3_of(inputs.at("Te").at(i - 1)));
          }
        });
  }
};

constexpr double kRounding = 1e-12;

TEST_P(OneStep, ByQuaternions) {
  EXPECT_LE(difference(IntegrationMethod::rk4_quaternion, "f_dyn_rk2"), kRounding);
}

TEST_P(OneStep, ByRodrigues) {
  EXPECT_LE(difference(IntegrationMethod::euler_rodrigues, "int_eu2"), kRounding);
}

INSTANTIATE_TEST_SUITE_P(Reference, OneStep, ::testing::ValuesIn(reference_names()),
                         [](const auto& instance) { return instance.param; });

struct ObservedOrder {
  IntegrationMethod method;
  double order;
  double coarsest_step;  // in the range where the error follows the order
  double gamma = 0.5;
};

class ClassicOrder : public ::testing::TestWithParam<ObservedOrder> {
 protected:
  /// A tumbling base with moving joints under a wrench that follows a frame.
  static State fly(const IntegratorOptions& integrator) {
    RandomModels random(5);
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(random.model(TreeShape{6, 2, 0.3, true}));
    const State initial = random.state(*setup.model);
    const Frame hand = setup.model->frame("hand");
    setup.integrator = integrator;
    setup.forces = {
        std::make_shared<FunctionForce>("push", [hand](const EvaluationContext& now, Loads& loads) {
          loads.add_wrench(hand.body, now.frames.r[static_cast<std::size_t>(hand.body)],
                           frame_position(now.frames, hand), Vector3(std::sin(now.time), 0.3, 0.0),
                           Vector3::Zero());
          loads.tau -= now.state.q;
        })};
    return simulate(setup, initial, 0.5).state;
  }

  static double distance(const State& a, const State& b) {
    return std::max({(a.r_0 - b.r_0).norm(), (a.A_0 - b.A_0).norm(), (a.q - b.q).norm(),
                     (a.velocity() - b.velocity()).norm()});
  }
};

TEST_P(ClassicOrder, IsObserved) {
  const State exact = fly(dopri5(1e-13));

  // best fit of log error against log step over five halvings
  constexpr int kPoints = 5;
  double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (int i = 0; i < kPoints; ++i) {
    IntegratorOptions options =
        fixed_step(GetParam().method, GetParam().coarsest_step * std::pow(0.5, i));
    options.newmark_gamma = GetParam().gamma;
    const double x = std::log(options.step);
    const double y = std::log(distance(fly(options), exact));
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  const double slope = (kPoints * sum_xy - sum_x * sum_y) / (kPoints * sum_xx - sum_x * sum_x);
  EXPECT_NEAR(slope, GetParam().order, 0.1);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ClassicOrder,
    ::testing::Values(ObservedOrder{IntegrationMethod::euler_rodrigues, 1.0, 1e-3},
                      ObservedOrder{IntegrationMethod::rk4_quaternion, 4.0, 1.0 / 64.0},
                      ObservedOrder{IntegrationMethod::simpson, 3.0, 1.0 / 128.0},
                      ObservedOrder{IntegrationMethod::newmark, 2.0, 1.0 / 128.0},
                      ObservedOrder{IntegrationMethod::newmark, 1.0, 1.0 / 512.0, 0.7}),
    [](const auto& instance) {
      return std::string(to_string(instance.param.method)) +
             (instance.param.gamma == 0.5 ? "" : "_damped");
    });

/// A base on a spring far stiffer than the step resolves: explicit methods blow up, Newmark's
/// average acceleration keeps the amplitude because its energy error vanishes for linear springs.
TEST(Newmark, KeepsTheEnergyOfASpringItDoesNotResolve) {
  const auto model =
      std::make_shared<const Model>(reference_model(reference("single_body").at("model")));
  constexpr double kFrequency = 100.0, kStep = 0.1;  // rad/s, s: ten radians a step
  SimulationSetup setup;
  setup.model = model;
  setup.forces = {
      std::make_shared<FunctionForce>("spring", [](const EvaluationContext& now, Loads& loads) {
        loads.F_b.head<3>() -= now.model.total_mass() * kFrequency * kFrequency * now.state.r_0;
      })};
  setup.integrator = fixed_step(IntegrationMethod::newmark, kStep);
  State initial(*model);
  initial.r_0.x() = 0.01;
  const State end = simulate(setup, initial, 100.0).state;
  const double energy = end.v_0.squaredNorm() + std::pow(kFrequency, 2) * end.r_0.squaredNorm();
  // a thousand steps, each solved to 1e-13
  EXPECT_NEAR(energy, std::pow(kFrequency * 0.01, 2), 1e-9);
}

TEST(ClassicIntegrators, AFixedBaseAndImposedJointsStay) {
  for (const IntegrationMethod method : all_integration_methods()) {
    RandomModels random(6);
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(random.model(TreeShape{4, 1, 0.0, true}));
    setup.base_mode = BaseMode::fixed;
    setup.gravity = Vector3(0.0, 0.0, -1.0);
    setup.integrator.method = method;
    if (!is_adaptive(method)) setup.integrator.step = 0.01;
    State initial = random.state(*setup.model);
    initial.v_0.setZero();
    initial.omega_0.setZero();
    const State end = simulate(setup, initial, 0.2).state;
    EXPECT_EQ(end.r_0, initial.r_0) << to_string(method);
    EXPECT_LE((end.A_0 - initial.A_0).norm(), 1e-15) << to_string(method);
    EXPECT_GT((end.q - initial.q).norm(), 1e-2) << to_string(method);
  }
}

TEST(ClassicIntegrators, RefuseOptionsThatMakeNoSense) {
  const auto message = [](const IntegratorOptions& options) -> std::string {
    SimulationSetup setup;
    setup.model =
        std::make_shared<const Model>(reference_model(reference("single_body").at("model")));
    setup.integrator = options;
    try {
      const Simulator simulator(setup);
    } catch (const DomainError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(fixed_step(IntegrationMethod::simpson, 0.0)),
            "simpson needs a positive, finite step");
  IntegratorOptions options = fixed_step(IntegrationMethod::newmark, 0.1);
  options.max_step = 1.0;
  EXPECT_EQ(message(options), "max_step belongs to adaptive methods; newmark has a step");
  options = fixed_step(IntegrationMethod::newmark, 0.1);
  options.newmark_beta = 0.6;
  EXPECT_EQ(message(options), "newmark_beta must lie between 0 and 1/2");
  options.newmark_beta = 0.25;
  options.newmark_gamma = 0.4;
  EXPECT_EQ(message(options), "newmark_gamma must lie between 1/2 and 1");
}

}  // namespace
}  // namespace spacedyn::testing::classic_integrators_test
