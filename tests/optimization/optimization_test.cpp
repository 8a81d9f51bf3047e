// What optimizations find, against closed forms, and how they end.
#include "optimization/small_optimization.hpp"

#include <gmock/gmock.h>

#include "spacedyn/integration/sensitivities.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/message_of.hpp"

namespace spacedyn::optimization_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kEffort;
using testing::kKnots;
using testing::kRestToRest;
using testing::message_of;
using testing::OptimizationFolder;

constexpr double kMass = 2.0, kTime = 4.0, kLength = 1.0;

TEST(Optimization, FindsTheLeastEffortOfADoubleIntegrator) {
  const OptimizationResult result = OptimizationFolder().run();
  EXPECT_TRUE(result.converged) << result.message;
  // rows 20 ms apart and their trapezoids: 2e-5 of the integral
  const double effort = std::sqrt(12.0 * kMass * kMass * kLength * kLength / std::pow(kTime, 4));
  EXPECT_NEAR(result.best.objective, effort, 1e-4 * effort);
  for (int i = 0; i < 5; ++i) {
    const double expected = 6.0 * kMass * kLength / (kTime * kTime) * (1.0 - 0.5 * i);
    EXPECT_NEAR(result.best.variables(i), expected, 2e-3) << i;
  }
  EXPECT_LT(result.best.violation, 1e-8);
  EXPECT_LT(result.gradient_norm, 1e-3);
}

TEST(Optimization, KeepsBoundsAndInequalities) {
  // the largest force that is allowed is less than the optimum has
  const OptimizationResult result =
      OptimizationFolder(kKnots + kEffort + kRestToRest +
                         "    - {channel: joint_torque, at: max_abs, at_most: 0.6}\n")
          .run();
  EXPECT_LE(result.best.violation, 1e-6);
  EXPECT_GT(result.best.objective, std::sqrt(12.0 * 4.0 / 256.0));
  for (int i = 0; i < 5; ++i) EXPECT_LE(std::abs(result.best.variables(i)), 0.6 + 1e-6) << i;
}

// Each gradient costs one flight in place of ten.
TEST(Optimization, TakesGradientsFromSensitivities) {
  const OptimizationResult result =
      OptimizationFolder(kKnots + kEffort + kRestToRest + "  derivatives: sensitivities\n").run();
  EXPECT_TRUE(result.converged) << result.message;
  EXPECT_EQ(result.derivatives, "sensitivities of flights");
  EXPECT_LT(result.gradient_norm, 1e-3);
  const OptimizationResult other =
      OptimizationFolder(kKnots + kEffort + kRestToRest + "  derivatives: finite_differences\n")
          .run();
  EXPECT_EQ(other.derivatives, "central differences of flights");
  EXPECT_LT((result.best.variables - other.best.variables).norm(), 1e-4);
  EXPECT_LT(result.progress.flights, other.progress.flights / 4);
}

TEST(Optimization, NamesWhatHasNoDerivative) {
  const std::string drift = kKnots + "  minimize: [{summary: energy_residual}]\n";
  const std::string why =
      "the number 'energy_residual' of the summary is not known as a function of states, whose "
      "derivatives there are";
  EXPECT_EQ(message_of<NotDifferentiableError>(
                [&] { OptimizationFolder(drift + "  derivatives: sensitivities\n").run(); }),
            why);
  const OptimizationResult result =
      OptimizationFolder(drift + "  derivatives: automatic\n  max_evaluations: 2\n").run();
  EXPECT_EQ(result.derivatives, "central differences of flights: " + why);
  const std::string length = "  variables: [{key: duration, from: 3, to: 5}]\n" + kEffort;
  EXPECT_EQ(message_of<NotDifferentiableError>(
                [&] { OptimizationFolder(length + "  derivatives: sensitivities\n").run(); }),
            "'duration' decides how long the flight is, or when it is shown");
}

/// Of two variables without constraints: the place at the end, squared about 1, and the effort.
const std::string kTwo = R"(  variables:
    - {key: forces.push.table.torque.0, from: -5, to: 5}
    - {key: forces.push.table.torque.4, from: -5, to: 5}
  minimize: [{channel: joint_torque, at: rms}]
)";

TEST(Optimization, AllMethodsFindTheSameMinimum) {
  const OptimizationResult expected = OptimizationFolder(kTwo).run();
  ASSERT_TRUE(expected.converged) << expected.message;
  for (const char* method : {"mma", "bobyqa", "cmaes"}) {
    const OptimizationResult result = OptimizationFolder(kTwo + "  method: " + method + "\n").run();
    EXPECT_TRUE(result.converged) << method << ": " << result.message;
    EXPECT_NEAR(result.best.objective, expected.best.objective, 1e-6) << method;
    EXPECT_LT((result.best.variables - expected.best.variables).norm(), 1e-2) << method;
  }
}

TEST(Optimization, EvolutionKeepsEquationsToo) {
  const OptimizationResult result = OptimizationFolder(R"(  variables:
    - {key: forces.push.table.torque.0, from: -5, to: 5}
    - {key: forces.push.table.torque.4, from: -5, to: 5}
  minimize: [{channel: joint_torque, at: rms}]
  subject_to: [{channel: joint_velocity, equals: 0}]
  method: cmaes
  tolerance: 1.0e-4
  max_evaluations: 3000
)")
                                        .run();
  EXPECT_LE(result.best.violation, 1e-4);
}

