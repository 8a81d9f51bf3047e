// Derivatives of flights through rigid contacts: impacts, rolling, sliding, sticking and lifting,
// against closed forms by complex steps, and against differences of whole flights.
#include <cmath>
#include <complex>

#include "integration/sensitivity_flights.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "support/message_of.hpp"
#include "support/rigid_models.hpp"

namespace spacedyn::rigid_sensitivities_test {
namespace {

using Complex = std::complex<double>;
using testing::derive;
using testing::expect_differences;
using testing::Family;
using testing::Flight;
using testing::Kept;

constexpr double kGravity = 9.81, kRadius = 0.1, kMass = 2.0;
constexpr int kZ = 2, kX = 0, kVx = 6, kVz = 8, kWy = 10;  // rows of a single body

/// d/dp of a closed form, exact to rounding.
template <typename Form>
double by_complex_step(const Form& form, double p) {
  constexpr double kStep = 1e-100;
  return form(Complex(p, kStep)).imag() / kStep;
}

/// What is on or above level ground.
Flight on_ground(const Model& model, const RigidContact::Settings& law, double height) {
  Flight flight{
      testing::rigid_setup(model, testing::on_rigid_ground(model, law), {0.0, 0.0, -kGravity}),
      State()};
  flight.setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-12);
  flight.initial = State(*flight.setup.model);
  flight.initial.r_0.z() = height;
  return flight;
}

Flight ball(const RigidContact::Settings& law, double height, double speed = 0.0) {
  Flight flight = on_ground(testing::ball(kMass, kRadius), law, kRadius + height);
  flight.initial.v_0.x() = speed;
  return flight;
}

/// Height above the ground after a time, over bounces: impacts at v of √(2 g h), e v, e² v, …
Complex bouncing(Complex height, Complex restitution, double time) {
  Complex v = std::sqrt(2.0 * kGravity * height), landed = v / kGravity;
  for (v *= restitution; (landed + 2.0 * v / kGravity).real() < time; v *= restitution) {
    landed += 2.0 * v / kGravity;
  }
  const Complex flown = time - landed;
  return v * flown - 0.5 * kGravity * flown * flown;
}

// After one, three and nine impacts: each one moves its instant, and turns the velocity there.
TEST(RigidSensitivities, OfABouncingBallAreThoseOfItsClosedForm) {
  constexpr double kHeight = 0.5, kRestitution = 0.8;
  for (const double end : {0.6, 1.6, 2.55}) {
    const Kept by_height = derive(
        [](double p) { return ball(testing::rigid_law(kRestitution), p); }, kHeight, end, end);
    const Kept by_restitution = derive(
        [](double p) { return ball(testing::rigid_law(p), kHeight); }, kRestitution, end, end);
    const double height_rate =
        by_complex_step([&](Complex p) { return bouncing(p, kRestitution, end); }, kHeight);
    const double restitution_rate =
        by_complex_step([&](Complex p) { return bouncing(kHeight, p, end); }, kRestitution);
    EXPECT_NEAR(by_height.all.back()(kZ, 0), height_rate, 1e-9 * (1.0 + std::abs(height_rate)));
    EXPECT_NEAR(by_restitution.all.back()(kZ, 0), restitution_rate,
                1e-8 * (1.0 + std::abs(restitution_rate)));
  }
}

// Bounces end by 2.7 s; what has come to rest does not depend on where it fell from.
TEST(RigidSensitivities, OfABallAtRestAreZero) {
  const Kept kept =
      derive([](double p) { return ball(testing::rigid_law(0.5), p); }, 0.1, 2.0, 2.0);
  EXPECT_NEAR(kept.states.back().r_0.z(), kRadius, 1e-12);
  EXPECT_NEAR(kept.all.back()(kZ, 0), 0.0, 1e-9);
  EXPECT_NEAR(kept.all.back()(kVz, 0), 0.0, 1e-9);
}

// It slides with μ g until it rolls at 2 v/(7 μ g), with 5/7 v from then on.
TEST(RigidSensitivities, OfABallThatBeginsToRollAreExact) {
  constexpr double kFriction = 0.2, kSpeed = 1.5, kEnd = 0.6;
  const auto place = [&](Complex friction, Complex speed) {
    const Complex rolls = 2.0 * speed / (7.0 * friction * kGravity);
    return speed * rolls - 0.5 * friction * kGravity * rolls * rolls +
           5.0 / 7.0 * speed * (kEnd - rolls);
  };
  const Kept by_friction =
      derive([](double p) { return ball(testing::rigid_law(0.0, p), 0.0, kSpeed); }, kFriction,
             kEnd, kEnd);
  const Kept by_speed =
      derive([](double p) { return ball(testing::rigid_law(0.0, kFriction), 0.0, p); }, kSpeed,
             kEnd, kEnd);
  EXPECT_NEAR(by_friction.states.back().r_0.x(), place(kFriction, kSpeed).real(), 1e-9);
  EXPECT_NEAR(by_friction.all.back()(kX, 0),
              by_complex_step([&](Complex p) { return place(p, kSpeed); }, kFriction), 1e-8);
  EXPECT_NEAR(by_friction.all.back()(kVx, 0), 0.0, 1e-8);
  EXPECT_NEAR(by_speed.all.back()(kX, 0),
              by_complex_step([&](Complex p) { return place(kFriction, p); }, kSpeed), 1e-8);
  EXPECT_NEAR(by_speed.all.back()(kVx, 0), 5.0 / 7.0, 1e-8);
  EXPECT_NEAR(by_speed.all.back()(kWy, 0), 5.0 / 7.0 / kRadius, 1e-7);
}

/// A body that cannot turn, on one point.
Flight cart(double friction, double speed) {
  BaseDescription base = testing::base_body(1.0, Vector3::Ones());
  base.fixed = true;
  ModelBuilder builder("cart");
  builder.set_base(base);
  std::string parent = base.name;
  for (int i = 0; i < 3; ++i) {
    const std::string name(1, "xyz"[i]);
    LinkDescription link = testing::link_body(name, parent, i == 2 ? kMass : 0.1,
                                              Vector3::Constant(0.01), {}, Vector3::Zero());
    link.joint.origin.position.setZero();
    link.joint.type = JointType::prismatic;
    link.joint.axis = Vector3::Unit(i);
    if (i == 2) link.collisions.push_back(testing::sphere_shape("foot", kRadius));
    builder.add_link(link);
    parent = name;
  }
  Flight flight = on_ground(builder.build(), testing::rigid_law(0.0, friction), kRadius);
  flight.setup.base_mode = BaseMode::fixed;
  flight.initial.r_0.setZero();
  flight.initial.q(2) = kRadius;
  flight.initial.qd(0) = speed;
  return flight;
}
constexpr double kWhole = kMass + 0.2;  // mass that slides along x
constexpr double kPressing = kMass * kGravity;
constexpr int kCartX = 6, kCartVx = 15;  // rows

// v² m/(2 μ N) is how far it goes until it sticks.
TEST(RigidSensitivities, OfWhatComesToRestAreThoseOfItsClosedForm) {
  constexpr double kFriction = 0.3, kSpeed = 1.2;
  const auto way = [](Complex friction, Complex speed) {
    return speed * speed * kWhole / (2.0 * friction * kPressing);
  };
  const Kept by_friction = derive([](double p) { return cart(p, kSpeed); }, kFriction, 1.0, 1.0);
  const Kept by_speed = derive([](double p) { return cart(kFriction, p); }, kSpeed, 1.0, 1.0);
  EXPECT_NEAR(by_friction.states.back().q(0), way(kFriction, kSpeed).real(), 1e-8);
  EXPECT_NEAR(by_friction.all.back()(kCartX, 0),
              by_complex_step([&](Complex p) { return way(p, kSpeed); }, kFriction), 1e-8);
  EXPECT_NEAR(by_speed.all.back()(kCartX, 0),
              by_complex_step([&](Complex p) { return way(kFriction, p); }, kSpeed), 1e-8);
  EXPECT_NEAR(by_speed.all.back()(kCartVx, 0), 0.0, 1e-9);
}

/// A force p t on the centroid.
Flight pushed(Flight flight, const Vector3& direction, double rate) {
  flight.setup.forces.push_back(
      std::make_shared<FunctionForce>("push", [=](const EvaluationContext& now, Loads& loads) {
        loads.F_b.head<3>() += rate * now.time * direction;
      }));
  return flight;
}

// p t lifts it from t_0 = m g/p on: p (t − t_0)³/(6 m).
TEST(RigidSensitivities, OfWhatLiftsAreThoseOfItsClosedForm) {
  constexpr double kRate = 30.0, kEnd = 1.2;
  const auto height = [&](Complex rate) {
    const Complex flown = kEnd - kMass * kGravity / rate;
    return rate * flown * flown * flown / (6.0 * kMass);
  };
  const Kept kept = derive(
      [](double p) { return pushed(ball(testing::rigid_law(0.0), 0.0), Vector3::UnitZ(), p); },
      kRate, kEnd, kEnd);
  EXPECT_NEAR(kept.states.back().r_0.z() - kRadius, height(kRate).real(), 1e-9);
  EXPECT_NEAR(kept.all.back()(kZ, 0), by_complex_step(height, kRate), 1e-9);
}

// p t beats friction from t_0 = μ N/p on: p (t − t_0)²/(2 m).
TEST(RigidSensitivities, OfWhatBeginsToSlideAreExact) {
  constexpr double kRate = 15.0, kFriction = 0.3, kEnd = 1.0;
  const auto speed = [&](Complex rate) {
    const Complex slid = kEnd - kFriction * kPressing / rate;
    return 0.5 * rate * slid * slid / kWhole;
  };
  const Family family = [](double p) {
    Flight flight = cart(kFriction, 0.0);
    flight.setup.forces.push_back(std::make_shared<FunctionForce>(
        "push", [=](const EvaluationContext& now, Loads& loads) { loads.tau(0) += p * now.time; }));
    return flight;
  };
  const Kept kept = derive(family, kRate, kEnd, kEnd);
  EXPECT_NEAR(kept.states.back().qd(0), speed(kRate).real(), 1e-8);
  EXPECT_NEAR(kept.all.back()(kCartVx, 0), by_complex_step(speed, kRate), 1e-8);
}

/// A rod with a ball at one end that falls on it, slides and turns over.
Flight rod(double tilt, double restitution, double friction) {
  Flight flight =
      on_ground(testing::rod_with_tip(), testing::rigid_law(restitution, friction), 0.8);
  flight.initial.A_0 = exp_so3(Vector3(0.0, tilt, 0.0));
  flight.initial.v_0.x() = 0.3;
  return flight;
}

// Oblique impacts with friction and a turned body: every entry of the jump matters.
TEST(RigidSensitivities, OfObliqueImpactsAreThoseOfFlights) {
  expect_differences([](double p) { return rod(p, 0.6, 0.3); }, 0.7, 0.45, 1e-3, 1e-8);
  expect_differences([](double p) { return rod(0.7, p, 0.3); }, 0.6, 0.45, 1e-3, 1e-8);
  expect_differences([](double p) { return rod(0.7, 0.6, p); }, 0.1, 0.45, 1e-3, 1e-8);
  expect_differences([](double p) { return rod(p, 0.0, 0.1); }, 0.7, 0.45, 1e-3, 1e-7);
}

// Balls on a rail: the first is driven into four at rest, one impact after another.
TEST(RigidSensitivities, OfARowOfBallsAreThoseOfFlights) {
  const auto row = [](double p) {
    const Model model = testing::balls_on_a_rail({1.0, 2.0, 0.5});
    Flight flight{
        testing::rigid_setup(model, testing::along_a_rail(model, testing::rigid_law(0.9))),
        State()};
    flight.setup.base_mode = BaseMode::fixed;
    flight.setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-12);
    flight.initial = State(*flight.setup.model);
    flight.initial.q = Vector3(-0.3, 0.1, 0.4);
    flight.initial.qd(0) = p;
    return flight;
  };
  expect_differences(row, 1.0, 1.5, 1e-3, 1e-8);
}

