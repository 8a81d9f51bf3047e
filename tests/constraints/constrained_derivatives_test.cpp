// Derivatives of accelerations where loops hold, against differences.
#include "spacedyn/constraints/constrained_derivatives.hpp"

#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/math/so3.hpp"
#include "support/loop_models.hpp"
#include "support/random_models.hpp"
#include "textbook/assembly_procedure.hpp"

namespace spacedyn::testing::constrained_derivatives_test {
namespace {

/// Two random arms that hold one another.
Model closed_arms(RandomModels& random, LoopType type) {
  ModelDescription robot = random.description({12, 1, 0.2, true});
  robot.links[6].parent = robot.base.name;
  LoopDescription loop = loop_between("tips", type, "from", "to");
  loop.length = 0.7;
  robot.frames = {point_on("from", robot.links[5].name, {0.2, -0.3, 0.1}),
                  point_on("to", robot.links[11].name, {-0.1, 0.4, 0.2})};
  robot.loops = {loop};
  return ModelBuilder(robot).build();
}

/// Moves a configuration without spherical joints along one coordinate, turns on the left.
void move_along(State& state, int row, double t) {
  if (row < 3) {
    state.r_0(row) += t;
  } else if (row < 6) {
    state.A_0 = exp_so3(t * Vector3::Unit(row - 3)) * state.A_0;
  } else {
    state.q(row - 6) += t;
  }
}
/// The same of velocities.
void speed_up(State& state, int row, double t) {
  if (row < 3) {
    state.v_0(row) += t;
  } else if (row < 6) {
    state.omega_0(row - 3) += t;
  } else {
    state.qd(row - 6) += t;
  }
}

/// Central differences of order 4 of something at states.
template <typename Move, typename Function>
VectorX difference(const Move& move, const Function& function) {
  constexpr double h = 2e-3;
  return (8.0 * (function(move(h)) - function(move(-h))) -
          (function(move(2.0 * h)) - function(move(-2.0 * h)))) /
         (12.0 * h);
}

}  // namespace

class ConstrainedDifferences : public ::testing::TestWithParam<LoopType> {};

TEST_P(ConstrainedDifferences, AreThoseOfDifferences) {
  RandomModels random(21);
  const Model model = closed_arms(random, GetParam());
  const State state = random.state(model);
  const Loads loads = random.loads(model);
  const ConstrainedDerivatives found = constrained_derivatives(model, state, loads);
  const auto acceleration = [&](const State& at) {
    return constrained_motion(model, at, loads, AssemblyProcedure::spanning_tree).acceleration;
  };
  const double size = found.motion.configuration.norm() + found.motion.velocity.norm();
  for (int j = 0; j < model.velocity_size(); ++j) {
    const VectorX by_position = difference(
        [&](double t) {
          State moved = state;
          move_along(moved, j, t);
          return moved;
        },
        acceleration);
    // differences of order 4 leave h⁴ of the fifth derivative
    EXPECT_LT((found.motion.configuration.col(j) - by_position).norm(), 1e-7 * size) << j;
    const VectorX by_velocity = difference(
        [&](double t) {
          State moved = state;
          speed_up(moved, j, t);
          return moved;
        },
        acceleration);
    EXPECT_LT((found.motion.velocity.col(j) - by_velocity).norm(), 1e-9 * size) << j;
  }
  for (int i = 0; i < model.joint_count(); i += 3) {
    Loads more = loads;
    more.tau(i) += 1.0;
    const VectorX change =
        constrained_motion(model, state, more, AssemblyProcedure::spanning_tree).acceleration -
        found.motion.acceleration;
    EXPECT_LT((found.motion.force.col(6 + i) - change).norm(), 1e-9 * change.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ConstrainedDifferences,
                         ::testing::Values(LoopType::spherical, LoopType::revolute,
                                           LoopType::universal, LoopType::distance,
                                           LoopType::prismatic),
                         [](const auto& each) {
                           return std::string(loop_traits(each.param).name);
                         });

TEST(IndependentCoordinates, SpanWhatLoopsLeave) {
  RandomModels random(22);
  const Model model = closed_arms(random, LoopType::weld);
  const State state = assemble_loops(model, random.state(model), {}).state;
  const ConstrainedDerivatives found = constrained_derivatives(model, state, Loads(model));
  const IndependentCoordinates left =
      independent_coordinates(found.K, found.rate_configuration, Mobility(model));
  EXPECT_EQ(left.independent.size(), 12u);
  EXPECT_EQ(left.dependent.size(), 6u);
  EXPECT_LT((found.K * left.G).norm(), 1e-12 * left.G.norm());
  // K u stays zero to first order along the manifold
  EXPECT_LT((found.K * left.S + found.rate_configuration * left.G).norm(), 1e-11 * left.S.norm());
}

TEST(IndependentCoordinates, OfATreeAreAll) {
  RandomModels random(23);
  const Model model = random.model({5, 2, 0.2, true});
  const IndependentCoordinates left =
      independent_coordinates(MatrixX::Zero(0, model.velocity_size()),
                              MatrixX::Zero(0, model.velocity_size()), Mobility(model));
  EXPECT_TRUE(left.dependent.empty());
  EXPECT_TRUE(left.G.isIdentity(0.0));
}

}  // namespace spacedyn::testing::constrained_derivatives_test
