// The mass that an impact feels, and what it does to all velocities.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::effective_mass_test {
namespace {

TEST(EffectiveMass, OfARigidBodyCountsTheArm) {
  // 1/m_e = 1/m + (r × n)·I⁻¹(r × n)
  const Model model = single_body(3.0, {0.2, 0.3, 0.4});
  State state(model);
  state.A_0 = exp_so3({0.3, -0.4, 0.2});
  const Vector3 arm(0.1, 0.2, -0.3), n = Vector3(1, 2, 3).normalized();
  const Frame at{"", 0, arm, Matrix3::Identity()};
  const Vector3 lever = arm.cross(state.A_0.transpose() * n);
  const double inverse = 1.0 / 3.0 + lever.dot(lever.cwiseQuotient(Vector3(0.2, 0.3, 0.4)));
  const ImpactEffect effect = impact_effect(model, state, at, 5.0 * n);
  EXPECT_NEAR(effect.effective_mass, 1.0 / inverse, 1e-15);
  EXPECT_NEAR((effect.velocity_change.head<3>() - n / 3.0).norm(), 0.0, 1e-15);
}

TEST(EffectiveMass, OfAStruckRodHasItsCentreOfPercussion) {
  // scenarios: v = P/m, ω = 6 P/(m L) at its end; struck at 2 L/3 from one end, this end stays
  const double m = 2.0, L = 1.5;
  const Model rod = single_body(m, {1e-3, m * L * L / 12.0, m * L * L / 12.0});
  const State state(rod);
  const ImpactEffect tip =
      impact_effect(rod, state, {"", 0, {0.5 * L, 0, 0}, Matrix3::Identity()}, Vector3::UnitY());
  EXPECT_NEAR(tip.velocity_change(1), 1.0 / m, 1e-15);
  EXPECT_NEAR(tip.velocity_change(5), 6.0 / (m * L), 1e-14);
  EXPECT_NEAR(tip.effective_mass, m / 4.0, 1e-15);
  const ImpactEffect middle =
      impact_effect(rod, state, {"", 0, {L / 6.0, 0, 0}, Matrix3::Identity()}, Vector3::UnitY());
  EXPECT_NEAR(middle.velocity_change(1) - 0.5 * L * middle.velocity_change(5), 0.0, 1e-15);
}

TEST(EffectiveMass, OfTheOneLinkRobotIsThatOfItsReference) {
  // unit impulse (1, 0) at the tip at q = 90°: Δ(v_0x, v_0y, θ̇, q̇) = (−1.45/313, 0, 0, −63/313)
  ModelDescription description = one_link_description();
  FrameDescription tip;
  tip.name = "tip";
  tip.link = "arm";
  tip.origin.position = {1.5, 0, 0};
  description.frames.push_back(tip);
  const Model model = ModelBuilder(description).build();
  State state(model);
  state.q(0) = 0.5 * kPi;
  const ImpactEffect effect = impact_effect(model, state, model.frame("tip"), Vector3::UnitX());
  EXPECT_NEAR(effect.velocity_change(0), -1.45 / 313.0, 1e-15);
  EXPECT_NEAR(effect.velocity_change(5), 0.0, 1e-15);
  EXPECT_NEAR(effect.velocity_change(6), -63.0 / 313.0, 1e-14);
  // the inverse inertia of the frame says the same
  const ImpulseResponse response = impulse_response(model, state, model.frame("tip"));
  EXPECT_NEAR(1.0 / effect.effective_mass, response.inverse_inertia(0, 0), 1e-14);
}

TEST(EffectiveMass, OfTwoPointsIsTheReducedMass) {
  LinkDescription other = link_body("other", "base", 6.0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  other.joint.type = JointType::free;
  const Model model =
      ModelBuilder("two").set_base(base_body(3.0, {1, 1, 1})).add_link(other).build();
  State state(model);
  state.q(0) = 1.0;
  const Frame a{"", 0, Vector3::Zero(), Matrix3::Identity()};
  const Frame b{"", 6, Vector3::Zero(), Matrix3::Identity()};
  const ImpactEffect effect = impact_effect(model, state, a, b, Vector3::UnitX());
  EXPECT_NEAR(effect.effective_mass, 2.0, 1e-14);
  EXPECT_NEAR(effect.velocity_change(0), 1.0 / 3.0, 1e-15);
  // Jacobian columns of x count from the base
  EXPECT_NEAR(effect.velocity_change(6), -1.0 / 6.0 - 1.0 / 3.0, 1e-15);
}

TEST(EffectiveMass, IsInfiniteWhereNothingMoves) {
  const Model model = one_link();
  const State state(model);
  const Frame base{"", 0, Vector3::Zero(), Matrix3::Identity()};
  const ImpactEffect held =
      impact_effect(model, state, base, Vector3::UnitX(), std::vector<int>{6});
  EXPECT_EQ(held.effective_mass, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(held.velocity_change.isZero(0.0));
  EXPECT_EQ(message_of<DomainError>([&] { impact_effect(model, state, base, Vector3::Zero()); }),
            "the direction of an impulse must be finite and not zero");
  EXPECT_EQ(message_of<DomainError>(
                [&] { impact_effect(model, state, base, Vector3::UnitX(), std::vector<int>{7}); }),
            "a free row is none of u");
}

}  // namespace
}  // namespace spacedyn::testing::effective_mass_test
