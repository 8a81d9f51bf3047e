// Controllers that look at sensors in place of the truth; channel, file keys and checkpoints.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/recording/channels.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::sensed_control_test {
namespace {

Scenario craft(const std::string& rest) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: point\n  duration: 100\n" + rest +
          "  model:\n    name: craft\n    base: {name: bus, mass: 100, inertia: [18, 19, 20]}\n"
          "    links:\n"
          "      - {name: arm, parent: bus, joint: {type: revolute, axis: [0, 0, 1], origin: {xyz: "
          "[0.5, 0, 0]}}, mass: 4, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
          "    reaction_wheels:\n"
          "      - {name: wx, body: bus, axis: [1, 0, 0], spin_inertia: 0.05}\n"
          "      - {name: wy, body: bus, axis: [0, 1, 0], spin_inertia: 0.05}\n"
          "      - {name: wz, body: bus, axis: [0, 0, 1], spin_inertia: 0.05}\n",
      "point.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-11);
  return scenario;
}

const std::string kAttitude =
    "{type: attitude, actuators: [wx, wy, wz], stiffness: 5, damping: 20, reference: {rpy: [0.3, "
    "0.2, 0.1]}";

TEST(SensedControl, ExactSensorsAreAsGoodAsTheTruth) {
  const Scenario truth = craft("  control: [" + kAttitude + ", sample_period: 0.1}]\n");
  const Scenario sensed = craft(
      "  sensors:\n    - {type: gyroscope, name: gyro, at: bus, sample_period: 0.1}\n    - {type: "
      "star_tracker, name: tracker, at: bus, sample_period: 0.1}\n  control: [" +
      kAttitude + ", sensors: [gyro, tracker]}]\n");
  const State a = simulate(truth.setup, truth.initial, 30.0).state;
  const State b = simulate(sensed.setup, sensed.initial, 30.0).state;
  EXPECT_LE((a.A_0 - b.A_0).norm(), 1e-12);
  EXPECT_LE((a.qd - b.qd).norm(), 1e-10);
}

TEST(SensedControl, ABiasedStarTrackerShiftsTheAttitude) {
  const Scenario sensed = craft(
      "  sensors:\n    - {type: gyroscope, name: gyro, at: bus, sample_period: 0.1}\n    - {type: "
      "star_tracker, name: tracker, at: bus, sample_period: 0.1, bias: [0.01, 0.02, -0.03]}\n  "
      "locked: [arm]\n  control: [" +
      kAttitude + ", sensors: [gyro, tracker]}]\n");
  const State end = simulate(sensed.setup, sensed.initial, 100.0).state;
  const Matrix3 believed = end.A_0 * matrix_from_rpy(Vector3::Zero());
  // A exp(b) is where it shall be
  const Vector3 bias(0.01, 0.02, -0.03);
  const Matrix3 seen = believed * Eigen::AngleAxisd(bias.norm(), bias.normalized());
  EXPECT_LE((seen - matrix_from_rpy({0.3, 0.2, 0.1})).norm(), 1e-9);
}

TEST(SensedControl, ABiasedGyroscopeTurnsTheBodyAgainstItsSpring) {
  const Scenario sensed = craft(
      "  sensors: [{type: gyroscope, name: gyro, at: bus, sample_period: 0.1, bias: [0, 0, "
      "1.0e-3]}]\n  locked: [arm]\n  control: [{type: attitude, actuators: [wx, wy, wz], "
      "stiffness: 5, damping: 20, sensors: [gyro]}]\n");
  const State end = simulate(sensed.setup, sensed.initial, 100.0).state;
  // K e = D b, e = 2 sin(θ/2)
  EXPECT_NEAR(2.0 * std::sin(0.5 * rpy_from_matrix(end.A_0).z()), -20.0 * 1e-3 / 5.0, 1e-9);
}

TEST(SensedControl, ABiasedEncoderShiftsTheJoint) {
  const Scenario sensed = craft(
      "  sensors: [{type: encoder, name: angle, joint: arm, sample_period: 0.02, bias: 0.05}]\n"
      "  control: [{type: joint_pd, joints: [arm], stiffness: 5, damping: 4, sensors: [angle], "
      "reference: {type: constant, position: [0.4]}}]\n");
  const SimulationResult end = simulate(sensed.setup, sensed.initial, 60.0);
  EXPECT_NEAR(end.state.q(sensed.setup.model->find_joint("arm").value() - 1), 0.35, 1e-6);
}

TEST(SensedControl, SamplesWithItsFastestSensorUnlessTold) {
  const std::string sensors =
      "  sensors:\n    - {type: gyroscope, name: gyro, at: bus, sample_period: 0.1}\n    - {type: "
      "star_tracker, name: tracker, at: bus, sample_period: 0.5}\n  control: [" +
      kAttitude;
  const Scenario fast = craft(sensors + ", sensors: [gyro, tracker]}]\n");
  EXPECT_EQ(fast.setup.controllers.front()->sample_period(), 0.1);
  const Scenario slow = craft(sensors + ", sensors: [gyro, tracker], sample_period: 0.2}]\n");
  EXPECT_EQ(slow.setup.controllers.front()->sample_period(), 0.2);
}

