// No crossing inside a step is passed over: random passes, grazes and collisions of all adaptive
// methods against the closed forms of straight lines and steady turns.
#include <algorithm>
#include <cmath>
#include <optional>

#include <gtest/gtest.h>

#include "spacedyn/forces/joint_stop.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "support/dice.hpp"
#include "support/passes.hpp"
#include "support/recorders.hpp"
#include "support/rigid_models.hpp"
#include "support/slider.hpp"

namespace spacedyn::testing::event_bounds_test {
namespace {

constexpr double kDuration = 150.0;  // s, of passes

std::vector<IntegrationMethod> adaptive_methods() {
  std::vector<IntegrationMethod> methods;
  for (const IntegrationMethod method : all_integration_methods()) {
    if (is_adaptive(method)) methods.push_back(method);
  }
  return methods;
}

std::vector<IntegrationMethod> methods_of_rigid_contacts() {
  std::vector<IntegrationMethod> methods = adaptive_methods();
  methods.erase(std::find(methods.begin(), methods.end(), IntegrationMethod::rodas));
  return methods;
}

std::string name_of(const ::testing::TestParamInfo<IntegrationMethod>& instance) {
  return std::string(to_string(instance.param));
}

/// From 1e-4 to 1e-13.
double tolerance_of(int pass) { return std::pow(10.0, -4 - pass % 10); }

std::shared_ptr<const Model> body(const CollisionShape& shape) {
  BaseDescription base = base_body(1.0, Vector3::Constant(0.1));
  base.collisions.push_back(shape);
  return std::make_shared<const Model>(ModelBuilder("body").set_base(base).build());
}

/// Bodies that fly freely: each on a straight line, turning steadily.
struct Flight {
  explicit Flight(const std::vector<CollisionShape>& shapes) {
    std::vector<RobotPart> parts;
    for (const CollisionShape& shape : shapes) parts.push_back({shape.name, body(shape), true, {}});
    setup.model = std::make_shared<const Model>(ModelBuilder(aggregate("flight", parts)).build());
    setup.base_mode = BaseMode::fixed;
    motions.resize(shapes.size());
  }

  State start() const {
    State state(*setup.model);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      set_base_motion(*setup.model, setup.model->robots()[i], motions[i], state);
    }
    return state;
  }
  SimulationResult fly(IntegrationMethod method, double tolerance, double duration = kDuration) {
    setup.integrator = adaptive(method, tolerance);
    return simulate(setup, start(), duration);
  }
  Frame center(std::size_t robot) const { return collision_shapes(*setup.model).at(robot).frame; }

  SimulationSetup setup;
  std::vector<BaseMotion> motions;
};

/// A straight pass: relative position at the start and velocity.
struct Pass {
  // one draw in each statement: compilers order those of an expression as they like
  Pass(Dice& dice, double nearest) {
    const double speed = dice.number(0.3, 3.0);
    velocity = speed * dice.vector(1.0).normalized();
    const Vector3 across = velocity.cross(dice.vector(1.0)).normalized();
    const double distance = dice.number(20.0, 80.0);
    position = nearest * across - distance / speed * velocity;
  }

  /// When the distance becomes that, if it does.
  std::optional<double> time_at(double distance) const {
    const double v2 = velocity.squaredNorm(), along = -position.dot(velocity) / v2;
    const double left = distance * distance - (position + along * velocity).squaredNorm();
    if (left < 0.0) return std::nullopt;
    const double time = along - std::sqrt(left / v2);
    return time > 0.0 && time < kDuration ? std::optional<double>(time) : std::nullopt;
  }

