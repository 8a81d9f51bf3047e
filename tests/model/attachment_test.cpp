#include "spacedyn/model/attachment.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/submodel.hpp"

namespace spacedyn::testing::attachment_test {
namespace {

ModelDescription two_bodies(const std::string& base, const std::string& tip, double mass) {
  ModelDescription description;
  description.name = base + " robot";
  description.base.name = base;
  description.base.mass = mass;
  description.base.inertia = Matrix3::Identity();
  LinkDescription link;
  link.name = tip;
  link.parent = base;
  link.mass = 1.0;
  link.inertia = Matrix3::Identity();
  description.links.push_back(link);
  description.frames.push_back({"eye", tip, Pose{}, Notes{}});
  return description;
}

Attachment at(const std::string& parent, const std::string& prefix) {
  Attachment attachment;
  attachment.parent = parent;
  attachment.prefix = prefix;
  return attachment;
}

std::string message_of(const ModelDescription& robot, const ModelDescription& attached,
                       const Attachment& attachment) {
  try {
    attach(robot, attached, attachment);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing thrown";
}

TEST(Attach, MakesTheOtherBaseALink) {
  ModelDescription target = two_bodies("target", "panel", 5.0);
  target.notes.source = "catalogue";
  Attachment attachment = at("hand", "t_");
  attachment.joint.origin.position = Vector3(0.1, 0.2, 0.3);
  attachment.joint.origin.rotation = rotation_y(0.4);
  const ModelDescription whole = attach(two_bodies("bus", "hand", 10.0), target, attachment);
  ASSERT_EQ(whole.links.size(), 3u);
  const LinkDescription& link = whole.links[1];
  EXPECT_EQ(link.name, "t_target");
  EXPECT_EQ(link.parent, "hand");
  EXPECT_EQ(link.mass, 5.0);
  EXPECT_EQ(link.joint.type, JointType::fixed);
  EXPECT_EQ(link.joint.origin.position, Vector3(0.1, 0.2, 0.3));
  EXPECT_EQ(link.joint.origin.rotation, rotation_y(0.4));
  EXPECT_EQ(link.notes.source, "catalogue");
  EXPECT_EQ(whole.links[2].name, "t_panel");
  EXPECT_EQ(whole.links[2].parent, "t_target");
  EXPECT_EQ(whole.links[2].joint.name, "t_panel");
  EXPECT_EQ(whole.frames[1].name, "t_eye");
  EXPECT_EQ(whole.frames[1].link, "t_panel");
  EXPECT_EQ(whole.name, "bus robot");
  const Model model = ModelBuilder(whole).build();
  EXPECT_EQ(model.joint_count(), 2);
  EXPECT_DOUBLE_EQ(model.total_mass(), 17.0);
}

TEST(Attach, ByAJointGivesAnotherDegreeOfFreedom) {
  Attachment attachment = at("bus", "t_");
  attachment.joint.type = JointType::revolute;
  attachment.joint.name = "berth";
  const ModelDescription whole =
      attach(two_bodies("bus", "hand", 10.0), two_bodies("target", "panel", 5.0), attachment);
  const Model model = ModelBuilder(whole).build();
  EXPECT_EQ(model.joint_count(), 3);
  EXPECT_TRUE(model.find_joint("berth"));
}

TEST(Attach, DetachGivesTheAttachedModelBack) {
  const ModelDescription target = two_bodies("target", "panel", 5.0);
  const ModelDescription whole = attach(two_bodies("bus", "hand", 10.0), target, at("hand", "t_"));
  const DetachedDescriptions parts = detach(whole, "t_target");
  EXPECT_EQ(parts.remaining.links.size(), 1u);
  EXPECT_EQ(parts.detached.base.name, "t_target");
  EXPECT_EQ(parts.detached.links[0].name, "t_panel");
  EXPECT_EQ(parts.detached.base.mass, 5.0);
}

TEST(Attach, RefusesAnUnknownParent) {
  EXPECT_EQ(message_of(two_bodies("bus", "hand", 10.0), two_bodies("target", "panel", 5.0),
                       at("hond", "t_")),
            "no link is named 'hond', did you mean 'hand'?");
}

TEST(Attach, RefusesABaseFixedToTheInertialFrame) {
  ModelDescription target = two_bodies("target", "panel", 5.0);
  target.base.fixed = true;
  EXPECT_EQ(message_of(two_bodies("bus", "hand", 10.0), target, at("hand", "t_")),
            "cannot attach 'target': it is fixed to the inertial frame; set its 'fixed' to false "
            "first");
}

TEST(Attach, RefusesALinkOrFrameThatBothHave) {
  EXPECT_EQ(message_of(two_bodies("bus", "hand", 10.0), two_bodies("target", "panel", 5.0),
                       at("hand", "")),
            "cannot attach: both models have a link or frame named 'eye'; give the attachment a "
            "prefix");
}

TEST(Attach, RefusesAJointThatBothHave) {
  ModelDescription target = two_bodies("target", "panel", 5.0);
  target.frames.clear();
  target.links[0].joint.name = "hand";
  EXPECT_EQ(message_of(two_bodies("bus", "hand", 10.0), target, at("hand", "")),
            "cannot attach: both models have a joint named 'hand'; give the attachment a prefix");
}

TEST(Attach, RefusesADescriptionThatBreaksARule) {
  ModelDescription broken = two_bodies("target", "panel", 5.0);
  broken.links[0].mass = -1.0;
  EXPECT_THROW(attach(two_bodies("bus", "hand", 10.0), broken, at("hand", "t_")), ModelError);
}

}  // namespace
}  // namespace spacedyn::testing::attachment_test
