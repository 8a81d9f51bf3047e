// Joints that follow coordinates of a program's own, q = γ(y): closed forms, and loops.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/constraints/explicit_form.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/message_of.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::explicit_joints_test {
namespace {

using ::testing::HasSubstr;

constexpr double kG = 9.81;

/// A bead in the plane x, z on two slides.
Model bead() {
  BaseDescription base = base_body(1.0, {1, 1, 1});
  base.fixed = true;
  LinkDescription along = link_body("along", "base", 0.0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  LinkDescription up = link_body("up", "along", 2.0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  along.joint.type = up.joint.type = JointType::prismatic;
  along.joint.axis = Vector3::UnitX();
  up.joint.axis = Vector3::UnitZ();
  return ModelBuilder("bead").set_base(base).add_link(along).add_link(up).build();
}

/// x = y − sin y, z = −(1 − cos y).
ExplicitJoints a_cycloid() {
  ExplicitJoints cycloid;
  cycloid.position = [](const VectorX& y) {
    return VectorX(Eigen::Vector2d(y(0) - std::sin(y(0)), std::cos(y(0)) - 1.0));
  };
  cycloid.jacobian = [](const VectorX& y) {
    return MatrixX(Eigen::Vector2d(1.0 - std::cos(y(0)), -std::sin(y(0))));
  };
  cycloid.change = [](const VectorX& y, const VectorX& rate) {
    const double square = rate(0) * rate(0);
    return VectorX(square * Eigen::Vector2d(std::sin(y(0)), -std::cos(y(0))));
  };
  // of one arch, whose middle is the bottom: Newton's method from where the height puts it
  cycloid.coordinates = [](const VectorX& q) {
    double y = std::acos(std::min(1.0, std::max(-1.0, 1.0 + q(1))));
    if (q(0) > kPi) y = 2.0 * kPi - y;
    for (int i = 0; i < 30; ++i) y -= (y - std::sin(y) - q(0)) / (1.0 - std::cos(y));
    return VectorX(VectorX::Constant(1, y));
  };
  return cycloid;
}

/// A tree whose joints are kept on q = γ(y).
SimulationSetup flight(const Model& tree, const ExplicitJoints& joints, const VectorX& y,
                       const IntegratorOptions& options) {
  ModelDescription description = tree.description();
  description.loops = explicit_loops(tree, joints, y);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  if (tree.has_fixed_base()) setup.base_mode = BaseMode::fixed;
  setup.gravity = {0, 0, -kG};
  setup.integrator = options;
  return setup;
}

State start(const Model& model, const ExplicitJoints& joints, const VectorX& y,
            const VectorX& rate) {
  State state(model);
  state.q = joints.position(y);
  state.qd = joints.jacobian(y) * rate;
  return state;
}

TEST(ExplicitJoints, LetABeadSlideOnACycloid) {
  // with s = 4 (1 − cos y/2) … s̈ = −(g/4) (s − 4) of arc length
  const Model model = bead();
  const ExplicitJoints cycloid = a_cycloid();
  State state(model);
  Loads loads(model);
  loads.gravity = {0, 0, -kG};
  for (const double y : {0.5, 2.0, 3.5, 5.0}) {
    constexpr double kRate = 0.7;
    const ExplicitForm form = explicit_form(model, state, cycloid, VectorX::Constant(1, y),
                                            VectorX::Constant(1, kRate), loads);
    // s = −4 cos(y/2) from the bottom, ṡ = 2 sin(y/2) ẏ, s̈ = cos(y/2) ẏ² + 2 sin(y/2) ÿ = −g s/4
    const double s = -4.0 * std::cos(0.5 * y);
    const double expected =
        (-0.25 * kG * s - std::cos(0.5 * y) * kRate * kRate) / (2.0 * std::sin(0.5 * y));
    EXPECT_NEAR(form.rate_change(0), expected, 1e-12);
    EXPECT_NEAR(form.kinetic_energy(), std::pow(2.0 * std::sin(0.5 * y) * kRate, 2), 1e-12);
    // the wire pushes across itself
    EXPECT_LT((form.G.transpose() * form.constraint_force).norm(), 1e-12);
    const Eigen::Vector2d along(form.G(6, 0), form.G(7, 0));
    EXPECT_LT(std::abs(form.constraint_force.tail<2>().dot(along)), 1e-12);
    EXPECT_GT(form.constraint_force.tail<2>().norm(), 1.0);
  }
}

class FlownExplicitJoints : public ::testing::TestWithParam<std::pair<IntegratorOptions, double>> {
};

TEST_P(FlownExplicitJoints, SwingOnACycloidInOnePeriod) {
  const auto& [options, error] = GetParam();
  const Model tree = bead();
  const ExplicitJoints cycloid = a_cycloid();
  for (const double y : {0.9, 2.4}) {
    const VectorX at = VectorX::Constant(1, y);
    const SimulationSetup setup = flight(tree, cycloid, at, options);
    const State initial = start(*setup.model, cycloid, at, VectorX::Zero(1));
    const double time = 3.3;
    const SimulationResult result = simulate(setup, initial, time);
    // s = −4 cos(y/2) from the bottom swings with √(g/4), whatever the amplitude
    const double s = -4.0 * std::cos(0.5 * cycloid.coordinates(result.state.q)(0));
    EXPECT_NEAR(s, -4.0 * std::cos(0.5 * y) * std::cos(0.5 * std::sqrt(kG) * time), error);
    EXPECT_LE(result.loops.position_residual, 1e-10);
    EXPECT_LE(std::abs(result.audit.energy_residual()), error);
  }
}

TEST_P(FlownExplicitJoints, GoRoundACircleAsAPendulum) {
  // x = sin y, z = −cos y: no joint of the tree is a coordinate of the whole circle
  const auto& [options, error] = GetParam();
  const Model tree = bead();
  ExplicitJoints circle;
  circle.position = [](const VectorX& y) {
    return VectorX(Eigen::Vector2d(std::sin(y(0)), -std::cos(y(0))));
  };
  circle.jacobian = [](const VectorX& y) {
    return MatrixX(Eigen::Vector2d(std::cos(y(0)), std::sin(y(0))));
  };
  circle.change = [](const VectorX& y, const VectorX& rate) {
    return VectorX(rate(0) * rate(0) * Eigen::Vector2d(-std::sin(y(0)), std::cos(y(0))));
  };
  circle.coordinates = [](const VectorX& q) {
    return VectorX(VectorX::Constant(1, std::atan2(q(0), -q(1))));
  };
  const VectorX y = VectorX::Constant(1, 0.3), rate = VectorX::Constant(1, 7.0);
  const SimulationSetup setup = flight(tree, circle, y, options);
  const SimulationResult result = simulate(setup, start(*setup.model, circle, y, rate), 4.0);

  // ÿ = −g sin y, by Runge and Kutta's method in small steps
  double angle = 0.3, speed = 7.0;
  constexpr int kSteps = 40000;
  constexpr double h = 4.0 / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const auto a = [](double at) { return -kG * std::sin(at); };
    const double v1 = speed, a1 = a(angle);
    const double v2 = speed + 0.5 * h * a1, a2 = a(angle + 0.5 * h * v1);
    const double v3 = speed + 0.5 * h * a2, a3 = a(angle + 0.5 * h * v2);
    const double v4 = speed + h * a3, a4 = a(angle + h * v3);
    angle += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
    speed += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  EXPECT_GT(angle, 2.0 * kPi);
  EXPECT_LE((result.state.q - circle.position(VectorX::Constant(1, angle))).norm(), error);
  EXPECT_LE((result.state.qd - circle.jacobian(VectorX::Constant(1, angle)) * speed).norm(),
            10 * error);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, FlownExplicitJoints,
    ::testing::Values(std::pair(adaptive(IntegrationMethod::dop853, 1e-12), 1e-9),
                      std::pair(adaptive(IntegrationMethod::dopri5, 1e-11), 1e-8),
                      std::pair(adaptive(IntegrationMethod::rodas, 1e-10), 1e-6),
                      std::pair(rk4(1e-3), 1e-7)),
    [](const auto& instance) { return std::string(to_string(instance.param.first.method)); });

TEST(ExplicitJoints, AreAGearOnAFloatingBase) {
  // q_2 = −2 q_1 by explicit joints, and as a loop of type linear
  const ModelDescription tree =
      ModelBuilder("pair")
          .set_base(base_body(10.0, {1, 2, 3}))
          .add_link(link_body("a", "base", 2.0, {0.1, 0.2, 0.3}, {0.5, 0, 0}, {0.2, 0.1, 0}))
          .add_link(link_body("b", "a", 1.0, {0.1, 0.1, 0.2}, {0.5, 0, 0}, {0.3, 0, 0.1}))
          .description();
  ModelDescription geared = tree;
  LoopDescription loop;
  loop.name = "gear";
  loop.type = LoopType::linear;
  loop.joints = {"b", "a"};
  loop.coefficients = {1.0, 2.0};
  geared.loops = {loop};
  const Model model = ModelBuilder(tree).build(), with_loop = ModelBuilder(geared).build();
  ExplicitJoints gear;
  gear.position = [](const VectorX& y) { return VectorX(Eigen::Vector2d(y(0), -2.0 * y(0))); };
  gear.jacobian = [](const VectorX&) { return MatrixX(Eigen::Vector2d(1.0, -2.0)); };
  gear.change = [](const VectorX&, const VectorX&) { return VectorX(Eigen::Vector2d::Zero()); };
  State state(model);
  state.omega_0 = {0.3, -0.5, 0.2};
  state.v_0 = {1, 0, 2};
  Loads loads(model);
  loads.tau << 0.4, -0.3;
  loads.F_b << 1, 2, 3, 0.1, 0.2, 0.3;
  const ExplicitForm form = explicit_form(model, state, gear, VectorX::Constant(1, 0.6),
                                          VectorX::Constant(1, -0.8), loads);
  const ConstrainedMotion expected = constrained_motion(with_loop, state, loads);
  EXPECT_LT((form.acceleration() - expected.acceleration).norm(), 1e-12);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  EXPECT_NEAR(form.kinetic_energy(), kinetic_energy(model, frames, velocities), 1e-12);
  EXPECT_LT((form.constraint_force - expected.K.transpose() * expected.multipliers).norm(), 1e-12);

  // and in flight
  gear.coordinates = [](const VectorX& q) { return VectorX(q.head(1)); };
  const IntegratorOptions options = adaptive(IntegrationMethod::dop853, 1e-12);
  SimulationSetup flown = flight(model, gear, VectorX::Constant(1, 0.6), options), looped = flown;
  looped.model = std::make_shared<const Model>(with_loop);
  const State a = simulate(flown, state, 5.0).state, b = simulate(looped, state, 5.0).state;
  EXPECT_LT((a.q - b.q).norm(), 1e-10);
  EXPECT_LT((a.r_0 - b.r_0).norm() + (a.A_0 - b.A_0).norm(), 1e-9);
}

TEST(ExplicitJoints, RefuseWhatDoesNotFit) {
  const Model model = bead();
  State state(model);
  ExplicitJoints joints;
  const auto form = [&] {
    explicit_form(model, state, joints, VectorX::Zero(1), VectorX::Zero(1), Loads(model));
  };
  EXPECT_THAT(message_of<DomainError>(form), HasSubstr("need the functions"));
  joints.position = [](const VectorX&) { return VectorX(VectorX::Zero(2)); };
  joints.jacobian = [](const VectorX&) { return MatrixX(MatrixX::Zero(1, 1)); };
  joints.change = [](const VectorX&, const VectorX&) { return VectorX(VectorX::Zero(2)); };
  EXPECT_THAT(message_of<DimensionError>(form),
              HasSubstr("the jacobian of explicit joints is 1×1, expected 2×1"));

  const auto refusal = [&](const ExplicitJoints& flown, double y) {
    return message_of<DomainError>([&] { explicit_loops(model, flown, VectorX::Constant(1, y)); });
  };
  ExplicitJoints cycloid = a_cycloid();
  EXPECT_EQ(refusal(cycloid, 0.0), "the jacobian of explicit joints has rank 0, expected 1");
  cycloid.coordinates = [](const VectorX& q) { return VectorX(q.head(1)); };
  EXPECT_EQ(refusal(cycloid, 1.0), "coordinates of the position of explicit joints are not y");
  cycloid.coordinates = {};
  EXPECT_EQ(refusal(cycloid, 1.0), "explicit joints fly with the function coordinates");
}

}  // namespace
}  // namespace spacedyn::testing::explicit_joints_test
