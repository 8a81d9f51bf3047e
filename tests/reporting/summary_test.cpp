#include "reporting/example_record.hpp"
#include "spacedyn/model/aggregate.hpp"

namespace spacedyn::summary_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SummaryJson, HasTheDocumentedKeys) {
  const json summary = json::parse(summary_json(testing::finished_record()));
  EXPECT_EQ(summary.at("scenario"), "slew");
  EXPECT_EQ(summary.at("status"), "complete");
  EXPECT_EQ(summary.at("time"), 20.0);
  EXPECT_EQ(summary.at("integrator"),
            json({{"method", "dop853"}, {"steps", 120}, {"rejected", 3}, {"evaluations", 740}}));
  EXPECT_EQ(summary.at("wall_seconds"), 0.5);
  EXPECT_EQ(summary.at("real_time_factor"), 40.0);
  EXPECT_EQ(summary.at("files"),
            json::array({"results/slew/slew.csv", "results/slew/slew.meta.json"}));
}

TEST(SummaryJson, GivesTheFinalStateAsEvaluateReadsIt) {
  const RunRecord record = testing::finished_record();
  const json state = json::parse(summary_json(record)).at("final_state");
  EXPECT_EQ(state.at("r0"), json({1.0, 2.0, 3.0}));
  EXPECT_EQ(state.at("A0").at(0).at(1), record.result->state.A_0(0, 1));
  EXPECT_EQ(state.at("v0"), json({0.0, 0.0, 0.0}));
  EXPECT_EQ(state.at("w0"), json({0.0, 0.0, 0.0}));
  EXPECT_EQ(state.at("q"), json::array({0.25}));
  EXPECT_EQ(state.at("qd"), json::array({-0.125}));
  EXPECT_EQ(state.at("joint_order"), json::array({"arm"}));
}

TEST(SummaryJson, GivesConservedQuantitiesBeforeAndAfter) {
  const json summary = json::parse(summary_json(testing::finished_record()));
  EXPECT_EQ(summary.at("momentum").at("initial").at("linear"), json({1.0, 0.0, 0.0}));
  EXPECT_EQ(summary.at("momentum").at("final").at("linear"), json({1.5, 0.0, 0.0}));
  EXPECT_EQ(summary.at("momentum").at("final").at("angular"), json({0.0, 7.0, 0.0}));
  EXPECT_EQ(summary.at("energy").at("initial").at("total"), 2.0);
  EXPECT_EQ(summary.at("energy").at("final").at("gravity"), -0.5);
  EXPECT_EQ(summary.at("energy").at("final").at("total"), 1.5);
  EXPECT_EQ(summary.at("momentum_drift"), 0.25);   // 0.5 of a scale of 2
  EXPECT_EQ(summary.at("energy_residual"), 0.25);  // 0.5 of a kinetic energy of 2
}

TEST(SummaryJson, GivesEachCheckWithItsLimit) {
  const json checks = json::parse(summary_json(testing::finished_record())).at("checks");
  EXPECT_EQ(checks.at("momentum_drift"),
            json({{"value", 0.25}, {"limit", 1e-9}, {"passed", false}}));
  EXPECT_EQ(checks.at("energy_residual").at("passed"), true);
}

TEST(CheckOutcome, FailsWhatIsNotANumber) {
  EXPECT_FALSE((CheckOutcome{"x", std::numeric_limits<double>::quiet_NaN(), 1.0}.passed()));
}

