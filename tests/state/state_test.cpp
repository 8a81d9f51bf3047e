#include "spacedyn/state/state.hpp"

#include <cmath>
#include <functional>

#include "spacedyn/error.hpp"
#include "spacedyn/state/loads.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::state_test {
namespace {

TEST(State, StartsAtRestWithTheSizesOfItsModel) {
  RandomModels random(1);
  const Model model = random.model(TreeShape{});
  const State state(model);
  EXPECT_TRUE(state.velocity().isZero(0.0));
  EXPECT_EQ(state.velocity().size(), 18);
  EXPECT_EQ(state.A_0, Matrix3(Matrix3::Identity()));
  EXPECT_NO_THROW(state.check(model));
}

TEST(State, VelocityIsOrderedLinearAngularJoints) {
  RandomModels random(2);
  const Model model = random.model(TreeShape{});
  const State state = random.state(model);
  const VectorX u = state.velocity();
  EXPECT_EQ(Vector3(linear_part(u)), state.v_0);
  EXPECT_EQ(Vector3(angular_part(u)), state.omega_0);
  EXPECT_EQ(VectorX(joint_part(u)), state.qd);
}

struct BadState {
  const char* name;
  std::function<void(State&)> spoil;
  const char* message;
};

class StateCheck : public ::testing::TestWithParam<BadState> {};

TEST_P(StateCheck, RefusesWithTheReason) {
  RandomModels random(3);
  const Model model = random.model(TreeShape{});
  State state = random.state(model);
  GetParam().spoil(state);
  try {
    state.check(model);
    FAIL() << "the state was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), GetParam().message);
  }
}

const double kNan = std::nan("");

INSTANTIATE_TEST_SUITE_P(
    Reasons, StateCheck,
    ::testing::Values(
        BadState{"ShortQ", [](State& s) { s.q.conservativeResize(2); },
                 "q has 2 elements, expected 12, one per joint"},
        BadState{"LongQd", [](State& s) { s.qd.conservativeResize(13); },
                 "qd has 13 elements, expected 12, one per joint"},
        BadState{"NanPosition", [](State& s) { s.r_0.x() = kNan; }, "r_0 is not finite"},
        BadState{"NanAttitude", [](State& s) { s.A_0(0, 0) = kNan; }, "A_0 is not finite"},
        BadState{"NanJoint", [](State& s) { s.q(4) = kNan; }, "q is not finite"},
        BadState{"NanVelocity", [](State& s) { s.v_0.y() = kNan; }, "v_0 is not finite"},
        BadState{"NanRate", [](State& s) { s.omega_0.z() = kNan; }, "omega_0 is not finite"},
        BadState{"NanJointRate", [](State& s) { s.qd(0) = kNan; }, "qd is not finite"},
        BadState{"Stretched", [](State& s) { s.A_0 *= 1.1; },
                 "A_0 is not a rotation: expected orthonormal to 1e-6, determinant +1"},
        BadState{"Reflection", [](State& s) { s.A_0.col(0) *= -1.0; },
                 "A_0 is not a rotation: expected orthonormal to 1e-6, determinant +1"}),
    [](const auto& instance) { return instance.param.name; });

TEST(Loads, AWrenchThroughAnyPointHasItsMomentAboutTheCentroid) {
  RandomModels random(4);
  const Model model = random.model(TreeShape{});
  Loads loads(model);
  const Vector3 r(1, 2, 3), point(2, 2, 3), f(0, 4, 0), n(0, 0, 5);
  loads.add_wrench(2, r, point, f, n);
  loads.add_wrench(2, r, point, f, n);
  EXPECT_EQ(Vector3(loads.force.col(2)), Vector3(0, 8, 0));
  EXPECT_EQ(Vector3(loads.moment.col(2)), Vector3(0, 0, 18));
  loads.gravity = Vector3(0, 0, -9.81);
  loads.clear();
  EXPECT_TRUE(loads.force.isZero(0.0) && loads.moment.isZero(0.0));
  EXPECT_EQ(loads.gravity.z(), -9.81);
}

}  // namespace
}  // namespace spacedyn::testing::state_test
