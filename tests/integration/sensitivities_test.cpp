// Derivatives of flights through events, against closed forms and differences of whole flights.
#include <cmath>

#include <gmock/gmock.h>

#include "integration/sensitivity_flights.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/message_of.hpp"

namespace spacedyn::sensitivities_test {
namespace {

using testing::derive;
using testing::expect_differences;
using testing::Family;
using testing::Flight;
using testing::Kept;
using testing::kRowQ;
using testing::kRowQd;
using testing::sampled;
using testing::slider;
using testing::variation_of;

// q = e^{−δt} (cos ωt + δ/ω sin ωt) with m = 1, δ = c/2, ω² = k − δ².
TEST(Sensitivities, OfAnOscillatorAreThoseOfItsClosedForm) {
  const double k = 4.0, c = 0.6, end = 5.0;
  const auto position = [](long double stiffness, long double damping, long double t) {
    const long double decay = damping / 2.0L;
    const long double omega = std::sqrt(stiffness - decay * decay);
    return std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
  };
  const auto slope = [](const std::function<long double(long double)>& f) {
    const long double h = 1e-4L;  // of sixth order in extended precision: 15 digits
    return static_cast<double>(
        (45.0L * (f(h) - f(-h)) - 9.0L * (f(2 * h) - f(-2 * h)) + (f(3 * h) - f(-3 * h))) /
        (60.0L * h));
  };
  const Kept by_stiffness =
      derive([&](double p) { return slider(1.0, p, c, 1.0, 0.0); }, k, end, 0.5);
  const Kept by_damping =
      derive([&](double p) { return slider(1.0, k, p, 1.0, 0.0); }, c, end, 0.5);
  ASSERT_EQ(by_stiffness.all.size(), 11U);
  for (std::size_t i = 0; i < by_stiffness.all.size(); ++i) {
    const double t = by_stiffness.times[i];
    // the differences of the right-hand side leave ten digits
    EXPECT_NEAR(by_stiffness.all[i](kRowQ, 0),
                slope([&](long double h) { return position(k + h, c, t); }), 2e-10);
    EXPECT_NEAR(by_damping.all[i](kRowQ, 0),
                slope([&](long double h) { return position(k, c + h, t); }), 2e-10);
  }
}

/// Falls from a height onto a stop at zero.
Flight ball(double gravity, double height, double restitution) {
  Flight flight = slider(2.0, 0.0, 0.0, height, 0.0);
  flight.setup.gravity = {0.0, 0.0, -gravity};
  flight.setup.events = {{"floor",
                          joint_position_event(1, 0.0),
                          CrossingDirection::falling,
                          {BounceAction{1, restitution}}}};
  return flight;
}

// After the first bounce at t_1 = √(2h/g) the ball has e g t_1 upwards.
TEST(Sensitivities, OfABouncingBallAreThoseOfItsClosedForm) {
  const double g = 1.6, h = 0.8, e = 0.7, end = 1.5;
  const double t1 = std::sqrt(2.0 * h / g), s = end - t1;
  ASSERT_LT(end, t1 * (1.0 + 2.0 * e));
  // q = e g t_1 s − g s²/2, q̇ = e g t_1 − g s, with s = t − t_1
  const auto by_instant = [&](double rate) {
    return std::pair(rate * (e * g * s - e * g * t1 + g * s), rate * (e * g + g));
  };
  const auto check = [&](const Family& family, double value, double q, double qd) {
    const Kept kept = derive(family, value, end, end);
    EXPECT_NEAR(kept.all.back()(kRowQ, 0), q, 1e-9);
    EXPECT_NEAR(kept.all.back()(kRowQd, 0), qd, 1e-9);
  };
  const auto [q_h, qd_h] = by_instant(t1 / (2.0 * h));
  check([&](double p) { return ball(g, p, e); }, h, q_h, qd_h);
  const auto [q_g, qd_g] = by_instant(-t1 / (2.0 * g));
  check([&](double p) { return ball(p, h, e); }, g, q_g + e * t1 * s - 0.5 * s * s,
        qd_g + e * t1 - s);
  check([&](double p) { return ball(g, h, p); }, e, g * t1 * s, g * t1);
}

// Between a bounce and the next outputs have the derivative at a fixed time.
TEST(Sensitivities, OfABouncingBallJumpAsTheSaltationSays) {
  const double g = 1.6, h = 0.85, e = 0.7, t1 = std::sqrt(2.0 * h / g);
  const Kept kept = derive([&](double p) { return ball(g, p, e); }, h, 1.5, 0.05);
  for (std::size_t i = 0; i < kept.all.size(); ++i) {
    const double s = kept.times[i] - t1, rate = t1 / (2.0 * h);
    const double expected = s < 0.0 ? 1.0 : rate * (e * g * s - e * g * t1 + g * s);
    EXPECT_NEAR(kept.all[i](kRowQ, 0), expected, 1e-9) << kept.times[i];
  }
}

TEST(Sensitivities, OfASampledLoopToItsGainAreThoseOfItsPowers) {
  const double K = 5.0, T = 0.1, m = 2.0;
  Eigen::Matrix2d A = Eigen::Matrix2d::Identity(), dA = Eigen::Matrix2d::Zero();
  A(0, 1) = T;
  const Eigen::Vector2d input(T * T / (2.0 * m), T / m);
  A -= input * Eigen::RowVector2d(K, 3.0);
  dA = -input * Eigen::RowVector2d(1.0, 0.0);
  Eigen::Vector2d x(1.0, 0.0), s(0.0, 0.0);
  for (int k = 0; k < 30; ++k) {
    s = A * s + dA * x;
    x = A * x;
  }
  const Kept kept = derive([](double p) { return sampled(p, 0.0); }, K, 3.0, 3.0);
  EXPECT_NEAR(kept.all.back()(kRowQ, 0), s(0), 1e-10);
  EXPECT_NEAR(kept.all.back()(kRowQd, 0), s(1), 1e-10);
}

// A delay of commands goes on to the next samples.
TEST(Sensitivities, OfDelayedCommandsAreThoseOfFlights) {
  expect_differences([](double p) { return sampled(p, 0.03); }, 5.0, 2.0, 0.5);
}

/// An impulse at a time.
Flight struck(double time) {
  Flight flight = slider(2.0, 3.0, 0.1, 0.2, 0.0);
  Frame body;
  body.body = 1;
  flight.setup.events = {{"strike",
                          time_event(time),
                          CrossingDirection::rising,
                          {ImpulseAction{body, {0.0, 0.0, 1.5}}}}};
  return flight;
}

TEST(Sensitivities, ToTheTimeOfAnImpulseAreThoseOfFlights) {
  expect_differences(struck, 1.2345, 3.0, 0.02);
}

/// Runs into a spring with a damper and out again.
Flight stopped(double place, double damping) {
  Flight flight = slider(2.0, 0.0, 0.0, 0.0, 0.9);
  const JointStop::Settings stop{1, -9.0, place, 400.0, damping};
  flight.setup.forces = {std::make_shared<JointStop>("stop", stop)};
  return flight;
}

// Its force jumps where it is touched; without a damper it bends there, twice.
TEST(Sensitivities, ToTheStopOfAJointAreThoseOfFlights) {
  expect_differences([](double p) { return stopped(p, 20.0); }, 0.37, 0.5, 2e-3);
  expect_differences([](double p) { return stopped(p, 0.0); }, 0.37, 1.5, 2e-3);
  expect_differences([](double p) { return stopped(0.37, p); }, 20.0, 0.5, 2.0);
}

/// Follows a trapezoid, at whose corners the torque bends.
Flight guided(double acceleration) {
  Flight flight = slider(2.0, 0.0, 0.0, 0.0, 0.0);
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, 30.0);
  pd.damping = VectorX::Constant(1, 4.0);
  pd.effort_limit = VectorX::Constant(1, 1e6);
  pd.reference = std::make_shared<TrapezoidReference>(VectorX::Zero(1), VectorX::Ones(1), 0.3,
                                                      VectorX::Constant(1, 0.8),
                                                      VectorX::Constant(1, acceleration));
  flight.setup.controllers = {std::make_shared<JointPd>("guide", pd)};
  return flight;
}

TEST(Sensitivities, ToCornersOfAReferenceAreThoseOfFlights) {
  expect_differences(guided, 1.7, 2.5, 0.1);
}

std::shared_ptr<const Model> body(double mass, double inertia, const Vector3& port) {
  ModelBuilder builder("body");
  builder.set_base(testing::base_body(mass, {inertia, 1.4 * inertia, 1.1 * inertia}));
  FrameDescription frame;
  frame.name = "port";
  frame.link = "base";
  frame.origin.position = port;
  builder.add_frame(frame);
  return std::make_shared<const Model>(builder.build());
}

/// A tumbling target is caught where its port is near enough, and held.
Flight capture(double inertia, double speed) {
  const auto a = body(30.0, 2.0, {0.5, 0.0, 0.0}), b = body(50.0, inertia, {-0.7, 0.0, 0.0});
  Flight flight;
  flight.setup.model = std::make_shared<const Model>(
      ModelBuilder(aggregate("pair", {{"a", a, true, {}}, {"b", b, true, {}}})).build());
  const Model& model = *flight.setup.model;
  flight.setup.base_mode = BaseMode::fixed;
  flight.setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-13);
  LoopDescription weld;
  weld.name = "grasp";
  weld.type = LoopType::weld;
  weld.from = "a.port";
  weld.to = "b.port";
  flight.setup.connections = {make_connection(model, weld, false)};
  flight.setup.events = {
      {"docks",
       frame_distance_event(*model.find_frame("a.port"), *model.find_frame("b.port"), 0.1),
       CrossingDirection::falling,
       {ConnectAction{0, true}}}};
  BaseMotion first, second;
  first.v_0 = {speed, 0.0, 0.0};
  first.omega_0 = {0.0, 0.0, 0.02};
  second.r_0 = {1.6, 0.01, 0.0};
  second.omega_0 = {0.1, 0.03, 0.0};
  flight.initial = State(model);
  set_base_motion(model, model.robots()[0], first, flight.initial);
  set_base_motion(model, model.robots()[1], second, flight.initial);
  return flight;
}

