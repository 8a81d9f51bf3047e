// What impacts do to the base of a robot, over directions and configurations.
#include "spacedyn/inertia/impact_index.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/impulse.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::impact_index_test {
namespace {

/// The planar robot of one link with a point at some distance from its joint.
Model one_link_with_tip(double reach) {
  ModelDescription description = one_link_description();
  FrameDescription tip;
  tip.name = "tip";
  tip.link = "arm";
  tip.origin.position = {reach, 0, 0};
  description.frames.push_back(tip);
  return ModelBuilder(description).build();
}

State bent(const Model& model, double q) {
  State state(model);
  state.q(0) = q;
  return state;
}

/// Its jump of (v_x, v_y, θ̇, q̇) per impulse in the plane, from H and J written down by hand.
Eigen::Matrix<double, 4, 2> planar_answer(double q, double reach) {
  const double m0 = 100.0, I0 = 20.0, a = 0.5, m1 = 10.0, I1 = 2.0, b = 0.75;
  const double s = std::sin(q), c = std::cos(q);
  Eigen::Matrix4d H;
  H << m0 + m1, 0, -m1 * b * s, -m1 * b * s,  //
      0, m0 + m1, m1 * (a + b * c), m1 * b * c, -m1 * b * s, m1 * (a + b * c),
      I0 + I1 + m1 * (a * a + b * b + 2 * a * b * c),
      I1 + m1 * (b * b + a * b * c),  //
      -m1 * b * s, m1 * b * c, I1 + m1 * (b * b + a * b * c), I1 + m1 * b * b;
  Eigen::Matrix<double, 2, 4> J;
  J << 1, 0, -reach * s, -reach * s, 0, 1, a + reach * c, reach * c;
  return H.inverse() * J.transpose();
}

TEST(ImpactIndex, OfTheOneLinkRobotIsThatOfItsClosedForm) {
  const Model model = one_link_with_tip(1.5);
  for (const double q : {-2.0, 0.0, 0.4, 0.5 * kPi, 3.0}) {
    const ImpactIndex index = impact_index(model, bent(model, q), model.frame("tip"));
    const Eigen::Matrix<double, 4, 2> answer = planar_answer(q, 1.5);
    EXPECT_NEAR((index.turning.map.block<1, 2>(2, 0) - answer.row(2)).norm(), 0.0, 1e-15);
    EXPECT_NEAR((index.shifting.map.block<2, 2>(0, 0) - answer.topRows<2>()).norm(), 0.0, 1e-15);
    EXPECT_NEAR((index.velocity_per_impulse.block<1, 2>(6, 0) - answer.row(3)).norm(), 0.0, 1e-14);
    // one direction in the plane turns the base about z; the one across it does not
    const double in_plane = answer.row(2).norm();
    EXPECT_NEAR((index.turning.singular_values.array() - in_plane).abs().minCoeff(), 0.0, 1e-15);
    ASSERT_EQ(index.turning.rank, 2);
    const Vector3 free = index.turning.free_directions();
    EXPECT_NEAR(std::abs(free.dot(Vector3(-answer(2, 1), answer(2, 0), 0))), in_plane, 1e-15);
  }
}

TEST(ImpactIndex, FindsTheDirectionThatDoesNotTurnTheBase) {
  // at q = 90° a unit impulse along x leaves θ̇ at zero: Δ(v_0x, θ̇, q̇) = (−1.45, 0, −63)/313
  const Model model = one_link_with_tip(1.5);
  const ImpactIndex index = impact_index(model, bent(model, 0.5 * kPi), model.frame("tip"));
  ASSERT_EQ(index.turning.free_directions().cols(), 1);
  EXPECT_NEAR(std::abs(index.turning.free_directions()(0, 0)), 1.0, 1e-15);
  EXPECT_NEAR(index.shifting.map(0, 0), -1.45 / 313.0, 1e-15);
  EXPECT_NEAR(index.velocity_per_impulse(6, 0), -63.0 / 313.0, 1e-14);
  EXPECT_EQ(index.base.rank, 3);
}

TEST(ImpactIndex, FindsTheCentreOfPercussion) {
  // struck across at b + I_1/(m_1 b) from its joint the link turns about it: nothing moves the base
  const double reach = 0.75 + 2.0 / (10.0 * 0.75), q = 0.7;
  const Model model = one_link_with_tip(reach);
  const ImpactIndex index = impact_index(model, bent(model, q), model.frame("tip"));
  ASSERT_EQ(index.base.rank, 2);
  const Vector3 free = index.base.free_directions();
  EXPECT_NEAR(std::abs(free.dot(Vector3(-std::sin(q), std::cos(q), 0))), 1.0, 1e-15);
  // elsewhere something always does
  const Model longer = one_link_with_tip(reach + 0.01);
  EXPECT_EQ(impact_index(longer, bent(longer, q), longer.frame("tip")).base.rank, 3);
}

TEST(ImpactIndex, OfAFreeRodStruckAtItsEnd) {
  // v = P/m, ω = 6 P/(m L)
  const double m = 2.0, L = 1.5, moment = m * L * L / 12.0;
  const Model rod = single_body(m, {1e-3, moment, moment});
  const Frame end{"", 0, {0.5 * L, 0, 0}, Matrix3::Identity()};
  const ImpactIndex index = impact_index(rod, State(rod), end);
  EXPECT_NEAR(index.turning.index(), 6.0 / (m * L), 1e-14);
  EXPECT_EQ(index.turning.rank, 2);
  EXPECT_NEAR(std::abs(index.turning.free_directions()(0, 0)), 1.0, 1e-15);
  EXPECT_NEAR((index.shifting.singular_values - Vector3::Constant(1.0 / m)).norm(), 0.0, 1e-15);
  EXPECT_NEAR(1.0 / index.inverse_mass(1, 1), m / 4.0, 1e-15);
  EXPECT_NEAR(index.length, std::sqrt((1e-3 + 2.0 * moment) / (3.0 * m)), 1e-15);
  // a blow on its centroid does not turn it at all
  const Frame middle{"", 0, Vector3::Zero(), Matrix3::Identity()};
  EXPECT_EQ(impact_index(rod, State(rod), middle).turning.rank, 0);
}

TEST(ImpactIndex, OfLockedJointsIsThatOfOneRigidBody) {
  const Model model = one_link_with_tip(1.5);
  const ImpactIndex index =
      impact_index(model, bent(model, 0.0), model.frame("tip"), ImpactJoints::locked);
  const double centroid = 10.0 * 1.25 / 110.0;
  const double inertia = 20.0 + 2.0 + 100.0 * 10.0 / 110.0 * 1.25 * 1.25;
  EXPECT_NEAR(index.turning.map(2, 1), (2.0 - centroid) / inertia, 1e-15);
  EXPECT_NEAR(index.inverse_mass(1, 1), 1.0 / 110.0 + (2.0 - centroid) * (2.0 - centroid) / inertia,
              1e-15);
  EXPECT_TRUE(index.velocity_per_impulse.bottomRows<1>().isZero(0.0));
}

TEST(ImpactIndex, OfAFixedBaseIsZero) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  const Frame tip{"", 1, {1.5, 0, 0}, Matrix3::Identity()};
  const ImpactIndex index = impact_index(model, State(model), tip);
  EXPECT_EQ(index.base.rank, 0);
  EXPECT_EQ(index.base.index(), 0.0);
  EXPECT_EQ(index.base.free_directions().cols(), 3);
}

