// Derivatives of the flights of whole robots by their starts and numbers, method by method.
#include "integration/sensitivity_flights.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "support/random_models.hpp"
#include "support/state_changes.hpp"

namespace spacedyn::state_transition_test {
namespace {

using testing::differences;
using testing::expect_differences;
using testing::Flight;
using testing::Kept;

/// A robot whose base turns far, with springs and a controller, in steps of one size.
Flight robot(IntegrationMethod method, double mass, double gain) {
  testing::RandomModels random(11);
  ModelDescription description = random.description({4, 2, 0.3, true});
  for (LinkDescription& link : description.links) {
    link.joint.stiffness = 6.0;
    link.joint.damping = 0.3;
  }
  description.links[2].mass = mass;
  Flight flight;
  flight.setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  flight.setup.gravity = {0.0, 0.4, -1.0};
  flight.setup.integrator = testing::fixed_step(method, 0.02);
  JointPd::Settings pd;
  pd.joints = {1, 4};
  pd.stiffness = VectorX::Constant(2, gain);
  pd.damping = VectorX::Constant(2, 2.0);
  pd.effort_limit = VectorX::Constant(2, 1e3);
  pd.reference = std::make_shared<QuinticReference>(VectorX::Zero(2), VectorX::Ones(2), 0.1, 0.7);
  flight.setup.controllers = {std::make_shared<JointPd>("hold", pd)};
  flight.initial = random.state(*flight.setup.model);
  flight.initial.omega_0 = {2.0, -1.5, 1.0};  // the chart is moved along
  return flight;
}

// Steps of one size make whole flights smooth functions: the derivative is that of the steps.
TEST(StateTransition, OfARobotAreThoseOfItsStepsForEveryMethod) {
  for (const IntegrationMethod method :
       {IntegrationMethod::euler, IntegrationMethod::midpoint, IntegrationMethod::simpson,
        IntegrationMethod::rk4, IntegrationMethod::dopri5, IntegrationMethod::cash_karp54,
        IntegrationMethod::fehlberg78, IntegrationMethod::dop853}) {
    SCOPED_TRACE(std::string(to_string(method)));
    expect_differences([&](double p) { return robot(method, p, 12.0); }, 1.3, 1.0, 0.02);
    expect_differences([&](double p) { return robot(method, 1.3, p); }, 12.0, 1.0, 0.2);
  }
}

TEST(StateTransition, OfTheStartOfARobotAreThoseOfItsSteps) {
  const Flight flight = robot(IntegrationMethod::rk4, 1.3, 12.0);
  const Model& model = *flight.setup.model;
  Kept kept;
  SimulationObserver silent;
  const double end = 0.6;
  fly_with_sensitivities(flight.setup, flight.initial, {end, end},
                         initial_variations(model, flight.initial), silent, &kept);
  const int n = model.joint_count();
  for (int j = 0; j < 12 + 2 * n; ++j) {
    const VectorX expected = differences(
        [&](double p) {
          Flight moved = flight;
          moved.initial = j < 6 + n
                              ? testing::displaced(model, flight.initial, j, p)
                              : testing::with_perturbed_velocity(flight.initial, j - 6 - n, p);
          return moved;
        },
        0.0, end, 2e-3);
    EXPECT_LE((kept.all.back().col(j) - expected).norm(), 1e-8 * (1.0 + expected.norm())) << j;
  }
}

/// A chain on a fixed base under gravity: a Hamiltonian flight.
Flight chain() {
  testing::RandomModels random(5);
  ModelDescription description = random.description({3, 1, 0.0, true});
  description.base.fixed = true;
  Flight flight;
  flight.setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  flight.setup.base_mode = BaseMode::fixed;
  flight.setup.gravity = {0.3, 0.4, -2.0};
  flight.setup.integrator = testing::adaptive(IntegrationMethod::dop853, 1e-13);
  flight.initial = random.state(*flight.setup.model);
  flight.initial.v_0.setZero();
  flight.initial.omega_0.setZero();
  return flight;
}

/// ∂(q, p)/∂(q, q̇) with p = H q̇.
MatrixX to_canonical(const Model& model, const State& state) {
  const int n = model.joint_count();
  const auto momentum = [&](const State& at) -> VectorX {
    return inertia_matrix(model, at).bottomRightCorner(n, n) * at.qd;
  };
  MatrixX result = MatrixX::Identity(2 * n, 2 * n);
  result.bottomRightCorner(n, n) = inertia_matrix(model, state).bottomRightCorner(n, n);
  for (int j = 0; j < n; ++j) {
    const auto central = [&](double h) -> VectorX {
      State above = state, below = state;
      above.q(j) += h;
      below.q(j) -= h;
      return (momentum(above) - momentum(below)) / (2.0 * h);
    };
    result.col(j).tail(n) = (4.0 * central(1e-3) - central(2e-3)) / 3.0;
  }
  return result;
}

// Mᵀ J M = J of the state transition matrix M in canonical coordinates.
TEST(StateTransition, OfAHamiltonianFlightToItsStartAreSymplectic) {
  const Flight flight = chain();
  const Model& model = *flight.setup.model;
  Kept kept;
  SimulationObserver silent;
  fly_with_sensitivities(flight.setup, flight.initial, {3.0, 3.0},
                         testing::joint_variations(flight), silent, &kept);
  std::vector<int> rows;
  for (const int first : {6, 15}) {
    for (int i = 0; i < 3; ++i) rows.push_back(first + i);
  }
  const MatrixX M = to_canonical(model, kept.states.back()) * kept.all.back()(rows, Eigen::all) *
                    to_canonical(model, flight.initial).inverse();
  MatrixX J = MatrixX::Zero(6, 6);
  J.topRightCorner(3, 3).setIdentity();
  J.bottomLeftCorner(3, 3) = -MatrixX::Identity(3, 3);
  EXPECT_LE((M.transpose() * J * M - J).norm(), 1e-9 * M.squaredNorm());
}

}  // namespace
}  // namespace spacedyn::state_transition_test