// Instant, impulse and what is held depend on the numbers. Where loops are closed to 1e-12, so much
// of a side is a part of 1e-7 of its small change; whole flights, with larger ones, have more.
TEST(Sensitivities, ThroughACaptureAreThoseOfDifferencesOfFlights) {
  expect_differences([](double p) { return capture(p, 0.25); }, 5.0, 3.0, 0.05, 1e-7);
  expect_differences([](double p) { return capture(5.0, p); }, 0.25, 3.0, 2e-3, 1e-7);
}

std::string refusal(const Flight& flight, const Family& family = nullptr, double value = 1.0) {
  SimulationObserver silent;
  return testing::message_of<NotDifferentiableError>([&] {
    fly_with_sensitivities(
        flight.setup, flight.initial, {2.0, 2.0},
        family ? std::vector{variation_of(family, value, 1e-5)} : testing::joint_variations(flight),
        silent);
  });
}

TEST(Sensitivities, NameWhatHasNone) {
  Flight flight = slider(2.0, 3.0, 0.1, 0.2, 0.0);
  flight.setup.integrator = testing::adaptive(IntegrationMethod::rodas, 1e-8);
  EXPECT_EQ(refusal(flight),
            "flights of method rodas have no derivatives here; those of explicit Runge-Kutta "
            "methods have: dop853, dopri5, euler, midpoint, rk4, cash_karp54, fehlberg78, simpson");
  const auto coarse = [](double stiffness) {
    Flight own = sampled(stiffness, 0.0);
    JointPd::Settings pd = static_cast<const JointPd&>(*own.setup.controllers.front()).settings();
    pd.digitization.command_resolution = 0.1;
    own.setup.controllers = {std::make_shared<JointPd>("coarse", pd)};
    return own;
  };
  EXPECT_EQ(refusal(coarse(5.0)),
            "the quantization of controller 'coarse' cannot be differentiated");
  const Family period = [](double p) {
    Flight own = sampled(5.0, 0.0);
    JointPd::Settings pd = static_cast<const JointPd&>(*own.setup.controllers.front()).settings();
    pd.sample_period = p;
    own.setup.controllers = {std::make_shared<JointPd>("hold", pd)};
    return own;
  };
  EXPECT_EQ(
      refusal(period(0.1), period, 0.1),
      "'number' decides when controllers or sensors sample: flights have no derivative by it");
}

