// Hubs with the flexible appendages of Basilisk's examples (hinged, twice hinged and chained
// panels, a spinning body, sliding masses): a planar Lagrangian of its own, and what is conserved.
#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "oracles/appendages.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "support/recorders.hpp"

namespace spacedyn::testing::appendages_test {
namespace {

constexpr double kHubMass = 750.0, kReach = 0.5, kPanelMass = 100.0, kArm = 1.5;
constexpr double kStiffness = 5000.0, kDamping = 75.0;
constexpr double kStart = kAppendageStart;

ModelDescription two_panels(const Vector3& axis) {
  ModelDescription description;
  description.name = "two_panels";
  description.base = appendage_hub();
  for (const double side : {1.0, -1.0}) {
    description.links.push_back(hinged(side > 0 ? "right" : "left", "base", kPanelMass,
                                       {100, 50, 50}, {side * kReach, 0, 1}, {side * kArm, 0, 0},
                                       axis, kStiffness, kDamping));
  }
  return description;
}

/// (x, y, θ, θ_1, θ_2) and rates of the hub and panels in a plane, from kinetic energy by hand.
using Planar = Eigen::Matrix<double, 10, 1>;
using Matrix5 = Eigen::Matrix<double, 5, 5>;
using Vector5 = Eigen::Matrix<double, 5, 1>;

/// A force in inertial axes on a point of the hub's x axis.
struct Push {
  double from, until, fx, fy, lever;
};
constexpr Push kPushes[] = {{0.0, 5.0, 0.2, 0.7, 0.05}, {11.0, 18.0, 0.0, 1.0, -0.03}};

/// H q̈ = Q − Σ m Jᵀ J̇ q̇ with the positions r ± (R e(θ) + d e(θ + θ_i)) of the panels.
Planar planar_rate(const Planar& x, const Push* push) {
  Matrix5 H = Matrix5::Zero();
  H.diagonal() << kHubMass, kHubMass, 600, 0, 0;
  Vector5 Q = Vector5::Zero();
  const double theta = x(2), rate = x(7);
  if (push != nullptr) {
    Q(0) = push->fx, Q(1) = push->fy;
    Q(2) = push->lever * (std::cos(theta) * push->fy - std::sin(theta) * push->fx);
  }
  for (int i = 0; i < 2; ++i) {
    const double side = i == 0 ? 1.0 : -1.0, a = theta + x(3 + i), a_rate = rate + x(8 + i);
    const Eigen::Vector2d e(std::cos(theta), std::sin(theta)), n(-e.y(), e.x());
    const Eigen::Vector2d f(std::cos(a), std::sin(a)), g(-f.y(), f.x());
    Eigen::Matrix<double, 2, 5> J = Eigen::Matrix<double, 2, 5>::Zero();
    J(0, 0) = J(1, 1) = 1.0;
    J.col(2) = side * (kReach * n + kArm * g);
    J.col(3 + i) = side * kArm * g;
    const Eigen::Vector2d bias = -side * (kReach * rate * rate * e + kArm * a_rate * a_rate * f);
    H += kPanelMass * J.transpose() * J;
    Vector5 spin = Vector5::Zero();
    spin(2) = spin(3 + i) = 1.0;
    H += 50.0 * spin * spin.transpose();
    Q -= kPanelMass * J.transpose() * bias;
    Q(3 + i) -= kStiffness * x(3 + i) + kDamping * x(8 + i);
  }
  Planar result;
  result << x.tail<5>(), H.ldlt().solve(Q);
  return result;
}

/// Classical Runge–Kutta at 0.25 ms: errors of (h ω)⁴ with ω below 10 rad/s are below 1e-11.
Planar planar_flight(double duration) {
  Planar x = Planar::Zero();
  x(3) = kStart;
  const int steps = static_cast<int>(std::lround(duration / 2.5e-4));
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const double middle = (i + 0.5) * h;
    const Push* push = nullptr;
    for (const Push& one : kPushes) {
      if (one.from < middle && middle < one.until) push = &one;
    }
    const Planar k1 = planar_rate(x, push), k2 = planar_rate(x + 0.5 * h * k1, push);
    const Planar k3 = planar_rate(x + 0.5 * h * k2, push), k4 = planar_rate(x + h * k3, push);
    x += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return x;
}

TEST(Appendages, HubWithPanelsMovesAsItsPlanarLagrangianSays) {
  ModelDescription description = two_panels(Vector3::UnitZ());
  for (const Push& push : kPushes) {
    FrameDescription frame;
    frame.name = push.from == 0.0 ? "first" : "second";
    frame.link = "base";
    frame.origin.position = {push.lever, 0, 1};
    description.frames.push_back(frame);
  }
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  for (int i = 0; i < 2; ++i) {
    VectorX wrench = VectorX::Zero(6);
    wrench.head<2>() << kPushes[i].fx, kPushes[i].fy;
    setup.forces.push_back(std::make_shared<AppliedWrench>(
        "push " + std::to_string(i), setup.model->frames()[static_cast<std::size_t>(i)],
        WrenchAxes::inertial, TimeTable::constant(wrench, kPushes[i].from, kPushes[i].until)));
  }
  setup.integrator = dopri5(1e-13);
  State initial(*setup.model);
  initial.q(0) = kStart;
  const State end = simulate(setup, initial, 20.0).state;

  const Planar expected = planar_flight(20.0);
  const Vector3 moved = end.r_0 - initial.r_0;
  EXPECT_NEAR(moved.x(), expected(0), 1e-10);
  EXPECT_NEAR(moved.y(), expected(1), 1e-10);
  EXPECT_NEAR(std::atan2(end.A_0(1, 0), end.A_0(0, 0)), expected(2), 1e-10);
  EXPECT_NEAR(end.q(0), expected(3), 1e-10);
  EXPECT_NEAR(end.q(1), expected(4), 1e-10);
  EXPECT_GT(std::abs(expected(2)), 1e-4) << "the hub should turn";
}

/// A chain of equal panels on each side of the hub.
ModelDescription panel_chains(int count, double mass, const Vector3& inertia, double half,
                              double stiffness, double damping) {
  ModelDescription description;
  description.name = "panel_chains";
  description.base = appendage_hub();
  for (const double side : {1.0, -1.0}) {
    std::string parent = "base";
    Vector3 hinge(side * kReach, 0, 1);
    for (int i = 0; i < count; ++i) {
      const std::string name = (side > 0 ? "right_" : "left_") + std::to_string(i);
      description.links.push_back(hinged(name, parent, mass, inertia, hinge, {side * half, 0, 0},
                                         Vector3::UnitY(), stiffness, damping));
      parent = name;
      hinge = {side * 2.0 * half, 0, 0};
    }
  }
  return description;
}

struct Case {
  ModelDescription description;
  std::vector<double> start;
};

TEST(Appendages, KeepMomentumAndAccountForEnergyToRounding) {
  const std::vector<Case> cases{
      {two_panels(Vector3::UnitY()), {kStart, 0.0}},
      {panel_chains(2, 50, {50, 25, 25}, 0.75, kStiffness, kDamping), {kStart, 0, 0, 0}},
      {panel_chains(4, 50, {50, 25, 25}, 0.75, 500, 0), {kStart, 0, 0, 0, 0, 0, 0, 0}},
      {spinning_body(), {kStart}},
      {sliding_masses(), {0.05, -0.025, -0.015}}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.description.name + " with " + std::to_string(one.start.size()) + " joints");
    SimulationSetup setup;
    setup.model = std::make_shared<const Model>(ModelBuilder(one.description).build());
    setup.integrator = dopri5(1e-13);
    State initial(*setup.model);
    initial.omega_0 = {0.1, -0.1, 0.1};
    initial.q = Eigen::Map<const VectorX>(one.start.data(), setup.model->joint_count());
    const SimulationResult result = simulate(setup, initial, 20.0);
    // the tolerance, and thousands of steps that round
    EXPECT_LE(result.audit.momentum_drift(), 1e-12);
    EXPECT_LE(result.audit.energy_residual(), 1e-12);
    EXPECT_GT((result.state.q - initial.q).norm(), 1e-3) << "nothing moves";
  }
}

}  // namespace
}  // namespace spacedyn::testing::appendages_test
