// Winches against closed forms: the rest length is imposed.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/control/rheonomic_distance.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::winch_test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kBase = 3.0, kLoad = 2.0, kReduced = kBase * kLoad / (kBase + kLoad);  // kg
constexpr double kStiffness = 50.0, kStart = 2.0;                                       // N/m, m

std::shared_ptr<const Model> pair() {
  LinkDescription load =
      link_body("load", "base", kLoad, {0.2, 0.3, 0.4}, {kStart, 0, 0}, {0, 0, 0});
  load.joint.type = JointType::free;
  return std::make_shared<const Model>(
      ModelBuilder("pair").set_base(base_body(kBase, {0.5, 0.6, 0.7})).add_link(load).build());
}

/// Pays out or reels in at a rate from the start on.
std::shared_ptr<const Reference> at_rate(double length, double rate) {
  MatrixX lengths(1, 2);
  lengths << length, length + 100.0 * rate;
  return std::make_shared<TableReference>(std::vector<double>{0.0, 100.0}, lengths,
                                          TableReference::Interpolation::linear);
}

SimulationSetup setup_of(const std::shared_ptr<const Model>& model,
                         const std::shared_ptr<const Reference>& length, double damping = 0.0) {
  SimulationSetup setup;
  setup.model = model;
  setup.forces = {std::make_shared<WinchTether>(
      "line",
      Tether::Settings{model->frame("base"), model->frame("load"), {}, kStiffness, damping, 0.0},
      length)};
  setup.integrator = adaptive(IntegrationMethod::dop853, 1e-12);
  return setup;
}

TEST(Winch, ReelsInAtAConstantRate) {
  // s = ℓ − ℓ_0, μ s̈ = −k s, s(0) = 0, ṡ(0) = w: slack after half a period, bodies 2 w fast then
  constexpr double kRate = 0.3;
  const auto model = pair();
  const double omega = std::sqrt(kStiffness / kReduced), half = kPi / omega;
  const Trajectory flight =
      simulate(setup_of(model, at_rate(kStart, -kRate)), State(*model), 1.0, 0.02);
  double slack_at = 0.0;
  for (const EventRecord& event : flight.result.events) {
    if (event.name == "line slack") slack_at = event.time;
  }
  EXPECT_NEAR(slack_at, half, 1e-9);
  for (const TrajectoryPoint& at : flight.points) {
    const double t = std::min(at.time, half);
    const double stretch = kRate / omega * std::sin(omega * t);
    const double gone = -kRate * t + stretch - (at.time - t) * 2.0 * kRate;
    EXPECT_NEAR(at.state.q(0), gone, 1e-10) << at.time;
    // T w over time: what the winch does is the energy of bodies and tether
    const double work = kStiffness * kRate * kRate / (omega * omega) * (1.0 - std::cos(omega * t));
    EXPECT_NEAR(at.integrals.work, work, 1e-10);
    EXPECT_NEAR(at.energy.elastic, 0.5 * kStiffness * stretch * stretch * (at.time < half), 1e-10);
    EXPECT_LT(at.momentum.linear.norm(), 1e-12);
  }
  EXPECT_LT(flight.result.audit.energy_residual(), 1e-10);
}

TEST(Winch, DampsTheRateOfTheStretch) {
  // μ s̈ + c ṡ + k s = 0 of s = ℓ − ℓ_0 from s = 0 with ṡ = v − w, until T = 0
  constexpr double kAway = 0.5, kOut = 0.2, kDamping = 3.0;
  const auto model = pair();
  State start(*model);
  start.qd(0) = kAway;
  const SimulationResult result =
      simulate(setup_of(model, at_rate(kStart, kOut), kDamping), start, 2.0);
  const double a = kDamping / (2.0 * kReduced), w = std::sqrt(kStiffness / kReduced - a * a);
  const double end = std::atan2(2.0 * a * w, a * a - w * w) / w;
  const double rate =
      (kAway - kOut) * std::exp(-a * end) * (std::cos(w * end) - a / w * std::sin(w * end));
  ASSERT_EQ(result.events.size(), 1U);
  EXPECT_EQ(result.events[0].name, "line slack");
  EXPECT_NEAR(result.events[0].time, end, 1e-9);
  EXPECT_NEAR(result.state.qd(0), kOut + rate, 1e-9);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
}

TEST(Winch, StopsWhereAllIsIn) {
  // ℓ_0 = 0 from then on: a spring through the point, with its energy
  const auto model = pair();
  const Trajectory flight = simulate(setup_of(model, at_rate(0.5, -1.0)), State(*model), 4.0, 0.1);
  for (const TrajectoryPoint& at : flight.points) {
    if (at.time < 0.55) continue;  // outputs inside the step of the kink are less exact
    EXPECT_NEAR(at.energy.total(), flight.points.back().energy.total(), 1e-9);
    EXPECT_NEAR(at.integrals.work, flight.points.back().integrals.work, 1e-9);
  }
}

TEST(Winch, RefusesOtherReferences) {
  const auto model = pair();
  const auto make = [&](const std::shared_ptr<const Reference>& length) {
    return WinchTether(
        "line", {model->frame("base"), model->frame("load"), {}, kStiffness, 0.0, 0.0}, length);
  };
  EXPECT_THAT([&] { make(nullptr); },
              ThrowsMessage<DomainError>("'line': its winch has no reference"));
  EXPECT_THAT([&] { make(std::make_shared<ConstantReference>(VectorX::Zero(2))); },
              ThrowsMessage<DimensionError>(HasSubstr("has 2 components, expected 1")));
}

}  // namespace
}  // namespace spacedyn::testing::winch_test
