// Classical and spatial accelerations against what defines each of them.
#include "spacedyn/kinematics/point_acceleration.hpp"

#include "support/random_robots.hpp"
#include "support/small_models.hpp"
#include "textbook/body_point.hpp"

namespace spacedyn::testing::point_acceleration_test {
namespace {

constexpr double kTolerance = 1e-12;

struct Motion {
  explicit Motion(const RandomRobot& robot, double t = 0.0)
      : frames(robot.model), velocities(robot.model), accelerations(robot.model) {
    const State state = moved(robot.state, robot.acceleration, t);
    compute_link_frames(robot.model, state, frames);
    compute_link_velocities(robot.model, state, frames, velocities);
    compute_link_accelerations(robot.model, state, frames, velocities, robot.acceleration,
                               accelerations);
  }
  LinkFrames frames;
  LinkVelocities velocities;
  LinkAccelerations accelerations;
};

TEST(PointAcceleration, ClassicalIsTheRateOfThePointsVelocity) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Motion now(robot);
    const ClassicalAcceleration a =
        classical_acceleration(now.frames, now.velocities, now.accelerations, robot.point);
    Vector6 both;
    both << a.linear, a.angular;
    const auto twist = [&](double t) {
      const Motion then(robot, t);
      return MatrixX(frame_velocity(then.frames, then.velocities, robot.point));
    };
    require_derivative(both, twist, "classical acceleration");
  });
}

TEST(PointAcceleration, SpatialIsTheRateAtAPlaceFixedInSpace) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Motion now(robot);
    const Vector3 place = frame_position(now.frames, robot.point);
    const auto i = static_cast<std::size_t>(robot.point.body);
    const auto velocity_there = [&](double t) {
      const Motion then(robot, t);
      Vector6 twist;
      twist << then.velocities.v[i] + then.velocities.omega[i].cross(place - then.frames.r[i]),
          then.velocities.omega[i];
      return MatrixX(twist);
    };
    const MotionVector a =
        spatial_acceleration(now.frames, now.velocities, now.accelerations, robot.point);
    Vector6 both;
    both << a.linear, a.angular;
    require_derivative(both, velocity_there, "spatial acceleration");
  });
}

TEST(PointAcceleration, OfAnotherPointFollowsFromTheSpatialOne) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Motion now(robot);
    const Frame com = material_point_at(robot.model, now.frames, robot.point.body,
                                        now.frames.r[static_cast<std::size_t>(robot.point.body)]);
    const MotionVector a = spatial_acceleration(now.frames, now.velocities, now.accelerations, com);
    const MotionVector v = spatial_velocity(now.frames, now.velocities, com);
    const Vector3 arm = frame_position(now.frames, robot.point) - frame_position(now.frames, com);
    const ClassicalAcceleration expected =
        classical_acceleration(now.frames, now.velocities, now.accelerations, robot.point);
    require_near(point_acceleration(a, v, arm), expected.linear, kTolerance, "[RBDL] 9");
  });
}

TEST(PointAcceleration, BiasIsTheRecursionWithoutAccelerations) {
  for_random_robots(40, [](RandomRobot& robot) {
    robot.acceleration.setZero();
    const Motion now(robot);
    const ClassicalAcceleration expected =
        classical_acceleration(now.frames, now.velocities, now.accelerations, robot.point);
    const ClassicalAcceleration bias =
        bias_acceleration(robot.model, robot.state, now.frames, now.velocities, robot.point);
    require_near(bias.linear, expected.linear, kTolerance, "linear bias");
    require_near(bias.angular, expected.angular, kTolerance, "angular bias");
  });
}

TEST(PointAcceleration, OfARollingDiscIsOnlyAtTheContact) {
  // v = 2 along x, r = 0.5, so ω_y = 4: the contact point stands still and is thrown upwards
  const Model model = single_body(1.0, Vector3::Ones());
  State state(model);
  state.v_0 = Vector3(2.0, 0.0, 0.0);
  state.omega_0 = Vector3(0.0, 4.0, 0.0);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  const LinkAccelerations none(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);

  const Frame contact = material_point(model, 0, Vector3(0.0, 0.0, -0.5));
  EXPECT_EQ(point_velocity(frames, velocities, contact), Vector3::Zero());
  EXPECT_EQ(classical_acceleration(frames, velocities, none, contact).linear,
            Vector3(0.0, 0.0, 8.0));
  EXPECT_EQ(spatial_acceleration(frames, velocities, none, contact).linear, Vector3(0.0, 0.0, 8.0));

  // the centre moves uniformly, yet the velocity field of the disc passes over its place
  const Frame centre = material_point(model, 0, Vector3::Zero());
  EXPECT_EQ(classical_acceleration(frames, velocities, none, centre).linear, Vector3::Zero());
  EXPECT_EQ(spatial_acceleration(frames, velocities, none, centre).linear, Vector3(0.0, 0.0, 8.0));
}

}  // namespace
}  // namespace spacedyn::testing::point_acceleration_test
