// Tethers: impacts in closed form, statics, momentum and energy from recorded states.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "spacedyn/forces/tether.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/random_models.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::tether_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kBase = 3.0, kLoad = 2.0, kReduced = kBase * kLoad / (kBase + kLoad);  // kg
constexpr double kStiffness = 400.0, kRest = 2.0, kSpeed = 0.5;

/// A base and a body beside it, which moves as it likes.
std::shared_ptr<const Model> pair() {
  LinkDescription load = link_body("load", "base", kLoad, {0.2, 0.3, 0.4}, {1, 0, 0}, {0, 0, 0});
  load.joint.type = JointType::free;
  return std::make_shared<const Model>(
      ModelBuilder("pair").set_base(base_body(kBase, {0.5, 0.6, 0.7})).add_link(load).build());
}

SimulationSetup setup_of(std::shared_ptr<const Model> model, const Tether::Settings& tether,
                         const IntegratorOptions& options) {
  SimulationSetup setup;
  setup.model = std::move(model);
  setup.forces = {std::make_shared<Tether>("line", tether)};
  setup.integrator = options;
  return setup;
}

Tether::Settings between(const Model& model, double damping = 0.0) {
  return {model.frame("base"), model.frame("load"), {}, kStiffness, damping, kRest};
}

std::vector<std::string> names(const SimulationResult& result) {
  std::vector<std::string> names;
  for (const EventRecord& event : result.events) names.push_back(event.name);
  return names;
}

struct Impact {
  double duration;  // until T = k s + c ṡ = 0, that is s̈ = 0
  double speed;     // with which the bodies approach then
};

/// Of s̈ + 2 a ṡ + ω² s = 0 from s = 0 with ṡ = v.
Impact impact(double damping) {
  const double a = damping / (2.0 * kReduced), omega_2 = kStiffness / kReduced;
  const double damped = std::sqrt(omega_2 - a * a);
  const double t = std::atan2(2.0 * a * damped, a * a - damped * damped) / damped;
  const double decay = kSpeed * std::exp(-a * t) / damped;
  return {t, -decay * (damped * std::cos(damped * t) - a * std::sin(damped * t))};
}

class TetherImpact : public ::testing::TestWithParam<std::pair<IntegratorOptions, double>> {};

