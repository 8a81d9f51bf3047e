// The Coriolis matrix against its two defining properties and, for a fixed base, Christoffel's
// symbols formed from differences of H.
#include "spacedyn/inertia/inertia_blocks.hpp"

#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "support/random_robots.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::coriolis_test {
namespace {

// sums over forty bodies of products of three, relative to the largest element
constexpr double kTolerance = 1e-12;

TEST(CoriolisMatrix, TimesVelocityIsTheBiasWithoutGravity) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const MatrixX C = coriolis_matrix(robot.model, robot.state);
    const VectorX u = robot.state.velocity();
    require_near(C * u, bias_forces(robot.model, robot.state, Vector3::Zero()), kTolerance, "C u");
  });
}

TEST(CoriolisMatrix, MakesHdotMinusTwoCSkew) {
  for_random_robots(40, [](const RandomRobot& robot) {
    const MatrixX C = coriolis_matrix(robot.model, robot.state);
    const MatrixX H_dot = inertia_matrix_derivative(robot.model, robot.state);
    const MatrixX S = H_dot - 2.0 * C;
    const double scale = std::max(1.0, C.cwiseAbs().maxCoeff());
    require_near(S / scale, -S.transpose() / scale, kTolerance, "skew part");
    require_near(C + C.transpose(), H_dot, kTolerance, "C + C^T");
  });
}

TEST(CoriolisMatrix, JointBlockOfARestingBaseHoldsChristoffelsSymbols) {
  for_random_robots(6, [](RandomRobot& robot) {
    State& state = robot.state;
    state.v_0.setZero();
    state.omega_0.setZero();
    const int n = robot.model.joint_count();
    // slope[k] = ∂H_m/∂q_k
    std::vector<MatrixX> slope;
    for (int k = 0; k < n; ++k) {
      const auto H_m = [&](double t) {
        State then = state;
        then.q(k) += t;
        return MatrixX(inertia_matrix(robot.model, then).bottomRightCorner(n, n));
      };
      slope.push_back(derivative(H_m).value);
    }
    MatrixX expected = MatrixX::Zero(n, n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int k = 0; k < n; ++k) {
          const auto at = [&](int slope_by, int row, int column) {
            return slope[static_cast<std::size_t>(slope_by)](row, column);
          };
          expected(i, j) += 0.5 * (at(k, i, j) + at(j, i, k) - at(i, j, k)) * state.qd(k);
        }
      }
    }
    const MatrixX C = coriolis_matrix(robot.model, state);
    require_near(C.bottomRightCorner(n, n), expected, 1e-9, "Christoffel symbols");
  });
}

TEST(CoriolisMatrix, OfAFixedBaseHasTheSameShapeAndProperties) {
  ModelDescription description = one_link_description();
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  State state(model);
  state.q << 0.7;
  state.qd << 2.0;
  const MatrixX C = coriolis_matrix(model, state);
  ASSERT_EQ(C.rows(), 7);
  EXPECT_LE(relative_difference(C * state.velocity(), bias_forces(model, state, Vector3::Zero())),
            kTolerance);
}

TEST(CoriolisMatrix, OfATopIsGyroscopic) {
  const Model model = single_body(3.0, Vector3(1.0, 2.0, 3.0));
  State state(model);
  state.v_0 = Vector3(5.0, 6.0, 7.0);  // of no influence
  state.omega_0 = Vector3(0.1, -0.4, 0.2);
  const Vector3 L = Vector3(0.1, -0.8, 0.6);
  VectorX expected = VectorX::Zero(6);
  expected.tail<3>() = state.omega_0.cross(L);
  EXPECT_LE(relative_difference(coriolis_matrix(model, state) * state.velocity(), expected), 1e-15);
}

TEST(CoriolisMatrix, RefusesModelsTooLargeForADenseMatrix) {
  ModelDescription chain;
  chain.name = "chain";
  chain.base = base_body(1.0, Vector3::Ones());
  for (int i = 0; i <= Topology::kMaxDenseLinks; ++i) {
    chain.links.push_back(link_body("link_" + std::to_string(i),
                                    i == 0 ? "base" : "link_" + std::to_string(i - 1), 1.0,
                                    Vector3::Ones(), Vector3::Zero(), Vector3::Zero()));
  }
  const Model model = ModelBuilder(chain).build();
  EXPECT_THAT([&] { coriolis_matrix(model, State(model)); },
              ::testing::ThrowsMessage<DimensionError>(
                  "the Coriolis matrix of 2001 joints is not formed; the limit is 2000 joints"));
}

}  // namespace
}  // namespace spacedyn::testing::coriolis_test
