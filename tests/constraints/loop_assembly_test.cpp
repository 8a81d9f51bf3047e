// Starts that are moved onto the loops, against closed forms.
#include "spacedyn/constraints/loop_assembly.hpp"

#include <gtest/gtest.h>

#include "spacedyn/error.hpp"
#include "support/loop_models.hpp"
#include "support/message_of.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::loop_assembly_test {
namespace {

FourBar crank_rocker() {
  FourBar bar;
  bar.ground = 1.0;
  bar.crank = 0.35;
  bar.coupler = 0.9;
  bar.rocker = 0.7;
  return bar;
}

TEST(AssembledFourBar, IsThatOfFreudenstein) {
  const FourBar bar = crank_rocker();
  const Model model = bar.model();
  for (double theta = 0.0; theta < 6.2; theta += 0.3) {
    State near = bar.state(model, theta);
    const VectorX expected = near.q;
    near.q(1) += 0.2;
    near.q(2) -= 0.1;
    const LoopAssembly assembly = assemble_loops(model, near, {1});
    ASSERT_TRUE(assembly.assembled) << theta;
    EXPECT_LT((assembly.state.q - expected).norm(), 1e-12);
    EXPECT_EQ(assembly.state.q(0), theta);
  }
}

TEST(AssembledFourBar, HasTheRatesOfItsClosedForm) {
  const FourBar bar = crank_rocker();
  const Model model = bar.model();
  const double theta = 0.9, step = 1e-5;
  State state = bar.state(model, theta);
  state.qd(0) = 2.0;
  const LoopAssembly assembly = assemble_loops(model, state, {1});
  const VectorX slope = (bar.angles(theta + step) - bar.angles(theta - step)) / (2.0 * step);
  EXPECT_LT((assembly.state.qd - 2.0 * slope).norm(), 1e-9);
  EXPECT_EQ(assembly.state.qd(0), 2.0);
}

TEST(Assembly, StartsEvenWhereTheMechanismIsStretchedOut) {
  FourBar bar;  // a rhombus, all joints at zero: flat, and its pin 1 m from where it should be
  bar.rocker = 0.8;
  const Model model = bar.model();
  const LoopAssembly assembly = assemble_loops(model, State(model), {});
  EXPECT_TRUE(assembly.assembled) << assembly.position.value;
}

TEST(Assembly, MovesJointsTheLeast) {
  const FourBar bar = crank_rocker();
  const Model model = bar.model();
  State near = bar.state(model, 0.7);
  near.q += VectorX::Unit(3, 1) * 0.1;
  const State nearest = assemble_loops(model, near, {}).state;
  const double least = (nearest.q - near.q).norm();
  // one freedom: neighbours on the loop are all farther away
  for (double theta = nearest.q(0) - 0.2; theta < nearest.q(0) + 0.2; theta += 0.01) {
    EXPECT_GE((bar.angles(theta) - near.q).norm(), least - 1e-9);
  }
}

TEST(Assembly, LeavesAStartThatIsOnTheLoopsAlone) {
  const FourBar bar = crank_rocker();
  const Model model = bar.model();
  const State start = assemble_loops(model, bar.state(model, 0.7), {}).state;
  EXPECT_LT((start.q - bar.angles(0.7)).norm(), 1e-15);
}

TEST(Assembly, SaysHowCloseItComes) {
  FourBar bar = crank_rocker();
  bar.ground = 2.5;  // coupler and rocker reach 1.6 m, the crank 0.35 m
  const Model model = bar.model();
  const LoopAssembly assembly = assemble_loops(model, State(model), {});
  EXPECT_FALSE(assembly.assembled);
  EXPECT_EQ(assembly.position.loop, "pin");
  EXPECT_NEAR(assembly.position.value, 0.55, 1e-6);
  EXPECT_FALSE(assembly.position.is_angle);
}

TEST(Assembly, RefusesJointsThatAreNotThere) {
  const Model model = crank_rocker().model();
  EXPECT_EQ(message_of<DomainError>([&] { assemble_loops(model, State(model), {4}); }),
            "joint 4 is held, but model 'four_bar' has joints 1 to 3");
}

TEST(Residuals, NameTheLoopThatIsOpenMost) {
  const FourBar bar = crank_rocker();
  const Model model = bar.model();
  State state = bar.state(model, 0.7);
  EXPECT_LT(position_residual(model, state).value, 1e-15);
  state.q(1) += 0.01;  // moves the coupler's end by 9 mm across it
  const LoopResidual open = position_residual(model, state);
  EXPECT_EQ(open.loop, "pin");
  EXPECT_GT(open.value, 0.005);
  EXPECT_LT(open.value, 0.0091);
  EXPECT_EQ(
      position_residual(ModelBuilder("none").set_base(base_body(1, {1, 1, 1})).build(), State())
          .value,
      0.0);
}

}  // namespace
}  // namespace spacedyn::testing::loop_assembly_test
