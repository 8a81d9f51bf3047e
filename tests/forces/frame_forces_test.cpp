// Forces between two frames: closed forms, momentum, energy.
#include <cmath>
#include <complex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/analysis/modes.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/bushing.hpp"
#include "spacedyn/forces/spring_damper.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/contexts.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::frame_forces_test {
namespace {

using ::testing::ThrowsMessage;

constexpr double kBase = 7.0, kLoad = 3.0;  // kg
constexpr double kReduced = kBase * kLoad / (kBase + kLoad);

/// A base and a body on it that may move along x alone; the centroids are one at q = 0.
std::shared_ptr<const Model> slider() {
  LinkDescription load = link_body("load", "base", kLoad, {1.0, 1.0, 1.0}, {0, 0, 0}, {0, 0, 0});
  load.joint.type = JointType::prismatic;
  load.joint.axis = Vector3::UnitX();
  return std::make_shared<const Model>(
      ModelBuilder("slider").set_base(base_body(kBase, {1.0, 2.0, 3.0})).add_link(load).build());
}

/// A base and a body that turns on it about z, both inertias about z given.
std::shared_ptr<const Model> turntable(double I_0, double I_1) {
  const LinkDescription load =
      link_body("load", "base", kLoad, {I_1, I_1, I_1}, {0, 0, 0}, {0, 0, 0});
  return std::make_shared<const Model>(
      ModelBuilder("turntable").set_base(base_body(kBase, {I_0, I_0, I_0})).add_link(load).build());
}

SimulationSetup setup_of(std::shared_ptr<const Model> model,
                         std::shared_ptr<const ForceElement> force, double tolerance = 1e-11) {
  SimulationSetup setup;
  setup.model = std::move(model);
  setup.forces = {std::move(force)};
  setup.integrator = adaptive(IntegrationMethod::dop853, tolerance);
  return setup;
}

/// Free decay from x_0 at rest of ẍ + 2 ζ ω ẋ + ω² x = 0.
double decay(double x_0, double omega, double zeta, double t) {
  const double damped = omega * std::sqrt(1.0 - zeta * zeta);
  return x_0 * std::exp(-zeta * omega * t) *
         (std::cos(damped * t) + zeta * omega / damped * std::sin(damped * t));
}

TEST(SpringDamper, SwingsTwoBodiesAtTheFrequencyOfTheirReducedMass) {
  const auto model = slider();
  constexpr double kStiffness = 50.0, kRest = 2.0, kStart = 2.3;
  const double omega = std::sqrt(kStiffness / kReduced), zeta = 0.05;
  const auto spring = std::make_shared<SpringDamper>(
      "spring", SpringDamper::Settings{model->frame("base"), model->frame("load"), kStiffness,
                                       2.0 * zeta * omega * kReduced, kRest});
  State start(*model);
  start.q(0) = kStart;
  for (const double t : {0.7, 5.0}) {
    const SimulationResult result = simulate(setup_of(model, spring), start, t);
    EXPECT_NEAR(result.state.q(0), kRest + decay(kStart - kRest, omega, zeta, t), 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-10);
    EXPECT_LT(result.audit.momentum_drift(), 1e-13);
    EXPECT_NEAR(result.sources[0].end.work, 0.0, 1e-13);
  }
}

TEST(SpringDamper, PullsThroughPointsThatCoincide) {
  const auto model = slider();
  constexpr double kStiffness = 50.0, kSpeed = 0.8, kZeta = 0.05;
  const double omega = std::sqrt(kStiffness / kReduced);
  const auto spring = std::make_shared<SpringDamper>(
      "spring", SpringDamper::Settings{model->frame("base"), model->frame("load"), kStiffness,
                                       2.0 * kZeta * omega * kReduced, 0.0});
  State start(*model);
  const SimulationSetup setup = setup_of(model, spring);
  EXPECT_EQ(simulate(setup, start, 1.0).state.q(0), 0.0);
  start.qd(0) = kSpeed;
  const double damped = omega * std::sqrt(1.0 - kZeta * kZeta);
  for (const double t : {0.3, 1.0, 5.0}) {
    const SimulationResult result = simulate(setup, start, t);
    EXPECT_NEAR(result.state.q(0),
                kSpeed / damped * std::exp(-kZeta * omega * t) * std::sin(damped * t), 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-10);
  }
}

TEST(Bushing, SwingsTwoBodiesAlongAndAbout) {
  const auto model = slider();
  Bushing::Settings along{model->frame("base"), model->frame("load"), Vector6::Zero(),
                          Vector6::Zero()};
  along.stiffness << 50.0, 1.0, 2.0, 3.0, 4.0, 5.0;
  along.damping(0) = 1.5;
  const double omega = std::sqrt(50.0 / kReduced);
  State start(*model);
  start.q(0) = 0.4;
  const auto result =
      simulate(setup_of(model, std::make_shared<Bushing>("cut", along)), start, 3.0);
  EXPECT_NEAR(result.state.q(0), decay(0.4, omega, 1.5 / (2.0 * omega * kReduced), 3.0), 1e-9);

  // torsion far from zero is as linear as near it
  constexpr double I_0 = 2.0, I_1 = 0.5, kTorsion = 8.0, kDamping = 0.2;
  const auto table = turntable(I_0, I_1);
  Bushing::Settings about{table->frame("base"), table->frame("load"), Vector6::Zero(),
                          Vector6::Zero()};
  about.stiffness(5) = kTorsion;
  about.damping(5) = kDamping;
  const double inertia = I_0 * I_1 / (I_0 + I_1);
  const double rate = std::sqrt(kTorsion / inertia);
  State turned(*table);
  turned.q(0) = 3.0;
  const auto swung =
      simulate(setup_of(table, std::make_shared<Bushing>("cut", about)), turned, 4.0);
  EXPECT_NEAR(swung.state.q(0), decay(3.0, rate, kDamping / (2.0 * rate * inertia), 4.0), 1e-8);
  EXPECT_LT(swung.audit.energy_residual(), 1e-10);
}

Frame on(const Model& model, int body, RandomModels& random) {
  Frame frame = material_point(model, body, random.vector(3, 0.8));
  frame.rotation = random.rotation();
  return frame;
}

/// Two frames far apart on the two ends of a random tumbling robot.
struct RandomPair {
  explicit RandomPair(unsigned seed)
      : random(seed),
        model(std::make_shared<const Model>(random.model(TreeShape{5, 3, 0.3, true}))),
        from(on(*model, 2, random)),
        to(on(*model, 5, random)) {
    // as large as masses allow the motion to stay slow
    for (double& number : settings.stiffness) number = random.number(0.5, 20.0);
    settings.from = from;
    settings.to = to;
  }
  State state() { return random.state(*model); }

