// What a drive can do: effort and speed limits, continuous and sampled, against closed forms.
#include <cmath>
#include <limits>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/error.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::drive_limits_test {
namespace {

using ::testing::ThrowsMessage;

constexpr double kInertia = 2.0 + 10.0 * 0.75 * 0.75;  // of the arm about its joint
constexpr double kEffort = 4.0, kSpeed = 1.5;

/// A command far beyond the limits.
JointPd::Settings full(double goal) {
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, 1e6);
  pd.damping = VectorX::Zero(1);
  pd.effort_limit = VectorX::Constant(1, kEffort);
  pd.velocity_limit = VectorX::Constant(1, kSpeed);
  pd.reference = std::make_shared<ConstantReference>(VectorX::Constant(1, goal));
  return pd;
}

double speed_after(const JointPd::Settings& settings, double initial, double duration) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(testing::one_link());
  setup.base_mode = BaseMode::fixed;
  setup.controllers.push_back(std::make_shared<JointPd>("drive", settings));
  setup.integrator = testing::dopri5(1e-11);
  State start(*setup.model);
  start.qd(0) = initial;
  return testing::simulate(setup, start, duration).state.qd(0);
}

TEST(DriveLimits, SpeedApproachesThatWithoutLoadAsThatOfAMotor) {
  for (const double direction : {1.0, -1.0}) {
    const double expected = kSpeed * (1.0 - std::exp(-kEffort * 5.0 / (kInertia * kSpeed)));
    EXPECT_NEAR(speed_after(full(1e6 * direction), 0.0, 5.0), direction * expected, 1e-10);
  }
}

TEST(DriveLimits, BrakeWithFullEffortAtAnySpeed) {
  EXPECT_NEAR(speed_after(full(-1e6), 1.4, 1.0), 1.4 - kEffort / kInertia, 1e-11);
}

TEST(DriveLimits, DoNotPushBeyondTheSpeedLimitNorHoldBack) {
  EXPECT_NEAR(speed_after(full(1e6), 2.0, 3.0), 2.0, 1e-14);
}

TEST(DriveLimits, HoldASampledCommandThatWasLimitedAtItsInstant) {
  JointPd::Settings pd = full(1e6);
  pd.sample_period = 0.5;
  double speed = 0.0;
  for (int k = 0; k < 10; ++k) speed += 0.5 * kEffort * (1.0 - speed / kSpeed) / kInertia;
  EXPECT_NEAR(speed_after(pd, 0.0, 5.0), speed, 1e-12);
}

TEST(DriveLimits, RefuseASpeedLimitWithoutAnEffortLimit) {
  JointPd::Settings pd = full(1.0);
  pd.effort_limit(0) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(
      [&] { JointPd("drive", pd); },
      ThrowsMessage<DomainError>("'drive': velocity_limit 1 needs a finite effort_limit: effort "
                                 "falls from there to zero"));
  pd = full(1.0);
  pd.velocity_limit(0) = -1.0;
  EXPECT_THAT([&] { JointPd("drive", pd); },
              ThrowsMessage<DomainError>("'drive': velocity_limit 1 must be positive"));
  pd.velocity_limit = VectorX::Ones(2);
  EXPECT_THAT(
      [&] { JointPd("drive", pd); },
      ThrowsMessage<DimensionError>("'drive': velocity_limit has 2 components, expected 1"));
}

}  // namespace
}  // namespace spacedyn::drive_limits_test