TEST(ImpactIndex, IsTheWorstOfAllImpulses) {
  // against impulses one at a time, by a factorization of the whole H
  for (const unsigned seed : {1U, 2U, 3U}) {
    RandomModels random(seed);
    const Model model = ModelBuilder(random.description(TreeShape{6, 3, 0.3, true})).build();
    const State state = random.state(model);
    const Frame& hand = model.frame("hand");
    const ImpactIndex index = impact_index(model, state, hand);
    const auto turn = [&](const Vector3& n) {
      return Vector3(impact_effect(model, state, hand, n).velocity_change.segment<3>(3));
    };
    const double scale = index.turning.index();
    for (int k = 0; k < 3; ++k) {
      const Vector3 n = index.turning.directions.col(k);
      EXPECT_NEAR(turn(n).norm(), index.turning.singular_values(k), 1e-12 * scale);
      EXPECT_NEAR(1.0 / impact_effect(model, state, hand, n).effective_mass,
                  n.dot(index.inverse_mass * n), 1e-12 * index.inverse_mass.norm());
    }
    for (int k = 0; k < 50; ++k) {
      const Vector3 n = random.vector(3, 1.0).normalized();
      EXPECT_LE(turn(n).norm(), scale * (1.0 + 1e-12));
    }
  }
}

