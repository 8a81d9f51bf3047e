// φ, K and k of every type of loop against derivatives by differences.
#include <gtest/gtest.h>

#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/constraints/loop_equations.hpp"
#include "support/case_name.hpp"
#include "support/finite_differences.hpp"
#include "support/loop_models.hpp"
#include "support/random_models.hpp"
#include "support/state_changes.hpp"

namespace spacedyn::testing::loop_equations_test {
namespace {

/// A random robot of two arms with a loop of one type between their tips.
struct LoopCase {
  LoopCase(LoopType type, unsigned seed) : random(seed) {
    ModelDescription robot = random.description({10, 1, 0.3, true});
    robot.links[5].parent = robot.base.name;
    LoopDescription loop = loop_between("loop", type, "from", "to");
    robot.frames = {point_on("from", robot.links[4].name, {0.2, -0.3, 0.1}),
                    point_on("to", robot.links[9].name, {-0.1, 0.4, 0.2})};
    robot.frames[0].origin.rotation = random.rotation();
    robot.frames[1].origin.rotation = random.rotation();
    loop.axis = random.vector(3);
    loop.second_axis = random.vector(3);
    loop.length = 0.8;
    loop.ratio = -1.7;
    loop.offset = 0.3;
    for (const int link : {2, 6}) {
      const LinkDescription& each = robot.links[std::size_t(link)];
      loop.joints.push_back(each.joint.name.empty() ? each.name : each.joint.name);
    }
    loop.coefficients = {0.5, -2.0};
    robot.loops = {loop};
    model.emplace(ModelBuilder(robot).build());
    equations.emplace(*model);
  }

  VectorX residual(const State& state) const {
    LinkFrames frames(*model);
    compute_link_frames(*model, state, frames);
    VectorX phi(equations->rows());
    equations->residual(frames, state, phi);
    return phi;
  }
  MatrixX jacobian(const State& state) const {
    LinkFrames frames(*model);
    compute_link_frames(*model, state, frames);
    MatrixX K_T(model->velocity_size(), equations->rows());
    equations->jacobian(frames, state, K_T);
    return K_T.transpose();
  }

  RandomModels random;
  std::optional<Model> model;
  std::optional<LoopEquations> equations;
};

class EveryLoop : public ::testing::TestWithParam<LoopType> {};

TEST_P(EveryLoop, JacobianIsTheDerivative) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    LoopCase given(GetParam(), seed);
    const State start = given.random.state(*given.model);
    // a turn is its own derivative only on the loop
    const State state = assemble_loops(*given.model, start, {}).state;
    ASSERT_LT(position_residual(*given.model, state).value, 1e-9);
    const MatrixX K = given.jacobian(state);
    for (int column = 0; column < given.model->velocity_size(); ++column) {
      const auto by_difference = derivative([&](double t) -> MatrixX {
        return given.residual(with_perturbed_configuration(state, column, t));
      });
      EXPECT_LT((K.col(column) - by_difference.value.col(0)).norm(), 1e-8) << column;
    }
    EXPECT_EQ(K.leftCols<6>().norm(), 0.0);  // the base alone opens no loop
  }
}

TEST_P(EveryLoop, BiasIsTheChangeOfTheRate) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    LoopCase given(GetParam(), seed);
    const State state = given.random.state(*given.model);
    const VectorX u = state.velocity();
    LinkFrames frames(*given.model);
    LinkVelocities velocities(*given.model);
    compute_link_frames(*given.model, state, frames);
    compute_link_velocities(*given.model, state, frames, velocities);
    VectorX rate(given.equations->rows()), k(rate);
    given.equations->velocity(frames, velocities, state, rate);
    given.equations->bias(frames, velocities, state, k);
    EXPECT_LT((rate - given.jacobian(state) * u).norm(), 1e-12 * (1.0 + rate.norm()));
    // K̇ u along the motion
    const auto change =
        derivative([&](double t) -> MatrixX { return given.jacobian(moved(state, t)) * u; });
    EXPECT_LT((k + change.value.col(0)).norm(), 1e-9 * (1.0 + k.norm()));
  }
}

TEST_P(EveryLoop, FindsItsLoopFromAnyAttitude) {
  int assembled = 0;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    LoopCase given(GetParam(), seed);
    const State start = given.random.state(*given.model);
    assembled += assemble_loops(*given.model, start, {}).assembled ? 1 : 0;
  }
  EXPECT_GE(assembled, 9);
}

INSTANTIATE_TEST_SUITE_P(AllTypes, EveryLoop, ::testing::ValuesIn(all_loop_types()),
                         [](const auto& given) {
                           return std::string(loop_traits(given.param).name);
                         });

TEST(LoopWrench, IsWhatTheMultipliersDoToTheSecondBody) {
  LoopCase given(LoopType::revolute, 5);
  const State state = given.random.state(*given.model);
  LinkFrames frames(*given.model);
  compute_link_frames(*given.model, state, frames);
  const VectorX lambda = given.random.vector(given.equations->rows());
  const Vector6 wrench = given.equations->wrench(0, frames, lambda);
  // its power is that of the multipliers on the relative motion
  LinkVelocities velocities(*given.model);
  compute_link_velocities(*given.model, state, frames, velocities);
  const Loop& loop = given.model->loops().front();
  const Matrix3 A = frame_orientation(frames, loop.from);
  const Vector6 from = frame_velocity(frames, velocities, loop.from);
  const Vector6 to = frame_velocity(frames, velocities, loop.to);
  const Vector3 arm = frame_position(frames, loop.from) - frame_position(frames, loop.to);
  const Vector3 at_from = to.head<3>() + to.tail<3>().cross(arm) - from.head<3>();
  const double power = (A * wrench.head<3>()).dot(at_from) +
                       (A * wrench.tail<3>()).dot(to.tail<3>() - from.tail<3>());
  EXPECT_NEAR(power, lambda.dot(given.jacobian(state) * state.velocity()), 1e-12);
}

}  // namespace
}  // namespace spacedyn::testing::loop_equations_test
