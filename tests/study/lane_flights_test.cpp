// Sweeps in vector lanes: the numbers of single flights, the same bits whichever rows fly together,
// and what lanes cannot fly by its name.
#include <cmath>
#include <filesystem>

#include "study/small_sweep.hpp"
#include "support/message_of.hpp"

namespace spacedyn::lane_flights_test {
namespace {

using testing::expect_equal;
using testing::fly;
using ::testing::HasSubstr;
using testing::Keeper;
using testing::message_of;
using testing::TemporaryDirectory;

/// A satellite with an arm of six joints and flexible paddles, whose reference bends between steps
/// and whose flight ends between two of them.
const std::string kArm = R"(spacedyn: 1
scenario:
  name: arm
  model: )" SPACEDYN_MODELS R"(/robots/ets7_paddles.yaml
  duration: 1.503
  initial: {base: {position: [0, 0, 0], angular_velocity: [0.1, -0.6, 0.3]}}
  control:
    - type: joint_pd
      name: slew
      joints: [shoulder_yaw, elbow_pitch]
      stiffness: [600, 250]
      damping: [600, 250]
      effort_limit: [40, 20]
      reference:
        type: table
        time: [0, 0.3333, 1, 1.2001, 2]
        position: [[0, 0], [0.1, -0.2], [0.1, 0.1], [0.3, 0], [0, 0]]
  integrator: {method: rk4, step: 0.002}
  output: {interval: 0.01}
)";
const std::string kStarts = R"(  seed: 4
  runs: 21
  parameters:
    - {key: initial.base.angular_velocity.0, uniform: [-0.5, 0.5]}
    - {key: initial.joints.shoulder_yaw.velocity, normal: {mean: 0, standard_deviation: 0.1}}
  collect:
    - {name: x, channel: base_position}
    - {name: v, channel: base_velocity, component: 1}
    - {name: yaw, channel: base_rpy, component: 2, at: max_abs}
    - {name: turn, channel: base_angular_velocity, component: 1, at: {time: 0.505}}
    - {name: elbow, channel: joints_elbow_pitch_rad}
    - {name: torque, channel: joint_torque, at: rms}
    - {name: momentum, channel: momentum/linear, component: 2}
    - {name: push, channel: base_acceleration_x_m_s2}
)";

/// A folder with a scenario and a sweep of it.
class LaneSweep {
 public:
  LaneSweep(const std::string& scenario, const std::string& keys) {
    testing::write_text(folder_ / "flight.yaml", scenario);
    testing::write_text(folder_ / "sweep.yaml",
                        "spacedyn: 1\nsweep:\n  name: study\n  scenario: flight.yaml\n" + keys);
  }
  Sweep load(const char* engine = "lanes") const {
    return Sweep::load(folder_ / "sweep.yaml", {{"engine", engine}});
  }
  std::string operator/(const std::string& name) const { return folder_ / name; }

 private:
  TemporaryDirectory folder_;
};

/// Rows in lanes against those of single flights: the same statuses and messages, numbers within a
/// part of the largest of their column.
void expect_same_numbers(const LaneSweep& files, double tolerance) {
  const std::vector<SweepRow> lanes = fly(files.load(), 2), single = fly(files.load("single"), 2);
  ASSERT_EQ(lanes.size(), single.size());
  std::vector<double> scale(lanes.front().collected.size(), 0.0);
  for (const SweepRow& row : single) {
    for (std::size_t k = 0; k < scale.size(); ++k) {
      scale[k] = std::fmax(scale[k], std::abs(row.collected[k]));
    }
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(lanes[i].status, single[i].status);
    EXPECT_EQ(lanes[i].message, single[i].message);
    EXPECT_EQ(lanes[i].draw.parameters, single[i].draw.parameters);
    if (lanes[i].status != 0) continue;
    for (std::size_t k = 0; k < scale.size(); ++k) {
      EXPECT_NEAR(lanes[i].collected[k], single[i].collected[k], tolerance * scale[k]) << k;
    }
  }
}

TEST(LaneFlights, HaveTheNumbersOfSingleFlights) {
  // the same method in another order of operations: rounding errors of 752 steps
  expect_same_numbers(LaneSweep(kArm, kStarts), 1e-11);
}

TEST(LaneFlights, FallUnderGravityFromAFixedBase) {
  std::string scenario = testing::kOscillator;
  scenario.replace(scenario.find("  duration: 2.0"), 15,
                   "  environment: {gravity: [0, -9.81, 0]}\n  duration: 2.0");
  expect_same_numbers(LaneSweep(scenario, R"(  parameters:
    - {key: duration, values: [1, 2, -1]}
    - {key: initial.joints.hinge.position, values: [0.1, 0.2, 0.4, 0.5, 0.7]}
  collect: [{name: last, channel: joint_position}, {name: reaction, channel: joint_torque}]
)"),
                      1e-12);
}

TEST(LaneFlights, AreTheSameBitsWhicheverFlyTogether) {
  const LaneSweep files(kArm, kStarts);
  const Sweep sweep = files.load();
  const std::vector<SweepRow> one = fly(sweep, 1);
  expect_equal(one, fly(sweep, 2));
  expect_equal(one, fly(sweep, 4));
  Keeper some;
  run_sweep(sweep, {1, &some, {17, 3, 12}});
  std::sort(some.rows.begin(), some.rows.end(),
            [](const SweepRow& a, const SweepRow& b) { return a.row < b.row; });
  expect_equal(some.rows, {one[3], one[12], one[17]});
}