  RandomModels random;
  std::shared_ptr<const Model> model;
  Frame from, to;
  Bushing::Settings settings;
};

TEST(Bushing, OfAnyStiffnessConservesEnergyThroughLargeRotations) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    RandomPair pair(seed);
    const SimulationSetup setup =
        setup_of(pair.model, std::make_shared<Bushing>("cut", pair.settings), 1e-12);
    Trajectory flight;
    const SimulationResult result = Simulator(setup).run(pair.state(), 5.0, 0.5, flight);
    EXPECT_LT(result.audit.energy_residual(), 1e-9);
    EXPECT_LT(result.audit.momentum_drift(), 1e-11);
    EXPECT_EQ(result.integrals.dissipated, 0.0);
    double least = 1e9, most = 0.0;
    for (const TrajectoryPoint& sample : flight.points) {
      least = std::min(least, sample.energy.elastic);
      most = std::max(most, sample.energy.elastic);
    }
    EXPECT_GT(most, least + 0.5);  // the springs do something
  }
}

/// The power that an element's loads give a system is what its springs lose and its dampers take.
void expect_balance(const ForceElement& element, const Model& model, const State& state) {
  const Snapshot snapshot(model, state);
  const EvaluationContext now = snapshot.at(0.0);
  Loads loads(model);
  element.apply(now, loads);
  double power = 0.0, scale = 0.0;
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3 f = loads.force.col(body), m = loads.moment.col(body);
    const double own = f.dot(now.velocities.v[i]) + m.dot(now.velocities.omega[i]);
    power += own;
    scale += std::abs(own) + f.norm() + m.norm();
    force += f;
    moment += m + now.frames.r[i].cross(f);
  }
  EXPECT_GT(scale, 0.1);
  EXPECT_LE(force.norm(), 1e-14 * scale);
  EXPECT_LE(moment.norm(), 1e-12 * scale);
  EXPECT_NEAR(power, -element.energy_rates(now).stored - element.energy_rates(now).dissipated,
              1e-12 * scale);
  EXPECT_GE(element.energy_rates(now).dissipated, 0.0);
  // dV/dt by a central difference along the motion
  const auto stored = [&](double t) {
    State moved = state;
    moved.r_0 += t * state.v_0;
    moved.A_0 = exp_so3(t * state.omega_0) * state.A_0;
    moved.q += t * state.qd;
    const Snapshot there(model, moved);
    return element.stored_energy(there.at(0.0));
  };
  EXPECT_NEAR((stored(1e-5) - stored(-1e-5)) / 2e-5, element.energy_rates(now).stored,
              1e-7 * scale);
}

TEST(FrameForces, AreEqualAndOppositeAndTheirPowerIsCounted) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U}) {
    SCOPED_TRACE(seed);
    RandomPair pair(seed);
    for (double& number : pair.settings.damping) number = pair.random.number(0.0, 5.0);
    const State state = pair.state();
    expect_balance(Bushing("cut", pair.settings), *pair.model, state);
    expect_balance(SpringDamper("line", {pair.from, pair.to, 30.0, 4.0, 0.7}), *pair.model, state);
  }
}

