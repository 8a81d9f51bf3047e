#include <fstream>

#include "reporting/example_record.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/reporting/build_info.hpp"
#include "spacedyn/version.hpp"
#include "support/temporary_directory.hpp"

namespace spacedyn::metadata_test {
namespace {

using nlohmann::json;
using ::testing::MatchesRegex;
using testing::TemporaryDirectory;
using ::testing::ThrowsMessage;

json written(const RunRecord& record) {
  const TemporaryDirectory directory;
  write_metadata(directory / "a.meta.json", record);
  return json::parse(testing::read_text(directory / "a.meta.json"));
}

TEST(BuildInfo, NamesEveryVersion) {
  const BuildInfo& info = build_info();
  EXPECT_EQ(info.spacedyn, kVersion);
  EXPECT_THAT(info.eigen, MatchesRegex("3\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(info.boost, MatchesRegex("1\\.[0-9]+\\.[0-9]+"));
  EXPECT_THAT(info.yaml_cpp, MatchesRegex("0\\.[0-9]+\\.[0-9]+"));
  EXPECT_FALSE(info.build_type.empty());
  EXPECT_FALSE(info.compiler.empty());
}

TEST(Metadata, SaysBeforeTheRunWhatWillBeDone) {
  const json file = written(testing::example_record());
  EXPECT_EQ(file.at("scenario"), "slew");
  EXPECT_EQ(file.at("outcome"), json({{"status", "running"}}));
  EXPECT_EQ(file.at("started"), "2024-06-11T08:00:00Z");
  EXPECT_EQ(file.at("duration"), 20.0);
  EXPECT_EQ(file.at("output_interval"), 0.5);
  EXPECT_EQ(file.at("columns").at(0), json({{"name", "time_s"}, {"unit", "s"}}));
  EXPECT_EQ(file.at("columns").at(1), json({{"name", "base_quaternion_w"}, {"unit", ""}}));
  EXPECT_EQ(file.at("versions").at("spacedyn"), kVersion);
  EXPECT_EQ(file.at("integrator").at("method"), "dop853");
  EXPECT_EQ(file.at("integrator").at("relative_tolerance"), 1e-9);
  EXPECT_EQ(file.at("integrator").at("absolute_tolerance").at("joint_velocity"), 1e-10);
  EXPECT_TRUE(file.at("integrator").at("max_step").is_null());
  EXPECT_FALSE(file.at("integrator").contains("steps"));
}

TEST(Metadata, KeepsTheInputsWordForWord) {
  const json inputs = written(testing::example_record()).at("inputs");
  EXPECT_EQ(inputs.at("files").at(1), json({{"path", "slew.yaml"}, {"text", "spacedyn: 1\n"}}));
  EXPECT_EQ(inputs.at("overrides"), json::array({{{"key", "duration"}, {"value", "20"}}}));
  // JSON is UTF-8; what is not, is marked rather than dropped
  EXPECT_EQ(inputs.at("files").at(0).at("text"), "name: \"\xef\xbf\xbd\"\n");
}

TEST(Metadata, SaysAfterTheRunHowItEnded) {
  const json file = written(testing::finished_record());
  EXPECT_EQ(file.at("outcome").at("status"), "complete");
  EXPECT_EQ(file.at("outcome").at("time"), 20.0);
  EXPECT_EQ(file.at("outcome").at("momentum_drift"), 0.25);
  EXPECT_EQ(file.at("integrator").at("steps"), 120);
  EXPECT_EQ(file.at("integrator").at("rejected"), 3);
  EXPECT_EQ(file.at("integrator").at("evaluations"), 740);
}

TEST(Metadata, SaysWhyARunFailed) {
  RunRecord record = testing::example_record();
  record.status = RunStatus::failed;
  record.message = "the step became too small";
  record.time = 3.5;
  const json outcome = written(record).at("outcome");
  EXPECT_EQ(outcome.at("status"), "failed");
  EXPECT_EQ(outcome.at("message"), "the step became too small");
  EXPECT_EQ(outcome.at("time"), 3.5);
  EXPECT_FALSE(outcome.contains("momentum_drift"));
}

TEST(Metadata, NamesTheStepOfAFixedStepMethod) {
  RunRecord record = testing::example_record();
  record.integrator.method = IntegrationMethod::rk4;
  record.integrator.step = 0.01;
  EXPECT_EQ(written(record).at("integrator"), json({{"method", "rk4"}, {"step", 0.01}}));
}

TEST(Metadata, ReplacesAnEarlierVersionAndLeavesNothingBeside) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.meta.json";
  testing::write_text(path + ".tmp", "left behind by a killed run");
  write_metadata(path, testing::example_record());
  write_metadata(path, testing::finished_record());
  EXPECT_EQ(json::parse(testing::read_text(path)).at("outcome").at("status"), "complete");
  EXPECT_FALSE(std::filesystem::exists(path + ".tmp"));
}

TEST(Metadata, ReportsAFolderThatIsMissing) {
  const TemporaryDirectory directory;
  const std::string path = directory / "missing/a.meta.json";
  EXPECT_THAT(
      [&] { write_metadata(path, testing::example_record()); },
      ThrowsMessage<IoError>("cannot create '" + path + ".tmp': No such file or directory"));
}

}  // namespace
}  // namespace spacedyn::metadata_test
