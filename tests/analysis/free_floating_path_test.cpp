#include "spacedyn/analysis/free_floating_path.hpp"

#include <array>
#include <cmath>
#include <complex>

#include "analysis/arms.hpp"
#include "analysis/flights.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/property.hpp"
#include "support/random_models.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::free_floating_path_test {
namespace {

double yaw(const State& state) { return std::atan2(state.A_0(1, 0), state.A_0(0, 0)); }

VectorX pair(double q1, double q2) { return Eigen::Vector2d(q1, q2); }

/// Base rotation of the planar one-link robot at zero momentum, in closed form, |q| < π.
double one_link_rotation(double q) {
  const double A = 7.113636363636364, B = 3.409090909090909, D = 29.386363636363637;
  const double root = std::sqrt(D * D - 4.0 * B * B);
  return -0.5 * q - (2.0 * A - D) / root *
                        std::atan(std::sqrt((D - 2.0 * B) / (D + 2.0 * B)) * std::tan(0.5 * q));
}

TEST(FreeFloatingPath, OneLinkRobotFollowsItsClosedForm) {
  const Model model = one_link();
  for (const double q : {M_PI / 6.0, M_PI / 2.0, -2.0, 3.0}) {
    const auto path = continue_free_floating_path(model, FreeFloatingPath(State(model)),
                                                  {{1.0, VectorX::Constant(1, q)}});
    EXPECT_NEAR(yaw(path.states.back()), one_link_rotation(q), 1e-12) << q;
  }
  EXPECT_NEAR(one_link_rotation(M_PI / 6.0), -0.151237380030, 1e-12);
  EXPECT_NEAR(one_link_rotation(M_PI / 2.0), -0.430969311414, 1e-12);
}

TEST(FreeFloatingPath, AFullTurnOfTheLinkLeavesTheBaseTurned) {
  const double A = 7.113636363636364, B = 3.409090909090909, D = 29.386363636363637;
  const Model model = one_link();
  const auto path = continue_free_floating_path(model, FreeFloatingPath(State(model)),
                                                {{1.0, VectorX::Constant(1, 2.0 * M_PI)}});
  const double expected = -M_PI * (1.0 + (2.0 * A - D) / std::sqrt(D * D - 4.0 * B * B));
  EXPECT_NEAR(yaw(path.states.back()), expected, 1e-12);
}

/// L = N0 θ̇ + N1 q̇1 + N2 q̇2 of the planar two-link robot about its centroid, from its drawing.
Vector3 two_link_momentum(double q1, double q2) {
  using Complex = std::complex<double>;
  const Complex i(0.0, 1.0);
  const Complex e1 = std::exp(i * q1), e2 = std::exp(i * (q1 + q2));
  const std::array<double, 3> m{100.0, 10.0, 10.0}, I{20.0, 1.0, 1.0};
  const std::array<Complex, 3> r{0.0, 0.5 + 0.5 * e1, 0.5 + e1 + 0.5 * e2};
  const Complex r_g = (m[1] * r[1] + m[2] * r[2]) / 120.0;
  // derivatives with respect to θ, q1, q2
  const std::array<std::array<Complex, 3>, 3> d{{{0.0, i * r[1], i * r[2]},
                                                 {0.0, i * 0.5 * e1, i * (e1 + 0.5 * e2)},
                                                 {0.0, 0.0, i * 0.5 * e2}}};
  const std::array<double, 3> spin{I[0] + I[1] + I[2], I[1] + I[2], I[2]};
  Vector3 N;
  for (std::size_t k = 0; k < 3; ++k) {
    N(static_cast<int>(k)) = spin[k];
    for (std::size_t b = 0; b < 3; ++b) {
      N(static_cast<int>(k)) += m[b] * std::imag(std::conj(r[b] - r_g) * d[k][b]);
    }
  }
  return N;
}

/// ∮ −(N1 dq1 + N2 dq2)/N0 around the square, by Simpson's rule.
double drift_of_square() {
  const auto side = [](double a1, double a2, double b1, double b2) {
    constexpr int kIntervals = 400;
    double sum = 0.0;
    for (int k = 0; k <= kIntervals; ++k) {
      const double s = static_cast<double>(k) / kIntervals;
      const Vector3 N = two_link_momentum(a1 + s * (b1 - a1), a2 + s * (b2 - a2));
      const double weight = k == 0 || k == kIntervals ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0);
      sum -= weight * (N(1) * (b1 - a1) + N(2) * (b2 - a2)) / N(0);
    }
    return sum / (3.0 * kIntervals);
  };
  const double h = M_PI / 2.0;
  return side(0, 0, h, 0) + side(h, 0, h, h) + side(h, h, 0, h) + side(0, h, 0, 0);
}

