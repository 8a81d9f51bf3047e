// Derivatives of the inertia blocks against extrapolated differences, 1e-9 relative.
#include "spacedyn/inertia/inertia_rates.hpp"

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::inertia_rates_test {
namespace {

InertiaBlocks blocks_at(const RandomRobot& robot, double t) {
  LinkFrames frames(robot.model);
  compute_link_frames(robot.model, moved(robot.state, t), frames);
  JacobianWorkspace workspace(robot.model);
  InertiaBlocks blocks(robot.model);
  compute_inertia_blocks(robot.model, frames, workspace, blocks);
  return blocks;
}

InertiaRates rates_of(const RandomRobot& robot) {
  InertiaRatesWorkspace workspace(robot.model);
  InertiaRates rates(robot.model);
  compute_inertia_rates(robot.model, robot.frames, robot.velocities, workspace, rates);
  return rates;
}

TEST(InertiaRates, AreTheDifferencesOfTheInertiaMatrix) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const MatrixX H_dot = inertia_matrix_derivative(robot.model, robot.state);
    const auto H = [&](double t) { return inertia_matrix(robot.model, moved(robot.state, t)); };
    require_derivative(H_dot, H, "H_dot");
    require_true(H_dot == H_dot.transpose(), "exact symmetry of H_dot");
  });
}

TEST(InertiaRates, NamedBlocksAreTheDifferencesOfTheirBlocks) {
  for_random_robots(20, [](const RandomRobot& robot) {
    const InertiaRates rates = rates_of(robot);
    const auto derivative_of = [&](auto member, const MatrixX& rate, const char* what) {
      require_derivative(
          rate, [&](double t) { return MatrixX(blocks_at(robot, t).*member); }, what);
    };
    derivative_of(&InertiaBlocks::r_0g, rates.r_0g_dot, "r_0g_dot");
    derivative_of(&InertiaBlocks::H_omega, rates.H_omega_dot, "H_omega_dot");
    derivative_of(&InertiaBlocks::J_Tw, rates.J_Tw_dot, "J_Tw_dot");
    derivative_of(&InertiaBlocks::H_omega_phi, rates.H_omega_phi_dot, "H_omega_phi_dot");
    derivative_of(&InertiaBlocks::H_b, rates.H_b_dot, "H_b_dot");
    derivative_of(&InertiaBlocks::H_bm, rates.H_bm_dot, "H_bm_dot");
    derivative_of(&InertiaBlocks::H_m, rates.H_m_dot, "H_m_dot");
  });
}

TEST(InertiaRates, CentroidRateIsItsRelativeVelocity) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const Vector3 v_g = center_of_mass_velocity(robot.model, robot.velocities);
    require_near(rates_of(robot).r_0g_dot, v_g - robot.state.v_0, 1e-12, "r_0g_dot");
  });
}

TEST(InertiaRates, OfASystemWithoutMassAreZero) {
  // a fixed base may have no mass; without links nothing else has
  ModelDescription description;
  description.name = "stand";
  description.base.name = "base";
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  EXPECT_EQ(inertia_matrix_derivative(model, State(model)), MatrixX::Zero(6, 6));
}

TEST(InertiaRates, RefuseAStateOfAnotherModel) {
  const Model model = planar_two_link();
  State state(model);
  state.qd.resize(1);
  EXPECT_THAT(
      [&] { inertia_matrix_derivative(model, state); },
      ::testing::ThrowsMessage<DimensionError>("qd has 1 elements, expected 2, one per joint"));
}

}  // namespace
}  // namespace spacedyn::testing::inertia_rates_test
