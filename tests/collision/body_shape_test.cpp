// Collision shapes of a model: which body carries them, where, and who is whose neighbour.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/collision/body_shape.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "support/contact_models.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::body_shape_test {
namespace {

/// A base, an arm about y at (1, 0, 0), a tool fixed to it and turned, a ball that floats.
ModelDescription robot() {
  ModelDescription model = ModelBuilder("robot").set_base(base_body(10.0, {1, 1, 1})).description();
  model.base.collisions.push_back(sphere_shape("hull", 0.5));
  LinkDescription arm = link_body("arm", "base", 1.0, {0.1, 0.1, 0.1}, {1, 0, 0}, {0.2, 0, 0});
  arm.joint.axis = Vector3::UnitY();
  arm.collisions.push_back(sphere_shape("elbow", 0.1, {0.3, 0, 0}));
  LinkDescription tool = link_body("tool", "arm", 0.5, {0.1, 0.1, 0.1}, {0.5, 0, 0}, {0, 0, 0});
  tool.joint.type = JointType::fixed;
  tool.joint.origin.rotation = rotation_z(0.7);
  tool.collisions.push_back(shape_of(CollisionType::capsule, "finger", {0.02, 0.2, 0}));
  tool.collisions.back().origin.position = {0.1, 0, 0};
  LinkDescription stone = link_body("stone", "base", 1.0, {0.1, 0.1, 0.1}, {0, 0, 0}, {0, 0, 0});
  stone.joint.type = JointType::free;
  stone.collisions.push_back(sphere_shape("stone", 0.1));
  LinkDescription wrist = link_body("wrist", "arm", 1.0, {0.1, 0.1, 0.1}, {1, 0, 0}, {0, 0, 0});
  wrist.joint.type = JointType::spherical;
  wrist.collisions.push_back(sphere_shape("palm", 0.1));
  model.links = {arm, tool, stone, wrist};
  return model;
}

TEST(BodyShape, IsWhereItsLinkIsAlsoBehindAFixedJoint) {
  const Model model = ModelBuilder(robot()).build();
  State state(model);
  state.r_0 = {3, 2, 1};
  state.A_0 = rotation_x(0.4);
  state.q(0) = 0.6;
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  const std::vector<BodyShape> shapes = collision_shapes(model);
  ASSERT_EQ(shapes.size(), 5u);
  EXPECT_EQ(shapes[2].name, "finger");
  EXPECT_EQ(shapes[2].link, "tool");
  EXPECT_EQ(shapes[2].frame.body, *model.find_body("arm"));
  // link after link by hand
  const Matrix3 arm = state.A_0 * rotation_y(0.6), tool = arm * rotation_z(0.7);
  const Vector3 at_arm = state.r_0 + state.A_0 * Vector3(1, 0, 0);
  const Vector3 finger = at_arm + arm * Vector3(0.5, 0, 0) + tool * Vector3(0.1, 0, 0);
  const ShapePose elbow = shapes[1].at(frames), pose = shapes[2].at(frames);
  EXPECT_NEAR((elbow.position - at_arm - arm * Vector3(0.3, 0, 0)).norm(), 0.0, 1e-15);
  EXPECT_NEAR((pose.position - finger).norm(), 0.0, 1e-15);
  EXPECT_NEAR((pose.rotation - tool).norm(), 0.0, 1e-15);
}

TEST(BodyShape, NeighboursAreJoinedByAJointThatIsNotFree) {
  const Model model = ModelBuilder(robot()).build();
  const auto body = [&](const char* name) { return model.find_body(name).value(); };
  EXPECT_TRUE(are_neighbours(model, 0, body("arm")));
  EXPECT_TRUE(are_neighbours(model, body("wrist"), body("arm")));  // through links without mass
  EXPECT_FALSE(are_neighbours(model, 0, body("wrist")));
  EXPECT_FALSE(are_neighbours(model, 0, body("stone")));
}

TEST(BodyShape, FollowsReRootingAndAttachment) {
  ModelDescription given = robot();
  given.links.resize(2);  // a chain
  const Model model = ModelBuilder(given).build();
  const Model turned = ModelBuilder(rerooted(given, "arm")).build();
  State state(model);
  state.q(0) = 0.3;
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  State other(turned);
  const Frame arm = model.frame("arm.com");
  other.r_0 = frame_position(frames, arm);
  other.A_0 = frame_orientation(frames, arm);
  other.q(0) = 0.3;
  LinkFrames other_frames(turned);
  compute_link_frames(turned, other, other_frames);
  for (const BodyShape& shape : collision_shapes(model)) {
    for (const BodyShape& same : collision_shapes(turned)) {
      if (same.name != shape.name) continue;
      const Vector3 distance = same.at(other_frames).position - shape.at(frames).position;
      // the base of the re-rooted robot is placed by its centroid, which counts the tool
      EXPECT_LT(distance.norm(), 1e-12) << shape.name;
    }
  }
  Attachment attachment;
  attachment.parent = "arm";
  attachment.prefix = "left_";
  ModelDescription hand = ModelBuilder("hand").set_base(base_body(1.0, {1, 1, 1})).description();
  hand.base.collisions.push_back(sphere_shape("hull", 0.1));
  const auto shapes = collision_shapes(ModelBuilder(attach(given, hand, attachment)).build());
  EXPECT_EQ(shapes.back().name, "left_hull");
}

TEST(BodyShape, RefusesNamesAndSizesWithoutMeaning) {
  const auto message = [](auto spoil) {
    ModelDescription model = robot();
    spoil(model);
    return message_of<ModelError>([&] { ModelBuilder(model).build(); });
  };
  EXPECT_THAT(message([](auto& m) { m.base.collisions[0].name = "elbow"; }),
              ::testing::HasSubstr("expected a name of its own, got 'elbow' like "
                                   "base.collision.0.name"));
  EXPECT_THAT(message([](auto& m) { m.base.collisions[0].name = "arm"; }),
              ::testing::HasSubstr("expected a name of its own, got 'arm' like a link"));
  EXPECT_THAT(message([](auto& m) { m.base.collisions[0].name = "terrain"; }),
              ::testing::HasSubstr("expected another name, got 'terrain'"));
  EXPECT_THAT(message([](auto& m) { m.base.collisions[0].name = "a.b"; }),
              ::testing::HasSubstr("expected a name without dots, got 'a.b'"));
  EXPECT_THAT(message([](auto& m) { m.links[1].collisions[0].size.y() = 0.0; }),
              ::testing::HasSubstr("expected a shape with positive, finite lengths"));
}

}  // namespace
}  // namespace spacedyn::testing::body_shape_test