TEST(Optimization, WritesAScenarioWithTheBestValues) {
  const OptimizationFolder folder(kTwo);
  const Optimization optimization = folder.load();
  const OptimizationResult result = run_optimization(optimization);
  const std::vector<std::string> files = write_optimization(folder / ".", optimization, result);
  ASSERT_EQ(files.size(), 5U);
  const Scenario scenario = load_scenario(folder / "study.yaml");
  const Optimization again = OptimizationFolder(kTwo + "  max_evaluations: 1\n").load();
  EXPECT_THAT(testing::read_text(folder / "study.yaml"), HasSubstr("torque: ["));
  EXPECT_EQ(scenario.name, "cart");
  EXPECT_EQ(run_optimization(again).converged, false);
}

TEST(Optimization, ShowsConvergenceAndFlightsBeforeAndAfter) {
  const OptimizationFolder folder;
  const Optimization optimization = folder.load();
  const OptimizationResult result = run_optimization(optimization);
  // torque, position and velocity; what the closed form says at the end of the best one
  ASSERT_EQ(result.curves.size(), 3U);
  EXPECT_EQ(result.curves[1].channel, "joint_position");
  const OptimizationCurve& place = result.curves[1];
  for (const OptimizationCurve::Flight* flight : {&place.start, &place.best}) {
    EXPECT_EQ(flight->times.back(), kTime);
    EXPECT_TRUE(flight->values.allFinite());
  }
  EXPECT_NEAR(place.best.values.tail<1>()(0), kLength, 1e-7);
  EXPECT_NEAR(place.start.values.tail<1>()(0), result.evaluations.front().constraints(0), 1e-9);
  const Eigen::Index middle = place.best.values.size() / 2;
  EXPECT_NEAR(place.best.values(middle), 0.5 * kLength, 2e-3);
  write_optimization(folder / ".", optimization, result);
  const std::string page = testing::read_text(folder / "study.html");
  for (const char* part : {"Optimization study", "forces.push.table.torque.0", "Convergence",
                           "log10 of the largest violation", "joint_velocity [m/s]"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
}

TEST(Optimization, SaysOneLimitWhereAConstraintHasOne) {
  const OptimizationFolder folder(kKnots + kEffort + R"(  subject_to:
    - {name: far, channel: joint_position, at_least: 0.5}
    - {name: slow, channel: joint_velocity, at_most: 0.02}
)");
  const Optimization optimization = folder.load();
  write_optimization(folder / ".", optimization, run_optimization(optimization));
  const std::string page = testing::read_text(folder / "study.html");
  EXPECT_THAT(page, AllOf(HasSubstr("<td>at least 0.5</td>"), HasSubstr("<td>at most 0.02</td>")));
}

// One flight gives both; another one is flown where NLopt asks for derivatives after values.
TEST(Optimization, TakesTheValueOfAPointFromTheFlightOfItsTangents) {
  const OptimizationResult result =
      OptimizationFolder(kKnots + kEffort + kRestToRest + "  derivatives: sensitivities\n").run();
  EXPECT_LT(2 * result.progress.flights, 3 * static_cast<long>(result.evaluations.size()));
}

std::string problem_of(const std::string& keys) {
  const OptimizationFolder folder(keys);
  std::string message = message_of<ParseError>([&] { folder.load(); });
  const std::string path = folder / "";
  for (std::size_t at = message.find(path); at != std::string::npos; at = message.find(path)) {
    message.erase(at, path.size());
  }
  return message;
}

TEST(OptimizationInput, NamesVariablesThatAreWrong) {
  const auto of_variable = [](const std::string& keys) {
    return problem_of("  variables: [{" + keys + "}]\n" + kEffort);
  };
  EXPECT_THAT(of_variable("key: forces.push.table.torqe.0"),
              HasSubstr("optimize.yaml:5:21: error: optimize.variables.0.key: expected the key of "
                        "a number of the scenario"));
  EXPECT_THAT(of_variable("key: duration, from: 5, to: 2"),
              HasSubstr("optimize.variables.0.to: expected a bound above 'from', 5.0, got 2.0"));
  EXPECT_THAT(of_variable("key: duration, from: 5, to: 9"),
              HasSubstr("optimize.variables.0.key: expected a start from 5.0 to 9.0 s, got 4.0 s"));
}

TEST(OptimizationInput, NamesWrongGoalsConstraintsAndMethods) {
  EXPECT_THAT(problem_of(kKnots + "  minimize: [{channel: joint_toque}]\n"),
              HasSubstr("optimize.minimize.0: expected a column or a dataset of the results of the "
                        "scenario, got 'joint_toque', did you mean 'joint_torque'?"));
  EXPECT_THAT(problem_of(kKnots + "  minimize: [{channel: joint_torque, at: {time: 7}}]\n"),
              HasSubstr("expected a time of the flight, which takes 4.0 s, got 7.0 s"));
  EXPECT_THAT(problem_of(kKnots + kEffort + "  subject_to: [{channel: joint_position}]\n"),
              HasSubstr("optimize.subject_to.0: expected 'at_most', 'at_least' or both, or "
                        "'equals', got none of them"));
  EXPECT_THAT(
      problem_of(kKnots + kEffort +
                 "  subject_to: [{channel: joint_position, at_most: 1, at_least: 2}]\n"),
      HasSubstr("optimize.subject_to.0: expected 'at_most' above 'at_least', 2.0, got 1.0"));
  EXPECT_THAT(problem_of(kKnots + kEffort + kRestToRest + "  method: bobyqa\n"),
              HasSubstr("optimize.method: expected a method with constraints, got 'bobyqa'"));
  EXPECT_THAT(problem_of(kKnots + kEffort + kRestToRest + "  method: mma\n"),
              HasSubstr("optimize.method: expected a method with equations, got 'mma'"));
  EXPECT_THAT(problem_of(kKnots + kEffort + "  method: newton\n"), HasSubstr("optimize.method"));
  EXPECT_THAT(problem_of(kKnots + "  minimize: []\n"), HasSubstr("optimize.minimize"));
}

}  // namespace
}  // namespace spacedyn::optimization_test
