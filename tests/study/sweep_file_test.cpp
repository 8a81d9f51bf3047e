// Rows of sweeps: what is collected, and files that are written, read and gone on with.
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>

#include <sys/syscall.h>
#include <unistd.h>

#include "spacedyn/reporting/result_table.hpp"
#include "spacedyn/scenario/scenario_run.hpp"
#include "study/small_sweep.hpp"
#include "support/message_of.hpp"

namespace spacedyn::sweep_file_test {
namespace {

std::atomic<int> syncs{0};

}  // namespace
}  // namespace spacedyn::sweep_file_test

/// That of the C library, counted.
extern "C" __attribute__((visibility("default"))) int fsync(int descriptor) {
  ++spacedyn::sweep_file_test::syncs;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace spacedyn::sweep_file_test {
namespace {

namespace fs = std::filesystem;
using testing::expect_equal;
using testing::fly;
using ::testing::HasSubstr;
using testing::Keeper;
using testing::kThreeParameters;
using testing::message_of;
using testing::SweepFolder;

TEST(SweepRows, AreThoseOfSingleFlightsWhateverTheThreads) {
  const SweepFolder folder(kThreeParameters);
  const Sweep sweep = folder.load();
  const std::vector<SweepRow> one = fly(sweep, 1);
  ASSERT_EQ(one.size(), 80U);
  expect_equal(one, fly(sweep, 2));
  expect_equal(one, fly(sweep, 4));
  for (const long row : {3L, 61L}) {
    const Scenario scenario = sweep.scenario_of(row);
    const Trajectory flight = simulate(scenario);
    const auto& points = flight.points;
    const auto& values = one[static_cast<std::size_t>(row)].collected;
    double most = 0.0;
    for (const TrajectoryPoint& point : points) most = std::max(most, std::abs(point.state.q(0)));
    EXPECT_EQ(values[0], points.back().state.q(0));
    EXPECT_EQ(values[1], most);
    // rows every 0.1 s; 0.55 s lies half way
    EXPECT_NEAR(values[2], 0.5 * (points[5].state.q(0) + points[6].state.q(0)), 1e-15);
    EXPECT_EQ(values[3], flight.result.audit.energy_residual());
  }
}

TEST(SweepRows, HaveMeansAndIntegralsByTheTrapezoidalRule) {
  const SweepFolder folder(R"(  parameters:
    - {key: duration, values: [2]}
  collect:
    - {name: rms, channel: joint_velocity, at: rms}
    - {name: integral, channel: joint_velocity, at: integral}
    - {name: least, channel: joint_position, at: min}
    - {name: yaw, channel: base_rpy, component: 2, at: end}
    - {name: steps, summary: integrator.steps}
    - {name: never, summary: events.touch.time}
)");
  const Sweep sweep = folder.load();
  const auto values = fly(sweep, 1).front().collected;
  const Trajectory flight = simulate(sweep.scenario());
  double square = 0.0, integral = 0.0, least = 1.0;
  for (std::size_t i = 0; i < flight.points.size(); ++i) {
    least = std::min(least, flight.points[i].state.q(0));
    if (i == 0) continue;
    const double a = flight.points[i - 1].state.qd(0), b = flight.points[i].state.qd(0);
    const double step = flight.points[i].time - flight.points[i - 1].time;
    square += 0.5 * step * (a * a + b * b);
    integral += 0.5 * step * (a + b);
  }
  EXPECT_NEAR(values[0], std::sqrt(square / 2.0), 1e-14);
  EXPECT_NEAR(values[1], integral, 1e-14);
  EXPECT_EQ(values[2], least);
  EXPECT_EQ(values[3], 0.0);
  EXPECT_EQ(values[4], 200.0);
  EXPECT_TRUE(std::isnan(values[5]));
}

TEST(SweepRows, OfALinearSystemHaveItsCovariance) {
  // q(t) = Φ(t) q(0): Φ from one flight, standard deviations of q(t) from many
  const SweepFolder folder(R"(  runs: 400
  seed: 5
  parameters:
    - {key: initial.joints.hinge.position, normal: {mean: 0, standard_deviation: 0.1}}
    - {key: initial.joints.hinge.velocity, normal: {mean: 0, standard_deviation: 0.3}}
  collect:
    - {name: last, channel: joint_position}
)");
  const Sweep sweep = folder.load();
  const auto response = [&](const char* position, const char* velocity) {
    const Scenario scenario = load_scenario(
        folder / "oscillator.yaml",
        {{"initial.joints.hinge.position", position}, {"initial.joints.hinge.velocity", velocity}});
    return simulate(scenario).points.back().state.q(0);
  };
  const double of_position = response("1.0", "0.0"), of_velocity = response("0.0", "1.0");
  const double expected = std::hypot(0.1 * of_position, 0.3 * of_velocity);
  double square = 0.0;
  for (const SweepRow& row : fly(sweep, 2)) square += row.collected[0] * row.collected[0] / 400.0;
  // three standard errors of a standard deviation: σ/√(2 n)
  EXPECT_NEAR(std::sqrt(square), expected, 3.0 * expected / std::sqrt(800.0));
}

const std::string kWithFailures = R"(  runs: 30
  parameters:
    - {key: model.links.disc.mass, uniform: [-1, 1]}
  collect:
    - {name: last, channel: joint_position}
)";

TEST(SweepRows, FailWithoutStoppingOthers) {
  const SweepFolder folder(kWithFailures);
  int refused = 0;
  for (const SweepRow& row : fly(folder.load(), 2)) {
    if (row.draw.parameters[0] >= 0.0) {
      EXPECT_EQ(row.status, 0) << row.message;
      EXPECT_FALSE(std::isnan(row.collected[0]));
      continue;
    }
    ++refused;
    EXPECT_EQ(row.status, 3);
    EXPECT_TRUE(std::isnan(row.collected[0]));
    EXPECT_THAT(row.message, HasSubstr("model.links.disc.mass"));
  }
  EXPECT_GT(refused, 5);
}

TEST(SweepRows, AreOnTheDiskWhenTheyAreInTheFile) {
  const SweepFolder folder(kThreeParameters);
  const Sweep sweep = folder.load();
  fs::create_directory(folder / "out");
  const int before = syncs;
  run_sweep_into(folder / "out", sweep, false, {2, nullptr});
  EXPECT_GT(syncs, before);
}

TEST(SweepRows, EndAtLimits) {
  const SweepFolder folder(R"(  parameters:
    - {key: duration, values: [1, 1.0e7]}
  collect:
    - {name: last, channel: joint_position}
  limits: {wall_time: 0.3}
)");
  const auto rows = fly(folder.load(), 2);
  EXPECT_EQ(rows[0].status, 0);
  EXPECT_EQ(rows[1].status, 4);
  EXPECT_THAT(rows[1].message, HasSubstr("limits.wall_time: 0.3 s are over at t = "));
  EXPECT_LT(rows[1].wall_seconds, 5.0);
  folder.write(R"(  parameters:
    - {key: duration, values: [1, 3]}
  limits: {max_steps: 150}
)");
  const auto steps = fly(folder.load(), 1);
  EXPECT_EQ(steps[0].status, 0);
  EXPECT_EQ(steps[1].status, 4);
  EXPECT_THAT(steps[1].message, HasSubstr("max_steps"));
}

TEST(SweepFile, GoesOnAfterAStopAsIfThereHadBeenNone) {
  for (const std::string& keys : {kThreeParameters, kWithFailures}) {
    const SweepFolder folder(keys);
    const Sweep sweep = folder.load();
    fs::create_directory(folder / "whole");
    fs::create_directory(folder / "parts");
    const SweepOutcome whole = run_sweep_into(folder / "whole", sweep, false, {2, nullptr});
    EXPECT_TRUE(whole.is_complete());
    const std::string file = sweep_file(folder / "parts", sweep);
    Keeper first(10), second(20);
    run_sweep_into(folder / "parts", sweep, false, {1, &first});
    run_sweep_into(folder / "parts", sweep, true, {2, &second});
    const SweepOutcome end = run_sweep_into(folder / "parts", sweep, true, {4, nullptr});
    EXPECT_TRUE(end.is_complete());
    EXPECT_EQ(end.progress.failed, whole.progress.failed);
    const SweepTable table = read_sweep_table(file);
    EXPECT_EQ(table.rows, sweep.rows());
    expect_equal(table.flown, read_sweep_table(sweep_file(folder / "whole", sweep)).flown);
    expect_equal(table.flown, fly(sweep, 1));
    EXPECT_FALSE(fs::exists(file + ".part"));
  }
}

TEST(SweepFile, HoldsAllThatARowNeeds) {
  const SweepFolder folder(kThreeParameters);
  fs::create_directory(folder / "out");
  const Sweep sweep = folder.load({{"runs", "4"}});
  run_sweep_into(folder / "out", sweep, false, {});
  const std::string file = sweep_file(folder / "out", sweep);
  EXPECT_TRUE(is_sweep_result(file));
  fs::remove(folder / "oscillator.yaml");
  fs::remove(folder.path());
  const Sweep again = sweep_of_result(file);
  ASSERT_EQ(again.rows(), 8);
  expect_equal(fly(again, 1), read_sweep_table(file).flown);
  EXPECT_THAT(message_of<IoError>([&] { read_result(file); }), HasSubstr("spacedyn-sweep/1"));
}

TEST(SweepFile, IsRefusedIfItIsOfAnotherSweep) {
  const SweepFolder folder(kThreeParameters);
  fs::create_directory(folder / "out");
  run_sweep_into(folder / "out", folder.load({{"runs", "2"}}), false, {});
  const auto resume = [&](const Sweep& sweep) {
    return message_of<SweepMismatch>([&] { run_sweep_into(folder / "out", sweep, true, {}); });
  };
  EXPECT_THAT(resume(folder.load()), HasSubstr("it was begun with other options --set"));
  folder.write(kThreeParameters + "  keep_results: failed\n");
  EXPECT_THAT(resume(folder.load({{"runs", "2"}})),
              HasSubstr("sweep.yaml' is not what it was when the sweep began"));
}

TEST(SweepFile, KeepsResultsEqualToThoseOfSingleFlights) {
  const SweepFolder folder(kThreeParameters + "  keep_results: all\n");
  fs::create_directory(folder / "out");
  const Sweep sweep = folder.load({{"runs", "3"}});
  run_sweep_into(folder / "out", sweep, false, {3, nullptr});
  const Scenario scenario = sweep.scenario_of(4);
  const auto overrides = sweep.overrides_of(sweep.draw(4));
  const OutputDirectory alone(scenario.name, folder / "alone", scenario.format);
  RunRecord record = start_record(scenario, overrides, alone);
  run_scenario(scenario, alone, {}, record);
  const std::string kept = testing::read_text(folder / "out/rows/4/oscillator.h5");
  EXPECT_GT(kept.size(), 1000U);
  EXPECT_EQ(kept, testing::read_text(alone.result()));
  expect_equal(read_sweep_table(sweep_file(folder / "out", sweep)).flown, fly(sweep, 1));
}

TEST(SweepFile, RepeatsTheNoiseOfEachRow) {
  const SweepFolder folder(R"(  runs: 5
  collect: [{name: reading, channel: sensors/eye/position}]
  keep_results: all
)");
  testing::write_text(folder / "oscillator.yaml",
                      testing::kOscillator +
                          "  sensors: [{type: encoder, name: eye, joint: hinge, noise: 0.01, "
                          "sample_period: 0.1}]\n");
  fs::create_directory(folder / "out");
  const Sweep sweep = folder.load();
  Keeper first(2);
  run_sweep_into(folder / "out", sweep, false, {1, &first});
  run_sweep_into(folder / "out", sweep, true, {4, nullptr});
  const SweepTable table = read_sweep_table(sweep_file(folder / "out", sweep));
  expect_equal(table.flown, fly(sweep, 1));
  const auto reading = [&](std::size_t row) { return table.flown[row].collected[0]; };
  EXPECT_NE(reading(3), reading(4));
  EXPECT_NEAR(reading(3), reading(4), 0.1);  // seven standard deviations of the difference
  const Scenario scenario = sweep.scenario_of(3);
  const OutputDirectory alone(scenario.name, folder / "alone", scenario.format);
  RunRecord record = start_record(scenario, sweep.overrides_of(sweep.draw(3)), alone);
  run_scenario(scenario, alone, {}, record);
  EXPECT_EQ(testing::read_text(folder / "out/rows/3/oscillator.h5"),
            testing::read_text(alone.result()));
}

}  // namespace
}  // namespace spacedyn::sweep_file_test
