#include "spacedyn/model/rerooting.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::rerooting_test {
namespace {

LinkDescription link(const std::string& name, const std::string& parent, const Vector3& origin) {
  LinkDescription description;
  description.name = name;
  description.parent = parent;
  description.mass = 1.0;
  description.inertia = Matrix3::Identity();
  description.joint.origin.position = origin;
  return description;
}

/// bus –(shoulder)– upper –(elbow)– fore, and a panel on the bus; the arm lies along x.
ModelDescription robot() {
  ModelDescription description;
  description.name = "robot";
  description.base.name = "bus";
  description.base.mass = 10.0;
  description.base.inertia = 2.0 * Matrix3::Identity();
  description.base.notes.source = "data sheet";
  description.base.visuals.push_back({});
  description.links = {link("upper", "bus", Vector3(0.5, 0.0, 0.0)),
                       link("fore", "upper", Vector3(1.0, 0.0, 0.0)),
                       link("panel", "bus", Vector3(0.0, 1.0, 0.0))};
  JointDescription& shoulder = description.links[0].joint;
  shoulder.name = "shoulder";
  shoulder.position_lower = -1.0;
  shoulder.position_upper = 2.0;
  shoulder.velocity_limit = 0.5;
  shoulder.effort_limit = 7.0;
  shoulder.stiffness = 3.0;
  shoulder.damping = 0.1;
  shoulder.rest_position = 0.2;
  shoulder.notes.description = "harmonic drive";
  FrameDescription camera;
  camera.name = "camera";
  camera.link = "bus";
  camera.origin.position = Vector3(0.1, 0.2, 0.3);
  description.frames.push_back(camera);
  return description;
}

TEST(Rerooted, TurnsTheJointsOfThePathRound) {
  const ModelDescription turned = rerooted(robot(), "fore");
  EXPECT_EQ(turned.base.name, "fore");
  // each joint keeps its place in the list and carries the other of its links
  EXPECT_EQ(turned.links[0].name, "bus");
  EXPECT_EQ(turned.links[0].parent, "upper");
  EXPECT_EQ(turned.links[1].name, "upper");
  EXPECT_EQ(turned.links[1].parent, "fore");
  EXPECT_EQ(turned.links[2].name, "panel");
  EXPECT_EQ(turned.links[2].parent, "bus");
  EXPECT_EQ(turned.links[0].joint.axis, Vector3(0.0, 0.0, -1.0));
  EXPECT_EQ(turned.links[1].joint.axis, Vector3(0.0, 0.0, -1.0));
  EXPECT_EQ(turned.links[2].joint.axis, Vector3(0.0, 0.0, 1.0));
}

TEST(Rerooted, MovesFrameOriginsOntoTheTurnedJoints) {
  const ModelDescription turned = rerooted(robot(), "fore");
  // the elbow sits at the origin of 'fore'; the shoulder is 1 m before it on 'upper'
  EXPECT_EQ(turned.links[1].joint.origin.position, Vector3(Vector3::Zero()));
  EXPECT_EQ(turned.links[0].joint.origin.position, Vector3(-1.0, 0.0, 0.0));
  EXPECT_EQ(turned.links[0].center_of_mass, Vector3(-0.5, 0.0, 0.0));
  EXPECT_EQ(turned.links[0].visuals[0].origin.position, Vector3(-0.5, 0.0, 0.0));
  EXPECT_EQ(turned.links[2].joint.origin.position, Vector3(-0.5, 1.0, 0.0));
  EXPECT_EQ(turned.frames[0].origin.position, Vector3(-0.4, 0.2, 0.3));
}

TEST(Rerooted, AJointKeepsAllThatIsSaidAboutIt) {
  const JointDescription joint = rerooted(robot(), "fore").links[0].joint;
  EXPECT_EQ(joint.name, "shoulder");
  EXPECT_EQ(joint.position_lower, -1.0);
  EXPECT_EQ(joint.position_upper, 2.0);
  EXPECT_EQ(joint.velocity_limit, 0.5);
  EXPECT_EQ(joint.effort_limit, 7.0);
  EXPECT_EQ(joint.stiffness, 3.0);
  EXPECT_EQ(joint.damping, 0.1);
  EXPECT_EQ(joint.rest_position, 0.2);
  EXPECT_EQ(joint.notes.description, "harmonic drive");
}

TEST(Rerooted, AJointNamedAfterItsLinkKeepsThatName) {
  EXPECT_EQ(rerooted(robot(), "fore").links[1].joint.name, "fore");
}

TEST(Rerooted, BodiesKeepMassAxesVisualsAndNotes) {
  const LinkDescription bus = rerooted(robot(), "upper").links[0];
  EXPECT_EQ(bus.mass, 10.0);
  EXPECT_EQ(bus.inertia, Matrix3(2.0 * Matrix3::Identity()));
  EXPECT_EQ(bus.visuals.size(), 1u);
  EXPECT_EQ(bus.notes.source, "data sheet");
}

TEST(Rerooted, AtTheBaseChangesNothing) {
  const ModelDescription same = rerooted(robot(), "bus");
  EXPECT_EQ(same.base.name, "bus");
  EXPECT_EQ(same.links[0].joint.axis, robot().links[0].joint.axis);
}

TEST(Rerooted, ABodyOnAFixedJointCanBeTheBase) {
  ModelDescription description = robot();
  LinkDescription tool = link("tool", "fore", Vector3(0.0, 0.3, 0.0));
  tool.joint.type = JointType::fixed;
  tool.joint.origin.rotation = rotation_x(0.7);
  description.links.push_back(tool);
  const Model model = ModelBuilder(rerooted(description, "tool")).build();
  EXPECT_EQ(model.body(0).name, "tool");
  EXPECT_DOUBLE_EQ(model.body(0).mass, 2.0);
  EXPECT_EQ(model.joint_count(), 3);
}

TEST(Rerooted, ThereAndBackIsTheSameRobot) {
  RandomModels random(72);
  const ModelDescription description = random.description(TreeShape{12, 3, 0.4, true});
  const Model before = ModelBuilder(description).build();
  const Model after = ModelBuilder(rerooted(rerooted(description, "link_12"), "base")).build();
  const State state = random.state(before);
  State same = state;
  for (int i = 1; i <= 12; ++i) {
    same.q(*after.find_joint(before.joint(i).name) - 1) = state.q(i - 1);
  }
  LinkFrames frames(before), frames_after(after);
  compute_link_frames(before, state, frames);
  compute_link_frames(after, same, frames_after);
  for (int i = 0; i <= 12; ++i) {
    const std::string point = before.body(i).name + ".com";
    EXPECT_LE(relative_difference(frame_position(frames_after, after.frame(point)),
                                  frame_position(frames, before.frame(point))),
              1e-13)
        << point;
  }
}

TEST(Rerooted, RefusesAnUnknownLink) {
  try {
    rerooted(robot(), "for");
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(), "no link is named 'for', did you mean 'fore'?");
  }
}

TEST(Rerooted, RefusesABaseFixedToTheInertialFrame) {
  ModelDescription description = robot();
  description.base.fixed = true;
  try {
    rerooted(description, "fore");
    FAIL();
  } catch (const DomainError& error) {
    EXPECT_STREQ(error.what(),
                 "cannot make 'fore' the base: 'bus' is fixed to the inertial frame; set its "
                 "'fixed' to false first");
  }
}

TEST(Rerooted, RefusesADescriptionThatBreaksARule) {
  ModelDescription broken = robot();
  broken.base.mass = -1.0;
  EXPECT_THROW(rerooted(broken, "fore"), ModelError);
}

}  // namespace
}  // namespace spacedyn::testing::rerooting_test
