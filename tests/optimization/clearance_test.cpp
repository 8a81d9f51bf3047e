// Planned motions around shapes that are in the way: distances, derivatives, plans, bad input.
#include <cmath>

#include <gmock/gmock.h>

#include "optimization/shape_distances.hpp"
#include "spacedyn/control/spline_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/optimization/trajectory.hpp"
#include "support/dice.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::clearance_test {
namespace {

using testing::Dice;
using ::testing::HasSubstr;
using testing::message_of;

CollisionShape shape_of(const std::string& name, CollisionType type, const Vector3& size,
                        const Vector3& place = {0, 0, 0}, const Vector3& turn = {0, 0, 0}) {
  CollisionShape shape;
  shape.name = name;
  shape.type = type;
  shape.size = size;
  shape.origin = {place, exp_so3(turn)};
  return shape;
}

/// Two links of 1 m that turn about z in the plane; the lower one is a capsule, and on the base
/// stands a post.
Model arm(const CollisionShape& post, CollisionType lower = CollisionType::capsule) {
  BaseDescription base = testing::base_body(200.0, {40.0, 40.0, 40.0});
  base.collisions = {post};
  LinkDescription first =
      testing::link_body("upper", "base", 5.0, {0.1, 0.5, 0.5}, {0.5, 0, 0}, {0.5, 0, 0});
  LinkDescription second =
      testing::link_body("lower", "upper", 4.0, {0.1, 0.4, 0.4}, {1, 0, 0}, {0.5, 0, 0});
  const bool is_box = lower == CollisionType::box;
  second.collisions = {shape_of("tool", lower,
                                is_box ? Vector3(1.0, 0.1, 0.1) : Vector3(0.05, 0.9, 0.0),
                                {0.5, 0, 0}, is_box ? Vector3(0, 0, 0) : Vector3(0, M_PI / 2, 0))};
  return ModelBuilder("arm").set_base(base).add_link(first).add_link(second).build();
}

const CollisionShape kPost = shape_of("post", CollisionType::box, {0.2, 0.2, 0.6}, {2.3, 0.0, 0.0});

/// Of the axis of the tool from the post, by points along it; less its radius.
double distance_by_points(const VectorX& q) {
  const Eigen::Vector2d elbow =
      Eigen::Vector2d(0.5, 0.0) + Eigen::Vector2d(std::cos(q(0)), std::sin(q(0)));
  const Eigen::Vector2d along(std::cos(q(0) + q(1)), std::sin(q(0) + q(1)));
  double least = 1e9;
  for (int i = 0; i <= 9000; ++i) {
    const Eigen::Vector2d point = elbow + (0.05 + 1e-4 * i) * along;
    const Eigen::Vector2d beyond =
        ((point - Eigen::Vector2d(2.3, 0.0)).cwiseAbs().array() - 0.1).max(0.0);
    least = std::min(least, beyond.norm());
  }
  return least - 0.05;
}

TEST(Clearances, ChangeAsTheirDerivativesSay) {
  Dice dice(7);
  for (const CollisionType lower : {CollisionType::capsule, CollisionType::box}) {
    for (const CollisionType post : {CollisionType::box, CollisionType::sphere,
                                     CollisionType::capsule, CollisionType::cylinder}) {
      const Vector3 turn = dice.vector(0.5);
      const Vector3 place = Vector3(1.9, 0.1, 0.4) + dice.vector(0.1);
      const Model model = arm(shape_of("post", post, {0.2, 0.35, 0.5}, place, turn), lower);
      ShapeDistances distances(model, State(model), {1, 2});
      ASSERT_EQ(distances.count(), 1);
      int compared = 0;
      for (int draw = 0; draw < 40; ++draw) {
        VectorX q(2), by_q(2), unused(2);
        for (double& angle : q) angle = dice.number(-1.5, 1.5);
        distances.update(q);
        const double here = distances.differentiate(0, by_q);
        if (here < 0.02) continue;
        for (int j = 0; j < 2; ++j) {
          constexpr double kStep = 1e-4;
          double sides[2];
          for (const int side : {0, 1}) {
            VectorX moved = q;
            moved(j) += side == 0 ? -kStep : kStep;
            distances.update(moved);
            sides[side] = distances.distance(0);
          }
          const double forth = (sides[1] - here) / kStep, back = (here - sides[0]) / kStep;
          // where another edge becomes the nearest there is a kink
          if (std::abs(forth - back) > 5e-3) continue;
          // the search on a curved rim ends before its last digits
          const double tolerance = post == CollisionType::cylinder ? 5e-3 : 1e-4;
          EXPECT_NEAR(by_q(j), 0.5 * (forth + back), tolerance)
              << static_cast<int>(post) << ' ' << draw;
          ++compared;
        }
      }
      EXPECT_GT(compared, 20);
    }
  }
}

TEST(Clearances, LeadAroundAPost) {
  const Model model = arm(kPost);
  State start(model);
  start.q << -0.9, 0.3;
  TrajectoryGoal goal;
  goal.joints = {1, 2};
  goal.to = Eigen::Vector2d(0.9, -0.3);
  goal.duration = 10.0;
  const auto least = [&](const JointTrajectory& plan) {
    const SplineReference spline(plan.time, plan.position);
    double found = 1e9;
    for (int i = 0; i <= 400; ++i) {
      const double time = plan.duration() * i / 400;
      found =
          std::min(found, distance_by_points(Eigen::Vector2d(spline.evaluate(0, time).position,
                                                             spline.evaluate(1, time).position)));
    }
    return found;
  };
  // the straight line leads through it
  const JointTrajectory straight = plan_trajectory(model, start, goal);
  EXPECT_LT(least(straight), 0.0);
  EXPECT_TRUE(std::isinf(straight.clearance));
  goal.clearance = 0.04;
  const JointTrajectory around = plan_trajectory(model, start, goal);
  EXPECT_TRUE(around.feasible) << around.message;
  EXPECT_GE(around.clearance, 0.04 - 1e-9);
  EXPECT_GE(least(around), 0.04 - 1e-4);  // points every 0.1 mm
  EXPECT_NEAR(least(around), around.clearance, 1e-3);
}

TEST(Clearances, RefuseWhatCannotBeKept) {
  const Model model = arm(kPost);
  State start(model);
  start.q << -0.9, 0.3;
  TrajectoryGoal goal;
  goal.joints = {1, 2};
  goal.to = Eigen::Vector2d(0.9, -0.3);
  goal.duration = 10.0;
  const auto message = [&](const Model& of) {
    return message_of<Error>([&] { (void)plan_trajectory(of, start, goal); });
  };
  goal.clearance = -1.0;
  EXPECT_THAT(message(model), HasSubstr("the clearance must be finite and not negative"));
  goal.clearance = 5.0;
  EXPECT_THAT(message(model), HasSubstr("in its first posture 'post' and 'tool' are"));
  goal.clearance = 0.01;
  goal.joints = {1};
  goal.to = VectorX::Constant(1, 0.0);
  start.q << -1.2, 0.0;
  EXPECT_THAT(message(model), HasSubstr("in its last posture 'post' and 'tool' are"));
  goal.joints = {1, 2};
  goal.to = Eigen::Vector2d(0.9, -0.3);
  EXPECT_THAT(message(ModelBuilder(testing::one_link_description())
                          .add_link(testing::link_body("more", "arm", 1.0, {1, 1, 1}, {1, 0, 0},
                                                       {0.1, 0, 0}))
                          .build()),
              HasSubstr("a clearance needs collision shapes"));
  EXPECT_THAT(
      message(arm(shape_of("post", CollisionType::ellipsoid, {0.2, 0.2, 0.3}, {1.9, 0, 0}))),
      HasSubstr("the distance between the shapes 'post' and 'tool' is not known"));
}

}  // namespace
}  // namespace spacedyn::clearance_test
