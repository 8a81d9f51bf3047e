// IFToMM benchmark A01: the simple pendulum from the horizontal, in elliptic functions.
#include <cmath>

#include <gtest/gtest.h>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "spacedyn/kinematics/link_frames.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::pendulum_test {
namespace {

constexpr double kRate = 3.13209195267316521;  // √(g/L), g = 9.81 m/s², L = 1 m

/// Angle from the vertical, released at rest at 90° on the side of negative x.
double swing(double time) {
  const double k = std::sqrt(0.5);  // sin of half the amplitude
  return -2 * std::asin(k * boost::math::jacobi_sn(k, kRate * time + boost::math::ellint_1(k)));
}

Vector3 bob(const Model& model, const State& state) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  return frame_position(frames, model.frame("bob"));
}

TEST(PendulumA01, FollowsTheEllipticSolution) {
  const Scenario scenario = shipped_scenario("a01_pendulum");
  const Model& model = *scenario.setup.model;
  for (const double time : {1.0, 2.5, 5.0, 10.0}) {
    const SimulationResult result = fly(scenario.setup, scenario.initial, time);
    const Vector3 expected(std::sin(swing(time)), -std::cos(swing(time)), 0.0);
    EXPECT_LT((bob(model, result.state) - expected).norm(), 1e-9) << "t = " << time;
  }
}

TEST(PendulumA01, PassesThePublishedPoints) {
  const Scenario scenario = shipped_scenario("a01_pendulum");
  const Model& model = *scenario.setup.model;
  EXPECT_LT((bob(model, scenario.initial) - Vector3(-1, 0, 0)).norm(), 1e-15);
  const auto at = [&](double time) {
    return bob(model, fly(scenario.setup, scenario.initial, time).state);
  };
  EXPECT_LT((at(1.0) - Vector3(0.986291751132, -0.165010853126, 0)).norm(), 1e-9);
  EXPECT_LT((at(5.0) - Vector3(-0.942305435044, -0.334754338414, 0)).norm(), 1e-9);
  const double period = 4 * boost::math::ellint_1(std::sqrt(0.5)) / kRate;
  EXPECT_NEAR(period, 2.367841947576, 1e-12);
  // at the turning point the error is quadratic in time
  EXPECT_LT((at(period) - Vector3(-1, 0, 0)).norm(), 1e-9);
}

}  // namespace
}  // namespace spacedyn::testing::pendulum_test
