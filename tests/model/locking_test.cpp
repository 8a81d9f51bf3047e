#include "spacedyn/model/locking.hpp"

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::locking_test {
namespace {

/// Base, a revolute shoulder and a prismatic slide, with everything a joint can say.
ModelDescription arm() {
  ModelDescription robot;
  robot.name = "arm";
  robot.base.name = "base";
  robot.base.mass = 10.0;
  robot.base.inertia = Matrix3::Identity();
  LinkDescription link;
  link.mass = 1.0;
  link.inertia = Matrix3::Identity();
  link.name = "upper";
  link.parent = "base";
  link.joint.name = "shoulder";
  link.joint.origin.position = Vector3(0.5, 0.0, 0.0);
  link.joint.axis = Vector3(0.0, 0.0, 2.0);
  link.joint.position_lower = -1.0;
  link.joint.position_upper = 2.0;
  link.joint.stiffness = 3.0;
  link.joint.rest_position = 0.2;
  link.joint.notes.source = "drawing 7";
  robot.links.push_back(link);
  link.name = "slide";
  link.parent = "upper";
  link.joint = JointDescription{};
  link.joint.type = JointType::prismatic;
  link.joint.axis = Vector3(3.0, 0.0, 0.0);
  link.joint.origin.position = Vector3(0.0, 1.0, 0.0);
  robot.links.push_back(link);
  return robot;
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

TEST(LockJoints, ALockedJointIsAFixedOneAtItsPosition) {
  const ModelDescription locked = lock_joints(arm(), {{"shoulder", 0.3}, {"slide", 0.25}});
  EXPECT_EQ(locked.links[0].joint.type, JointType::fixed);
  EXPECT_LE(relative_difference(locked.links[0].joint.origin.rotation, rotation_z(0.3)), 1e-15);
  EXPECT_EQ(locked.links[0].joint.origin.position, Vector3(0.5, 0.0, 0.0));
  EXPECT_LE((locked.links[1].joint.origin.position - Vector3(0.25, 1.0, 0.0)).norm(), 1e-15);
  EXPECT_EQ(ModelBuilder(locked).build().joint_count(), 0);
}

TEST(LockJoints, KeepsNameAndNotesAndDropsWhatHasNoEffect) {
  const JointDescription joint = lock_joints(arm(), {{"shoulder", 0.3}}).links[0].joint;
  EXPECT_EQ(joint.name, "shoulder");
  EXPECT_EQ(joint.notes.source, "drawing 7");
  EXPECT_EQ(joint.stiffness, 0.0);
  EXPECT_EQ(joint.position_upper, std::numeric_limits<double>::infinity());
}

TEST(LockJoints, AcceptsAPositionOutsideTheLimits) {
  EXPECT_EQ(lock_joints(arm(), {{"shoulder", 2.5}}).links[0].joint.type, JointType::fixed);
}

TEST(LockJoints, EveryBodyStaysWhereTheJointsPutIt) {
  RandomModels random(71);
  const ModelDescription description = random.description(TreeShape{15, 3, 0.3, true});
  const Model whole = ModelBuilder(description).build();
  const State state = random.state(whole);
  const ModelDescription locked = lock_joints(
      description, {{"link_2", state.q(1)}, {"link_7", state.q(6)}, {"link_11", state.q(10)}});
  const Model reduced = ModelBuilder(locked).build();
  ASSERT_EQ(reduced.joint_count(), 12);
  State rest(reduced);
  rest.A_0 = state.A_0;
  for (int i = 1; i <= 12; ++i) {
    rest.q(i - 1) = state.q(*whole.find_joint(reduced.joint(i).name) - 1);
  }
  LinkFrames frames(whole), reduced_frames(reduced);
  compute_link_frames(whole, state, frames);
  rest.r_0 = frames.o[0] + state.A_0 * reduced.body(0).center_of_mass;
  compute_link_frames(reduced, rest, reduced_frames);
  for (const LinkDescription& link : description.links) {
    EXPECT_LE(relative_difference(frame_position(reduced_frames, reduced.frame(link.name)),
                                  frame_position(frames, whole.frame(link.name))),
              1e-13)
        << link.name;
    EXPECT_LE(relative_difference(frame_orientation(reduced_frames, reduced.frame(link.name)),
                                  frame_orientation(frames, whole.frame(link.name))),
              1e-13)
        << link.name;
  }
}

TEST(LockJoints, RefusesAnUnknownJoint) {
  EXPECT_EQ(message_of([] {
              lock_joints(arm(), {{"sholder", 0.0}});
            }),
            "no joint is named 'sholder', did you mean 'shoulder'?");
}

TEST(LockJoints, RefusesAFixedJoint) {
  const ModelDescription locked = lock_joints(arm(), {{"shoulder", 0.3}});
  EXPECT_EQ(message_of([&] {
              lock_joints(locked, {{"shoulder", 0.3}});
            }),
            "cannot lock joint 'shoulder': it is fixed already");
}

TEST(LockJoints, RefusesAPositionThatIsNotFinite) {
  EXPECT_EQ(message_of([] {
              lock_joints(arm(), {{"slide", std::nan("")}});
            }),
            "cannot lock joint 'slide': its position is not finite");
}

TEST(LockJoints, RefusesADescriptionThatBreaksARule) {
  ModelDescription broken = arm();
  broken.links[1].parent = "slide";
  EXPECT_THROW(lock_joints(broken, {{"slide", 0.0}}), ModelError);
}

TEST(UnlockJoints, GivesBackTheJointOfTheOriginal) {
  const ModelDescription original = arm();
  const ModelDescription locked = lock_joints(original, {{"shoulder", 0.3}, {"slide", 0.25}});
  const ModelDescription free = unlock_joints(locked, original, {"shoulder"});
  EXPECT_EQ(free.links[0].joint.type, JointType::revolute);
  EXPECT_EQ(free.links[0].joint.stiffness, 3.0);
  EXPECT_EQ(free.links[0].joint.rest_position, 0.2);
  EXPECT_EQ(free.links[0].joint.origin.rotation, original.links[0].joint.origin.rotation);
  EXPECT_EQ(free.links[1].joint.type, JointType::fixed);
}

TEST(UnlockJoints, KeepsWhatElseWasChanged) {
  const ModelDescription original = arm();
  ModelDescription locked = lock_joints(original, {{"shoulder", 0.3}});
  locked.base.mass = 11.0;
  EXPECT_EQ(unlock_joints(locked, original, {"shoulder"}).base.mass, 11.0);
}

TEST(UnlockJoints, RefusesAJointThatMoves) {
  EXPECT_EQ(message_of([] { unlock_joints(arm(), arm(), {"slide"}); }),
            "cannot unlock joint 'slide': it moves already");
}

TEST(UnlockJoints, RefusesAJointThatIsFixedInTheOriginal) {
  const ModelDescription locked = lock_joints(arm(), {{"slide", 0.25}});
  EXPECT_EQ(message_of([&] { unlock_joints(locked, locked, {"slide"}); }),
            "cannot unlock joint 'slide': the original has it fixed, too");
}

TEST(UnlockJoints, RefusesAJointThatTheOriginalDoesNotHave) {
  const ModelDescription locked = lock_joints(arm(), {{"slide", 0.25}});
  ModelDescription other = arm();
  other.links[1].joint.name = "rail";
  EXPECT_EQ(message_of([&] { unlock_joints(locked, other, {"slide"}); }),
            "no joint is named 'slide'");
}

TEST(UnlockJoints, RefusesAJointBetweenOtherLinks) {
  const ModelDescription locked = lock_joints(arm(), {{"slide", 0.25}});
  ModelDescription other = arm();
  other.links[1].parent = "base";
  EXPECT_EQ(message_of([&] { unlock_joints(locked, other, {"slide"}); }),
            "cannot unlock joint 'slide': it joins 'upper' to 'slide', but 'base' to 'slide' in "
            "the original");
}

}  // namespace
}  // namespace spacedyn::testing::locking_test
