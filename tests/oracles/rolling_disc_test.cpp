// Carius's rolling disc: the spatial velocity and acceleration of one motion, seen from several
// points.
//
// A disc of radius r rolls along y with the speed v; after t it has turned by θ = v t / r about −x.
// The spatial velocity [ω; v_O] at a point O is the angular velocity and the velocity of the disc's
// material that passes through O; the spatial acceleration is a_O = v̇ − ω × v of that material.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::testing::rolling_disc_test {
namespace {

constexpr double kSpeed = 2.0, kRadius = 0.5, kTime = 0.3;
constexpr double kTurn = kSpeed * kTime / kRadius;

/// The disc on a slide along y that carries a hinge about −x, on a fixed ground.
Model disc_on_a_slide() {
  BaseDescription ground;
  ground.name = "ground";
  ground.fixed = true;
  LinkDescription slide;
  slide.name = "slide";
  slide.parent = "ground";
  slide.joint.type = JointType::prismatic;
  slide.joint.origin.position = Vector3(0, 0, kRadius);
  slide.joint.axis = Vector3::UnitY();
  LinkDescription disc;
  disc.name = "disc";
  disc.parent = "slide";
  disc.mass = 1.0;
  disc.inertia = Vector3(0.125, 0.0625, 0.0625).asDiagonal();
  disc.joint.axis = -Vector3::UnitX();
  return ModelBuilder("rolling_disc").set_base(ground).add_link(slide).add_link(disc).build();
}

class RollingDisc : public ::testing::Test {
 protected:
  RollingDisc() {
    state.q << kSpeed * kTime, kTurn;
    state.qd << kSpeed, kSpeed / kRadius;
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    compute_link_accelerations(model, state, frames, velocities, VectorX::Zero(8), accelerations);
  }

  /// The disc's material at a point of space, as a frame of the disc.
  Frame material_at(const Vector3& point) const {
    return {"", 2, frames.A[2].transpose() * (point - frames.o[2]), Matrix3::Identity()};
  }
  /// [ω; v_O], inertial axes.
  Vector6 spatial_velocity(const Vector3& point) const {
    const Vector6 twist = frame_velocity(frames, velocities, material_at(point));
    Vector6 spatial;
    spatial << twist.tail(3), twist.head(3);
    return spatial;
  }
  Vector6 spatial_acceleration(const Vector3& point) const {
    const Frame material = material_at(point);
    const Vector6 twist = frame_velocity(frames, velocities, material);
    const Vector6 classical = frame_acceleration(frames, velocities, accelerations, material);
    Vector6 spatial;
    spatial << classical.tail(3), classical.head<3>() - twist.tail<3>().cross(twist.head<3>());
    return spatial;
  }

  const Model model = disc_on_a_slide();
  State state{model};
  LinkFrames frames{model};
  LinkVelocities velocities{model};
  LinkAccelerations accelerations{model};
  const Vector3 contact{0, kSpeed* kTime, 0};
};

Vector6 six(double a, double b, double c, double d, double e, double f) {
  Vector6 vector;
  vector << a, b, c, d, e, f;
  return vector;
}

TEST_F(RollingDisc, SpatialVelocityDependsOnThePointOfReference) {
  const double tolerance = 1e-14;  // a few roundings of numbers up to 4
  EXPECT_LT((spatial_velocity(contact) - six(-4, 0, 0, 0, 0, 0)).norm(), tolerance);
  EXPECT_LT((spatial_velocity(Vector3::Zero()) - six(-4, 0, 0, 0, 0, 2.4)).norm(), tolerance);
  const Vector3 centre = contact + kRadius * Vector3::UnitZ();
  EXPECT_LT((spatial_velocity(centre) - six(-4, 0, 0, 0, 2, 0)).norm(), tolerance);
}

TEST_F(RollingDisc, SpatialVelocityInTheAxesOfTheDisc) {
  const Vector6 at_centre = spatial_velocity(contact + kRadius * Vector3::UnitZ());
  const Matrix3 A = frames.A[2] * model.body(2).user_axes;
  EXPECT_LT((A.transpose() * at_centre.head<3>() - Vector3(-4, 0, 0)).norm(), 1e-14);
  const Vector3 expected(0, 2 * std::cos(kTurn), 2 * std::sin(kTurn));
  EXPECT_NEAR(expected.y(), 0.724715508953, 1e-12);
  EXPECT_NEAR(expected.z(), 1.864078171934, 1e-12);
  EXPECT_LT((A.transpose() * at_centre.tail<3>() - expected).norm(), 1e-14);
}

TEST_F(RollingDisc, SpatialAccelerationIsTheSameAtTheOriginAndTheContact) {
  const Vector6 expected = six(0, 0, 0, 0, 0, kSpeed * kSpeed / kRadius);
  EXPECT_LT((spatial_acceleration(contact) - expected).norm(), 1e-14);
  EXPECT_LT((spatial_acceleration(Vector3::Zero()) - expected).norm(), 1e-13);
}

}  // namespace
}  // namespace spacedyn::testing::rolling_disc_test
