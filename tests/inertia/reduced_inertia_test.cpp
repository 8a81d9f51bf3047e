// The reduced inertia against the inverse of H, the kinetic energy and a closed form.
#include "spacedyn/inertia/reduced_inertia.hpp"

#include <Eigen/Cholesky>

#include "spacedyn/inertia/momentum.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::reduced_inertia_test {
namespace {

/// How far H* times the joint block of H⁻¹ is from the identity.
double distance_from_inverse(const Model& model, const State& state) {
  const int n = model.joint_count();
  const MatrixX unit = MatrixX::Identity(6 + n, 6 + n);
  const MatrixX inverse = Eigen::LLT<MatrixX>(inertia_matrix(model, state)).solve(unit);
  return relative_difference(reduced_inertia(model, state) * inverse.bottomRightCorner(n, n),
                             MatrixX::Identity(n, n));
}

TEST(ReducedInertia, IsTheInverseOfTheJointBlockOfTheInverse) {
  for_random_robots(40, [](const RandomRobot& robot) {
    // the condition of H, up to 1e5 for long chains, enters twice
    require_true(distance_from_inverse(robot.model, robot.state) <= 1e-9, "inverse");
    const MatrixX H_star = reduced_inertia(robot.model, robot.state);
    require_true(H_star == H_star.transpose(), "exact symmetry");
  });
}

TEST(ReducedInertia, OfTheReferenceModelsIsThatInverseToo) {
  for (const std::string& name : reference_names()) {
    SCOPED_TRACE(name);
    const nlohmann::json& data = reference(name);
    const Model model = reference_model(data.at("model"));
    for (const nlohmann::json& entry : data.at("states")) {
      // cond(H) ≤ 1e5 over these models, so 1e5 eps and some
      const State state = reference_inputs(model, entry.at("inputs")).state;
      EXPECT_LE(distance_from_inverse(model, state), 1e-10);
    }
  }
}

TEST(ReducedInertia, GivesTheKineticEnergyAtZeroMomentum) {
  for_random_robots(40, [](RandomRobot& robot) {
    const Vector6 twist = base_twist(base_response(robot.model, robot.state), robot.state.qd);
    robot.state.v_0 = twist.head<3>();
    robot.state.omega_0 = twist.tail<3>();
    compute_link_velocities(robot.model, robot.state, robot.frames, robot.velocities);
    const double T = kinetic_energy(robot.model, robot.frames, robot.velocities);
    const VectorX& qd = robot.state.qd;
    const double expected = 0.5 * qd.dot(reduced_inertia(robot.model, robot.state) * qd);
    require_true(std::abs(T - expected) <= 1e-11 * std::max(1.0, T), "kinetic energy");
  });
}

TEST(ReducedInertia, OfAPlanarLinkHasItsPublishedNumbers) {
  const Model model = one_link();
  State state(model);
  EXPECT_NEAR(reduced_inertia(model, state)(0, 0), 4.055241682360, 1e-12);
  state.q << 1.5707963267948966;
  EXPECT_NEAR(reduced_inertia(model, state)(0, 0), 5.391619208325, 1e-12);
}

}  // namespace
}  // namespace spacedyn::testing::reduced_inertia_test
