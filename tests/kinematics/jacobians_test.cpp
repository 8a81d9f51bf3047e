// Jacobians times rates against the velocity recursion, which forms no Jacobian.
#include "spacedyn/kinematics/jacobians.hpp"

#include "spacedyn/kinematics/link_motion.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::jacobians_test {
namespace {

// sums of a few dozen terms of order one
constexpr double kTolerance = 1e-13;

class Jacobians : public ::testing::TestWithParam<unsigned> {
 protected:
  Jacobians()
      : random_(GetParam()),
        model_(random_.model(TreeShape{20, 5, 0.3, true})),
        state_(random_.state(model_)),
        frames_(model_),
        velocities_(model_) {
    compute_link_frames(model_, state_, frames_);
    compute_link_velocities(model_, state_, frames_, velocities_);
  }

  RandomModels random_;
  Model model_;
  State state_;
  LinkFrames frames_;
  LinkVelocities velocities_;
};

TEST_P(Jacobians, LinkJacobiansReproduceTheRecursion) {
  Matrix3X J(3, model_.joint_count());
  for (int body = 0; body < model_.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    translational_jacobian(model_, frames_, body, J);
    const Vector3 v =
        state_.v_0 + state_.omega_0.cross(frames_.r[i] - frames_.r[0]) + Vector3(J * state_.qd);
    EXPECT_LE(relative_difference(v, velocities_.v[i]), kTolerance);
    rotational_jacobian(model_, frames_, body, J);
    EXPECT_LE(relative_difference(state_.omega_0 + Vector3(J * state_.qd), velocities_.omega[i]),
              kTolerance);
  }
}

TEST_P(Jacobians, GiveTheTwistOfEndpoints) {
  const Frame hand = model_.frame("hand");
  Matrix6X J_m(6, model_.joint_count());
  frame_jacobian(model_, frames_, hand, J_m);
  Vector6 base_twist;
  base_twist << state_.v_0, state_.omega_0;
  const Vector6 twist = J_m * state_.qd + base_jacobian(frames_, hand) * base_twist;
  EXPECT_LE(relative_difference(twist, frame_velocity(frames_, velocities_, hand)), kTolerance);
}

TEST_P(Jacobians, ColumnsOfOtherBranchesVanish) {
  Matrix3X J(3, model_.joint_count());
  for (int body = 1; body < model_.body_count(); ++body) {
    translational_jacobian(model_, frames_, body, J);
    for (int joint = 1; joint <= model_.joint_count(); ++joint) {
      if (model_.topology().is_ancestor(joint, body)) continue;
      EXPECT_TRUE(J.col(joint - 1).isZero(0.0)) << "body " << body << ", joint " << joint;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Jacobians, ::testing::Range(1u, 9u), NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::jacobians_test
