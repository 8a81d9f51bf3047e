// Derivatives of flights through compliant contacts, against closed forms and differences of whole
// flights.
#include <cmath>

#include "integration/sensitivity_flights.hpp"
#include "support/contact_models.hpp"
#include "support/message_of.hpp"

namespace spacedyn::contact_sensitivities_test {
namespace {

using testing::derive;
using testing::expect_differences;
using testing::Family;
using testing::Flight;
using testing::Kept;

/// What falls on level ground.
Flight fall(const Model& model, const NormalContact::Settings& law, const ContactFriction& friction,
            double height, double speed) {
  Flight flight{
      testing::contact_setup(model, testing::on_ground(model, law, friction), {0.0, 0.0, -1.6}),
      State()};
  flight.setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-13);
  flight.initial = State(*flight.setup.model);
  flight.initial.r_0.z() = height;
  flight.initial.v_0.x() = speed;
  return flight;
}

constexpr double kGravity = 1.6, kRadius = 0.1;

Flight ball(const NormalContact::Settings& law, double height, const ContactFriction& friction = {},
            double speed = 0.0) {
  return fall(testing::ball(2.0, kRadius), law, friction, kRadius + height, speed);
}

/// Another body on the ground, turned so that one point after the other lands.
Flight tumble(CollisionType type, const Vector3& size, double speed) {
  const Model model =
      testing::body_with(testing::shape_of(type, "body", size), 2.0, Vector3(0.01, 0.02, 0.015));
  Flight flight =
      fall(model, testing::linear_law(2e3, 0.0), testing::coulomb(0.3, 0.05), 0.25, speed);
  flight.initial.A_0 = exp_so3(Vector3(0.3, 0.2, 0.1));
  flight.initial.omega_0 = {0.5, -0.4, 0.8};
  return flight;
}

// A spring that the ball lands on with v at t_1 = √(2h/g): depth g/ω² (1 − cos ωτ) + v/ω sin ωτ,
// zero again at ωτ/2 = π − atan(vω/g), where it leaves with v.
TEST(ContactSensitivities, OfABallOnASpringAreExact) {
  const double stiffness = 2e3, mass = 2.0, height = 0.2, end = 0.9;
  const Kept kept = derive([&](double p) { return ball(testing::linear_law(stiffness, 0.0), p); },
                           height, end, end);
  const double omega = std::sqrt(stiffness / mass), v = std::sqrt(2.0 * kGravity * height);
  const double steep = v * omega / kGravity;
  const double touching = 2.0 / omega * (std::acos(-1.0) - std::atan(steep));
  const double s = end - v / kGravity - touching;
  ASSERT_GT(s, 0.0);
  const double v_rate = kGravity / v;
  const double s_rate = -1.0 / v + 2.0 / kGravity / (1.0 + steep * steep) * v_rate;
  EXPECT_NEAR(kept.states.back().r_0.z() - kRadius, v * s - 0.5 * kGravity * s * s, 1e-9);
  EXPECT_NEAR(kept.all.back()(2, 0), v_rate * s + (v - kGravity * s) * s_rate, 1e-8);
  EXPECT_NEAR(kept.all.back()(8, 0), v_rate - kGravity * s_rate, 1e-8);
}

// While it touches, and after it has left; by the height, the spring and the damper.
TEST(ContactSensitivities, OfBallsThatLandAreDifferences) {
  for (const double end : {0.54, 0.9}) {
    const auto by_height = [](const NormalContact::Settings& law) {
      return [law](double p) { return ball(law, p); };
    };
    expect_differences(by_height(testing::linear_law(2e3, 0.0)), 0.2, end, 1e-3, 1e-7);
    expect_differences(by_height(testing::linear_law(2e3, 20.0)), 0.2, end, 1e-3, 1e-7);
    expect_differences(by_height(testing::hunt_crossley(2e4, 0.6, 1.5)), 0.2, end, 1e-3, 1e-7);
    expect_differences(by_height(testing::hunt_crossley(2e4, 1.0, 2.0)), 0.2, end, 1e-3, 1e-7);
    expect_differences([](double p) { return ball(testing::linear_law(p, 20.0), 0.2); }, 2e3, end,
                       10.0, 1e-7);
    expect_differences([](double p) { return ball(testing::hunt_crossley(2e4, p), 0.2); }, 0.6, end,
                       1e-3, 1e-7);
  }
}

// It slides first, and rolls then.
TEST(ContactSensitivities, OfFrictionAreDifferences) {
  const auto law = testing::linear_law(2e3, 30.0);
  expect_differences([&](double p) { return ball(law, 0.02, testing::coulomb(0.3, 0.02), p); }, 0.4,
                     1.5, 1e-3, 1e-7);
  expect_differences([&](double p) { return ball(law, 0.02, testing::coulomb(p, 0.02), 0.4); }, 0.3,
                     0.6, 1e-3, 1e-7);
  expect_differences([&](double p) { return ball(law, 0.02, testing::bristle(0.3, 1e3, 30.0), p); },
                     0.4, 0.5, 1e-3, 1e-7);
}

TEST(ContactSensitivities, OfSeveralPointsAreDifferences) {
  const auto by_speed = [](CollisionType type, const Vector3& size) {
    return [=](double p) { return tumble(type, size, p); };
  };
  expect_differences(by_speed(CollisionType::box, {0.2, 0.3, 0.1}), 0.2, 0.7, 1e-4, 1e-7);
  expect_differences(by_speed(CollisionType::capsule, {0.05, 0.3, 0.0}), 0.2, 0.7, 1e-4, 1e-7);
}

Model two_boxes() {
  BaseDescription base = testing::base_body(2.0, Vector3::Constant(0.02));
  base.collisions.push_back(testing::shape_of(CollisionType::box, "a", {0.2, 0.2, 0.2}));
  LinkDescription other = testing::link_body("other", "base", 1.0, Vector3::Constant(0.01),
                                             Vector3::Zero(), Vector3::Zero());
  other.joint.type = JointType::free;
  other.collisions.push_back(testing::shape_of(CollisionType::box, "b", {0.1, 0.1, 0.1}));
  return ModelBuilder("two_boxes").set_base(base).add_link(other).build();
}

/// Two bodies without gravity, the second on a free joint, that meet off their centres.
Flight meeting(const Model& model, const ContactFriction& friction, double speed) {
  Flight flight{testing::contact_setup(
                    model, testing::between_two(model, testing::linear_law(2e3, 5.0), friction)),
                State()};
  flight.setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-12);
  flight.initial = State(*flight.setup.model);
  flight.initial.q.head<3>() = Vector3(0.5, 0.03, 0.02);
  flight.initial.qd(0) = -speed;
  flight.initial.omega_0 = {0.2, 0.3, -0.1};
  return flight;
}

// One side of a number is apart where the other one touches. Where a damper lets go before the
// depth is zero the force bends without an event.
TEST(ContactSensitivities, OfBodiesThatMeetAreDifferences) {
  const Model balls = testing::two_balls(2.0, 0.1, 1.0, 0.05);
  expect_differences([&](double p) { return meeting(balls, testing::coulomb(0.3, 0.05), p); }, 0.5,
                     1.2, 1e-3, 1e-6);
}

TEST(ContactSensitivities, NamePatchesAsHavingNone) {
  const Flight flight = meeting(two_boxes(), {}, 0.5);
  SimulationObserver silent;
  EXPECT_EQ(testing::message_of<NotDifferentiableError>([&] {
              fly_with_sensitivities(flight.setup, flight.initial, {1.0, 1.0},
                                     initial_variations(*flight.setup.model, flight.initial),
                                     silent);
            }),
            "the contact along patches 'ground' cannot be differentiated");
}

}  // namespace
}  // namespace spacedyn::contact_sensitivities_test