/// Keeps rows, and a checkpoint of the first step after a time.
class Rows final : public SimulationObserver {
 public:
  Rows(RowLayout& layout, double when) : layout_(layout), when_(when) {}
  void on_output(const SimulationPoint& point) override {
    VectorX row(static_cast<Eigen::Index>(layout_.columns().size()));
    layout_.fill(point, row);
    rows.push_back(row);
  }
  bool on_step(double time, const IntegratorStatistics&) override {
    time_ = time;
    return true;
  }
  bool wants_checkpoint() override { return time_ > when_ && checkpoint.memory.empty(); }
  void on_checkpoint(const Checkpoint& given) override { checkpoint = given; }

  std::vector<VectorX> rows;
  Checkpoint checkpoint;

 private:
  RowLayout& layout_;
  double when_, time_ = 0.0;
};

const std::string kNoisy =
    "  seed: 42\n  output: {interval: 0.05, channels: [state, sensors]}\n  sensors:\n    - {type: "
    "gyroscope, name: gyro, at: bus, sample_period: 0.1, noise_density: 1.0e-4, bias_walk: "
    "1.0e-5}\n    - {type: star_tracker, name: tracker, at: bus, sample_period: 0.5, delay: 0.7, "
    "noise: 1.0e-4}\n    - {type: encoder, name: angle, joint: arm, sample_period: 0.07, "
    "quantization: 1.0e-3}\n    - {type: accelerometer, name: acc, at: arm, sample_period: 0.3}\n"
    "    - {type: force_torque, name: wrist, joint: arm, sample_period: 0.3}\n"
    "    - {type: momentum_observer, name: touch, at: arm, gain: 3, sample_period: 0.2, noise: "
    "0.1}\n  control: [" +
    kAttitude + ", sensors: [gyro, tracker]}]\n";

TEST(SensedControl, ResumesBitForBit) {
  const Scenario scenario = craft(kNoisy);
  RowLayout layout(scenario.setup, scenario.initial, scenario.channels);
  Rows whole(layout, 4.0), rest(layout, 1e9);
  const SimulationResult end = Simulator(scenario.setup).run(scenario.initial, 10.0, 0.05, whole);
  ASSERT_FALSE(whole.checkpoint.memory.empty());
  const SimulationResult again = Simulator(scenario.setup).resume(whole.checkpoint, rest);
  EXPECT_EQ(end.state.A_0, again.state.A_0);
  EXPECT_EQ(end.state.qd, again.state.qd);
  ASSERT_GT(rest.rows.size(), 50u);
  for (std::size_t i = 1; i <= rest.rows.size(); ++i) {
    EXPECT_EQ(whole.rows[whole.rows.size() - i], rest.rows[rest.rows.size() - i]);
  }
}

TEST(SensedControl, AnotherSeedIsAnotherRunAndNotResumed) {
  const Scenario scenario = craft(kNoisy);
  RowLayout layout(scenario.setup, scenario.initial, scenario.channels);
  Rows rows(layout, 1.0);
  Simulator(scenario.setup).run(scenario.initial, 2.0, 0.05, rows);
  SimulationSetup other = scenario.setup;
  other.seed = 43;
  Rows others(layout, 1.0);
  Simulator(other).run(scenario.initial, 2.0, 0.05, others);
  EXPECT_NE(rows.rows.back(), others.rows.back());
  EXPECT_THROW(Simulator(other).resume(rows.checkpoint, others), DomainError);
}

TEST(SensedControl, ColumnsHoldTheLatestReadings) {
  const Scenario scenario = craft(kNoisy);
  RowLayout layout(scenario.setup, scenario.initial, scenario.channels);
  Rows rows(layout, 1e9);
  Simulator(scenario.setup).run(scenario.initial, 1.0, 0.05, rows);
  const auto column = [&](const std::string& name) {
    for (std::size_t i = 0; i < layout.columns().size(); ++i) {
      if (layout.columns()[i].name == name) return static_cast<Eigen::Index>(i);
    }
    ADD_FAILURE() << name;
    return Eigen::Index{0};
  };
  const Eigen::Index rate = column("sensors_gyro_angular_velocity_z_rad_s");
  EXPECT_EQ(layout.columns()[static_cast<std::size_t>(rate)].dataset,
            "/sensors/gyro/angular_velocity");
  for (const char* name : {"sensors_tracker_quaternion_w", "sensors_angle_position_rad",
                           "sensors_angle_velocity_rad_s", "sensors_acc_specific_force_x_m_s2",
                           "sensors_wrist_force_x_N", "sensors_wrist_torque_z_N_m"}) {
    column(name);
  }
  EXPECT_EQ(rows.rows[2](rate), rows.rows[3](rate));  // 0.10 and 0.15 s
  EXPECT_NE(rows.rows[3](rate), rows.rows[4](rate));
}

TEST(SensedControl, WorksWithEveryExplicitMethodAndRodas) {
  for (const IntegrationMethod method :
       {IntegrationMethod::rk4, IntegrationMethod::dopri5, IntegrationMethod::rodas,
        IntegrationMethod::variational, IntegrationMethod::newmark}) {
    Scenario scenario = craft(kNoisy);
    scenario.setup.integrator =
        is_adaptive(method) ? adaptive(method, 1e-8) : fixed_step(method, 0.01);
    const SimulationResult end = simulate(scenario.setup, scenario.initial, 5.0);
    EXPECT_EQ(end.time, 5.0) << to_string(method);
    EXPECT_LE(end.audit.angular_drift(), 1e-7) << to_string(method);
  }
}

}  // namespace
}  // namespace spacedyn::testing::sensed_control_test
