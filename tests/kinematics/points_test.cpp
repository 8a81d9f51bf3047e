// Material points: where they are, how they move, and what is refused.
#include "spacedyn/kinematics/points.hpp"

#include "spacedyn/error.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::points_test {
namespace {

using ::testing::ThrowsMessage;

TEST(Points, MoveAsTheDifferencesOfTheirPositions) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const auto position = [&](double t) {
      LinkFrames frames(robot.model);
      compute_link_frames(robot.model, moved(robot.state, t), frames);
      return MatrixX(frame_position(frames, robot.point));
    };
    require_derivative(point_velocity(robot.frames, robot.velocities, robot.point), position,
                       "velocity");
  });
}

TEST(Points, AreFoundAgainFromTheirInertialPosition) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Vector3 x = frame_position(robot.frames, robot.point);
    const Frame found = material_point_at(robot.model, robot.frames, robot.point.body, x);
    // positions of order ten metres, rounded once on the way there and once on the way back
    require_near(found.position, robot.point.position, 1e-13, "position in the link");
  });
}

TEST(Points, RefuseABodyThatDoesNotExist) {
  const Model model = planar_two_link();
  const LinkFrames frames(model);
  EXPECT_THAT([&] { material_point(model, 3, Vector3::Zero()); },
              ThrowsMessage<DomainError>("a point is on body 3, expected 0 to 2"));
  EXPECT_THAT([&] { material_point(model, -1, Vector3::Zero()); },
              ThrowsMessage<DomainError>("a point is on body -1, expected 0 to 2"));
  EXPECT_THAT([&] { material_point_at(model, frames, 3, Vector3::Zero()); },
              ThrowsMessage<DomainError>("a point is on body 3, expected 0 to 2"));
  EXPECT_THAT(
      [&] {
        check_frame(model, Frame{"hand", 7, Vector3::Zero(), Matrix3::Identity()});
      },
      ThrowsMessage<DomainError>("frame 'hand' is on body 7, expected 0 to 2"));
}

TEST(Points, RefuseNumbersThatAreNotFinite) {
  const Model model = planar_two_link();
  const Vector3 nowhere(0.0, std::numeric_limits<double>::quiet_NaN(), 0.0);
  const char* const message = "the position or orientation of a point is not finite";
  EXPECT_THAT([&] { material_point(model, 1, nowhere); }, ThrowsMessage<DomainError>(message));
  EXPECT_THAT([&] { material_point_at(model, LinkFrames(model), 1, nowhere); },
              ThrowsMessage<DomainError>(message));
}

}  // namespace
}  // namespace spacedyn::testing::points_test