TEST(ImpactMap, HasEachConfiguration) {
  RandomModels random(5);
  const Model model = ModelBuilder(random.description(TreeShape{6, 3, 0.3, true})).build();
  const State state = random.state(model);
  const Frame& hand = model.frame("hand");
  const ImpactMapAxis first{2, VectorX::LinSpaced(3, -1.0, 1.0)};
  const ImpactMapAxis second{5, VectorX::LinSpaced(4, -0.5, 2.0)};
  const Vector3 n(0.3, -1.0, 0.4);
  const ImpactMap worst = impact_map(model, state, hand, first, second);
  const ImpactMap along = impact_map(model, state, hand, first, second, n);
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index k = 0; k < 4; ++k) {
      State now = state;
      now.q(1) = first.positions(i);
      now.q(4) = second.positions(k);
      const ImpactEffect effect = impact_effect(model, now, hand, n);
      EXPECT_NEAR(along.turning(i, k), effect.velocity_change.segment<3>(3).norm(), 1e-12);
      EXPECT_NEAR(along.shifting(i, k), effect.velocity_change.head<3>().norm(), 1e-12);
      EXPECT_NEAR(along.virtual_mass(i, k) / effect.effective_mass, 1.0, 1e-11);
      EXPECT_EQ(worst.turning(i, k), impact_index(model, now, hand).turning.index());
      EXPECT_GE(worst.turning(i, k), along.turning(i, k));
      EXPECT_GE(worst.shifting(i, k), along.shifting(i, k));
      EXPECT_LE(worst.virtual_mass(i, k), along.virtual_mass(i, k));
    }
  }
}

TEST(ImpactIndex, RefusesWhatHasNoAnswer) {
  const Model model = planar_two_link();
  const State state(model);
  const Frame tip{"", 2, {1, 0, 0}, Matrix3::Identity()};
  const Frame nowhere{"", 9, Vector3::Zero(), Matrix3::Identity()};
  EXPECT_THROW(impact_index(model, state, nowhere), DomainError);
  EXPECT_EQ(
      message_of<DomainError>([&] { impact_index(model, state, tip, ImpactJoints::free, -1.0); }),
      "the tolerance of an impulse index must not be negative");
  EXPECT_THROW(impact_index(massless_tip(), State(massless_tip()), Frame()), NumericalError);
  const ImpactMapAxis first{1, VectorX::Zero(1)}, second{2, VectorX::Zero(1)};
  EXPECT_EQ(message_of<DomainError>([&] { impact_map(model, state, tip, first, first); }),
            "a map of impacts needs two joints");
  EXPECT_EQ(message_of<DomainError>([&] {
              impact_map(model, state, tip, first, {3, VectorX::Zero(1)});
            }),
            "joint 3 of a map of impacts, expected 1 to 2");
  EXPECT_EQ(message_of<DomainError>([&] {
              impact_map(model, state, tip, first, {2, {}});
            }),
            "a map of impacts needs positions of its joints, all of them finite");
  EXPECT_EQ(message_of<DomainError>(
                [&] { impact_map(model, state, tip, first, second, Vector3::Zero().eval()); }),
            "the direction of an impulse must be finite and not zero");
}

}  // namespace
}  // namespace spacedyn::testing::impact_index_test
