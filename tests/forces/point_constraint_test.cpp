// Constraints on points that a function gives: against closed forms, and against loops.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/point_constraint.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::point_constraint_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kG = 9.81, kRadius = 1.3;

std::shared_ptr<const Model> ball() {
  return std::make_shared<const Model>(single_body(2.0, {0.1, 0.1, 0.1}));
}

/// |p|² = R² of one point.
PointConstraint::Settings on_sphere(const Frame& point) {
  PointConstraint::Settings settings;
  settings.points = {point};
  settings.function = [](const PointConstraint::Points& p, double,
                         PointConstraint::Values& values) {
    values.value(0) = p.squaredNorm() - kRadius * kRadius;
    values.gradient = 2.0 * p.transpose();
  };
  return settings;
}

SimulationSetup setup_of(const std::shared_ptr<const Model>& model,
                         const PointConstraint::Settings& settings, double tolerance = 1e-12) {
  SimulationSetup setup;
  setup.model = model;
  setup.forces = {std::make_shared<PointConstraint>("held", settings)};
  setup.integrator = adaptive(IntegrationMethod::dop853, tolerance);
  return setup;
}

TEST(PointConstraint, IsAConicalPendulum) {
  // Ω² = g / (R cos α) at the angle α from the vertical
  const auto model = ball();
  SimulationSetup setup = setup_of(model, on_sphere(model->frame("base")));
  setup.gravity = {0, 0, -kG};
  constexpr double kAngle = 0.7;
  const double turn = std::sqrt(kG / (kRadius * std::cos(kAngle)));
  State start(*model);
  start.r_0 = kRadius * Vector3(std::sin(kAngle), 0, -std::cos(kAngle));
  start.v_0 = {0, turn * start.r_0.x(), 0};
  const Trajectory flight = simulate(setup, start, 5.0, 0.5);
  for (const TrajectoryPoint& at : flight.points) {
    const double angle = turn * at.time, r = start.r_0.x();
    EXPECT_NEAR(at.state.r_0.x(), r * std::cos(angle), 1e-9);
    EXPECT_NEAR(at.state.r_0.y(), r * std::sin(angle), 1e-9);
    EXPECT_NEAR(at.state.r_0.z(), start.r_0.z(), 1e-9);
  }
  EXPECT_LT(flight.result.loops.position_residual, 1e-14);
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-11);
  EXPECT_LT(flight.result.audit.momentum_drift(), 1e-11);
}

TEST(PointConstraint, TakesDerivativesAsWellByDifferences) {
  const auto model = ball();
  State start(*model);
  start.r_0 = {0, 0, -kRadius};
  start.v_0 = {2.0, 1.0, 0};
  PointConstraint::Settings exact = on_sphere(model->frame("base"));
  exact.bias = [](const PointConstraint::Points&, const PointConstraint::Points& v, double,
                  PointConstraint::Rows& bias) { bias(0) = 2.0 * v.squaredNorm(); };
  const SimulationResult by_hand = simulate(setup_of(model, exact), start, 3.0);
  const SimulationResult by_differences =
      simulate(setup_of(model, on_sphere(model->frame("base"))), start, 3.0);
  EXPECT_LT((by_hand.state.r_0 - by_differences.state.r_0).norm(), 1e-10);
  // a free point on a sphere goes round a great circle
  const double angle = start.v_0.norm() / kRadius * 3.0;
  const Vector3 expected =
      std::cos(angle) * start.r_0 + kRadius * std::sin(angle) * start.v_0.normalized();
  EXPECT_LT((by_hand.state.r_0 - expected).norm(), 1e-10);
}

TEST(PointConstraint, WorksWhereItDependsOnTime) {
  // a table that swings lifts what lies on it: z = a sin² t
  constexpr double kLift = 0.4;
  const auto model = ball();
  PointConstraint::Settings table;
  table.points = {model->frame("base")};
  table.function = [](const PointConstraint::Points& p, double t, PointConstraint::Values& values) {
    values.value(0) = p(2, 0) - kLift * std::sin(t) * std::sin(t);
    values.gradient(0, 2) = 1.0;
    values.rate(0) = -kLift * std::sin(2.0 * t);
  };
  SimulationSetup setup = setup_of(model, table);
  setup.gravity = {0, 0, -kG};
  const SimulationResult end = simulate(setup, State(*model), 2.0);
  const double height = kLift * std::sin(2.0) * std::sin(2.0), speed = kLift * std::sin(4.0);
  EXPECT_NEAR(end.state.r_0.z(), height, 1e-13);
  EXPECT_NEAR(end.state.v_0.z(), speed, 1e-13);
  ASSERT_EQ(end.sources.front().name, "held");
  EXPECT_NEAR(end.sources.front().end.work, 2.0 * kG * height + speed * speed, 1e-9);
  EXPECT_LT(end.audit.energy_residual(), 1e-10);
}

