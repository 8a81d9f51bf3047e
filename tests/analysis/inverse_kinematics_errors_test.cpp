#include <cmath>

#include "analysis/arms.hpp"
#include "spacedyn/analysis/inverse_kinematics.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::testing::inverse_kinematics_errors_test {
namespace {

class InverseKinematicsError : public ::testing::Test {
 protected:
  Model model_ = build(planar_arm(2));
  State state_{model_};
  FrameGoal goal_ = position_goal(model_, "tip", {1.5, 1.0, 0.0});
  InverseKinematicsOptions options_;

  std::string message() {
    try {
      solve_inverse_kinematics(model_, state_, {goal_}, options_);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing thrown";
  }
};

TEST_F(InverseKinematicsError, NoGoal) {
  try {
    solve_inverse_kinematics(model_, state_, {});
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "inverse kinematics needs at least one goal");
  }
}

TEST_F(InverseKinematicsError, FrameOfAnotherModel) {
  goal_.frame.body = 7;
  EXPECT_EQ(message(), "goal 1 ('tip'): body 7 does not exist, expected 0 to 2");
}

TEST_F(InverseKinematicsError, PositionNotFinite) {
  goal_.pose.position.x() = std::nan("");
  EXPECT_EQ(message(), "goal 1 ('tip'): the position is not finite");
}

TEST_F(InverseKinematicsError, OrientationNoRotation) {
  goal_.kind = GoalKind::pose;
  goal_.pose.rotation(0, 0) = 2.0;
  EXPECT_EQ(message(),
            "goal 1 ('tip'): expected a rotation: orthonormal to 1e-6 with determinant +1");
}

TEST_F(InverseKinematicsError, ZeroWeight) {
  goal_.position_weight = 0.0;
  EXPECT_EQ(message(), "goal 1 ('tip'): expected positive weights");
}

TEST_F(InverseKinematicsError, NegativeOrientationWeight) {
  goal_.kind = GoalKind::orientation;
  goal_.orientation_weight = -1.0;
  EXPECT_EQ(message(), "goal 1 ('tip'): expected positive weights");
}

TEST_F(InverseKinematicsError, PositionTolerance) {
  options_.position_tolerance = 0.0;
  EXPECT_EQ(message(), "position_tolerance must be positive");
}

TEST_F(InverseKinematicsError, OrientationTolerance) {
  options_.orientation_tolerance = std::nan("");
  EXPECT_EQ(message(), "orientation_tolerance must be positive");
}

TEST_F(InverseKinematicsError, NoIterations) {
  options_.max_iterations = 0;
  EXPECT_EQ(message(), "max_iterations must be at least 1");
}

TEST_F(InverseKinematicsError, NegativeRestarts) {
  options_.restarts = -1;
  EXPECT_EQ(message(), "restarts must be at least 0");
}

TEST_F(InverseKinematicsError, PostureOfAnotherSize) {
  options_.posture = VectorX::Zero(3);
  EXPECT_EQ(message(), "posture has 3 elements, expected 2, one per joint");
}

TEST_F(InverseKinematicsError, PostureNotFinite) {
  options_.posture = VectorX::Constant(2, std::nan(""));
  EXPECT_EQ(message(), "posture is not finite");
}

TEST_F(InverseKinematicsError, StateOfAnotherModel) {
  state_.q.resize(3);
  EXPECT_EQ(message(), "q has 3 elements, expected 2, one per joint");
}

class FreeFloatingError : public ::testing::Test {
 protected:
  Model model_ = build(planar_arm(2));
  FreeFloatingPath path_{State(model_)};
  std::vector<FrameGoal> goals_{position_goal(model_, "tip", {1.5, 1.0, 0.0})};
  std::vector<JointKnot> knots_{{1.0, VectorX::Zero(2)}};
  FreeFloatingOptions options_;

  std::string search_message() {
    try {
      solve_free_floating_inverse_kinematics(model_, path_, goals_, options_);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing thrown";
  }
  std::string flight_message() {
    try {
      continue_free_floating_path(model_, path_, knots_, options_.flight);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing thrown";
  }
};

TEST_F(FreeFloatingError, EmptyPath) {
  path_ = FreeFloatingPath();
  const std::string message =
      "the path has 0 states and 0 times, expected as many of both and at least one";
  EXPECT_EQ(search_message(), message);
  EXPECT_EQ(flight_message(), message);
}

TEST_F(FreeFloatingError, FixedBase) {
  ModelDescription description = planar_arm(2);
  description.base.fixed = true;
  model_ = build(description);
  const std::string message =
      "the base of 'planar_arm' is fixed to the inertial frame, so it does not float";
  EXPECT_EQ(search_message(), message);
  EXPECT_EQ(flight_message(), message);
}

TEST_F(FreeFloatingError, BaseWithoutInertia) {
  ModelDescription dust = planar_arm(2);
  dust.base.mass = 0.0;
  dust.base.inertia.setZero();
  for (LinkDescription& link : dust.links) {
    link.mass = 0.0;
    link.inertia.setZero();
  }
  model_ = build(dust);
  EXPECT_EQ(flight_message(),
            "the inertia of the base is singular: no mass, or all mass on one line");
}

TEST_F(FreeFloatingError, Momentum) {
  options_.flight.momentum(4) = std::nan("");
  EXPECT_EQ(flight_message(), "momentum is not finite");
}

TEST_F(FreeFloatingError, Tolerance) {
  options_.flight.tolerance = 0.0;
  EXPECT_EQ(flight_message(), "tolerance must be positive");
}

TEST_F(FreeFloatingError, LargestJointStep) {
  options_.flight.largest_joint_step = -1.0;
  EXPECT_EQ(search_message(), "largest_joint_step must be positive");
}

TEST_F(FreeFloatingError, JointSpeed) {
  options_.joint_speed = 0.0;
  EXPECT_EQ(search_message(), "joint_speed must be positive");
}

TEST_F(FreeFloatingError, NoGoal) {
  goals_.clear();
  EXPECT_EQ(search_message(), "inverse kinematics needs at least one goal");
}

TEST_F(FreeFloatingError, Settings) {
  options_.restarts = -1;
  EXPECT_EQ(search_message(), "restarts must be at least 0");
}

TEST_F(FreeFloatingError, KnotOfAnotherSize) {
  knots_[0].q.resize(3);
  EXPECT_EQ(flight_message(), "knot 1: q has 3 elements, expected 2, one per joint");
}

TEST_F(FreeFloatingError, KnotNotFinite) {
  knots_[0].q(1) = std::nan("");
  EXPECT_EQ(flight_message(), "knot 1: q is not finite");
}

TEST_F(FreeFloatingError, KnotsOutOfOrder) {
  knots_.push_back({0.5, VectorX::Zero(2)});
  EXPECT_EQ(flight_message(), "knot 2: its time must be finite and after the one before");
}

TEST_F(FreeFloatingError, StateOfAnotherModel) {
  path_.states[0].q.resize(3);
  EXPECT_EQ(flight_message(), "q has 3 elements, expected 2, one per joint");
}

}  // namespace
}  // namespace spacedyn::testing::inverse_kinematics_errors_test
