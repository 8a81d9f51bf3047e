// Nonholonomic and rheonomic constraints: closed forms, energy and momentum from recorded states.
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::motion_constraints_test {
namespace {

constexpr double kG = 9.81, kMass = 2.0, kRadius = 0.3;
/// Of a uniform thin disc about its axis and a diameter, of a ball.
constexpr double kAxial = 0.5 * kMass * kRadius * kRadius, kAcross = 0.5 * kAxial;
constexpr double kBall = 0.4 * kMass * kRadius * kRadius;

std::shared_ptr<const Model> body(const Vector3& inertia) {
  return std::make_shared<const Model>(single_body(kMass, inertia));
}

/// The axis of the disc is y of its body.
std::shared_ptr<const Model> disc() { return body({kAcross, kAxial, kAcross}); }

std::shared_ptr<const Terrain> ground(double slope = 0.0) {
  return std::make_shared<PlaneTerrain>(PlaneTerrain::slope(slope, 0.0));
}

SimulationSetup setup_of(std::shared_ptr<const Model> model,
                         const std::shared_ptr<const MotionConstraint>& motion,
                         const IntegratorOptions& options) {
  SimulationSetup setup;
  setup.model = std::move(model);
  setup.forces = {motion};
  setup.integrator = options;
  return setup;
}

SimulationSetup rolling(std::shared_ptr<const Model> model, const std::optional<Vector3>& axis,
                        const IntegratorOptions& options, double slope = 0.0) {
  RollingConstraint::Settings settings{model->frame("base"), kRadius, axis, ground(slope)};
  SimulationSetup setup =
      setup_of(model, std::make_shared<RollingConstraint>("wheel", settings), options);
  setup.gravity = {0, 0, -kG};
  return setup;
}

SimulationSetup rolling_disc(const IntegratorOptions& options) {
  return rolling(disc(), Vector3::UnitY(), options);
}

/// Momentum that the states have against that of the start and the impulses that were recorded, and
/// kinetic and potential energy against those of the start.
void expect_balance(const SimulationSetup& setup, const Trajectory& flight, double error) {
  const Model& model = *setup.model;
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  const auto see = [&](const State& state) {
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    return std::pair(
        momentum(model, frames, velocities),
        kinetic_energy(model, frames, velocities) - kMass * setup.gravity.dot(state.r_0));
  };
  const auto [first, energy] = see(flight.points.front().state);
  for (const TrajectoryPoint& at : flight.points) {
    const auto [now, energy_now] = see(at.state);
    EXPECT_LT((now.linear - first.linear - at.integrals.impulse).norm(), error);
    EXPECT_LT((now.angular_centroid - first.angular_centroid - at.integrals.angular_impulse).norm(),
              error);
    EXPECT_NEAR(energy_now, energy, error);
  }
  EXPECT_EQ(flight.result.sources.front().end.work, 0.0);
}

class MotionMethods : public ::testing::TestWithParam<std::pair<IntegratorOptions, double>> {};

TEST_P(MotionMethods, AKnifeEdgeDrawsACycloid) {
  // v̇ = g cos ωt along a heading that turns at ω: x = g/2ω² sin² ωt, y = g/2ω² (ωt − ½ sin 2ωt)
  const auto& [options, error] = GetParam();
  const auto model = body({0.1, 0.2, 0.3});
  SimulationSetup setup = setup_of(
      model, std::make_shared<KnifeEdge>("edge", KnifeEdge::Settings{model->frame("base")}),
      options);
  constexpr double kPull = 2.0, kRate = 1.5, kTime = 4.0;
  setup.gravity = {kPull, 0, 0};
  State start(*model);
  start.omega_0 = {0, 0, kRate};
  const Trajectory flight = simulate(setup, start, kTime, 0.5);
  for (const TrajectoryPoint& at : flight.points) {
    const double turn = kRate * at.time, scale = 0.5 * kPull / (kRate * kRate);
    EXPECT_NEAR(at.state.r_0.x(), scale * std::pow(std::sin(turn), 2), error);
    EXPECT_NEAR(at.state.r_0.y(), scale * (turn - 0.5 * std::sin(2.0 * turn)), error);
    EXPECT_NEAR(at.state.omega_0.z(), kRate, error);
  }
  expect_balance(setup, flight, 10.0 * error);
  EXPECT_LT(flight.result.loops.velocity_residual, 1e-13);
}

TEST_P(MotionMethods, ASleighTurnsStraight) {
  // v̇ = a ω², ω̇ = −(a/k²) v ω with k² = a² + I/m: v = V tanh s, ω = V/k sech s, ṡ = a V/k²
  const auto& [options, error] = GetParam();
  const auto model = body({0.1, 0.2, 0.3});
  Frame edge = model->frame("base");
  constexpr double kArm = 0.4, kTime = 3.0, kSpeed = 1.2, kStart = -1.0;
  edge.position = {-kArm, 0, 0};
  const double k = std::sqrt(kArm * kArm + 0.3 / kMass);
  const SimulationSetup setup =
      setup_of(model, std::make_shared<KnifeEdge>("edge", KnifeEdge::Settings{edge}), options);
  State start(*model);
  start.omega_0.z() = kSpeed / k / std::cosh(kStart);
  start.v_0 = {kSpeed * std::tanh(kStart), kArm * start.omega_0.z(), 0};
  const Trajectory flight = simulate(setup, start, kTime, 0.25);
  for (const TrajectoryPoint& at : flight.points) {
    const double s = kStart + kArm * kSpeed / (k * k) * at.time;
    const Vector3 v = at.state.A_0.transpose() * at.state.v_0;
    EXPECT_NEAR(v.x(), kSpeed * std::tanh(s), error);
    EXPECT_NEAR(at.state.omega_0.z(), kSpeed / k / std::cosh(s), error);
    EXPECT_NEAR(v.y(), kArm * at.state.omega_0.z(), error);
  }
  expect_balance(setup, flight, 10.0 * error);
}

/// A tilted disc whose centre goes round on a circle, N the angle between its plane and the ground.
/// @param tilt  between the plane of the disc and the ground @param turn  of the precession, rad/s
State steady_disc(const Model& model, double tilt, double turn) {
  // e_1 along the ground, e_2 up the disc, e_3 its axis: n Ω (C + m r²) = (A Ω² − m g r / sin θ)
  // cos θ
  const double s = std::sin(tilt), c = std::cos(tilt), inertia = kAxial + kMass * kRadius * kRadius;
  const double n = (kAcross * turn * turn - kMass * kG * kRadius / s) * c / (turn * inertia);
  const Vector3 e_1 = Vector3::UnitX(), e_2(0, c, s), e_3 = e_1.cross(e_2);
  State state(model);
  state.A_0.col(0) = e_1;
  state.A_0.col(1) = e_3;
  state.A_0.col(2) = e_1.cross(e_3);
  state.r_0 = kRadius * e_2;
  state.omega_0 = turn * s * e_2 + n * e_3;
  state.v_0 = state.omega_0.cross(kRadius * e_2);
  return state;
}

TEST(MotionConstraints, AreDifferentiatedByRodas) {
  // the order of a Rosenbrock method falls where its matrix is not the derivative
  const auto error_of = [](double step) {
    const SimulationSetup setup = rolling_disc(fixed_step(IntegrationMethod::rodas, step));
    const State start = steady_disc(*setup.model, 70.0 * kDegree, 4.0);
    const SimulationResult end = simulate(setup, start, 0.5);
    return (end.state.v_0 - exp_so3(Vector3(0, 0, 2.0)) * start.v_0).norm();
  };
  const double coarse = error_of(0.02), fine = error_of(0.01);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_GT(coarse / fine, 12.0);
}

TEST_P(MotionMethods, ADiscPrecessesSteadily) {
  const auto& [options, error] = GetParam();
  const SimulationSetup setup = rolling_disc(options);
  constexpr double kTurn = 5.0;
  for (const double tilt : {60.0 * kDegree, 80.0 * kDegree}) {
    const State start = steady_disc(*setup.model, tilt, kTurn);
    const Trajectory flight = simulate(setup, start, 2.0 * kPi / kTurn, 0.1);
    for (const TrajectoryPoint& at : flight.points) {
      const Matrix3 turned = exp_so3(Vector3(0, 0, kTurn * at.time));
      const Vector3 v = turned * start.v_0, axis = turned * start.A_0.col(1);
      EXPECT_LT((at.state.v_0 - v).norm(), error);
      EXPECT_LT((at.state.A_0.col(1) - axis).norm(), error);
      EXPECT_LT((at.state.omega_0 - turned * start.omega_0).norm(), 10.0 * error);
    }
    EXPECT_LT((flight.points.back().state.r_0 - start.r_0).norm(), error);
    expect_balance(setup, flight, 10.0 * error);
    EXPECT_LT(flight.result.loops.position_residual, 1e-14);
  }
}

TEST_P(MotionMethods, ABallRollsDownASlope) {
  const auto& [options, error] = GetParam();
  constexpr double kSlope = 20.0 * kDegree, kTime = 2.0;
  const SimulationSetup setup = rolling(body({kBall, kBall, kBall}), {}, options, kSlope);
  State start(*setup.model);
  start.r_0 = kRadius * ground(kSlope)->normal(0, 0);
  start.omega_0 = {0.3, 0, 0.7};  // across and upright: neither changes what falls
  start.v_0 = start.omega_0.cross(start.r_0);
  const Trajectory flight = simulate(setup, start, kTime, 0.25);
  // the slope rises along x; g sin α / (1 + I / m r²)
  const Vector3 down(-std::cos(kSlope), 0, -std::sin(kSlope));
  const Vector3 a = kG * std::sin(kSlope) / 1.4 * down;
  for (const TrajectoryPoint& at : flight.points) {
    const double t = at.time;
    EXPECT_LT((at.state.r_0 - start.r_0 - t * start.v_0 - 0.5 * t * t * a).norm(), error);
  }
  expect_balance(setup, flight, 10.0 * error);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, MotionMethods,
    // accumulated over some thousand accelerations
    ::testing::Values(std::pair(adaptive(IntegrationMethod::dop853, 1e-12), 1e-9),
                      std::pair(adaptive(IntegrationMethod::dopri5, 1e-12), 1e-9),
                      std::pair(adaptive(IntegrationMethod::bulirsch_stoer, 1e-12), 1e-9),
                      // of order 4
                      std::pair(adaptive(IntegrationMethod::rodas, 1e-10), 1e-6),
                      std::pair(rk4(2e-3), 1e-6)),
    [](const auto& instance) { return std::string(to_string(instance.param.first.method)); });

/// Lean of an upright disc that rolls along x, in time.
double lean_after(double speed, double lean, double time) {
  SimulationSetup setup = rolling_disc(adaptive(IntegrationMethod::dop853, 1e-13));
  setup.integrator.absolute_tolerance.attitude = 1e-13;
  State start(*setup.model);
  start.A_0 = exp_so3(Vector3(lean, 0, 0));
  start.r_0 = kRadius * start.A_0.col(2);
  start.omega_0 = speed / kRadius * start.A_0.col(1);
  start.v_0 = start.omega_0.cross(start.r_0);
  const Trajectory flight = simulate(setup, start, time, time);
  return std::asin(flight.points.back().state.A_0(2, 1));
}

TEST(RollingDisc, IsStableAboveASpeedAlone) {
  // A ψ̇ = C Ω (θ_0 − θ) and (A + m r²) θ̈ = m g r θ + (C + m r²) Ω ψ̇: of a thin disc stable from
  // v² = g r/3 on
  const double limit = std::sqrt(kG * kRadius / 3.0);
  constexpr double kLean = 1e-6, kTime = 1.0;
  for (const double part : {0.5, 0.9, 1.1, 2.0}) {
    const double spin = part * limit / kRadius;
    const double upright = 2.4 * spin * spin, falling = 0.8 * kG / kRadius;
    const double stiffness = upright - falling;
    const double course = stiffness > 0.0 ? std::cos(std::sqrt(stiffness) * kTime)
                                          : std::cosh(std::sqrt(-stiffness) * kTime);
    const double expected = (upright - falling * course) / stiffness;
    // errors of steps of 1e-13 are a part of 1e-7 of the lean
    EXPECT_NEAR(lean_after(part * limit, kLean, kTime) / kLean, expected,
                1e-6 * std::abs(expected) + 1e-6)
        << part;
  }
}

/// Two bodies in free flight.
struct Pair {
  Pair() {
    LinkDescription load = link_body("load", "base", 3.0, {0.2, 0.3, 0.4}, {1, 0, 0}, {0, 0, 0});
    load.joint.type = JointType::free;
    model = std::make_shared<const Model>(
        ModelBuilder("pair").set_base(base_body(kMass, {0.5, 0.6, 0.7})).add_link(load).build());
    start = State(*model);
    start.qd(1) = kTurn;  // across the line of both
  }
  std::shared_ptr<const MotionConstraint> follow(const std::shared_ptr<const Reference>& length) {
    return std::make_shared<RheonomicDistance>(
        "winch", RheonomicDistance::Settings{model->frame("base"), model->frame("load"), length});
  }
  static constexpr double kTurn = 0.8, kReduced = kMass * 3.0 / (kMass + 3.0);
  std::shared_ptr<const Model> model;
  State start;
};

TEST(RheonomicDistance, ReelsInAtConstantAngularMomentum) {
  // μ ℓ² ω stays; what the constraint does is the energy ½ μ (ℓ̇² + ℓ² ω²) that is gained
  Pair two;
  const auto length = std::make_shared<QuinticReference>(VectorX::Constant(1, 1.0),
                                                         VectorX::Constant(1, 0.4), 0.5, 3.0);
  SimulationSetup setup =
      setup_of(two.model, two.follow(length), adaptive(IntegrationMethod::dop853, 1e-12));
  const Trajectory flight = simulate(setup, two.start, 4.0, 0.25);
  const TrajectoryPoint& first = flight.points.front();
  for (const TrajectoryPoint& at : flight.points) {
    const ReferenceValue l = length->evaluate(0, at.time);
    LinkFrames frames(*two.model);
    LinkVelocities velocities(*two.model);
    compute_link_frames(*two.model, at.state, frames);
    compute_link_velocities(*two.model, at.state, frames, velocities);
    EXPECT_NEAR((frames.r[6] - frames.r[0]).norm(), l.position, 1e-13);
    const double omega = Pair::kTurn / (l.position * l.position);
    const double moving =
        0.5 * Pair::kReduced * (l.velocity * l.velocity + std::pow(l.position * omega, 2));
    const double start = 0.5 * Pair::kReduced * Pair::kTurn * Pair::kTurn;
    EXPECT_NEAR(kinetic_energy(*two.model, frames, velocities) - first.energy.kinetic,
                moving - start, 1e-9);
    EXPECT_NEAR(at.integrals.work, moving - start, 1e-9);
    EXPECT_LT((at.momentum.linear - first.momentum.linear).norm(), 1e-12);
    EXPECT_LT((at.momentum.angular_origin - first.momentum.angular_origin).norm(), 1e-11);
  }
  EXPECT_EQ(flight.result.sources.front().name, "winch");
  EXPECT_NEAR(flight.result.sources.front().end.work, flight.points.back().integrals.work, 1e-12);
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-9);
}

Event at(double time, const EventAction& action) {
  return {"at " + std::to_string(time), time_event(time), CrossingDirection::rising, {action}};
}

TEST(MotionConstraints, BeginWithAnImpulse) {
  // a blade that is put down takes the velocity across: ½ m v_y² is lost
  const auto model = body({0.1, 0.2, 0.3});
  SimulationSetup setup = setup_of(
      model, std::make_shared<KnifeEdge>("edge", KnifeEdge::Settings{model->frame("base")}),
      adaptive(IntegrationMethod::dop853, 1e-10));
  Connection connection;
  connection.loop.name = "edge";
  connection.active = false;
  connection.force = 0;
  setup.connections = {connection};
  setup.events = {at(1.0, ConnectAction{0, false}), at(2.0, DisconnectAction{0})};
  State start(*model);
  start.v_0 = {1.0, 0.5, 0.2};
  const SimulationResult result = simulate(setup, start, 3.0);
  EXPECT_LT((result.state.v_0 - Vector3(1.0, 0.0, 0.2)).norm(), 1e-14);
  ASSERT_EQ(result.connections.size(), 1U);
  EXPECT_NEAR(result.connections[0].impulse, kMass * 0.5, 1e-14);
  EXPECT_NEAR(result.connections[0].energy_lost, 0.5 * kMass * 0.25, 1e-14);
  EXPECT_LT(result.audit.momentum_drift(), 1e-14);
  EXPECT_LT(result.audit.energy_residual(), 1e-14);
}

TEST(MotionConstraints, HoldThroughTheImpulseOfALock) {
  // a wheel about the axle of a ball that rolls along x is locked: angular momentum about the
  // line of contact stays
  constexpr double kWheel = 0.05, kSpin = 6.0, kRoll = 1.0;
  ModelBuilder builder("ball");
  builder.set_base(base_body(kMass, {kBall, kBall, kBall}));
  LinkDescription wheel =
      link_body("wheel", "base", 1e-9, {0.01, kWheel, 0.01}, {0, 0, 0}, {0, 0, 0});
  wheel.joint.axis = Vector3::UnitY();
  builder.add_link(wheel);
  const auto model = std::make_shared<const Model>(builder.build());
  SimulationSetup setup = rolling(model, {}, adaptive(IntegrationMethod::dop853, 1e-11));
  setup.events = {at(0.5, LockAction{1})};
  State start(*model);
  start.r_0.z() = kRadius;
  start.omega_0.y() = kRoll;
  start.v_0.x() = kRoll * kRadius;
  start.qd(0) = kSpin;
  const SimulationResult result = simulate(setup, start, 1.0);
  const double inertia = kBall + kWheel + (kMass + 1e-9) * kRadius * kRadius;
  const double expected = kRoll + kWheel * kSpin / inertia;
  EXPECT_NEAR(result.state.omega_0.y(), expected, 1e-12);
  EXPECT_NEAR(result.state.v_0.x(), expected * kRadius, 1e-12);
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
}

TEST(MotionConstraints, AreKeptByBaumgarteAndLeftAloneByNone) {
  for (const LoopStabilization kind : {LoopStabilization::baumgarte, LoopStabilization::none}) {
    SimulationSetup setup = rolling_disc(rk4(1e-3));
    setup.integrator.constraints = kind;
    const SimulationResult result =
        simulate(setup, steady_disc(*setup.model, 70.0 * kDegree, 4.0), 1.0);
    // of order 4: h⁴ of some rates
    EXPECT_LT(result.loops.position_residual, 1e-9);
    EXPECT_GT(result.loops.velocity_residual, 1e-15);
  }
}

}  // namespace
}  // namespace spacedyn::testing::motion_constraints_test
