#include "cli/program.hpp"
#include "spacedyn/reporting/result_table.hpp"

namespace spacedyn::simulate_test {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using testing::lines_of;
using ::testing::Not;
using testing::Outcome;
using testing::read_text;
using testing::StarterDirectory;
using ::testing::StartsWith;

json metadata(const StarterDirectory& starter, const std::string& directory) {
  return json::parse(read_text(starter / (directory + "/bot.meta.json")));
}

TEST(Simulate, WritesResultsAndPrintsASummary) {
  const StarterDirectory starter;
  const Outcome outcome = starter.run({"simulate", "bot/scenario.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("bot: complete after 20 s of simulated time\n"));
  for (const char* part :
       {"\nfinal state\n", "  elbow  ", "\nconservation\n", "  momentum drift  ",
        "  energy residual  ", "\nchecks\n", ": passed\n", "  dop853\n", " rejected, ",
        " times real time\n", "  results/bot/bot.h5\n", "  results/bot/bot.meta.json\n",
        "  results/bot/bot.html\n", "\nlook: open results/bot/bot.html in a browser\n"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  EXPECT_THAT(outcome.out,
              EndsWith("\nnext: spacedyn simulate bot/scenario.yaml --set duration=40\n"));

  const ResultTable table = read_result(starter / "results/bot/bot.h5");
  ASSERT_EQ(table.values.rows(), 401);  // 0 to 20 s in steps of 0.05 s
  EXPECT_EQ(table.columns.at(1).name, "base_position_x_m");
  EXPECT_GT(table.find("joints_elbow_rad"), 0);
  EXPECT_EQ(table.values(0, 0), 0.0);
  EXPECT_EQ(table.values(400, 0), 20.0);

  const json meta = metadata(starter, "results/bot");
  EXPECT_EQ(meta.at("outcome").at("status"), "complete");
  EXPECT_EQ(meta.at("outcome").at("time"), 20.0);
  ASSERT_EQ(meta.at("inputs").at("files").size(), 2U);
  EXPECT_EQ(meta.at("columns").at(0).at("name"), "time_s");
}

TEST(Simulate, WritesCsvWhereAskedTo) {
  const StarterDirectory starter;
  ASSERT_EQ(starter.run({"simulate", "-q", "bot/scenario.yaml"}).exit_code, 0);
  ASSERT_EQ(starter.run({"simulate", "-q", "bot/scenario.yaml", "--format", "csv"}).exit_code, 0);
  const std::vector<std::string> rows = lines_of(read_text(starter / "results/bot-002/bot.csv"));
  ASSERT_EQ(rows.size(), 402U);  // with the header
  EXPECT_THAT(rows[0], StartsWith("time_s,base_position_x_m,"));
  EXPECT_THAT(rows[1], StartsWith("0,"));
  EXPECT_EQ(read_result(starter / "results/bot-002").values,
            read_result(starter / "results/bot").values);
  const Outcome wrong = starter.run({"simulate", "bot/scenario.yaml", "--format", "xml"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("expected hdf5 or csv, got 'xml'"));
}

TEST(Simulate, RecordsTheChannelsAskedFor) {
  const StarterDirectory starter;
  ASSERT_EQ(starter.run({"simulate", "-q", "bot/scenario.yaml", "--channels", "energy,momentum"})
                .exit_code,
            0);
  const ResultTable table = read_result(starter / "results/bot");
  EXPECT_EQ(table.columns.at(1).name, "energy_kinetic_J");
  EXPECT_EQ(table.columns.size(), 19U);
}

TEST(Simulate, PrintsItsSummaryAsJson) {
  const StarterDirectory starter;
  const Outcome outcome = starter.run({"simulate", "--json", "bot/scenario.yaml"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary.at("scenario"), "bot");
  EXPECT_EQ(summary.at("time"), 20.0);
  EXPECT_EQ(summary.at("final_state").at("joint_order"), json({"shoulder", "elbow"}));
  EXPECT_TRUE(summary.at("checks").at("momentum_drift").at("passed"));
  EXPECT_EQ(summary.at("files"),
            json({"results/bot/bot.h5", "results/bot/bot.meta.json", "results/bot/bot.html"}));
  EXPECT_GT(summary.at("integrator").at("steps"), 0);
  for (const char* key : {"momentum", "energy"}) {
    EXPECT_TRUE(summary.at(key).contains("initial"));
    EXPECT_TRUE(summary.at(key).contains("final"));
  }

  // the final state is one that evaluate understands
  testing::Surroundings surroundings;
  surroundings.input = summary.at("final_state").dump();
  const Outcome evaluated = starter.run({"evaluate", "bot/robot.yaml", "-"}, surroundings);
  EXPECT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const json evaluated_momentum = json::parse(evaluated.out).at("momentum").at("linear");
  for (int axis = 0; axis < 3; ++axis) {
    // the momenta of bodies of some kg m/s cancel; the two programs sum them in different orders
    EXPECT_NEAR(evaluated_momentum.at(axis).get<double>(),
                summary.at("momentum").at("final").at("linear").at(axis).get<double>(), 1e-15);
  }
}

TEST(Simulate, GivesTheSameBytesEachTime) {
  const StarterDirectory starter;
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(starter.run({"simulate", "-q", "bot/scenario.yaml"}).exit_code, 0);
  }
  const std::string bytes = read_text(starter / "results/bot/bot.h5");
  EXPECT_FALSE(bytes.empty());
  EXPECT_TRUE(bytes == read_text(starter / "results/bot-002/bot.h5"));
}

TEST(Simulate, CanBeRepeatedFromItsMetadata) {
  const StarterDirectory starter;
  ASSERT_EQ(starter.run({"simulate", "bot/scenario.yaml", "--set", "control.0.damping=[80, 30]"})
                .exit_code,
            0);
  const json inputs = metadata(starter, "results/bot").at("inputs");
  const testing::TemporaryDirectory copy;
  for (const json& file : inputs.at("files")) {
    const std::filesystem::path path = copy / file.at("path").get<std::string>();
    std::filesystem::create_directories(path.parent_path());
    testing::write_text(path.string(), file.at("text").get<std::string>());
  }
  std::vector<std::string> arguments{"simulate", "bot/scenario.yaml"};
  for (const json& change : inputs.at("overrides")) {
    arguments.emplace_back("--set");
    arguments.push_back(change.at("key").get<std::string>() + "=" +
                        change.at("value").get<std::string>());
  }
  testing::Surroundings surroundings;
  surroundings.directory = copy.path().string();
  ASSERT_EQ(testing::run_program(arguments, surroundings).exit_code, 0);
  EXPECT_TRUE(read_text(copy / "results/bot/bot.h5") == read_text(starter / "results/bot/bot.h5"));
}

TEST(Simulate, IsSilentWhenQuietAndTalksWhenVerbose) {
  const StarterDirectory starter;
  const Outcome quiet = starter.run({"simulate", "-q", "bot/scenario.yaml"});
  EXPECT_EQ(quiet.exit_code, 0);
  EXPECT_EQ(quiet.out + quiet.err, "");
  const Outcome verbose = starter.run({"simulate", "-v", "bot/scenario.yaml"});
  EXPECT_EQ(verbose.exit_code, 0);
  EXPECT_THAT(verbose.err, HasSubstr("read bot/robot.yaml\n"));
  EXPECT_THAT(verbose.err, HasSubstr("writing results/bot-002/bot.h5\n"));
}

TEST(Simulate, ChangesValuesOfScenarioAndModel) {
  const StarterDirectory starter;
  const Outcome outcome =
      starter.run({"simulate", "--json", "bot/scenario.yaml", "--set", "duration=2", "--set",
                   "output.interval=0.5", "--set", "control.0.stiffness.1=35", "--set",
                   "model.links.0.mass=13"});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).at("time"), 2.0);
  EXPECT_EQ(read_result(starter / "results/bot").values.rows(), 5);
  EXPECT_EQ(metadata(starter, "results/bot").at("inputs").at("overrides").at(3),
            json({{"key", "model.links.0.mass"}, {"value", "13"}}));
}

TEST(Simulate, EndsWithTwoForAWrongOverride) {
  const StarterDirectory starter;
  for (const std::string override : {"durration=2", "duration=long", "control.7.stiffness=1"}) {
    const Outcome outcome = starter.run({"simulate", "bot/scenario.yaml", "--set", override});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, StartsWith("--set " + override + ": error: scenario."));
    EXPECT_FALSE(std::filesystem::exists(starter / "results"));
  }
}

TEST(Simulate, EndsWithFiveWhenACheckFails) {
  const StarterDirectory starter;
  const Outcome outcome =
      starter.run({"simulate", "bot/scenario.yaml", "--set", "checks.momentum_drift=1.0e-30"});
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(outcome.out, HasSubstr("limit 1e-30: FAILED\n"));
  EXPECT_THAT(outcome.err, StartsWith("spacedyn: error: check momentum_drift: "));
  EXPECT_THAT(outcome.err, HasSubstr(" exceeds the limit 1e-30\n"));
  EXPECT_EQ(metadata(starter, "results/bot").at("outcome").at("status"), "complete");
  EXPECT_EQ(read_result(starter / "results/bot").values.rows(), 401);
}

/// Damping so strong that steps of 10 ms are unstable.
std::vector<std::string> diverging_run() {
  return {"simulate", "bot/scenario.yaml",
          "--set",    "integrator={method: rk4, step: 0.01}",
          "--set",    "model.links.1.joint.damping=1.0e6",
          "--set",    "initial.joints.elbow.velocity=0.1",
          "--set",    "checks.momentum_drift=1.0e-30"};
}

TEST(Simulate, EndsWithFourWhenTheIntegrationFailsAndKeepsTheRows) {
  const StarterDirectory starter;
  const Outcome outcome = starter.run(diverging_run());
  EXPECT_EQ(outcome.exit_code, 4);  // outranks the check
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, StartsWith("spacedyn: error: "));
  EXPECT_THAT(outcome.err, HasSubstr("t = "));
  EXPECT_THAT(
      outcome.err,
      HasSubstr("hint: the rows before that are in 'results/bot/bot.h5'; --resume with other "
                "integrator keys (--set integrator.…) goes on from the last good state\n"));
  const ResultTable table = read_result(starter / "results/bot");
  EXPECT_GE(table.values.rows(), 1);
  EXPECT_TRUE(table.values.allFinite());
  EXPECT_EQ(table.facts.status, "failed");
  const json outcome_record = metadata(starter, "results/bot").at("outcome");
  EXPECT_EQ(outcome_record.at("status"), "failed");
  EXPECT_THAT(outcome.err, HasSubstr(outcome_record.at("message").get<std::string>()));
}

TEST(Simulate, ReportsAFailedIntegrationAsJson) {
  const StarterDirectory starter;
  std::vector<std::string> arguments = diverging_run();
  arguments.emplace_back("--json");
  const Outcome outcome = starter.run(arguments);
  EXPECT_EQ(outcome.exit_code, 4);
  const json errors = json::parse(outcome.err);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].at("code"), "integration");
}

TEST(Simulate, MakesErrorsOfWarningsWhenStrict) {
  const StarterDirectory starter;
  starter.edit("bot/robot.yaml", "inertia: [0.05, 1.0, 1.0]", "inertia: [0.05, 1.0, 5.0]");
  const Outcome lenient = starter.run({"simulate", "bot/scenario.yaml"});
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_THAT(lenient.err, HasSubstr(": warning: "));
  const Outcome strict = starter.run({"simulate", "--strict", "bot/scenario.yaml"});
  EXPECT_EQ(strict.exit_code, 3);
  EXPECT_THAT(strict.err, HasSubstr(": error: "));
  EXPECT_FALSE(std::filesystem::exists(starter / "results/bot-002"));
}

}  // namespace
}  // namespace spacedyn::simulate_test