// −1 N from p on, 1 N until 2 s: where p is 2 s, one side has both between these instants, the
// other none. v = (2 − (5 − p))/m for both orders.
TEST(Sensitivities, ByAnInstantThatAnotherLoadSharesAreExact) {
  constexpr double kMass = 2.0, kEnd = 5.0;
  const Family family = [](double p) {
    Flight flight = slider(kMass, 0.0, 0.0, 0.3, 0.0);
    const auto push = [&](const std::string& name, double force, double from, double until) {
      flight.setup.forces.push_back(std::make_shared<AppliedJointTorque>(
          name, 1, TimeTable::constant(VectorX::Constant(1, force), from, until)));
    };
    push("go", 1.0, 0.0, 2.0);
    push("brake", -1.0, p, 10.0);
    return flight;
  };
  const Kept kept = derive(family, 2.0, kEnd, kEnd);
  EXPECT_NEAR(kept.states.back().qd(0), -1.0 / kMass, 1e-12);
  EXPECT_NEAR(kept.all.back()(kRowQd, 0), 1.0 / kMass, 1e-9);
  EXPECT_NEAR(kept.all.back()(kRowQ, 0), (kEnd - 2.0) / kMass, 1e-9);
}

// One side reaches the height at which it stops, the other does not.
TEST(Sensitivities, NameFlightsOfWhichBothSidesTakeOtherCourses) {
  const Family throws = [](double speed) {
    Flight flight = slider(2.0, 0.0, 0.0, 0.0, speed);
    flight.setup.gravity = {0.0, 0.0, -1.0};
    flight.setup.events = {
        {"top", joint_position_event(1, 0.5), CrossingDirection::rising, {StopAction{}}}};
    return flight;
  };
  EXPECT_THAT(refusal(throws(1.0 + 1e-7), throws, 1.0 + 1e-7),
              ::testing::HasSubstr("the flight has no derivative by 'number' at t = "));
}

}  // namespace
}  // namespace spacedyn::sensitivities_test
