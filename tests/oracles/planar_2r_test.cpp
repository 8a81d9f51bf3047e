// A floating base with two links in the plane: angular momentum is L = N0 θ̇ + N1 q̇1 + N2 q̇2 about
// the system centroid, summed here body by body in two dimensions; at L = 0 the base turns by a
// line integral over the path of the joints.
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::planar_2r_test {
namespace {

using Point = Eigen::Vector2d;

Point direction(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// (N0, N1, N2) at a posture.
Vector3 momentum_coefficients(double q1, double q2) {
  const std::array<double, 3> mass{100, 10, 10};
  const std::array<double, 3> inertia{20, 1, 1};
  const Point shoulder(0.5, 0.0);
  const Point elbow = shoulder + direction(q1);
  const std::array<Point, 3> r{Point(0, 0), shoulder + 0.5 * direction(q1),
                               elbow + 0.5 * direction(q1 + q2)};
  const Point centroid = (mass[0] * r[0] + mass[1] * r[1] + mass[2] * r[2]) / 120.0;
  Vector3 N = Vector3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    const Point d = r[i] - centroid;
    N(0) += inertia[i] + mass[i] * d.squaredNorm();
    if (i >= 1) N(1) += inertia[i] + mass[i] * d.dot(r[i] - shoulder);
    if (i == 2) N(2) += inertia[i] + mass[i] * d.dot(r[i] - elbow);
  }
  return N;
}

double turn_rate(const VectorX& q, const VectorX& qd) {
  const Vector3 N = momentum_coefficients(q(0), q(1));
  return -(N(1) * qd(0) + N(2) * qd(1)) / N(0);
}

/// ∫ θ̇ dt along a reference by Simpson's rule between its rows.
double turn_along(const Reference& shoulder, const Reference& elbow, double duration) {
  const int steps = 4000;  // a multiple of the number of rows, so that kinks lie on nodes
  const double h = duration / steps;
  const auto rate = [&](double time) {
    const ReferenceValue first = shoulder.evaluate(0, time);
    const ReferenceValue second = elbow.evaluate(0, time);
    return turn_rate(Point(first.position, second.position),
                     Point(first.velocity, second.velocity));
  };
  double sum = 0.0;
  for (int step = 0; step < steps; ++step) {
    const double time = h * step;
    sum += h / 6 * (rate(time) + 4 * rate(time + h / 2) + rate(time + h));
  }
  return sum;
}

/// Turn of the base while the joints go straight from one posture to another.
double turn_between(const Point& from, const Point& to) {
  const int steps = 400;
  double sum = 0.0;
  for (int step = 0; step < steps; ++step) {
    const auto rate = [&](double s) {
      return turn_rate(from + s / steps * (to - from), to - from);
    };
    sum += (rate(step) + 4 * rate(step + 0.5) + rate(step + 1.0)) / (6.0 * steps);
  }
  return sum;
}

double base_angle(const State& state) { return std::atan2(state.A_0(1, 0), state.A_0(0, 0)); }

using Loop = std::vector<Point>;
const Loop kSquare{{0, 0}, {kPi / 2, 0}, {kPi / 2, kPi / 2}, {0, kPi / 2}, {0, 0}};

class PlanarTwoLinks : public ::testing::Test {
 protected:
  /// Base angle after the joints went through the corners one leg after another.
  double fly_through(const Loop& corners, double leg_duration) const {
    State state(*robot);
    state.q = corners.front();
    for (std::size_t leg = 1; leg < corners.size(); ++leg) {
      SimulationSetup setup = tight_setup(robot);
      for (const int joint : {1, 2}) {
        const VectorX from = corners[leg - 1].segment(joint - 1, 1);
        const VectorX to = corners[leg].segment(joint - 1, 1);
        setup.prescribed_joints.push_back(
            {joint, std::make_shared<QuinticReference>(from, to, 0.0, leg_duration)});
      }
      state = fly(setup, state, leg_duration).state;
    }
    return base_angle(state);
  }

  const std::shared_ptr<const Model> robot = shipped_robot("planar_2r");
};

TEST_F(PlanarTwoLinks, AngularMomentumHasTheCoefficientsOfTheClosedForm) {
  const Vector3 stretched = momentum_coefficients(0, 0);
  EXPECT_LT((stretched - Vector3(64.5, 32, 9.75)).norm(), 1e-12);
  for (const Point& q : {Point(0, 0), Point(kPi / 2, kPi / 2), Point(0.3, -1.2)}) {
    const Vector3 N = momentum_coefficients(q.x(), q.y());
    for (int k = 0; k < 3; ++k) {
      State state(*robot);
      state.q = q;
      if (k == 0) state.omega_0.z() = 1.0;
      if (k > 0) state.qd(k - 1) = 1.0;
      LinkFrames frames(*robot);
      LinkVelocities velocities(*robot);
      compute_link_frames(*robot, state, frames);
      compute_link_velocities(*robot, state, frames, velocities);
      EXPECT_NEAR(momentum(*robot, frames, velocities).angular_centroid.z(), N(k), 1e-13 * N(0));
    }
  }
}

TEST_F(PlanarTwoLinks, ReactionNullMotionLeavesTheBaseAlone) {
  // q̇ ∝ (N2, −N1) has no angular momentum, so the base attitude keeps still at that instant
  const Vector3 N = momentum_coefficients(0.4, 0.9);
  EXPECT_NEAR(turn_rate(Point(0.4, 0.9), Point(N(2), -N(1))), 0.0, 1e-15);
  State state(*robot);
  state.q = Point(0.4, 0.9);
  state.qd = Point(N(2), -N(1));
  LinkFrames frames(*robot);
  LinkVelocities velocities(*robot);
  compute_link_frames(*robot, state, frames);
  compute_link_velocities(*robot, state, frames, velocities);
  EXPECT_NEAR(momentum(*robot, frames, velocities).angular_centroid.z(), 0.0, 1e-12 * N(0));
}

TEST_F(PlanarTwoLinks, SquareLoopTurnsTheBaseByTheLineIntegral) {
  double expected = 0.0;
  for (std::size_t leg = 1; leg < kSquare.size(); ++leg) {
    expected += turn_between(kSquare[leg - 1], kSquare[leg]);
  }
  ASSERT_GT(std::abs(expected), 0.05);
  EXPECT_NEAR(fly_through(kSquare, 2.0), expected, 1e-10);
}

TEST_F(PlanarTwoLinks, ReversedLoopTurnsItBack) {
  const Loop reversed(kSquare.rbegin(), kSquare.rend());
  EXPECT_NEAR(fly_through(reversed, 2.0), -fly_through(kSquare, 2.0), 1e-10);
}

TEST_F(PlanarTwoLinks, SpeedDoesNotMatter) {
  EXPECT_NEAR(fly_through(kSquare, 7.0), fly_through(kSquare, 1.0), 1e-10);
}

TEST_F(PlanarTwoLinks, ThereAndBackLeavesNothing) {
  const Loop retrace{{0, 0}, {1.2, -0.7}, {-0.4, 1.9}, {1.2, -0.7}, {0, 0}};
  EXPECT_NEAR(fly_through(retrace, 2.0), 0.0, 1e-10);
}

TEST_F(PlanarTwoLinks, ShippedReorientationFollowsTheMomentumLaw) {
  const Scenario scenario = shipped_scenario("planar_reorientation");
  const auto& prescribed = scenario.setup.prescribed_joints;
  ASSERT_EQ(prescribed.size(), 2u);
  const double expected =
      turn_along(*prescribed[0].reference, *prescribed[1].reference, scenario.duration);
  EXPECT_NEAR(expected * 180 / kPi, 37.2, 0.2);
  const SimulationResult result = fly(scenario.setup, scenario.initial, scenario.duration);
  EXPECT_NEAR(base_angle(result.state), expected, 1e-8);
  EXPECT_NEAR(result.state.q(0), 0.3, 1e-12);
  EXPECT_NEAR(result.state.q(1), 1.5, 1e-12);
}

}  // namespace
}  // namespace spacedyn::testing::planar_2r_test
