// A model of another program that comes without a scenario.
#include <filesystem>

#include "cli/program.hpp"
#include "foreign/foreign_texts.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::first_flight_test {
namespace {

using nlohmann::json;
using testing::kServicerUrdf;
using testing::Outcome;
using testing::StarterDirectory;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class FirstFlight : public ::testing::Test {
 protected:
  void SetUp() override { write(kServicerUrdf); }
  void write(const std::string& text) const { testing::write_text(folder_ / "arm.urdf", text); }
  Outcome run(std::vector<std::string> options, const std::string& command = "simulate") const {
    options.insert(options.begin(), {command, "arm.urdf"});
    return folder_.run(options);
  }

  const StarterDirectory folder_;
};

TEST_F(FirstFlight, MovesJointsAndKeepsMomentum) {
  const Outcome outcome = run({"--json"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary.at("time"), 10.0);
  // nothing acts from outside; the flight has a relative tolerance of 1e-8
  EXPECT_LT(summary.at("momentum_drift"), 1e-8);
  for (const json& rate : summary.at("final_state").at("qd")) EXPECT_NE(rate, 0.0);
  EXPECT_TRUE(fs::exists(folder_ / "results/arm/arm.h5"));
  EXPECT_TRUE(fs::exists(folder_ / "results/arm/arm.html"));
}

TEST_F(FirstFlight, TakesOverrides) {
  const Outcome outcome = run({"--json", "--set", "duration=1"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).at("time"), 1.0);
  EXPECT_EQ(run({"--set", "durations=1"}).exit_code, 2);
}

TEST_F(FirstFlight, GoesOnWhereItWasStopped) {
  ASSERT_EQ(run({"-q", "-o", "whole"}).exit_code, 0);
  ASSERT_EQ(run({"-q", "-o", "parts", "--set", "integrator.max_steps=3"}).exit_code, 4);
  const Outcome outcome =
      run({"-q", "-o", "parts", "--resume", "--set", "integrator.max_steps=100000"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_result(folder_ / "parts/arm.h5").values,
            read_result(folder_ / "whole/arm.h5").values);
}

TEST_F(FirstFlight, NamesTheLineOfABadModel) {
  write("<robot name='r'>\n  <link name='bus'>\n</robot>\n");
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, StartsWith("arm.urdf:"));
  EXPECT_FALSE(fs::exists(folder_ / "results"));
  EXPECT_EQ(run({}, "view").exit_code, 3);
}

}  // namespace
}  // namespace spacedyn::first_flight_test
