// Inertia, Jacobian, reaction null space and inverse dynamics of robots with loops.
#include "spacedyn/constraints/closed_chain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "support/closed_arms.hpp"
#include "support/message_of.hpp"

namespace spacedyn::testing::closed_chain_test {
namespace {

constexpr double kLength = 0.8, kMass = 1.5, kGravity = 9.81;

/// Two equal rods and a coupler that only translates.
FourBar parallelogram() {
  FourBar bar;
  bar.crank = bar.rocker = kLength;
  bar.mass = kMass;
  return bar;
}

/// The state with rates of the independent joints and a base that keeps all momentum zero.
State at_rates(const Model& model, const State& state, const ClosedChain& chain,
               const VectorX& rates) {
  State moving = state;
  moving.qd = chain.G * rates;
  const Vector6 base = base_twist(base_response(model, state), moving.qd);
  moving.v_0 = base.head<3>();
  moving.omega_0 = base.tail<3>();
  return moving;
}

/// Poses and velocities of a state.
struct Kinematics {
  LinkFrames frames;
  LinkVelocities velocities;
  Kinematics(const Model& model, const State& state) : frames(model), velocities(model) {
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
  }
};

TEST(ClosedChain, HasTheInertiaOfAParallelogram) {
  const FourBar bar = parallelogram();
  const Model model = bar.model();
  const ClosedChain chain = closed_chain(model, bar.state(model, 0.7), {1});
  ASSERT_EQ(chain.H_star.size(), 1);
  // two rods about their ends, and the coupler moves as their tips
  const double expected = (2.0 / 3.0 + 1.0) * kMass * kLength * kLength;
  EXPECT_NEAR(chain.H_star(0, 0), expected, 1e-14 * expected);
  EXPECT_NEAR(chain.G(1, 0), -1.0, 1e-14);
  EXPECT_NEAR(chain.G(2, 0), 1.0, 1e-14);
}

TEST(ClosedChain, HasTheKineticEnergyOfZeroMomentum) {
  for (const unsigned seed : {3U, 8U, 21U}) {
    ClosedArms arms(LoopType::spherical, seed);
    const Model model = arms.model();
    const State state = arms.state(model);
    const ClosedChain chain = closed_chain(model, state);
    const VectorX rates = arms.random.vector(static_cast<int>(chain.G.cols()));
    const State moving = at_rates(model, state, chain, rates);
    const Kinematics seen(model, moving);
    const double expected = kinetic_energy(model, seen.frames, seen.velocities);
    EXPECT_NEAR(0.5 * rates.dot(chain.H_star * rates), expected, 1e-12 * expected);
    EXPECT_LT(velocity_residual(model, moving).value, 1e-12);
    EXPECT_EQ(chain.H_star, chain.H_star.transpose());
  }
}

TEST(ClosedChain, MovesFramesByItsGeneralizedJacobian) {
  ClosedArms arms(LoopType::revolute, 5);
  const Model model = arms.model();
  const State state = arms.state(model);
  const ClosedChain chain = closed_chain(model, state);
  const VectorX rates = arms.random.vector(static_cast<int>(chain.G.cols()));
  const Kinematics seen(model, at_rates(model, state, chain, rates));
  for (const Frame& frame : model.frames()) {
    const Vector6 expected = frame_velocity(seen.frames, seen.velocities, frame);
    const Vector6 twist = generalized_jacobian(model, state, frame, chain) * rates;
    EXPECT_LT((twist - expected).norm(), 1e-12 * (1.0 + expected.norm())) << frame.name;
  }
}

TEST(ClosedChain, LeavesTheBaseAloneInItsNullSpace) {
  ClosedArms arms(LoopType::spherical, 4);
  const Model model = arms.model();
  const State state = arms.state(model);
  const ClosedChain chain = closed_chain(model, state);
  const auto base_of = [&](const VectorX& rates) {
    const State moving = at_rates(model, state, chain, rates);
    return std::make_pair(moving.v_0.norm(), moving.omega_0.norm());
  };
  const VectorX any = arms.random.vector(static_cast<int>(chain.G.cols()));
  EXPECT_GT(base_of(any).second, 1e-3);
  // 12 joints, 4 rows: 8 freedoms, of which the base answers 3 or all 6
  const auto angular = reaction_null_space(model, state, Reaction::angular, chain);
  EXPECT_EQ(angular.dimension(), 5);
  EXPECT_LT(base_of(angular.projector * any).second, 1e-12);
  const auto full = reaction_null_space(model, state, Reaction::full, chain);
  EXPECT_EQ(full.dimension(), 2);
  EXPECT_LT(base_of(full.projector * any).first, 1e-12);
  EXPECT_LT(base_of(full.projector * any).second, 1e-12);
}

TEST(ClosedChain, IsTheTreeWhereThereAreNoLoops) {
  RandomModels random(11);
  const Model model = random.model({6, 2, 0.3, true});
  const State state = random.state(model);
  const ClosedChain chain = closed_chain(model, state);
  EXPECT_TRUE(chain.G.isIdentity(0.0));
  EXPECT_EQ(chain.H_star, reduced_inertia(model, state));
  Frame tip;
  tip.body = 6;
  tip.position = {0.1, 0.2, 0.3};
  EXPECT_EQ(generalized_jacobian(model, state, tip, chain),
            generalized_jacobian(model, state, tip));
}

TEST(ClosedInverseDynamics, HoldsAParallelogramByItsCrank) {
  const FourBar bar = parallelogram();
  const Model model = bar.model();
  const double theta = 0.4;
  const State state = bar.state(model, theta);
  Loads loads(model);
  loads.gravity = {0.0, -kGravity, 0.0};
  const ClosedInverseDynamics found = closed_inverse_dynamics(
      model, state, closed_chain(model, state), VectorX::Zero(9), loads, {1});
  // dV/dθ of two rods and a coupler
  const double expected = 2.0 * kMass * kGravity * kLength * std::cos(theta);
  EXPECT_NEAR(found.tau(0), expected, 1e-12 * expected);
  EXPECT_EQ(found.tau.tail(2), VectorX::Zero(2));
}

TEST(ClosedInverseDynamics, SharesALoadEquallyAmongEqualJoints) {
  const FourBar bar = parallelogram();
  const Model model = bar.model();
  const State state = bar.state(model, 0.4);
  Loads loads(model);
  loads.gravity = {0.0, -kGravity, 0.0};
  const ClosedInverseDynamics found =
      closed_inverse_dynamics(model, state, VectorX::Zero(9), loads);
  // least Σ τ² with τ_1 − τ_2 + τ_3 given: a third each
  const double third = 2.0 * kMass * kGravity * kLength * std::cos(0.4) / 3.0;
  EXPECT_NEAR(found.tau(0), third, 1e-12);
  EXPECT_NEAR(found.tau(1), -third, 1e-12);
  EXPECT_NEAR(found.tau(2), third, 1e-12);
}

TEST(ClosedInverseDynamics, IsUndoneByForwardDynamics) {
  for (const unsigned seed : {3U, 14U}) {
    ClosedArms arms(LoopType::spherical, seed);
    const Model model = arms.model();
    const State state = arms.state(model);
    const ClosedChain chain = closed_chain(model, state);
    const Loads outer = arms.random.loads(model);
    const VectorX demanded = arms.random.vector(model.velocity_size());
    const std::vector<int> all{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    for (const std::vector<int>& actuated : {all, chain.independent}) {
      const ClosedInverseDynamics found =
          closed_inverse_dynamics(model, state, chain, demanded, outer, actuated);
      Loads loads = outer;
      loads.F_b = found.F_b;
      loads.tau = found.tau;
      const ConstrainedMotion motion = constrained_motion(model, state, loads);
      const double size = motion.acceleration.norm();
      EXPECT_LT((motion.acceleration - found.acceleration).norm(), 1e-9 * size);
      EXPECT_LT((motion.multipliers - found.multipliers).norm(), 1e-9 * motion.multipliers.norm());
      EXPECT_LT((motion.K * found.acceleration - motion.k).norm(), 1e-11 * size);
      for (const int joint : chain.independent) {
        EXPECT_EQ(found.acceleration(5 + joint), demanded(5 + joint));
      }
    }
    // torques of least norm do not squeeze: none of them is a force of the loops
    const ClosedInverseDynamics least =
        closed_inverse_dynamics(model, state, chain, demanded, outer, all);
    const MatrixX K = constrained_motion(model, state, outer).K.rightCols(12);
    EXPECT_LT((K * least.tau).norm(), 1e-11 * least.tau.norm());
  }
}

/// The parallelogram and its chain.
struct Misused {
  FourBar bar = parallelogram();
  Model model = bar.model();
  State state = bar.state(model, 0.4);
  ClosedChain chain = closed_chain(model, state);
  Loads loads{model};

  void move(const std::vector<int>& actuated, int size = 9) const {
    VectorX acceleration = VectorX::Zero(size);
    acceleration.tail(3).setOnes();
    (void)closed_inverse_dynamics(model, state, chain, acceleration, loads, actuated);
  }
};

TEST(ClosedChain, RefusesJointsThatAreNotIndependent) {
  const Misused wrong;
  const auto choose = [&](const std::vector<int>& joints) {
    return message_of<DomainError>([&] { (void)closed_chain(wrong.model, wrong.state, joints); });
  };
  EXPECT_EQ(choose({4}), "there is no joint 4 that could be independent; joints are 1 to 3");
  EXPECT_EQ(choose({2, 2}), "joint 'coupler' is independent twice");
  EXPECT_EQ(choose({1, 2}),
            "expected 1 independent joints, one for each freedom of the joints, got 2");
  // a crank that stands in line with its coupler does not determine where the rocker goes
  FourBar bar;
  bar.crank = 0.3;
  bar.coupler = 0.9;
  bar.rocker = 0.8;
  const Model model = bar.model();
  const double theta = std::acos((1.44 + 1.0 - 0.64) / 2.4);  // crank and coupler stretched out
  EXPECT_EQ(
      message_of<DomainError>([&] { (void)closed_chain(model, bar.state(model, theta), {3}); }),
      "the chosen joints are not independent at this state: the loops relate them");
}

TEST(ClosedInverseDynamics, RefusesJointsThatCannotGiveTheMotion) {
  const Misused wrong;
  EXPECT_EQ(message_of<DomainError>([&] { wrong.move({}); }),
            "the actuated joints cannot give this motion: 0 of 1 freedoms are within their reach; "
            "let more joints be actuated");
  EXPECT_EQ(message_of<DomainError>([&] { wrong.move({0}); }),
            "there is no joint 0 that could be actuated; joints are 1 to 3");
  EXPECT_EQ(message_of<DomainError>([&] {
              wrong.move({3, 1, 3});
            }),
            "joint 'rocker' is actuated twice");
  EXPECT_EQ(message_of<DimensionError>([&] { wrong.move({1}, 8); }),
            "the acceleration has 8 entries, expected 9");
}

TEST(ClosedChain, RefusesOptionsThatMakeNoSense) {
  const Misused wrong;
  ReactionNullSpaceOptions options;
  options.damping = -1.0;
  EXPECT_THROW(
      (void)reaction_null_space(wrong.model, wrong.state, Reaction::full, wrong.chain, options),
      DomainError);
}

}  // namespace
}  // namespace spacedyn::testing::closed_chain_test
