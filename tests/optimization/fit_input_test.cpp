// Each way to misuse a file of a fit has its message, at its place.
#include "optimization/small_fit.hpp"

#include <gmock/gmock.h>

#include "support/message_of.hpp"

namespace spacedyn::fit_input_test {
namespace {

using testing::FitFolder;
using ::testing::HasSubstr;
using testing::kData;
using testing::kTwo;
using testing::message_of;

std::string without_folder(std::string message, const FitFolder& folder) {
  const std::string path = folder / "";
  for (std::size_t at = message.find(path); at != std::string::npos; at = message.find(path)) {
    message.erase(at, path.size());
  }
  return message;
}

/// What loading a fit says.
std::string problem_of(const FitFolder& folder) {
  return without_folder(message_of<ParseError>([&] { folder.load(); }), folder);
}

std::string problem_of_parameter(const std::string& parameter) {
  return problem_of(FitFolder(kData + "  parameters: [{" + parameter + "}]\n"));
}

std::string problem_of_data(const std::string& data) {
  return problem_of(FitFolder("  data: [{" + data + "}]\n" + kTwo));
}

/// Of a file of data.
std::string problem_of_rows(const std::string& text) {
  const FitFolder folder;
  folder.write("data.csv", text);
  return problem_of(folder);
}

const std::string kStiffnessKey = "key: model.links.disc.joint.stiffness";
const std::string kAngle = "file: data.csv, columns: {angle_rad: {channel: joint_position}}";

TEST(FitInput, NamesKeysThatAreNoNumbersOfTheScenario) {
  EXPECT_EQ(problem_of_parameter("key: model.links.disc.joint.stifness"),
            "fit.yaml:6:22: error: fit.parameters.0.key: expected the key of a number of the "
            "scenario, got 'model.links.disc.joint.stifness': model.links.0.joint.stifness: "
            "expected the key 'stiffness', got the unknown key 'stifness'");
  EXPECT_THAT(problem_of_parameter("key: name"),
              HasSubstr("fit.yaml:6:22: error: fit.parameters.0.key: expected the key of a number "
                        "of the scenario, got 'name'"));
  EXPECT_THAT(problem_of(FitFolder(kData + "  parameters:\n    - {" + kStiffnessKey + "}\n    - {" +
                                   kStiffnessKey + "}\n")),
              HasSubstr("fit.yaml:8:13: error: fit.parameters.1.key: expected each key once"));
  EXPECT_THAT(problem_of_parameter("key: integrator.max_step"),
              HasSubstr("expected a key with a number in the files of the scenario, got "
                        "'integrator.max_step', which they leave out"));
}

TEST(FitInput, NamesBoundsAndStartsThatDoNotFit) {
  EXPECT_THAT(problem_of_parameter(kStiffnessKey + ", from: 10, to: 5"),
              HasSubstr("fit.parameters.0.to: expected a bound above 'from', 10.0, got 5.0"));
  EXPECT_THAT(problem_of_parameter(kStiffnessKey + ", from: 10, to: 20"),
              HasSubstr("fit.parameters.0.key: expected a start from 10.0 to 20.0 N*m/rad, got 6.5 "
                        "N*m/rad, the value of the scenario"));
  EXPECT_THAT(problem_of_parameter(kStiffnessKey + ", from: 10, to: 20, start: 30"),
              HasSubstr("fit.parameters.0.start: expected a start from 10.0 to 20.0"));
  EXPECT_THAT(problem_of_parameter(kStiffnessKey + ", from: 1 kg"),
              HasSubstr("fit.parameters.0.from: expected"));
  EXPECT_THAT(problem_of_parameter(kStiffnessKey + ", prior: {mean: 8, standard_deviation: 0}"),
              HasSubstr("fit.parameters.0.prior.standard_deviation: expected a positive"));
}

TEST(FitInput, NamesDataThatAreMissing) {
  EXPECT_THAT(problem_of_data("file: other.csv, columns: {angle_rad: {channel: joint_position}}"),
              HasSubstr("fit.yaml:5:17: error: fit.data.0.file: expected a file of data that can "
                        "be read, got other.csv: cannot be opened"));
  EXPECT_THAT(problem_of_data("file: data.csv, columns: {angel_rad: {channel: joint_position}}"),
              HasSubstr("fit.data.0.columns.angel_rad: expected a column of 'data.csv', got "
                        "'angel_rad', did you mean 'angle_rad'?"));
  EXPECT_THAT(problem_of_data(kAngle + ", time: t"),
              HasSubstr("fit.data.0.time: expected the column of the time in 'data.csv', got 't'"));
  EXPECT_THAT(problem_of_data("file: data.csv, columns: {}"),
              HasSubstr("fit.data.0.columns: expected a mapping of at least one column"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n"),
              HasSubstr("fit.yaml:5:17: error: fit.data.0.file: expected data, got 'data.csv', "
                        "which has no row of numbers"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n1,\n2,nan\n"),
              HasSubstr("expected numbers in the column 'angle_rad', got none"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n0,0.5\n"),
              HasSubstr("expected data after the start of the flight, got none"));
}

TEST(FitInput, NamesRowsThatAreWrongAtTheirPlace) {
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n1,0.1\n0.5,0.2\n"),
              HasSubstr("data.csv:3:1: error: expected times that ascend, after 1.0 s, got 0.5 s"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n1,0.1\n1,0.2\n"),
              HasSubstr("data.csv:3:1: error: expected times that ascend"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n1,0.1\n12,0.2\n"),
              HasSubstr("data.csv:3:1: error: expected a time within the flight, from 0.0 to 10.0 "
                        "s, got 12.0 s"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n,0.1\n"),
              HasSubstr("data.csv:2:1: error: expected a time in each row"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n1,0.1\n2, fast\n"),
              HasSubstr("data.csv:3:4: error: expected a number or nothing, got 'fast'"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad\n1,0.1,3\n"),
              HasSubstr("data.csv:2:1: error: expected 2 numbers separated by commas, got 3"));
  EXPECT_THAT(problem_of_rows("time_s,angle_rad,angle_rad\n1,0.1,3\n"),
              HasSubstr("data.csv:1:18: error: expected each column once, got 'angle_rad' again"));
}

TEST(FitInput, NamesChannelsAndUnitsThatDoNotMatch) {
  const auto of_column = [](const std::string& name, const std::string& keys) {
    FitFolder folder("  data: [{file: data.csv, columns: {" + name + ": {" + keys + "}}}]\n" +
                     kTwo);
    folder.write("data.csv", "time_s," + name + "\n1,0.1\n");
    return problem_of(folder);
  };
  EXPECT_THAT(of_column("q", "channel: joint_positon"),
              HasSubstr("fit.data.0.columns.q.channel: expected a column or a dataset of the "
                        "results of the scenario, got 'joint_positon', did you mean"));
  EXPECT_THAT(of_column("q", "channel: joint_position, component: 1"),
              HasSubstr("fit.data.0.columns.q.component: expected no component or 0"));
  EXPECT_THAT(of_column("q_deg", "channel: joint_position"),
              HasSubstr("fit.data.0.columns.q_deg: expected a column in rad, got 'q_deg', whose "
                        "name says another unit"));
  EXPECT_THAT(of_column("q_rad_s", "channel: joint_position"),
              HasSubstr("expected a column in rad, got 'q_rad_s', whose name says rad/s"));
  EXPECT_THAT(of_column("q", "channel: joint_position, sigma: 0"),
              HasSubstr("fit.data.0.columns.q.sigma: expected a positive"));
}

TEST(FitInput, NamesLossesThatAreUnknown) {
  EXPECT_THAT(problem_of(FitFolder(kData + kTwo + "  loss: absolute\n")),
              HasSubstr("fit.loss: expected 'squared', 'huber: {width}' or 'cauchy: {width}', got "
                        "'absolute'"));
  EXPECT_THAT(problem_of(FitFolder(kData + kTwo + "  loss: {huber: {width: 0}}\n")),
              HasSubstr("fit.loss.huber.width: expected a positive"));
  EXPECT_THAT(problem_of(FitFolder(kTwo)), HasSubstr("data"));
  EXPECT_THAT(problem_of(FitFolder(kData + "  parameters: []\n")), HasSubstr("fit.parameters"));
}

TEST(FitInput, RefusesParametersWithoutInfluenceAtTheirLine) {
  const FitFolder folder(kData + kTwo + "    - {key: model.links.disc.mass}\n");
  EXPECT_EQ(without_folder(message_of<ParseError>([&] { folder.run(); }), folder),
            "fit.yaml:9:13: error: fit.parameters.2.key: expected a parameter that the data depend "
            "on, got 'model.links.disc.mass': no sample changes with it");
}

TEST(FitInput, SaysWhyTheScenarioCannotBeFlown) {
  const FitFolder folder(kData + "  parameters: [{key: model.links.disc.inertia.2, start: -1}]\n");
  EXPECT_THAT(message_of<NumericalError>([&] { folder.run(); }),
              HasSubstr("the scenario cannot be flown where the search begins"));
}

}  // namespace
}  // namespace spacedyn::fit_input_test