TEST(FrameForces, ActInEveryMethodAlike) {
  const auto model = slider();
  const auto force = std::make_shared<SpringDamper>(
      "spring", SpringDamper::Settings{model->frame("base"), model->frame("load"), 50.0, 1.0, 2.0});
  State start(*model);
  start.q(0) = 2.3;
  SimulationSetup setup = setup_of(model, force);
  const double expected = simulate(setup, start, 1.0).state.q(0);
  for (const IntegrationMethod method :
       {IntegrationMethod::rodas, IntegrationMethod::bulirsch_stoer, IntegrationMethod::dopri5}) {
    setup.integrator = adaptive(method, 1e-9);
    EXPECT_NEAR(simulate(setup, start, 1.0).state.q(0), expected, 1e-7) << to_string(method);
  }
  for (const IntegrationMethod method :
       {IntegrationMethod::rk4, IntegrationMethod::variational, IntegrationMethod::newmark}) {
    setup.integrator = fixed_step(method, 1e-3);
    EXPECT_NEAR(simulate(setup, start, 1.0).state.q(0), expected, 1e-5) << to_string(method);
  }
}

TEST(FrameForces, TakePartInModesAndInLinearModels) {
  const auto model = slider();
  Bushing::Settings settings{model->frame("base"), model->frame("load"), Vector6::Zero(),
                             Vector6::Zero()};
  settings.stiffness << 50.0, 1.0, 2.0, 3.0, 4.0, 5.0;
  settings.damping(0) = 1.5;
  const auto bushing = std::make_shared<Bushing>("cut", settings);
  const double omega = std::sqrt(50.0 / kReduced), zeta = 1.5 / (2.0 * omega * kReduced);
  const Modes modes =
      compute_modes(*model, State(*model), Mobility(*model), Vector3::Zero(), {bushing});
  EXPECT_EQ(modes.rigid_count, 6);
  ASSERT_EQ(modes.modes.size(), 7u);
  EXPECT_NEAR(modes.modes[6].omega, omega, 1e-12 * omega);
  EXPECT_NEAR(modes.modes[6].damping_ratio, zeta, 1e-12);

  ForcedSystem system;
  system.model = model;
  system.forces = {bushing};
  const Linearization linear = linearize(system, State(*model));
  const Eigen::VectorXcd poles = linear.A.eigenvalues();
  double nearest = 1.0;
  const std::complex<double> expected(-zeta * omega, omega * std::sqrt(1.0 - zeta * zeta));
  for (const std::complex<double>& pole : poles) {
    nearest = std::min(nearest, std::abs(pole - expected));
  }
  EXPECT_LT(nearest, 1e-10);
}

TEST(FrameForces, RefuseWhatCannotBe) {
  const auto model = slider();
  const Frame base = model->frame("base"), load = model->frame("load");
  Vector6 good = Vector6::Ones(), negative = good, infinite = good;
  negative(4) = -1.0;
  infinite(0) = std::numeric_limits<double>::infinity();
  EXPECT_THAT(([&] {
                Bushing("b", {base, load, negative, good});
              }),
              ThrowsMessage<DomainError>("bushing 'b': the stiffnesses must be finite and not "
                                         "negative"));
  EXPECT_THAT(([&] {
                Bushing("b", {base, load, good, infinite});
              }),
              ThrowsMessage<DomainError>("bushing 'b': the dampings must be finite and not "
                                         "negative"));
  EXPECT_THAT(([&] {
                Bushing("b", {base, load, Vector6::Zero(), Vector6::Zero()});
              }),
              ThrowsMessage<DomainError>(
                  "bushing 'b': it needs a stiffness or a damping that is not zero"));
  EXPECT_THAT(([&] {
                SpringDamper("s", {base, load, -1.0, 0.0, 0.0});
              }),
              ThrowsMessage<DomainError>(
                  "spring_damper 's': the stiffness must be finite and not negative"));
  EXPECT_THAT(([&] {
                SpringDamper("s", {base, load, 1.0, 0.0, -1.0});
              }),
              ThrowsMessage<DomainError>(
                  "spring_damper 's': the rest length must be finite and not negative"));
  EXPECT_THAT(([&] {
                SpringDamper("s", {base, base, 1.0, 0.0, 0.0}).check(*model);
              }),
              ThrowsMessage<DomainError>("'s' acts between two points of body 'base', expected "
                                         "points of two bodies"));
  Frame nowhere = load;
  nowhere.body = 7;
  EXPECT_THROW(Bushing("b", {base, nowhere, good, good}).check(*model), DomainError);
  // a line of no length has no direction
  const auto spring =
      std::make_shared<SpringDamper>("s", SpringDamper::Settings{base, load, 1.0, 0.0, 1.0});
  EXPECT_THROW(simulate(setup_of(model, spring), State(*model), 1.0), NumericalError);
}

}  // namespace
}  // namespace spacedyn::testing::frame_forces_test