std::string refusal(const Flight& flight, const std::vector<FlightVariation>& variations) {
  return testing::message_of<DomainError>([&] {
    SimulationObserver silent;
    fly_with_sensitivities(flight.setup, flight.initial, {1.0, 1.0}, variations, silent);
  });
}

// One side of it would be in the ground.
TEST(RigidSensitivities, ByTheHeightOfWhatRestsAreRefused) {
  const Flight flight = ball(testing::rigid_law(0.0), 0.0);
  EXPECT_EQ(refusal(flight, initial_variations(*flight.setup.model, flight.initial)),
            "the shapes of rigid contact 'ground' are 1e-05 m inside each other at the start");
}

// Four corners hold a brick: nothing says how they share its weight.
TEST(RigidSensitivities, OfMorePointsThanAreNeededAreRefused) {
  const Family brick = [](double speed) {
    Flight flight = on_ground(
        testing::body_with(testing::shape_of(CollisionType::box, "brick", {0.4, 0.3, 0.1}), kMass,
                           Vector3(0.02, 0.03, 0.04)),
        testing::rigid_law(0.0, 0.3), 0.05);
    flight.initial.v_0.x() = speed;
    return flight;
  };
  EXPECT_EQ(refusal(brick(1.2), {testing::variation_of(brick, 1.2, 1e-5)}),
            "rigid contacts at t = 0 s hold at more points than determine their forces, which then "
            "have no derivatives that differences can tell");
}

}  // namespace
}  // namespace spacedyn::rigid_sensitivities_test
