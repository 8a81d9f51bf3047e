// Velocities and accelerations against finite differences of positions on random trees.
#include "spacedyn/kinematics/link_motion.hpp"

#include "spacedyn/math/so3.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::link_motion_test {
namespace {

/// The motion through `state` with constant u̇, after a short time.
State moved(const State& state, const VectorX& acceleration, double t) {
  State result = state;
  const Vector3 omegad = acceleration.segment<3>(3);
  const VectorX qdd = acceleration.tail(acceleration.size() - 6);
  result.r_0 += t * state.v_0 + 0.5 * t * t * acceleration.head<3>();
  // Magnus expansion of Ȧ = ω̃ A to third order in t
  const Vector3 theta =
      t * state.omega_0 + 0.5 * t * t * omegad + t * t * t / 12.0 * omegad.cross(state.omega_0);
  result.A_0 = exp_so3(theta) * state.A_0;
  result.q += t * state.qd + 0.5 * t * t * qdd;
  result.v_0 += t * acceleration.head<3>();
  result.omega_0 += t * omegad;
  result.qd += t * qdd;
  return result;
}

class LinkMotion : public ::testing::TestWithParam<unsigned> {
 protected:
  LinkMotion()
      : random_(GetParam()),
        model_(random_.model(TreeShape{})),
        state_(random_.state(model_)),
        acceleration_(random_.vector(model_.velocity_size())) {}

  LinkFrames frames_at(double t) const {
    LinkFrames frames(model_);
    compute_link_frames(model_, moved(state_, acceleration_, t), frames);
    return frames;
  }
  LinkVelocities velocities_at(double t) const {
    LinkVelocities velocities(model_);
    compute_link_velocities(model_, moved(state_, acceleration_, t), frames_at(t), velocities);
    return velocities;
  }

  RandomModels random_;
  Model model_;
  State state_;
  VectorX acceleration_;
};

// central differences of step h err by h² times the third derivative plus eps/h of rounding: with
// h = 1e-5 both are near 1e-10 for motions of order ten
constexpr double kStep = 1e-5;
constexpr double kTolerance = 2e-8;

TEST_P(LinkMotion, VelocityIsTheDerivativeOfPosition) {
  const LinkFrames before = frames_at(-kStep), after = frames_at(kStep);
  const LinkVelocities velocities = velocities_at(0.0);
  for (std::size_t i = 0; i < before.r.size(); ++i) {
    const Vector3 v = (after.r[i] - before.r[i]) / (2.0 * kStep);
    const Vector3 omega = log_so3(after.A[i] * before.A[i].transpose()) / (2.0 * kStep);
    EXPECT_LE(relative_difference(velocities.v[i], v), kTolerance);
    EXPECT_LE(relative_difference(velocities.omega[i], omega), kTolerance);
  }
}

TEST_P(LinkMotion, AccelerationIsTheDerivativeOfVelocity) {
  const LinkVelocities before = velocities_at(-kStep), after = velocities_at(kStep);
  LinkAccelerations accelerations(model_);
  compute_link_accelerations(model_, state_, frames_at(0.0), velocities_at(0.0), acceleration_,
                             accelerations);
  for (std::size_t i = 0; i < before.v.size(); ++i) {
    const Vector3 vd = (after.v[i] - before.v[i]) / (2.0 * kStep);
    const Vector3 omegad = (after.omega[i] - before.omega[i]) / (2.0 * kStep);
    EXPECT_LE(relative_difference(accelerations.vd[i], vd), kTolerance);
    EXPECT_LE(relative_difference(accelerations.omegad[i], omegad), kTolerance);
  }
}

TEST_P(LinkMotion, FrameMotionFollowsItsBody) {
  const Frame hand = model_.frame("hand");
  const Vector3 v =
      (frame_position(frames_at(kStep), hand) - frame_position(frames_at(-kStep), hand)) /
      (2.0 * kStep);
  const auto twist_at = [&](double t) {
    return frame_velocity(frames_at(t), velocities_at(t), hand);
  };
  LinkAccelerations accelerations(model_);
  compute_link_accelerations(model_, state_, frames_at(0.0), velocities_at(0.0), acceleration_,
                             accelerations);
  const Vector6 expected = (twist_at(kStep) - twist_at(-kStep)) / (2.0 * kStep);
  EXPECT_LE(relative_difference(twist_at(0.0).head<3>(), v), kTolerance);
  EXPECT_LE(
      relative_difference(
          frame_acceleration(frames_at(0.0), velocities_at(0.0), accelerations, hand), expected),
      kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LinkMotion, ::testing::Range(1u, 9u), NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::link_motion_test
