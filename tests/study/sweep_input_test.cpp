// Each way to misuse a file of a sweep has its message.
#include "study/small_sweep.hpp"
#include "support/message_of.hpp"

namespace spacedyn::sweep_input_test {
namespace {

using ::testing::HasSubstr;
using testing::message_of;
using testing::SweepFolder;

const std::string kKey = "initial.joints.hinge.position";

/// What loading a sweep says, without the folder.
std::string problem_of(const std::string& keys) {
  const SweepFolder folder(keys);
  std::string message = message_of<ParseError>([&] { folder.load(); });
  const std::string path = folder.path();
  for (std::size_t at = message.find(path); at != std::string::npos; at = message.find(path)) {
    message.replace(at, path.size(), "sweep.yaml");
  }
  return message;
}

/// The same of a sweep with one parameter.
std::string problem_of_parameter(const std::string& distribution, const std::string& key = kKey) {
  return problem_of("  runs: 2\n  parameters:\n    - {key: " + key + ", " + distribution + "}\n");
}

TEST(SweepInput, NamesKeysThatAreNoNumbers) {
  EXPECT_EQ(problem_of_parameter("uniform: [0, 1]", "initial.joints.hinge.positio"),
            "sweep.yaml:7:13: error: sweep.parameters.0.key: expected the key of a number of the "
            "scenario, got 'initial.joints.hinge.positio': scenario.initial.joints.hinge.positio: "
            "expected the key 'position', got the unknown key 'positio'");
  EXPECT_THAT(problem_of_parameter("uniform: [0, 1]", "name"),
              HasSubstr("expected the key of a number of the scenario, got 'name'"));
  EXPECT_THAT(problem_of_parameter("uniform: [0, 1]", "model.links.dis.mass"),
              HasSubstr("got 'model.links.dis.mass'"));
}

TEST(SweepInput, NamesDistributionsThatAreIncomplete) {
  EXPECT_THAT(problem_of_parameter("normal: {mean: 1}"), HasSubstr("standard_deviation"));
  EXPECT_THAT(problem_of_parameter("normal: {mean: 1, standard_deviation: 0}"),
              HasSubstr("sweep.parameters.0.normal.standard_deviation: expected a positive"));
  EXPECT_THAT(problem_of_parameter("normal: {mean: 1, standard_deviation: 1, truncated: [2, 1]}"),
              HasSubstr("expected two ascending numbers, got 2.0, 1.0"));
  EXPECT_THAT(problem_of_parameter("uniform: [1]"),
              HasSubstr("sweep.parameters.0.uniform: expected a list of 2 numbers, got a list"));
  EXPECT_THAT(problem_of_parameter("uniform: [1, 1]"), HasSubstr("expected two ascending numbers"));
  EXPECT_THAT(problem_of_parameter("uniform: [1 kg, 2]"), HasSubstr("expected an angle"));
  EXPECT_THAT(problem_of_parameter("triangular: [0, 3, 2]"),
              HasSubstr("the mode between the ends"));
  EXPECT_THAT(problem_of_parameter("log_normal: {median: -1, sigma: 1}"),
              HasSubstr("log_normal.median: expected a positive"));
  EXPECT_THAT(problem_of_parameter("choice: {values: [1, 2], weights: [1]}"),
              HasSubstr("expected as many weights as values (2), got 1"));
  EXPECT_THAT(problem_of_parameter("choice: {values: [1, 2], weights: [0, 0]}"),
              HasSubstr("expected weights with a positive sum"));
  EXPECT_THAT(problem_of_parameter("values: []"), HasSubstr("a list of at least one number"));
  EXPECT_THAT(problem_of_parameter("values: [1], uniform: [1, 2]"),
              HasSubstr("expected exactly one of the keys values, uniform, normal, log_normal, "
                        "triangular or choice, got 'values' and 'uniform'"));
}

std::string problem_of_correlation(const std::string& correlation) {
  return problem_of("  runs: 2\n  parameters:\n    - {key: " + kKey + R"(, normal: {mean: 0, )" +
                    R"(standard_deviation: 1}}
    - {key: initial.joints.hinge.velocity, normal: {mean: 0, standard_deviation: 1}}
    - {key: duration, uniform: [1, 2]}
  correlation: )" + correlation +
                    "\n");
}

TEST(SweepInput, NamesCorrelationsThatNothingHas) {
  const std::string keys = "{keys: [" + kKey + ", initial.joints.hinge.velocity], matrix: ";
  EXPECT_THAT(problem_of_correlation(keys + "[[1, 2], [2, 1]]}"),
              HasSubstr("sweep.correlation.matrix: expected a positive definite matrix"));
  EXPECT_THAT(problem_of_correlation(keys + "[[1, 0.5], [0.4, 1]]}"),
              HasSubstr("expected a symmetric matrix"));
  EXPECT_THAT(problem_of_correlation(keys + "[[4, 1], [1, 1]]}"),
              HasSubstr("ones on its diagonal"));
  EXPECT_THAT(problem_of_correlation(keys + "[[1, 0.5]]}"),
              HasSubstr("expected 2 rows of 2 numbers"));
  EXPECT_THAT(problem_of_correlation("{keys: [duration, " + kKey + "], matrix: [[1, 0], [0, 1]]}"),
              HasSubstr("normal distribution that is not truncated, got 'duration'"));
}

TEST(SweepInput, NamesSweepsWithoutRows) {
  const std::string uniform = "  parameters:\n    - {key: " + kKey + ", uniform: [0, 1]}\n";
  EXPECT_THAT(problem_of("  runs: 0\n" + uniform),
              HasSubstr("sweep.runs: expected a whole number"));
  EXPECT_THAT(problem_of(uniform), HasSubstr("expected the key 'runs'"));
  EXPECT_THAT(problem_of("  runs: 3\n"), HasSubstr("expected one run of each point, got 3"));
  EXPECT_THAT(problem_of(""), HasSubstr("expected 'parameters' that vary"));
  EXPECT_THAT(problem_of("  runs: 2000000000\n  parameters:\n    - {key: " + kKey +
                         ", uniform: [0, 1]}\n    - {key: duration, values: [1, 2]}\n"),
              HasSubstr("expected at most 2147483647 rows"));
  EXPECT_THAT(problem_of("  sampling: sobol\n  parameters:\n    - {key: duration, values: [1]}\n"),
              HasSubstr("expected no 'sampling' without a distribution"));
  EXPECT_THAT(problem_of("  runs: 2\n" + uniform + "    - {key: " + kKey + ", values: [0]}\n"),
              HasSubstr("expected each key once"));
}

std::string problem_of_collect(const std::string& keys) {
  return problem_of(
      "  parameters:\n    - {key: integrator.step, values: [0.01]}\n  collect:\n    - {" + keys +
      "}\n");
}

TEST(SweepInput, NamesWhatCannotBeCollected) {
  EXPECT_THAT(problem_of_collect("name: a, summary: momentum_drft"),
              HasSubstr("sweep.collect.0.summary: expected a path that begins with a key of "
                        "'simulate --json', got 'momentum_drft'"));
  EXPECT_THAT(problem_of_collect("name: a, summary: wall_seconds"),
              HasSubstr("expected a number that is the same each time"));
  EXPECT_THAT(problem_of_collect("name: a, channel: joints_hing_rad"),
              HasSubstr("sweep.collect.0.channel: expected a column or a dataset"));
  EXPECT_THAT(problem_of_collect("name: a, channel: base_position, component: 3"),
              HasSubstr("sweep.collect.0.component: expected a component from 0 to 2, got 3"));
  EXPECT_THAT(problem_of_collect("name: a"),
              HasSubstr("expected one of the keys 'summary' and 'channel', got none"));
  EXPECT_THAT(problem_of_collect("name: a, channel: base_position, at: {time: 3}"),
              HasSubstr("expected a time of the flight, which takes 2.0 s, got 3.0 s"));
  EXPECT_THAT(problem_of_collect("name: a, channel: base_position, at: mean"),
              HasSubstr("sweep.collect.0.at"));
  EXPECT_THAT(problem_of_collect("name: a/b, channel: base_position"),
              HasSubstr("expected a name without '/' and ','"));
  EXPECT_THAT(problem_of_collect("name: a, summary: momentum_drift, at: max"),
              HasSubstr("only a channel has it"));
}

TEST(SweepInput, NamesEnginesAndLimitsThatThereAreNot) {
  EXPECT_THAT(problem_of("  runs: 1\n  engine: lane\n"),
              HasSubstr("sweep.engine: expected single or lanes, got 'lane'"));
  EXPECT_THAT(problem_of("  runs: 1\n  limits: {wall_time: 0}\n"), HasSubstr("limits.wall_time"));
}

TEST(SweepInput, NamesScenariosThatCannotBeRead) {
  const SweepFolder folder("  runs: 1\n");
  testing::write_text(folder.path(),
                      "spacedyn: 1\nsweep: {name: a, scenario: none.yaml, runs: 1}\n");
  EXPECT_THAT(message_of<ParseError>([&] { folder.load(); }),
              HasSubstr(":2:28: error: sweep.scenario: expected a scenario file that can be read"));
  EXPECT_THAT(message_of<ParseError>([&] { Sweep::load(folder / "oscillator.yaml"); }),
              HasSubstr("expected the key 'sweep', got 'scenario': this is a scenario file"));
}

}  // namespace
}  // namespace spacedyn::sweep_input_test
