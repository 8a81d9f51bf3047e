#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/reconfiguration.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::reconfiguration_errors_test {
namespace {

class ReconfigurationError : public ::testing::Test {
 protected:
  RandomModels random_{85};
  Model robot_ = random_.model(TreeShape{4, 1, 0.0, true});
  State state_ = random_.state(robot_);

  Model bead(double mass) {
    ModelDescription description;
    description.name = "bead";
    description.base.name = "bead";
    description.base.mass = mass;
    description.base.inertia = mass * Matrix3::Identity();
    return ModelBuilder(description).build();
  }

  template <typename Action>
  std::string message_of(Action action) {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing thrown";
  }
};

TEST_F(ReconfigurationError, LockUnknownJoint) {
  EXPECT_EQ(message_of([&] { lock_joints(robot_, state_, {"lnk_2"}); }),
            "no joint is named 'lnk_2', did you mean 'link_2'?");
}

TEST_F(ReconfigurationError, LockTwice) {
  const ModelState locked = lock_joints(robot_, state_, {"link_2"});
  EXPECT_EQ(message_of([&] { lock_joints(locked.model, locked.state, {"link_2"}); }),
            "cannot lock joint 'link_2': it is fixed already");
}

TEST_F(ReconfigurationError, UnlockAtAnotherPosition) {
  state_.q(1) = 0.5;
  const ModelState locked = lock_joints(robot_, state_, {"link_2"});
  EXPECT_EQ(message_of([&] {
              unlock_joints(locked.model, locked.state, robot_, {{"link_2", 0.25}});
            }),
            "joint 'link_2' is not held at 0.25 in the locked model");
}

TEST_F(ReconfigurationError, UnlockAJointThatMoves) {
  EXPECT_EQ(message_of([&] {
              unlock_joints(robot_, state_, robot_, {{"link_2", 0.25}});
            }),
            "cannot unlock joint 'link_2': it moves already");
}

TEST_F(ReconfigurationError, RerootAtUnknownLink) {
  EXPECT_EQ(message_of([&] { rerooted(robot_, state_, "link_9"); }),
            "no link is named 'link_9', did you mean 'link_1'?");
}

TEST_F(ReconfigurationError, SubmodelOfUnknownLink) {
  EXPECT_EQ(message_of([&] { submodel(robot_, state_, "hull"); }), "no link is named 'hull'");
}

TEST_F(ReconfigurationError, DetachTheBase) {
  EXPECT_EQ(message_of([&] { detach(robot_, state_, "base"); }),
            "cannot detach 'base': it is the base; choose a link");
}

TEST_F(ReconfigurationError, AttachAtUnknownLink) {
  const Model target = bead(1.0);
  EXPECT_EQ(message_of([&] {
              attach(robot_, state_, target, State(target), {"hull", "", {}});
            }),
            "no frame, link or centroid is named 'hull'");
}

TEST_F(ReconfigurationError, AttachAtAFrameThatIsNoLink) {
  const Model target = bead(1.0);
  EXPECT_EQ(message_of([&] {
              attach(robot_, state_, target, State(target), {"hand", "", {}});
            }),
            "no link is named 'hand'");
}

TEST_F(ReconfigurationError, AttachWithTheSameNames) {
  EXPECT_EQ(message_of([&] {
              attach(robot_, state_, robot_, state_, {"link_4", "", {}});
            }),
            "cannot attach: both models have a link or frame named 'base'; give the attachment a "
            "prefix");
}

TEST_F(ReconfigurationError, AttachWhatMovesOtherwise) {
  const Model target = bead(1.0);
  State moving(target);
  State rest(robot_);
  moving.v_0.x() = 0.25;
  moving.omega_0.y() = 0.5;
  EXPECT_EQ(message_of([&] {
              attach(robot_, rest, target, moving, {"base", "", JoinVelocity::matching});
            }),
            "the velocities do not match: a body would jump by 0.25 m/s and 0.5 rad/s; match them "
            "first, or join with JoinVelocity::plastic");
}

TEST_F(ReconfigurationError, JoinWithoutMass) {
  const Model nothing = bead(0.0);
  ModelDescription other = nothing.description();
  other.base.name = "dot";
  const Model dot = ModelBuilder(other).build();
  EXPECT_EQ(message_of([&] {
              attach(nothing, State(nothing), dot, State(dot), {"bead", "", {}});
            }),
            "the inertia matrix of the joined system is not positive definite");
}

TEST_F(ReconfigurationError, StateOfAnotherModel) {
  State wrong = state_;
  wrong.q.conservativeResize(3);
  const std::string message = "q has 3 elements, expected 4, one per joint";
  const Model target = bead(1.0);
  const State rest(target);
  EXPECT_EQ(message_of([&] { lock_joints(robot_, wrong, {"link_1"}); }), message);
  EXPECT_EQ(message_of([&] { unlock_joints(robot_, wrong, robot_, {}); }), message);
  EXPECT_EQ(message_of([&] { rerooted(robot_, wrong, "link_1"); }), message);
  EXPECT_EQ(message_of([&] { submodel(robot_, wrong, "link_1"); }), message);
  EXPECT_EQ(message_of([&] { detach(robot_, wrong, "link_1"); }), message);
  EXPECT_EQ(message_of([&] { attach(robot_, wrong, target, rest, {"base", "", {}}); }), message);
  EXPECT_EQ(message_of([&] { attach(target, rest, robot_, wrong, {"bead", "", {}}); }), message);
}

}  // namespace
}  // namespace spacedyn::testing::reconfiguration_errors_test
