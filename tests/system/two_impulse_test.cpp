// Transfers by two changes of the velocity: free flight in Hill's frame is the oracle.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/two_impulse_reference.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::two_impulse_test {
namespace {

constexpr double kPi = 3.14159265358979323846;
/// n of the orbit below: √(10¹⁵/10²¹).
constexpr double kRate = 1e-3;

Scenario flight(const std::string& rest) {
  Scenario scenario = parse_scenario(
      "spacedyn: 1\nscenario:\n  name: transfer\n  duration: 7000\n"
      "  environment: {orbit: {mu: 1.0e+15, radius: 1.0e+7}}\n" +
          rest + "  model: {name: craft, base: {name: bus, mass: 100, inertia: [20, 20, 20]}}\n",
      "transfer.yaml");
  scenario.setup.integrator = adaptive(IntegrationMethod::dop853, 1e-13);
  return scenario;
}

Vector3 place(const Reference& reference, double time) {
  return {reference.evaluate(0, time).position, reference.evaluate(1, time).position,
          reference.evaluate(2, time).position};
}

Vector3 velocity(const Reference& reference, double time) {
  return {reference.evaluate(0, time).velocity, reference.evaluate(1, time).velocity,
          reference.evaluate(2, time).velocity};
}

TEST(TwoImpulse, FreeFlightFromDepartureArrives) {
  const Scenario scenario = flight("");
  const Vector3 points[] = {{0, -100, 0}, {60, 20, -30}, {0, 0, 0}, {-5, 40, 8}};
  for (const Vector3& from : points) {
    for (const Vector3& to : points) {
      for (const double duration : {50.0, 900.0, 2500.0, 5200.0}) {
        const TwoImpulseReference transfer(from, to, 0.0, duration, kRate);
        State state = scenario.initial;
        state.r_0 = from;
        state.v_0 = transfer.departure();
        const State half = simulate(scenario.setup, state, 0.5 * duration).state;
        const State end = simulate(scenario.setup, state, duration).state;
        // 100 m integrated to 1e-13
        EXPECT_LE((half.r_0 - place(transfer, 0.5 * duration)).norm(), 1e-9);
        EXPECT_LE((half.v_0 - velocity(transfer, 0.5 * duration)).norm(), 1e-12);
        EXPECT_LE((end.r_0 - to).norm(), 1e-9);
        EXPECT_LE((end.v_0 + transfer.arrival()).norm(), 1e-12);
      }
    }
  }
}

TEST(TwoImpulse, HopsAlongTheTrackByRadialImpulses) {
  // after half a revolution y = −4 v_x/n
  const TwoImpulseReference hop({0, -100, 0}, {0, -20, 0}, 0.0, kPi / kRate, kRate);
  const Vector3 impulse(-0.25 * kRate * 80.0, 0.0, 0.0);
  EXPECT_LE((hop.departure() - impulse).norm(), 1e-16);
  EXPECT_LE((hop.arrival() - impulse).norm(), 1e-16);
}

TEST(TwoImpulse, HasTheDerivativesOfItsPlace) {
  const TwoImpulseReference transfer({60, 20, -30}, {-5, 40, 8}, 10.0, 900.0, kRate);
  const double h = 0.1;
  for (double time = 11.0; time < 909.0; time += 37.0) {
    for (int i = 0; i < 3; ++i) {
      const ReferenceValue now = transfer.evaluate(i, time);
      const double before = transfer.evaluate(i, time - h).position;
      const double after = transfer.evaluate(i, time + h).position;
      // h² n² v/6 and roundings of 1e-14/h, of 4e-14/h² with the second one
      EXPECT_NEAR((after - before) / (2.0 * h), now.velocity, 1e-9);
      EXPECT_NEAR((after - 2.0 * now.position + before) / (h * h), now.acceleration, 2e-11);
    }
  }
  EXPECT_EQ(place(transfer, 9.0), Vector3(60, 20, -30));
  EXPECT_EQ(place(transfer, 910.0), Vector3(-5, 40, 8));
  EXPECT_EQ(velocity(transfer, 910.0), Vector3::Zero());
}

TEST(TwoImpulse, IsFlownByImpulsesOfEvents) {
  // points of the track are at rest in the frame before and after
  const TwoImpulseReference transfer({0, -100, 0}, {0, -20, 0}, 10.0, 1500.0, kRate);
  const auto strike = [](double time, const Vector3& change) {
    const Vector3 impulse = 100.0 * change;
    char text[300];
    std::snprintf(text, sizeof text,
                  "    - {type: time, time: %.17g, actions: [{type: impulse, at: bus, linear: "
                  "[%.17e, %.17e, %.17e]}]}\n",
                  time, impulse.x(), impulse.y(), impulse.z());
    return std::string(text);
  };
  const Scenario scenario =
      flight("  initial: {base: {position: [0, -100, 0]}}\n  events:\n" +
             strike(10.0, transfer.departure()) + strike(1510.0, transfer.arrival()));
  const State end = simulate(scenario.setup, scenario.initial, 3000.0).state;
  // drift of the 1e-12 m/s that are left of the arrival
  EXPECT_LE((end.r_0 - Vector3(0, -20, 0)).norm(), 1e-8);
  EXPECT_LE(end.v_0.norm(), 1e-11);
}

TEST(TwoImpulse, IsFollowedByAFlyingBase) {
  const Scenario scenario = flight(
      "  base:\n    mode: flying\n    motion: {position: {type: two_impulse, to: [0, -20, 0], "
      "from_time: 10, duration: 1500}}\n    position: {stiffness: 20, damping: 100}\n"
      "  initial: {base: {position: [0, -100, 0]}}\n");
  const TwoImpulseReference transfer({0, -100, 0}, {0, -20, 0}, 10.0, 1500.0, kRate);
  for (const double time : {200.0, 1000.0, 1700.0}) {
    const State state = simulate(scenario.setup, scenario.initial, time).state;
    // e^{−D t/(2 m)} of the jump, 0.05 m/s, is left; the arc is free flight
    EXPECT_LE((state.r_0 - place(transfer, time)).norm(), 1e-9);
    EXPECT_LE((state.v_0 - velocity(transfer, time)).norm(), 1e-10);
  }
}

TEST(TwoImpulse, RefusesTurnsThatAreSingular) {
  const Vector3 from(0, -100, 5), to(0, -20, -5), across(0, -20, 3);
  const double half = kPi / kRate;
  EXPECT_TRUE(TwoImpulseReference::is_singular(from, to, 2.0 * half, kRate));
  EXPECT_TRUE(TwoImpulseReference::is_singular(from, across, half, kRate));
  // 8 (1 − cos τ) = 3 τ sin τ between one and two revolutions
  EXPECT_TRUE(TwoImpulseReference::is_singular(from, to, 8.838742844 / kRate, kRate));
  EXPECT_FALSE(TwoImpulseReference::is_singular(from, across, 0.99 * half, kRate));
  EXPECT_FALSE(TwoImpulseReference::is_singular(from, across, 1e-3, kRate));
  EXPECT_EQ(TwoImpulseReference(from, to, 0.0, half, kRate).departure().z(), 0.0);
  EXPECT_EQ(message_of<DomainError>([&] { TwoImpulseReference(from, to, 0.0, 2.0 * half, kRate); }),
            "two impulses do not lead there in the duration, whose turn n t is singular");
  EXPECT_EQ(message_of<DomainError>([&] { TwoImpulseReference(from, to, 0.0, 0.0, kRate); }),
            "duration must be positive and finite");
  EXPECT_EQ(message_of<DomainError>([&] { TwoImpulseReference(from, to, 0.0, 10.0, 0.0); }),
            "rate must be positive and finite");
}

}  // namespace
}  // namespace spacedyn::testing::two_impulse_test