TEST(SummaryText, TellsAllThatMatters) {
  const std::string text = summary_text(testing::finished_record());
  for (const char* part :
       {"slew: complete after 20 s of simulated time\n", "one_link, floating base, 1 joint\n",
        "[ 1,  2,  3] m\n", "arm                      0.25 rad, -0.125 rad/s\n",
        "momentum drift          0.25\n", "momentum_drift          0.25, limit 1e-09: FAILED\n",
        "energy_residual         1e-12, limit 1e-08: passed\n",
        "120 accepted, 3 rejected, 740 evaluations\n", "0.5 s, 40 times real time\n",
        "  results/slew/slew.meta.json\n"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(SummaryText, SaysWhereAnInterruptedRunStopped) {
  RunRecord record = testing::finished_record();
  record.status = RunStatus::interrupted;
  record.time = 12.5;
  EXPECT_THAT(summary_text(record), HasSubstr("slew: interrupted at t = 12.5 s of 20 s\n"));
}

TEST(Summary, BalancesEnergyAndListsEvents) {
  RunRecord record = testing::finished_record();
  record.result->integrals.work = 0.25;
  record.result->integrals.dissipated = 0.75;
  record.result->events = {{1.5, "bump"}, {2.5, "dock"}};
  record.result->stopped_by = "dock";
  const std::string text = summary_text(record);
  EXPECT_THAT(text,
              HasSubstr("energy in               0.25 J, -0.5 J of it kept, 0.75 J dissipated\n"));
  EXPECT_THAT(text, HasSubstr("\nevents\n  bump                    t = 1.5 s\n"
                              "  dock                    t = 2.5 s\n"
                              "  stopped by              dock\n"));
  const json summary = json::parse(summary_json(record));
  EXPECT_EQ(summary.at("energy").at("work"), 0.25);
  EXPECT_EQ(summary.at("energy").at("dissipated"), 0.75);
  EXPECT_EQ(summary.at("events").at(0), json({{"time", 1.5}, {"name", "bump"}}));
  EXPECT_EQ(summary.at("stopped_by"), "dock");
  // the last digits of totals are no energy that came in
  record.result->final_energy.kinetic = 2.5 + 1e-10;
  record.result->integrals = {};
  EXPECT_THAT(summary_text(record), HasSubstr("energy in               0 J, 0 J of it kept"));
}

TEST(Summary, TellsWhatDidNotHappenAndHowFarTheBaseTurned) {
  RunRecord record = testing::finished_record();
  EXPECT_THAT(summary_text(record), Not(HasSubstr("events\n")));
  record.missed_events = {{"caught", "m", 0.0931, 20.5}, {"docked", "", 0.0, 0.0}};
  record.rotations = {{"base", 0.016, 7.5}};
  const std::string text = summary_text(record);
  EXPECT_THAT(text, HasSubstr("\nevents\n"
                              "  caught                  did not happen: missed by 0.0931 m at t = "
                              "20.5 s\n"
                              "  docked                  did not happen\n"));
  EXPECT_THAT(text, HasSubstr("\nlargest rotation from the start\n"
                              "  base                    0.917 deg at t = 7.5 s\n"));
  const json summary = json::parse(summary_json(record));
  EXPECT_EQ(summary.at("missed_events"),
            json({{{"name", "caught"}, {"by", 0.0931}, {"unit", "m"}, {"time", 20.5}},
                  {{"name", "docked"}}}));
  EXPECT_EQ(summary.at("largest_rotation"), json({{"base", {{"angle", 0.016}, {"time", 7.5}}}}));
}

TEST(SummaryText, CutsAnEndlessListOfMissedEvents) {
  RunRecord record = testing::finished_record();
  record.missed_events.assign(18, {"caught", "", 0.0, 0.0});
  EXPECT_THAT(summary_text(record), HasSubstr("  … and 3 more that did not happen\n"));
}

TEST(Summary, TellsWhoPutEnergyInAndWhatBecameOfIt) {
  RunRecord record = testing::finished_record();
  record.result->integrals.throughput = 10.0;
  record.result->sources = {{"springs", {0.0, 0.0, 0.5}, {1e-15, 0.25, 2.0}},
                            {"motor", {}, {1.75, 0.0, 0.0}}};
  EXPECT_THAT(summary_text(record),
              HasSubstr("energy budget\n"
                        "  springs                 0 J in, 1.5 J stored, 0.25 J dissipated\n"
                        "  motor                   1.75 J in, 0 J stored, 0 J dissipated\n"));
  const json sources = json::parse(summary_json(record)).at("energy").at("sources");
  EXPECT_EQ(sources.at(0), json({{"name", "springs"},
                                 {"work", 1e-15},
                                 {"dissipated", 0.25},
                                 {"stored", {{"initial", 0.5}, {"final", 2.0}}}}));
  EXPECT_EQ(sources.at(1).at("work"), 1.75);
}

TEST(SummaryText, CutsAnEndlessListOfSources) {
  RunRecord record = testing::finished_record();
  record.result->sources.assign(27, {"motor", {}, {}});
  EXPECT_THAT(summary_text(record), HasSubstr("  … and 7 more\n"));
}

TEST(SummaryText, CutsAnEndlessListOfEvents) {
  RunRecord record = testing::finished_record();
  record.result->events.assign(25, {1.0, "bump"});
  record.result->events.back().name = "end";
  const std::string text = summary_text(record);
  EXPECT_THAT(text, HasSubstr("  … and 5 more\n  bump "));
  EXPECT_THAT(text, HasSubstr("\n  end "));
}

TEST(SummaryText, CutsAnEndlessListOfRobots) {
  RunRecord record = testing::finished_record();
  const auto one =
      std::make_shared<const Model>(ModelBuilder(testing::one_link_description()).build());
  std::vector<RobotPart> parts;
  for (int i = 1; i <= 9; ++i) parts.push_back({"robot_" + std::to_string(i), one, true, {}});
  record.model = std::make_shared<const Model>(ModelBuilder(aggregate("row", parts)).build());
  record.base_mode = BaseMode::fixed;
  record.result->state = State(*record.model);
  const std::string text = summary_text(record);
  EXPECT_THAT(text, HasSubstr("robot_6 position"));
  EXPECT_THAT(text, Not(HasSubstr("robot_7 position")));
  EXPECT_THAT(text, HasSubstr("and 3 more robots\n"));
}

TEST(SummaryText, CutsAnEndlessListOfJoints) {
  RunRecord record = testing::finished_record();
  ModelDescription description = testing::one_link_description();
  for (int i = 1; i < 40; ++i) {
    description.links.push_back(
        testing::link_body("arm" + std::to_string(i), description.links.back().name, 1.0,
                           {1.0, 1.0, 1.0}, Vector3::UnitX(), Vector3::Zero()));
  }
  record.model = std::make_shared<const Model>(ModelBuilder(description).build());
  record.result->state = State(*record.model);
  const std::string text = summary_text(record);
  EXPECT_THAT(text, HasSubstr("and 10 more joints\n"));
  EXPECT_THAT(text, Not(HasSubstr("arm30")));
}

TEST(SummaryText, ShowsRoundingAsZeroEverywhere) {
  RunRecord record = testing::finished_record();
  SimulationResult& result = record.result.value();
  // scales of the example are 2 kg m/s, and 2 J
  result.initial_momentum.linear = {1.0, 3e-17, -2e-16};
  result.state.r_0 = {1.0, 4e-17, 0.25};
  result.state.omega_0 = {0.0, -3e-16, 0.0};
  result.state.qd(0) = 7e-17;
  const std::string text = summary_text(record);
  for (const char* rounding : {"e-16", "e-17"}) EXPECT_THAT(text, Not(HasSubstr(rounding)));
  EXPECT_THAT(text, HasSubstr("base position           [ 1,  0,  0.25] m\n"));
  EXPECT_THAT(text, HasSubstr("linear momentum         [ 1,  0,  0] → "));
  result.state.r_0.y() = 4e-9;
  EXPECT_THAT(summary_text(record), HasSubstr("[ 1,  4e-09,  0.25] m\n"));
}

}  // namespace
}  // namespace spacedyn::summary_test