std::vector<JointKnot> square(bool reversed) {
  const double h = M_PI / 2.0;
  std::vector<JointKnot> knots{{1.0, pair(h, 0)}, {2.0, pair(h, h)}, {3.0, pair(0, h)}};
  if (reversed) std::swap(knots[0].q, knots[2].q);
  knots.push_back({4.0, pair(0, 0)});
  return knots;
}

TEST(FreeFloatingPath, AClosedLoopOfTheJointsTurnsTheBase) {
  EXPECT_LE((two_link_momentum(0.0, 0.0) - Vector3(64.5, 32.0, 9.75)).norm(), 1e-12);
  EXPECT_LE(
      (two_link_momentum(M_PI / 2, M_PI / 2) - Vector3(34.9166667, 12.8333333, 1.2083333)).norm(),
      1e-7);
  const Model model = planar_two_link();
  const State start(model);
  const auto loop = continue_free_floating_path(model, FreeFloatingPath(start), square(false));
  const auto back = continue_free_floating_path(model, FreeFloatingPath(start), square(true));
  const double drift = drift_of_square();
  EXPECT_GT(std::abs(drift), 0.1);
  EXPECT_NEAR(yaw(loop.states.back()), drift, 1e-11);
  EXPECT_NEAR(yaw(back.states.back()), -drift, 1e-11);
}

TEST(FreeFloatingPath, ARetraceLeavesNothing) {
  RandomModels random(221);
  const Model model = random.model(TreeShape{6, 2, 0.2, true});
  const State start = random.state(model);
  const VectorX q = start.q + random.vector(6, 1.0);
  const auto path =
      continue_free_floating_path(model, FreeFloatingPath(start), {{1.0, q}, {3.0, start.q}});
  EXPECT_LE((path.states.back().A_0 - start.A_0).norm(), 1e-11);
  EXPECT_LE((path.states.back().r_0 - start.r_0).norm(), 1e-11);
}

TEST(FreeFloatingPath, SpeedDoesNotMatterWithoutMomentum) {
  RandomModels random(222);
  const Model model = random.model(TreeShape{6, 2, 0.2, true});
  const State start = random.state(model);
  const VectorX q = start.q + random.vector(6, 1.0);
  const auto slow = continue_free_floating_path(model, FreeFloatingPath(start), {{100.0, q}});
  const auto fast = continue_free_floating_path(model, FreeFloatingPath(start), {{0.1, q}});
  EXPECT_LE((slow.states.back().A_0 - fast.states.back().A_0).norm(), 1e-12);
}

TEST(FreeFloatingPath, TheSimulatorArrivesThereToo) {
  RandomModels random(223);
  for (int trial = 0; trial < 10; ++trial) {
    const Model model = random.model(TreeShape{7, 3, 0.3, true});
    const State start = random.state(model);
    const VectorX middle = start.q + random.vector(7, 1.0);
    const VectorX end = middle + random.vector(7, 1.0);
    FlightOptions options;
    options.largest_joint_step = 10.0;
    const auto path = continue_free_floating_path(model, FreeFloatingPath(start),
                                                  {{1.0, middle}, {2.0, end}}, options);
    State flown = flown_from_rest(model, start, middle);
    flown = flown_from_rest(model, flown, end);
    // the simulator's tolerance, summed over its steps
    EXPECT_LE((path.states.back().A_0 - flown.A_0).norm(), 1e-9);
    EXPECT_LE((path.states.back().r_0 - flown.r_0).norm(), 1e-9);
    EXPECT_EQ(path.states.back().q, end);
  }
}

TEST(FreeFloatingPath, WithMomentumItIsTheFlightOfTheSimulator) {
  RandomModels random(224);
  for (int trial = 0; trial < 10; ++trial) {
    const Model model = random.model(TreeShape{6, 3, 0.3, true});
    State start = random.state(model);
    const VectorX end = start.q + random.vector(6, 1.0);
    SimulationSetup setup = precise_setup(model);
    for (int joint = 1; joint <= 6; ++joint) {
      setup.prescribed_joints.push_back(
          {joint, std::make_shared<SteadyReference>(start.q(joint - 1),
                                                    0.5 * (end - start.q)(joint - 1))});
    }
    start.qd = 0.5 * (end - start.q);
    LinkFrames frames(model);
    LinkVelocities velocities(model);
    compute_link_frames(model, start, frames);
    compute_link_velocities(model, start, frames, velocities);
    const Momentum carried = momentum(model, frames, velocities);
    SimulationObserver ignore;
    const State flown = Simulator(std::move(setup)).run(start, 2.0, 2.0, ignore).state;
    for (const MomentumPoint point : {MomentumPoint::base_centroid, MomentumPoint::inertial_origin,
                                      MomentumPoint::system_centroid}) {
      FlightOptions options;
      options.momentum_point = point;
      options.momentum << carried.linear,
          point == MomentumPoint::base_centroid     ? carried.angular_base
          : point == MomentumPoint::inertial_origin ? carried.angular_origin
                                                    : carried.angular_centroid;
      const auto path =
          continue_free_floating_path(model, FreeFloatingPath(start), {{2.0, end}}, options);
      EXPECT_LE((path.states.back().A_0 - flown.A_0).norm(), 1e-9);
      EXPECT_LE((path.states.back().r_0 - flown.r_0).norm(), 1e-9);
    }
  }
}

