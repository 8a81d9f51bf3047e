// Contact as a force element: opposite forces, the balance of energy, bristles, events, misuse.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/contact_models.hpp"
#include "support/contexts.hpp"
#include "support/dice.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::contact_force_test {
namespace {

ContactFriction everything(bool with_bristle) {
  ContactFriction friction = with_bristle ? bristle(0.4, 2e4, 30.0) : coulomb(0.4);
  friction.static_coefficient = 0.6;
  friction.rolling = 0.002;
  friction.spinning = 0.003;
  return friction;
}

TEST(ContactForce, TakesEnergyAndKeepsMomentumInRandomContacts) {
  // 10⁴ states of two balls, both laws of friction, both of the normal force
  Dice dice(7);
  const Model model = two_balls(2.0, 0.2, 0.5, 0.1);
  for (const bool with_bristle : {false, true}) {
    for (const auto& law : {linear_law(1e4, 30.0), hunt_crossley(1e5, 0.4, 1.7)}) {
      const ContactForce contact("c", between_two(model, law, everything(with_bristle)));
      for (int i = 0; i < 2500; ++i) {
        State state(model);
        state.r_0 = dice.vector(1.0);
        state.A_0 = exp_so3(dice.vector(3.0));
        state.v_0 = dice.vector(1.0);
        state.omega_0 = dice.vector(3.0);
        state.q.head<3>() = dice.number(0.2, 0.31) * dice.vector(1.0).normalized();
        state.q.tail<3>() = dice.vector(1.0);
        for (int k = 0; k < 6; ++k) state.qd(k) = dice.number(-2.0, 2.0);
        state.z = VectorX::Zero(contact.auxiliary_size());
        for (Eigen::Index k = 1; k < state.z.size(); ++k) state.z(k) = dice.number(0.0, 0.01);
        const Snapshot now(model, state);
        const EvaluationContext context = now.at(0.0);
        Loads loads(model);
        contact.apply(context, loads);
        const Vector3 force = loads.force.rowwise().sum();
        Vector3 moment = Vector3::Zero();
        double power = 0.0, scale = 1e-9;
        for (std::size_t body = 0; body < 7; ++body) {
          const auto column = static_cast<Eigen::Index>(body);
          moment += loads.moment.col(column) +
                    now.frames().r[body].cross(Vector3(loads.force.col(column)));
          power += loads.force.col(column).dot(context.velocities.v[body]) +
                   loads.moment.col(column).dot(context.velocities.omega[body]);
          scale = std::max(scale, loads.force.col(column).norm());
        }
        // equal and opposite to rounding
        ASSERT_LE(force.norm(), 1e-15 * scale);
        ASSERT_LE(moment.norm(), 1e-14 * scale);
        const double stored = contact.energy_rates(context).stored;
        const double lost = contact.energy_rates(context).dissipated;
        ASSERT_NEAR(power + stored + lost, 0.0,
                    1e-13 * (10.0 * scale + std::abs(stored) + std::abs(lost)));
        ASSERT_GE(lost, -1e-13 * scale);
        VectorX rates(2);
        contact.integrands(context, rates);
        ASSERT_GE(rates(0), 0.0);
        if (!with_bristle) {
          ASSERT_LE(rates(1), 0.0);
        }
      }
    }
  }
}

TEST(ContactForce, StoredPowerIsTheRateOfStoredEnergy) {
  // differences along a motion, bristles included; a box that tumbles on a slope
  const Model model =
      body_with(shape_of(CollisionType::box, "box", {0.4, 0.3, 0.2}), 2.0, {0.02, 0.03, 0.04});
  const auto slope = std::make_shared<PlaneTerrain>(PlaneTerrain::slope(0.3, 0.5));
  const ContactForce contact(
      "c", on_ground(model, hunt_crossley(1e5, 0.5), bristle(0.4, 2e4, 30.0), slope));
  Dice dice(8);
  constexpr double kStep = 1e-7;
  for (int i = 0; i < 200; ++i) {
    State state(model);
    state.r_0 = {0, 0, 0.05};
    state.A_0 = exp_so3(dice.vector(1.0));
    state.v_0 = dice.vector(1.0);
    state.omega_0 = dice.vector(1.0);
    state.z = VectorX::Constant(contact.auxiliary_size(), 1e-3);
    for (Eigen::Index k = 0; k < state.z.size(); k += 4) state.z(k) = 0.0;
    const Snapshot now(model, state);
    VectorX rate(state.z.size());
    contact.auxiliary_rate(now.at(0.0), rate);
    const auto energy = [&](double t) {
      State moved = state;
      moved.r_0 += t * state.v_0;
      moved.A_0 = exp_so3(t * state.omega_0) * state.A_0;
      moved.z += t * rate;
      const Snapshot then(model, moved);
      return contact.stored_energy(then.at(t));
    };
    const double slope_of_energy = (energy(kStep) - energy(-kStep)) / (2.0 * kStep);
    const double power = contact.energy_rates(now.at(0.0)).stored;
    EXPECT_NEAR(slope_of_energy, power, 1e-6 * (1.0 + std::abs(power)));
  }
}

TEST(ContactForce, ABristleHoldsAsASpringAndSlidesAtTheLimit) {
  const Model model = ball(1.0, 0.1);
  const ContactForce contact("c", on_ground(model, linear_law(1e4, 0.0), bristle(0.5, 1e3, 10.0)));
  State state(model);
  state.r_0 = {0, 0, 0.1 - 1e-3};  // 10 N
  state.z = VectorX::Zero(4);
  state.z(1) = 2e-3;
  const auto friction = [&] {
    Loads loads(model);
    contact.apply(Snapshot(model, state).at(0.0), loads);
    return loads.force(0, 0);
  };
  VectorX rate(4);
  EXPECT_NEAR(friction(), -2.0, 1e-12);
  state.v_0 = {0.1, 0, 0};  // still holds: 2 N + 1 N
  EXPECT_NEAR(friction(), -3.0, 1e-12);
  contact.auxiliary_rate(Snapshot(model, state).at(0.0), rate);
  EXPECT_NEAR(rate(1), 0.1, 1e-15);
  state.v_0 = {1.0, 0, 0};  // beyond 5 N
  EXPECT_NEAR(friction(), -5.0, 1e-12);
  contact.auxiliary_rate(Snapshot(model, state).at(0.0), rate);
  EXPECT_NEAR(rate(1), (5.0 - 2.0) / 10.0, 1e-12);
}

TEST(ContactForce, ReadsDepthForcesPointAndSlip) {
  const Model model =
      body_with(shape_of(CollisionType::box, "box", {0.4, 0.2, 0.1}), 1.0, {0.01, 0.01, 0.01});
  const ContactForce contact("c", on_ground(model, linear_law(1e4, 0.0), coulomb(0.3)));
  State state(model);
  state.z = VectorX::Zero(contact.auxiliary_size());
  state.r_0 = {1.0, 2.0, 0.049};
  state.v_0 = {0.0, 0.5, 0.0};
  ContactReading reading = contact.reading(Snapshot(model, state).at(0.0));
  EXPECT_NEAR(reading.depth, 1e-3, 1e-15);
  EXPECT_NEAR(reading.normal_force, 40.0, 1e-9);
  EXPECT_NEAR(reading.friction, 12.0, 1e-9);
  EXPECT_NEAR(reading.slip_velocity, 0.5, 1e-15);
  EXPECT_NEAR((reading.point - Vector3(1.0, 2.0, -0.001)).norm(), 0.0, 1e-12);
  state.r_0.z() = 0.3;
  reading = contact.reading(Snapshot(model, state).at(0.0));
  EXPECT_NEAR(reading.depth, -0.25, 1e-15);
  EXPECT_EQ(reading.normal_force, 0.0);
}

TEST(ContactForce, NamesItsEventsAndKeepsThoseOfPointsToItself) {
  const Model model =
      body_with(shape_of(CollisionType::capsule, "rod", {0.1, 1.0, 0}), 1.0, {0.1, 0.1, 0.1});
  const ContactForce contact("feet", on_ground(model, hunt_crossley(1e4, 0.5)));
  std::vector<ElementEvent> events;
  contact.append_events(events);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0].name, "feet touches");
  EXPECT_EQ(events[0].direction, CrossingDirection::rising);
  EXPECT_EQ(events[1].name, "feet lifts");
  EXPECT_EQ(events[1].direction, CrossingDirection::falling);
  EXPECT_TRUE(events[0].is_noted && events[1].is_noted);
  EXPECT_FALSE(events[2].is_noted || events[3].is_noted);
}

TEST(ContactForce, RefusesWhatCannotTouch) {
  const Model model = two_balls(1.0, 0.1, 1.0, 0.1);
  const auto message = [&](auto spoil) {
    ContactForce::Settings settings = between_two(model, linear_law(1e4, 0.0));
    spoil(settings);
    return message_of<DomainError>([&] { ContactForce("c", settings).check(model); });
  };
  EXPECT_EQ(message([](auto& s) { s.pairs.clear(); }), "'c': a contact needs a pair of shapes");
  EXPECT_EQ(message([](auto& s) { s.pairs[0].on_ground = true; }),
            "'c': a contact with the ground needs one");
  EXPECT_EQ(message([](auto& s) { s.pairs[0].b = s.pairs[0].a; }),
            "'c': 'a' and 'a' are on one body");
  EXPECT_EQ(message([](auto& s) { s.pairs[0].b.frame.body = 9; }),
            "'c' acts on body 9, but model 'two_balls' has bodies 0 to 6");
}

}  // namespace
}  // namespace spacedyn::testing::contact_force_test