  Vector3 velocity, position;
};

class Bounds : public ::testing::TestWithParam<IntegrationMethod> {};
/// Of methods that keep rigid contacts.
class RigidBounds : public Bounds {};

// from a centre that is hit to a graze from inside and outside, 1e-9 of the distance deep
double nearest_of(Dice& dice, double distance) {
  const double kind = dice.number(0.0, 1.0);
  if (kind < 0.5) return dice.number(0.0, 1.5) * distance;
  const double depth = std::pow(10.0, dice.number(-9.0, -1.0));
  return kind < 0.75 ? distance * (1.0 - depth) : distance * (1.0 + depth);
}

void expect_pass(const SimulationResult& result, const std::string& name,
                 const std::optional<double>& expected, double slowness) {
  std::vector<double> times;
  for (const EventRecord& event : result.events) {
    if (event.name == name) times.push_back(event.time);
  }
  ASSERT_EQ(times.size(), expected ? 1U : 0U);
  // roundings of positions of 100 m, by the rate of approach
  if (expected) {
    EXPECT_NEAR(times[0], *expected, 1e-12 + 1e-12 * slowness);
  }
}

/// 1 / rate of approach at a distance.
double slowness_at(const Pass& pass, const std::optional<double>& time) {
  if (!time) return 0.0;
  const Vector3 there = pass.position + *time * pass.velocity;
  return 1.0 / std::abs(there.normalized().dot(pass.velocity));
}

TEST_P(Bounds, NoDistanceIsPassedOver) {
  Dice dice(20261125);
  Flight flight({sphere_shape("a", 0.1), sphere_shape("b", 0.1)});
  for (int pass = 0; pass < passes(60); ++pass) {
    SCOPED_TRACE(pass);
    const double distance = std::pow(10.0, dice.number(-3.0, 0.5));
    const Pass line(dice, nearest_of(dice, distance));
    flight.motions[0].v_0 = dice.vector(0.2);
    flight.motions[1].r_0 = line.position;
    flight.motions[1].v_0 = line.velocity + flight.motions[0].v_0;
    flight.setup.events = {{"near",
                            frame_distance_event(flight.center(0), flight.center(1), distance),
                            CrossingDirection::falling,
                            {}}};
    const auto expected = line.time_at(distance);
    expect_pass(flight.fly(GetParam(), tolerance_of(pass)), "near", expected,
                slowness_at(line, expected));
    if (HasFatalFailure()) return;
  }
}

TEST_P(RigidBounds, NoCollisionIsPassedOver) {
  Dice dice(20261126);
  for (int pass = 0; pass < passes(60); ++pass) {
    SCOPED_TRACE(pass);
    const double radius = std::pow(10.0, dice.number(-2.5, 0.0));
    Flight flight({sphere_shape("a", radius), sphere_shape("b", 0.5 * radius)});
    const double distance = 1.5 * radius;
    const Pass line(dice, nearest_of(dice, distance));
    flight.motions[1].r_0 = line.position;
    flight.motions[1].v_0 = line.velocity;
    const std::vector<BodyShape> shapes = collision_shapes(*flight.setup.model);
    RigidContact::Settings settings = rigid_law(1.0);
    settings.pairs = {{shapes[0], shapes[1], false}};
    flight.setup.forces = {std::make_shared<RigidContact>("pair", settings)};
    const auto expected = line.time_at(distance);
    const SimulationResult result = flight.fly(GetParam(), tolerance_of(pass));
    expect_pass(result, "pair touches", expected, slowness_at(line, expected));
    if (HasFatalFailure()) return;
    if (!expected) continue;
    // equal masses exchange what they have along the normal
    const Vector3 normal = (line.position + *expected * line.velocity).normalized();
    const Vector3 left =
        base_motion(*flight.setup.model, flight.setup.model->robots()[0], result.state).v_0;
    EXPECT_LT((left - normal.dot(line.velocity) * normal).norm(),
              1e-9 * line.velocity.norm() * (1.0 + slowness_at(line, expected) / radius));
  }
}

TEST_P(Bounds, NoCompliantContactIsPassedOver) {
  Dice dice(20261127);
  for (int pass = 0; pass < passes(24); ++pass) {
    SCOPED_TRACE(pass);
    Flight flight({sphere_shape("a", 0.4), sphere_shape("b", 0.6)});
    const Pass line(dice, nearest_of(dice, 1.0));
    flight.motions[1].r_0 = line.position;
    flight.motions[1].v_0 = line.velocity;
    flight.setup.forces = {std::make_shared<ContactForce>(
        "pair", between_two(*flight.setup.model, linear_law(100.0, 0.0)))};
    const auto expected = line.time_at(1.0);
    const SimulationResult result = flight.fly(GetParam(), tolerance_of(pass));
    ASSERT_EQ(result.contacts.at(0).count, expected ? 1 : 0);
    if (!expected) continue;
    // shapes of a metre touch from a depth of 1e-12 m on; roundings of positions of 100 m are as
    // much
    EXPECT_NEAR(result.contacts[0].first, *expected, 1e-12 + 2e-12 * slowness_at(line, expected));
  }
}

/// Looks for the first zero of a function by brute force.
template <typename Function>
std::optional<double> first_fall(const Function& value, double duration, int samples) {
  double before = value(0.0);
  for (int k = 1; k <= samples; ++k) {
    double right = duration * k / samples, left = duration * (k - 1) / samples;
    const double after = value(right);
    if (before >= 0.0 && after < 0.0) {
      while (right - left > 1e-13 * right) {
        const double middle = 0.5 * (left + right);
        if (middle <= left || middle >= right) break;
        (value(middle) < 0.0 ? right : left) = middle;
      }
      return right;
    }
    before = after;
  }
  return std::nullopt;
}

// points 0.5 m off the centres of bodies that turn up to twenty times in a step
TEST_P(Bounds, TurningPointsAreFollowed) {
  Dice dice(20261128);
  Flight flight({sphere_shape("a", 0.1), sphere_shape("b", 0.1)});
  int met = 0;
  for (int pass = 0; pass < passes(8); ++pass) {
    SCOPED_TRACE(pass);
    const Pass line(dice, dice.number(0.0, 1.2));
    flight.motions[0].omega_0 = dice.vector(0.7);
    flight.motions[1].r_0 = line.position;
    flight.motions[1].v_0 = line.velocity;
    flight.motions[1].omega_0 = dice.vector(1.5);
    Frame a = flight.center(0), b = flight.center(1);
    a.position = {0.5, 0, 0};
    b.position = {0, 0, -0.5};
    const auto value = [&](double time) {
      const Vector3 turn_a = time * flight.motions[0].omega_0;
      const Vector3 turn_b = time * flight.motions[1].omega_0;
      return (line.position + time * line.velocity + exp_so3(turn_b) * b.position -
              exp_so3(turn_a) * a.position)
                 .norm() -
             0.3;
    };
    flight.setup.events = {
        {"near", frame_distance_event(a, b, 0.3), CrossingDirection::falling, {StopAction{}}}};
    const auto expected = first_fall(value, kDuration, 60000);
    const double tolerance = std::min(1e-6, tolerance_of(pass));
    const SimulationResult result = flight.fly(GetParam(), tolerance);
    ASSERT_EQ(result.events.size(), expected ? 1U : 0U);
    if (expected) {
      EXPECT_NEAR(result.events[0].time, *expected, 2e-3 * std::sqrt(tolerance));
    }
    met += expected ? 1 : 0;
  }
  EXPECT_GT(met, 2);
}

// a box that turns and passes a ball: the first corner or edge that reaches it
TEST_P(RigidBounds, TurningCornersAreFollowed) {
  Dice dice(20261132);
  int met = 0;
  for (int pass = 0; pass < passes(16); ++pass) {
    SCOPED_TRACE(pass);
    Flight flight({shape_of(CollisionType::box, "a", {1.6, 0.3, 0.1}), sphere_shape("b", 0.1)});
    const Pass line(dice, dice.number(0.3, 1.0));
    flight.motions[0].omega_0 = dice.vector(1.0);
    flight.motions[1].r_0 = line.position;
    flight.motions[1].v_0 = line.velocity;
    const std::vector<BodyShape> shapes = collision_shapes(*flight.setup.model);
    RigidContact::Settings settings = rigid_law(0.5);
    settings.pairs = {{shapes[0], shapes[1], false}};
    flight.setup.forces = {std::make_shared<RigidContact>("pair", settings)};
    const auto value = [&](double time) {
      ShapePose box{shapes[0].type, shapes[0].size, Vector3::Zero(), Matrix3::Identity(), nullptr};
      box.rotation = exp_so3(Vector3(time * flight.motions[0].omega_0));
      const ShapePose ball{shapes[1].type, shapes[1].size, line.position + time * line.velocity,
                           Matrix3::Identity(), nullptr};
      return -contact_point(box, ball).depth;
    };
    const auto expected = first_fall(value, kDuration, 60000);
    flight.setup.events = {};
    const double tolerance = std::min(1e-6, tolerance_of(pass));
    const SimulationResult result = flight.fly(GetParam(), tolerance);
    ASSERT_EQ(result.events.empty(), !expected.has_value());
    if (expected) {
      EXPECT_NEAR(result.events[0].time, *expected, 2e-3 * std::sqrt(tolerance));
    }
    met += expected ? 1 : 0;
  }
  EXPECT_GT(met, 2);
}

// a slider on a spring, q = cos ωt, beyond 1 − ε for 2 √(2ε) / ω in each period
TEST_P(Bounds, ExcursionsBeyondLimitsAreNoted) {
  for (const double depth : {1e-2, 1e-4, 1e-6}) {
    SCOPED_TRACE(depth);
    SimulationSetup setup;
    setup.base_mode = BaseMode::fixed;
    ModelBuilder builder("spring");
    BaseDescription wall;
    wall.name = "wall";
    wall.fixed = true;
    LinkDescription link =
        link_body("slide", "wall", 2.0, {1, 1, 1}, Vector3::Zero(), Vector3::Zero());
    link.joint.type = JointType::prismatic;
    link.joint.stiffness = 2.0;
    link.joint.position_upper = 1.0 - depth;
    setup.model = std::make_shared<const Model>(builder.set_base(wall).add_link(link).build());
    setup.integrator = adaptive(GetParam(), 1e-9);
    State state(*setup.model);
    state.q(0) = -1.0;
    const SimulationResult result = simulate(setup, state, 8.0 * kPi);
    ASSERT_EQ(result.events.size(), 4U);
    for (int k = 0; k < 4; ++k) {
      const double expected = (2.0 * k + 1.0) * kPi - std::acos(1.0 - depth);
      // the amplitude has an error of 1e-8 after four periods, by the velocity at the limit
      EXPECT_NEAR(result.events[static_cast<std::size_t>(k)].time, expected,
                  1e-7 / std::sqrt(depth));
    }
  }
}

TEST_P(Bounds, StopsThatAreTouchedBrieflyPush) {
  for (const double depth : {1e-2, 1e-4}) {
    SCOPED_TRACE(depth);
    SimulationSetup setup = slider_setup("spring", 2.0, 2.0);
    setup.forces.push_back(
        std::make_shared<JointStop>("stop", JointStop::Settings{1, -2.0, 1.0 - depth, 50.0, 0.0}));
    setup.integrator = adaptive(GetParam(), 1e-9);
    State state(*setup.model);
    state.q(0) = -1.0;
    const SimulationResult result = simulate(setup, state, 2.0 * kPi);
    // in and out
    ASSERT_EQ(result.events.size(), 2U);
    EXPECT_EQ(result.events[0].name, "stop upper");
    EXPECT_NEAR(result.events[0].time, kPi - std::acos(1.0 - depth), 1e-7 / std::sqrt(depth));
    EXPECT_LE(result.audit.energy_residual(), 1e-7);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Bounds, ::testing::ValuesIn(adaptive_methods()), name_of);
INSTANTIATE_TEST_SUITE_P(Methods, RigidBounds, ::testing::ValuesIn(methods_of_rigid_contacts()),
                         name_of);

// what an event does holds its function at zero but for roundings
TEST(FiredEvents, DoNotFireAgainWhereRoundingsHoldZero) {
  Flight flight({sphere_shape("a", 0.1), sphere_shape("b", 0.1)});
  flight.motions[1].r_0 = {3.0, 0.1, 0.0};
  flight.motions[1].v_0 = {-0.3, 0.02, 0.01};
  const Frame a = flight.center(0), b = flight.center(1);
  // takes the velocity from the second: afterwards nothing moves
  flight.setup.events = {{"near",
                          frame_distance_event(a, b, 0.5),
                          CrossingDirection::both,
                          {ImpulseAction{b, {0.3, -0.02, -0.01}, Vector3::Zero()}}}};
  for (const IntegrationMethod method : all_integration_methods()) {
    // neither moves several robots from event to event
    if (method == IntegrationMethod::time_stepping || method == IntegrationMethod::variational) {
      continue;
    }
    SCOPED_TRACE(to_string(method));
    flight.setup.integrator =
        is_adaptive(method) ? adaptive(method, 1e-9) : fixed_step(method, 0.1);
    const SimulationResult result = simulate(flight.setup, flight.start(), 30.0);
    EXPECT_EQ(result.events.size(), 1U);
    EXPECT_NEAR(result.final_momentum.linear.norm(), 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace spacedyn::testing::event_bounds_test
