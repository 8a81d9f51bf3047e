// Momentum and energy under changes of the observer, where the expected change is known.
#include "spacedyn/inertia/momentum.hpp"

#include "spacedyn/model/model_builder.hpp"
#include "support/case_name.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::momentum_test {
namespace {

constexpr double kTolerance = 1e-12;

struct Motion {
  Motion(const Model& model, const State& state) : frames(model), velocities(model) {
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
  }
  LinkFrames frames;
  LinkVelocities velocities;
};

class MomentumTest : public ::testing::TestWithParam<unsigned> {
 protected:
  MomentumTest()
      : random_(GetParam()), model_(random_.model(TreeShape{})), state_(random_.state(model_)) {}
  RandomModels random_;
  Model model_;
  State state_;
};

TEST_P(MomentumTest, FollowsTheTransportTheorem) {
  const Motion motion(model_, state_);
  const Momentum L = momentum(model_, motion.frames, motion.velocities);
  const Vector3 r_g = center_of_mass(model_, motion.frames);
  EXPECT_LE(relative_difference(L.angular_origin, L.angular_centroid + r_g.cross(L.linear)),
            kTolerance);
  EXPECT_LE(
      relative_difference(L.angular_base, L.angular_centroid + (r_g - state_.r_0).cross(L.linear)),
      kTolerance);
}

TEST_P(MomentumTest, UniformVelocityAddsOnlyLinearMomentum) {
  const Vector3 boost = random_.vector(3, 5.0);
  State boosted = state_;
  boosted.v_0 += boost;
  const Motion before(model_, state_), after(model_, boosted);
  const Momentum first = momentum(model_, before.frames, before.velocities);
  const Momentum second = momentum(model_, after.frames, after.velocities);
  EXPECT_LE(relative_difference(second.linear, first.linear + model_.total_mass() * boost),
            kTolerance);
  EXPECT_LE(relative_difference(second.angular_centroid, first.angular_centroid), kTolerance);
}

TEST_P(MomentumTest, KeepsItsDigitsFarFromTheOrigin) {
  State far = state_;
  far.r_0 += Vector3(7e6, -3e6, 2e6);  // an orbit away; positions keep about 1e-9 m there
  const Motion near(model_, state_), distant(model_, far);
  const Momentum first = momentum(model_, near.frames, near.velocities);
  const Momentum second = momentum(model_, distant.frames, distant.velocities);
  EXPECT_LE(relative_difference(second.angular_centroid, first.angular_centroid), 1e-7);
}

TEST_P(MomentumTest, EnergyOfAMovingCentroidSplits) {
  const Motion motion(model_, state_);
  State relative = state_;
  const Vector3 v_g = center_of_mass_velocity(model_, motion.velocities);
  relative.v_0 -= v_g;
  const Motion inner(model_, relative);
  const double total = kinetic_energy(model_, motion.frames, motion.velocities);
  const double parts = kinetic_energy(model_, inner.frames, inner.velocities) +
                       0.5 * model_.total_mass() * v_g.squaredNorm();
  EXPECT_NEAR(total, parts, kTolerance * total);
}

TEST_P(MomentumTest, ScaleBoundsTheMomentum) {
  const Motion motion(model_, state_);
  const Momentum actual = momentum(model_, motion.frames, motion.velocities);
  const MomentumScale scale = momentum_scale(model_, motion.frames, motion.velocities);
  EXPECT_LE(actual.linear.norm(), scale.linear);
  EXPECT_LE(actual.angular_centroid.norm(), scale.angular);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MomentumTest, ::testing::Range(1u, 7u), NamedByValue());

TEST(ElasticEnergy, IsHalfKTimesTheStretchSquared) {
  ModelDescription robot;
  robot.name = "spring";
  robot.base.name = "base";
  robot.base.mass = 1.0;
  robot.base.inertia = Matrix3::Identity();
  LinkDescription link;
  link.name = "mass";
  link.parent = "base";
  link.mass = 2.0;
  link.joint.type = JointType::prismatic;
  link.joint.stiffness = 8.0;
  link.joint.rest_position = 0.5;
  robot.links.push_back(link);
  const Model model = ModelBuilder(robot).build();
  EXPECT_DOUBLE_EQ(elastic_energy(model, VectorX::Constant(1, 2.0)), 9.0);
}

}  // namespace
}  // namespace spacedyn::testing::momentum_test
