#include "spacedyn/control/prescribed_motion.hpp"

#include "spacedyn/math/rotations.hpp"
#include "support/small_models.hpp"

namespace spacedyn::prescribed_motion_test {
namespace {

TEST(PrescribedBase, FollowsItsPathAndTurnsAboutItsAxis) {
  PrescribedBase motion;
  motion.position =
      std::make_shared<QuinticReference>(Vector3(0, 0, 0), Vector3(2, 0, -4), 0.0, 2.0);
  motion.angle =
      std::make_shared<QuinticReference>(VectorX::Zero(1), VectorX::Constant(1, 3.0), 0.0, 2.0);
  motion.axis = Vector3::UnitX();
  motion.initial_attitude = rotation_z(0.5);

  State state(testing::one_link());
  Vector6 acceleration;
  motion.evaluate(1.0, state, acceleration);
  EXPECT_LT((state.r_0 - Vector3(1, 0, -2)).norm(), 1e-15);
  EXPECT_LT((state.v_0 - 15.0 / 16.0 * Vector3(2, 0, -4)).norm(), 1e-15);
  EXPECT_LT((state.A_0 - rotation_x(1.5) * rotation_z(0.5)).norm(), 1e-15);
  EXPECT_LT((state.omega_0 - Vector3(45.0 / 16.0, 0, 0)).norm(), 1e-15);
  EXPECT_LT(acceleration.norm(), 1e-15);  // inflection at half time
}

TEST(PrescribedBase, StaysWhereNoReferenceMovesIt) {
  PrescribedBase motion;
  motion.initial_position = {1.0, 2.0, 3.0};
  motion.initial_attitude = rotation_y(0.3);
  State state(testing::one_link());
  state.v_0.setOnes();
  state.omega_0.setOnes();
  Vector6 acceleration = Vector6::Ones();
  motion.evaluate(5.0, state, acceleration);
  EXPECT_EQ(state.r_0, motion.initial_position);
  EXPECT_EQ(state.A_0, motion.initial_attitude);
  EXPECT_EQ(state.v_0, Vector3(Vector3::Zero()));
  EXPECT_EQ(state.omega_0, Vector3(Vector3::Zero()));
  EXPECT_EQ(acceleration, Vector6(Vector6::Zero()));
}

}  // namespace
}  // namespace spacedyn::prescribed_motion_test