TEST_P(TetherImpact, IsInClosedForm) {
  const auto& [options, error] = GetParam();
  const auto model = pair();
  for (const double damping : {0.0, 3.0, 12.0}) {
    State start(*model);
    start.v_0 = {0.0, 0.1, 0.0};
    start.qd(0) = kSpeed;  // m apart, then 2 m where it becomes taut
    const SimulationResult result =
        simulate(setup_of(model, between(*model, damping), options), start, 10.0);
    ASSERT_THAT(names(result), ElementsAre("line taut", "line slack")) << damping;
    const Impact expected = impact(damping);
    EXPECT_NEAR(result.events[0].time, 2.0, error);
    EXPECT_NEAR(result.events[1].time, 2.0 + expected.duration, error);
    EXPECT_NEAR(result.state.qd(0), -expected.speed, error);
    EXPECT_NEAR(result.audit.energy_residual(), 0.0, error);
    EXPECT_NEAR(result.sources[0].end.work, 0.0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Methods, TetherImpact,
    ::testing::Values(std::pair(adaptive(IntegrationMethod::dop853, 1e-11), 1e-9),
                      std::pair(adaptive(IntegrationMethod::dopri5, 1e-11), 1e-9),
                      std::pair(adaptive(IntegrationMethod::bulirsch_stoer, 1e-11), 1e-9),
                      std::pair(adaptive(IntegrationMethod::rodas, 1e-10), 1e-8),
                      // half a period is 86 steps, of order 4
                      std::pair(rk4(2e-3), 1e-6)),
    [](const auto& instance) { return std::string(to_string(instance.param.first.method)); });

TEST(Tether, IsNotPassedOverInLongSteps) {
  // two bodies on a line, taut for hundredths of a second after hours apart; then they pass through
  // each other and are as far apart again
  const auto model = pair();
  RandomModels random(11);
  for (int i = 0; i < 40; ++i) {
    Tether::Settings settings = between(*model);
    settings.rest_length = 1000.0 * random.number(1.0, 3.0);
    settings.stiffness = 1e4;
    State start(*model);
    const double speed = random.number(0.2, 2.0);
    start.qd(0) = speed;
    constexpr double kDuration = 2e4;
    const SimulationResult result = simulate(
        setup_of(model, settings, adaptive(IntegrationMethod::dop853, 1e-9)), start, kDuration);
    const double taut = kPi * std::sqrt(kReduced / settings.stiffness);
    double next = (settings.rest_length - 1.0) / speed;
    std::size_t seen = 0;
    for (; next < kDuration; next += taut + 2.0 * settings.rest_length / speed) {
      ASSERT_LT(seen + 1, result.events.size()) << i;
      EXPECT_EQ(result.events[seen].name, "line taut");
      EXPECT_NEAR(result.events[seen].time, next, 1e-4);
      EXPECT_EQ(result.events[seen + 1].name, "line slack");
      EXPECT_NEAR(result.events[seen + 1].time, next + taut, 1e-4);
      seen += 2;
    }
    EXPECT_EQ(result.events.size(), seen) << i;
  }
}

TEST(Tether, ThroughAPointBetweenCarriesHalfOnEachSide) {
  // a load that hangs in a loop of the tether: 2 T sin α = m g
  const Model robot = [] {
    ModelBuilder builder("hoist");
    BaseDescription base = base_body(1.0, Vector3::Ones());
    base.fixed = true;
    builder.set_base(base);
    LinkDescription load =
        link_body("load", "base", kLoad, {0.1, 0.1, 0.1}, {0, 0, -0.75}, {0, 0, 0});
    load.joint.type = JointType::prismatic;
    load.joint.axis = Vector3::UnitZ();
    builder.add_link(load);
    ModelDescription description = builder.description();
    for (const double x : {-1.0, 1.0}) {
      FrameDescription frame;
      frame.name = x < 0 ? "left" : "right";
      frame.link = "base";
      frame.origin.position = {x, 0, 0};
      description.frames.push_back(frame);
    }
    return ModelBuilder(description).build();
  }();
  const auto model = std::make_shared<const Model>(robot);
  const double sine = 0.75 / 1.25, tension = kLoad * 9.81 / (2.0 * sine);
  const Tether::Settings settings{
      model->frame("left"),      model->frame("right"), {model->frame("load")}, kStiffness, 0.0,
      2.5 - tension / kStiffness};
  SimulationSetup setup = setup_of(model, settings, adaptive(IntegrationMethod::dop853, 1e-11));
  setup.base_mode = BaseMode::fixed;
  setup.gravity = {0, 0, -9.81};
  Trajectory trajectory;
  Simulator(setup).run(State(*model), 2.0, 0.5, trajectory);
  for (const TrajectoryPoint& sample : trajectory.points)
    EXPECT_NEAR(sample.state.q(0), 0.0, 1e-10);
}

/// Four bodies that tumble, with a tether from the first through the second and third to the last.
struct Net {
  explicit Net(unsigned seed, double damping) : random(seed) {
    ModelBuilder builder("net");
    builder.set_base(base_body(4.0, {0.5, 0.6, 0.7}));
    const std::vector<Vector3> places{{2, 0.3, 0}, {2.5, 2, 0.4}, {0.2, 2.2, -0.3}};
    for (std::size_t i = 0; i < places.size(); ++i) {
      LinkDescription body = link_body("body" + std::to_string(i), "base", random.number(1.0, 3.0),
                                       {0.2, 0.3, 0.35}, places[i], {0, 0, 0});
      body.joint.type = JointType::free;
      builder.add_link(body);
    }
    model = std::make_shared<const Model>(builder.build());
    const auto on = [&](const std::string& name) {
      Frame frame = model->frame(name);
      frame.position += random.vector(3, 0.2);
      return frame;
    };
    settings = {on("base"), on("body2"), {on("body0"), on("body1")}, 200.0, damping, 6.3};
    start = State(*model);
    for (Eigen::Index i = 0; i < start.qd.size(); ++i) start.qd(i) = random.number(-0.5, 0.5);
    start.omega_0 = random.vector(3, 0.3);
  }

  RandomModels random;
  std::shared_ptr<const Model> model;
  Tether::Settings settings;
  State start;
};

class TetherNet : public ::testing::TestWithParam<unsigned> {};

TEST_P(TetherNet, KeepsMomentumAndEnergyToTheTolerance) {
  for (const double damping : {0.0, 2.0}) {
    Net net(GetParam(), damping);
    double residual = 0.0;
    for (const double tolerance : {1e-7, 1e-11}) {
      Trajectory trajectory;
      const SimulationResult result =
          Simulator(
              setup_of(net.model, net.settings, adaptive(IntegrationMethod::dop853, tolerance)))
              .run(net.start, 20.0, 0.5, trajectory);
      ASSERT_GE(result.events.size(), 2U);
      // from the recorded states alone
      residual = 0.0;
      double lost = 0.0;
      const TrajectoryPoint& first = trajectory.points.front();
      for (const TrajectoryPoint& sample : trajectory.points) {
        EXPECT_LT((sample.momentum.linear - first.momentum.linear).norm(), 100.0 * tolerance);
        EXPECT_LT((sample.momentum.angular_origin - first.momentum.angular_origin).norm(),
                  100.0 * tolerance);
        EXPECT_GE(sample.integrals.dissipated, lost - 100.0 * tolerance);
        lost = sample.integrals.dissipated;
        residual =
            std::max(residual, std::abs(sample.energy.total() + lost - first.energy.total()));
      }
      if (damping == 0.0) {
        EXPECT_LT(lost, 1e-12);
      }
    }
    EXPECT_LT(residual, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, TetherNet, ::testing::Range(0U, 6U),
                         [](const auto& seed) { return "seed_" + std::to_string(seed.param); });

TEST(Tether, BeginsTautOrSlackAsItsRateSays) {
  // at rest length to rounding: what happens next decides, and nothing is noted that does not
  const auto model = pair();
  const auto events = [&](double rate) {
    Tether::Settings settings = between(*model);
    settings.rest_length = 1.0;
    State start(*model);
    start.qd(0) = rate;
    return names(simulate(setup_of(model, settings, adaptive(IntegrationMethod::dop853, 1e-10)),
                          start, 0.1));
  };
  EXPECT_THAT(events(0.0), ElementsAre());
  EXPECT_THAT(events(-0.5), ElementsAre());
  EXPECT_THAT(events(0.5), ElementsAre());  // taut from the start on
}

// a blow drives the bodies together faster than the damper lets a taut tether pull: it does not
// push
TEST(Tether, DoesNotPushAfterABlow) {
  const auto model = pair();
  SimulationSetup setup =
      setup_of(model, between(*model, 12.0), adaptive(IntegrationMethod::dop853, 1e-11));
  setup.events = {{"blow",
                   time_event(2.01),
                   CrossingDirection::rising,
                   {ImpulseAction{model->frame("load"), Vector3(-4.0, 0.0, 0.0)}}}};
  State start(*model);
  start.qd(0) = kSpeed;
  const SimulationResult soon = simulate(setup, start, 2.01 + 1e-9);
  const SimulationResult later = simulate(setup, start, 2.02);
  ASSERT_LT(soon.state.qd(0), -1.0);
  // free flight, as the tether is long until T would be positive
  EXPECT_NEAR(later.state.qd(0), soon.state.qd(0), 1e-9);
}

TEST(Tether, RefusesWhatIsNoTether) {
  const auto model = pair();
  const auto make = [&](double k, double c, double rest) {
    return Tether("line", {model->frame("base"), model->frame("load"), {}, k, c, rest});
  };
  EXPECT_THAT(
      [&] { make(0.0, 0.0, 1.0); },
      ThrowsMessage<DomainError>("tether 'line': the stiffness must be positive and finite"));
  EXPECT_THAT([&] { make(1.0, -1.0, 1.0); }, ThrowsMessage<DomainError>(HasSubstr("the damping")));
  EXPECT_THAT([&] { make(1.0, 0.0, -1.0); },
              ThrowsMessage<DomainError>(HasSubstr("the rest length")));
  const Tether on_one("line", {model->frame("base"), model->frame("base.com"), {}, 1.0, 0.0, 1.0});
  EXPECT_THAT([&] { on_one.check(*model); },
              ThrowsMessage<DomainError>(HasSubstr("all its points on body 'base'")));
}

TEST(Tether, OfAFileHasTheLengthOfTheStart) {
  const Scenario scenario = parse_scenario(R"(
spacedyn: 1
scenario:
  name: tow
  model:
    name: pair
    base: {name: tug, mass: 3, inertia: [1, 1, 1]}
    links: [{name: post, parent: tug, mass: 1, inertia: [1, 1, 1], joint: {name: mast, type: prismatic, axis: [0, 1, 0]}}, {name: load, parent: tug, mass: 2, inertia: [1, 1, 1], joint: {name: apart, type: free, origin: {xyz: [3, 0, 0]}}}]
  initial: {joints: {mast: {position: 4}}}
  forces: [{type: tether, name: line, from: tug, via: [post], to: load, stiffness: 2 kN/m, damping: 5}]
  duration: 1
)",
                                           "tow.yaml");
  const auto* tether = dynamic_cast<const Tether*>(scenario.setup.forces.at(0).get());
  ASSERT_NE(tether, nullptr);
  EXPECT_NEAR(tether->settings().rest_length, 4.0 + 5.0, 1e-14);
  EXPECT_EQ(tether->settings().stiffness, 2000.0);
  EXPECT_EQ(tether->settings().damping, 5.0);
}

}  // namespace
}  // namespace spacedyn::testing::tether_test