TEST(LaneFlights, GoOnAfterAStopAsIfThereHadBeenNone) {
  const LaneSweep files(kArm, kStarts);
  const Sweep sweep = files.load();
  std::filesystem::create_directory(files / "out");
  Keeper first(5);
  run_sweep_into(files / "out", sweep, false, {1, &first});
  EXPECT_TRUE(run_sweep_into(files / "out", sweep, true, {2, nullptr}).is_complete());
  expect_equal(read_sweep_table(sweep_file(files / "out", sweep)).flown, fly(sweep, 1));
}

TEST(LaneFlights, FailAsSingleFlightsDo) {
  // a base that turns by more than a step can follow, among others that fly
  expect_same_numbers(LaneSweep(kArm, R"(  parameters:
    - {key: initial.base.angular_velocity.2, values: [0.3, 2000, 0.4]}
  collect: [{name: yaw, channel: base_angular_velocity, component: 2}]
)"),
                      1e-11);
  // more steps than a row may have, and more time
  expect_same_numbers(LaneSweep(kArm, kStarts + "  limits: {max_steps: 100}\n"), 0.0);
  const LaneSweep slow(kArm, R"(  parameters:
    - {key: duration, values: [1.0e6]}
    - {key: initial.base.position.0, values: [0, 1]}
  collect: [{name: x, channel: base_position}]
  limits: {wall_time: 0.2}
)");
  for (const SweepRow& row : fly(slow.load(), 1)) {
    EXPECT_EQ(row.status, 4);
    EXPECT_THAT(row.message, HasSubstr("limits.wall_time: 0.2 s are over at t = "));
    EXPECT_TRUE(std::isnan(row.collected[0]));
  }
}

std::string problem_of(const std::string& scenario, const std::string& keys) {
  const LaneSweep files(scenario, "  engine: lanes\n" + keys);
  return message_of<ParseError>([&] { Sweep::load(files / "sweep.yaml"); });
}

/// The same with a part of the scenario replaced.
std::string problem_with(const std::string& part, const std::string& other) {
  std::string scenario = testing::kOscillator;
  scenario.replace(scenario.find(part), part.size(), other);
  return problem_of(scenario,
                    "  parameters: [{key: initial.joints.hinge.position, values: [1, 2]}]\n");
}

TEST(LaneFlights, RefuseWhatTheyCannotFlyByItsName) {
  const auto refuses = [](const std::string& what) {
    return HasSubstr(
        "sweep.yaml:5:11: error: sweep.engine: expected a scenario that lanes can "
        "fly, got " +
        what);
  };
  EXPECT_THAT(problem_with("rk4", "simpson"), refuses("integrator.method simpson"));
  EXPECT_THAT(problem_with("interval: 0.1", "interval: 0.015"),
              refuses("output.interval 0.015 s, no whole number of steps of 0.01 s"));
  EXPECT_THAT(problem_with("damping: 0.4", "damping: 0.4, friction: {coulomb: 1}"),
              HasSubstr("the friction of joint 'hinge' is not supported"));
  const std::string end = "  output: {interval: 0.1}\n";
  EXPECT_THAT(problem_with(end, end + "  checks: {energy_residual: 1}\n"),
              refuses("checks.energy_residual"));
  EXPECT_THAT(problem_with(end, end + "  locked: [hinge]\n"), refuses("locked joint 'hinge'"));
  EXPECT_THAT(
      problem_with(
          end, end + "  events: [{type: time, name: half, time: 1, actions: [{type: stop}]}]\n"),
      refuses("event 'half'"));
  EXPECT_THAT(problem_with(end, end + "  sensors: [{type: encoder, name: eye, joint: hinge, "
                                      "sample_period: 0.1}]\n"),
              refuses("sensor 'eye'"));
  const std::string control =
      "  control: [{type: joint_pd, name: hold, joints: [hinge], stiffness: [1], damping: [1], "
      "reference: {type: quintic, to: [1], duration: 1}";
  EXPECT_THAT(problem_with(end, end + control + ", sample_period: 0.1}]\n"),
              refuses("'hold' is sampled"));
  EXPECT_THAT(problem_with(end, end + control + ", integral: [1]}]\n"),
              refuses("'hold' has an integral"));
  EXPECT_THAT(problem_with(end, end + control + "}]\n"),
              HasSubstr("sweep.parameters.0.key: expected a key on which no reference depends, got "
                        "'initial.joints.hinge.position'"));
}

TEST(LaneFlights, RefuseParametersAndNumbersByTheirName) {
  const auto problem = [](const std::string& keys) {
    return problem_of(testing::kOscillator, keys);
  };
  EXPECT_THAT(problem("  runs: 2\n  parameters: [{key: duration, uniform: [1, 2]}]\n"),
              HasSubstr("sweep.yaml:7:22: error: sweep.parameters.0.key: expected a key of "
                        "'initial', or 'values' before those, got 'duration'"));
  EXPECT_THAT(problem("  parameters:\n    - {key: initial.joints.hinge.position, values: [1, 2]}\n"
                      "    - {key: duration, values: [1, 2]}\n"),
              HasSubstr("sweep.parameters.1.key: expected a key of 'initial'"));
  const std::string start =
      "  parameters: [{key: initial.joints.hinge.position, values: [1, 2]}]\n";
  EXPECT_THAT(problem(start + "  keep_results: all\n"),
              HasSubstr("sweep.keep_results: expected none with 'engine: lanes'"));
  EXPECT_THAT(problem(start + "  collect:\n    - {name: e, channel: energy_total_J}\n"),
              HasSubstr("sweep.yaml:8:26: error: sweep.collect.0.channel: expected a channel "
                        "without integrals over the flight, got 'energy_total_J'"));
  EXPECT_THAT(problem(start + "  collect: [{name: e, summary: energy_residual}]\n"),
              HasSubstr("sweep.collect.0.summary: expected a channel without"));
}

}  // namespace
}  // namespace spacedyn::lane_flights_test