/// A floating base with two arms of one link each, whose ends a rod holds apart.
struct TwoArms {
  TwoArms() {
    model = std::make_shared<const Model>(
        ModelBuilder("arms")
            .set_base(base_body(20.0, {2, 3, 4}))
            .add_link(link_body("left", "base", 3.0, {0.1, 0.2, 0.3}, {0.5, 0.4, 0}, {0.4, 0, 0}))
            .add_link(
                link_body("right", "base", 2.0, {0.1, 0.3, 0.2}, {0.5, -0.4, 0}, {0.5, 0.1, 0}))
            .add_frame({"hand", "left", Pose{{0.8, 0, 0}, Matrix3::Identity()}, {}})
            .build());
    left = model->frame("left.com");
    right = model->frame("right.com");
    start = State(*model);
    start.omega_0 = {0.1, -0.2, 0.6};
    LinkFrames frames(*model);
    compute_link_frames(*model, start, frames);
    length = (frame_position(frames, right) - frame_position(frames, left)).norm();
  }
  SimulationSetup as_loop() const {
    SimulationSetup setup;
    setup.model = model;
    setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
    Connection rod;
    rod.loop.name = "rod";
    rod.loop.type = LoopType::distance;
    rod.loop.from = left;
    rod.loop.to = right;
    rod.loop.length = length;
    rod.active = true;
    setup.connections = {rod};
    return setup;
  }
  SimulationSetup as_function() const {
    PointConstraint::Settings settings;
    settings.points = {left, right};
    settings.function = [this](const PointConstraint::Points& p, double,
                               PointConstraint::Values& values) {
      const Vector3 apart = p.col(1) - p.col(0);
      values.value(0) = apart.norm() - length;
      values.gradient.leftCols<3>() = -apart.transpose() / apart.norm();
      values.gradient.rightCols<3>() = apart.transpose() / apart.norm();
    };
    return setup_of(model, settings);
  }
  std::shared_ptr<const Model> model;
  Frame left, right;
  State start;
  double length = 0.0;
};

TEST(PointConstraint, MovesAsALoopThatSaysTheSame) {
  const TwoArms arms;
  const SimulationResult loop = simulate(arms.as_loop(), arms.start, 5.0);
  SimulationSetup setup = arms.as_function();
  for (const IntegrationMethod method : {IntegrationMethod::dop853, IntegrationMethod::rodas}) {
    setup.integrator = adaptive(method, method == IntegrationMethod::rodas ? 1e-10 : 1e-12);
    const double error = method == IntegrationMethod::rodas ? 1e-6 : 1e-9;
    const SimulationResult own = simulate(setup, arms.start, 5.0);
    EXPECT_LT((own.state.q - loop.state.q).norm(), error);
    EXPECT_LT((own.state.A_0 - loop.state.A_0).norm(), error);
    EXPECT_LT(own.audit.momentum_drift(), error);
  }
}

TEST(PointConstraint, IsLinearizedAsALoopThatSaysTheSame) {
  const TwoArms arms;
  SimulationSetup loop = arms.as_loop(), own = arms.as_function();
  loop.gravity = own.gravity = {0.3, -2.0, 1.0};
  const Linearization by_loop = linearize(loop, arms.start);
  const Linearization by_function = linearize(own, arms.start);
  ASSERT_EQ(by_function.state_names, by_loop.state_names);
  // differences of order 6 on both sides
  EXPECT_LT((by_function.A - by_loop.A).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((by_function.B - by_loop.B).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((by_function.C - by_loop.C).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((by_function.rate - by_loop.rate).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT((by_function.K - by_loop.K).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PointConstraint, RefusesWhatItCannotBe) {
  const auto model = ball();
  PointConstraint::Settings settings = on_sphere(model->frame("base"));
  const auto make = [&] { return PointConstraint("held", settings); };
  settings.rows = 4;
  EXPECT_THAT(make, ThrowsMessage<DomainError>(HasSubstr("expected 1 to 3 rows, got 4")));
  settings.rows = 1;
  settings.points.assign(5, model->frame("base"));
  EXPECT_THAT(make, ThrowsMessage<DomainError>(HasSubstr("expected 1 to 4 points, got 5")));
  settings.points.resize(1);
  settings.function = {};
  EXPECT_THAT(make, ThrowsMessage<DomainError>(HasSubstr("it has no function")));
  State start(*model);
  EXPECT_THAT(
      [&] { simulate(setup_of(model, on_sphere(model->frame("base"))), start, 1.0); },
      ThrowsMessage<DomainError>(HasSubstr("the start violates constraint 'held' by 1.69")));
}

}  // namespace
}  // namespace spacedyn::testing::point_constraint_test