TEST(FreeFloatingPath, JointsThatHoldStillDriftWithTheMomentum) {
  // one rigid body then: it turns about its centroid, an Euler top
  const Model model = one_link();
  FlightOptions options;
  options.momentum << 11.0, 0.0, 0.0, 0.0, 0.0, 3.0;
  options.momentum_point = MomentumPoint::system_centroid;
  const State start(model);
  const auto path =
      continue_free_floating_path(model, FreeFloatingPath(start), {{2.0, start.q}}, options);
  // I about the centroid at q = 0: D + 2B
  EXPECT_NEAR(yaw(path.states.back()), 2.0 * 3.0 / (29.386363636363637 + 2 * 3.409090909090909),
              1e-12);
}

TEST(FreeFloatingPath, SamplesMoveAsTheirVelocitiesSay) {
  // central differences over 2e-4 s: their own error is about 1e-8
  RandomModels random(225);
  const Model model = random.model(TreeShape{5, 2, 0.2, true});
  const State start = random.state(model);
  FlightOptions options;
  options.largest_joint_step = 1e-4;
  options.momentum << 1.0, 2.0, 3.0, 0.5, -0.5, 1.0;
  const VectorX q = start.q + 0.01 * random.vector(5).normalized();
  const auto path =
      continue_free_floating_path(model, FreeFloatingPath(start), {{0.01, q}}, options);
  ASSERT_GT(path.states.size(), 40u);
  const std::size_t k = path.states.size() / 2;
  const double h = path.time[k + 1] - path.time[k - 1];
  const State &before = path.states[k - 1], &now = path.states[k], &after = path.states[k + 1];
  EXPECT_LE(((after.r_0 - before.r_0) / h - now.v_0).norm(), 1e-6);
  EXPECT_LE((log_so3(after.A_0 * before.A_0.transpose()) / h - now.omega_0).norm(), 1e-6);
  EXPECT_LE(((after.q - before.q) / h - now.qd).norm(), 1e-9);
}

TEST(FreeFloatingPath, ContinuesWhereThePathEnds) {
  const Model model = planar_two_link();
  auto path =
      continue_free_floating_path(model, FreeFloatingPath(State(model)), {{1.0, pair(0.5, 0.2)}});
  const std::size_t samples = path.states.size();
  path = continue_free_floating_path(model, std::move(path), {{3.0, pair(0.1, 0.7)}});
  EXPECT_GT(path.states.size(), samples);
  EXPECT_EQ(path.time[samples - 1], 1.0);
  EXPECT_EQ(path.time.back(), 3.0);
  const auto whole = continue_free_floating_path(model, FreeFloatingPath(State(model)),
                                                 {{1.0, pair(0.5, 0.2)}, {3.0, pair(0.1, 0.7)}});
  EXPECT_EQ(path.states.back().A_0, whole.states.back().A_0);
}

TEST(FreeFloatingPathProperties, MomentumIsThatWhichWasGiven) {
  check_property([] {
    RandomModels random(*rc::gen::resize(100, rc::gen::arbitrary<unsigned>()));
    TreeShape shape;
    shape.links = *rc::gen::resize(100, rc::gen::inRange(1, 13));
    const Model model = random.model(shape);
    const State start = random.state(model);
    FlightOptions options;
    options.momentum_point = MomentumPoint::system_centroid;
    if (*rc::gen::arbitrary<bool>()) options.momentum = random.vector(6, 5.0);
    const VectorX q = start.q + random.vector(shape.links, 1.0);
    const auto path =
        continue_free_floating_path(model, FreeFloatingPath(start), {{1.0, q}}, options);
    for (std::size_t k = 1; k < path.states.size(); ++k) {
      LinkFrames frames(model);
      LinkVelocities velocities(model);
      compute_link_frames(model, path.states[k], frames);
      compute_link_velocities(model, path.states[k], frames, velocities);
      const Momentum now = momentum(model, frames, velocities);
      const MomentumScale scale = momentum_scale(model, frames, velocities);
      // an H_b solve each sample: eps·cond(H_b), which stays below 1e4 for these robots
      RC_ASSERT((now.linear - options.momentum.head<3>()).norm() <= 1e-12 * (1.0 + scale.linear));
      RC_ASSERT((now.angular_centroid - options.momentum.tail<3>()).norm() <=
                1e-12 * (1.0 + scale.angular));
    }
    RC_ASSERT(orthogonality_error(path.states.back().A_0) <= 1e-13);
  });
}

}  // namespace
}  // namespace spacedyn::testing::free_floating_path_test
