#include <cmath>

#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/function_force.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/recorders.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::conservation_test {
namespace {

using testing::reference;
using testing::simulate;

std::shared_ptr<const Model> reference_model(const std::string& name) {
  return std::make_shared<const Model>(testing::reference_model(reference(name).at("model")));
}

State moving_state(const Model& model) {
  State state(model);
  state.r_0 = {0.3, -0.2, 0.5};
  state.v_0 = {0.01, 0.02, -0.01};
  state.omega_0 = {0.02, -0.03, 0.05};
  for (int i = 0; i < model.joint_count(); ++i) {
    state.q(i) = 0.1 + 0.15 * i;
    state.qd(i) = (i % 2 == 0 ? 0.1 : -0.08);
  }
  return state;
}

class Conservation : public ::testing::TestWithParam<std::string> {};

TEST_P(Conservation, HoldsForAMinute) {
  SimulationSetup setup;
  setup.model = reference_model(GetParam());
  setup.integrator = testing::dopri5(1e-12);
  const State initial = moving_state(*setup.model);
  const SimulationResult result = simulate(setup, initial, 60.0);
  // not by standing still
  EXPECT_GT(log_so3(result.state.A_0).norm(), 0.5);
  if (initial.q.size() > 0) {
    EXPECT_GT((result.state.q - initial.q).cwiseAbs().maxCoeff(), 0.5);
  }
  EXPECT_LT(result.audit.momentum_drift(), 1e-12);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
}

/// Everything at once: a wrench on a schedule, gravity, drag, a sampled PD law, passive joints.
TEST_P(Conservation, BalancesInAndOutflow) {
  ModelDescription description = testing::reference_description(reference(GetParam()).at("model"));
  for (LinkDescription& link : description.links) {
    link.joint.stiffness = 2.0;
    link.joint.damping = 0.3;
    link.joint.rest_position = 0.2;
  }
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  setup.gravity = {0.1, -0.2, -1.5};
  setup.integrator = testing::dopri5(1e-11);
  const int n = setup.model->joint_count();
  const VectorX push = (VectorX(6) << 5.0, -3.0, 2.0, 0.4, 0.6, -0.5).finished();
  const std::string tip = n == 0 ? "base" : "link_" + std::to_string(n);
  setup.forces = {
      std::make_shared<AppliedWrench>("push", setup.model->frame(tip), WrenchAxes::body,
                                      TimeTable::constant(push, 0.5, 2.25)),
      std::make_shared<FunctionForce>("drag", [](const EvaluationContext& now, Loads& loads) {
        loads.force.col(0) -= 0.8 * now.velocities.v[0];
        loads.F_b.tail<3>() -= 0.5 * now.velocities.omega[0];
      })};
  setup.controllers = {std::make_shared<FunctionController>(
      "hold", n,
      [](const EvaluationContext& now, VectorRef tau) {
        tau = -0.7 * now.state.q - 0.4 * now.state.qd;
      },
      0.05)};
  const SimulationResult result = simulate(setup, moving_state(*setup.model), 4.0);
  EXPECT_GT(result.integrals.impulse.norm(), 1.0);
  EXPECT_GT(std::abs(result.integrals.work), 0.01);
  if (n > 0) {
    EXPECT_GT(result.integrals.dissipated, 1e-3);
  }
  EXPECT_LT(result.audit.momentum_drift(), 1e-10);
  EXPECT_LT(result.audit.energy_residual(), 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Reference, Conservation, ::testing::ValuesIn(testing::reference_names()),
                         [](const auto& instance) { return instance.param; });

TEST(Conservation, OfSlewedArmIsAuditedWithoutChangingTheMotion) {
  SimulationSetup setup;
  setup.model = reference_model("ets7_like");
  JointPd::Settings pd;
  pd.joints = {1, 2, 3, 4, 5, 6};
  pd.stiffness = VectorX::Constant(6, 60.0);
  pd.damping = VectorX::Constant(6, 60.0);
  pd.effort_limit = VectorX::Constant(6, 1e3);
  const State initial = moving_state(*setup.model);
  pd.reference = std::make_shared<QuinticReference>(initial.q, initial.q.array() + 1.0, 1.0, 10.0);
  setup.controllers = {std::make_shared<JointPd>("slew", pd)};
  setup.integrator = testing::dopri5(1e-11);
  const SimulationResult result = simulate(setup, initial, 20.0);
  EXPECT_LT(result.audit.momentum_drift(), 1e-11);
  EXPECT_LT(result.audit.energy_residual(), 1e-9);
  // work is what became kinetic energy
  EXPECT_NEAR(result.final_energy.kinetic - result.initial_energy.kinetic, result.integrals.work,
              1e-9 * result.integrals.throughput);
}

TEST(Conservation, TimeReversalLeadsBack) {
  SimulationSetup setup;
  setup.model = reference_model("tree12");
  setup.integrator = testing::dopri5(1e-13);
  const State initial = moving_state(*setup.model);
  State turned = simulate(setup, initial, 10.0).state;
  turned.v_0 *= -1.0;
  turned.omega_0 *= -1.0;
  turned.qd *= -1.0;
  const State back = simulate(setup, turned, 10.0).state;
  EXPECT_LT((back.r_0 - initial.r_0).norm(), 1e-10);
  EXPECT_LT((back.A_0 - initial.A_0).norm(), 1e-10);
  EXPECT_LT((back.q - initial.q).norm(), 1e-9);
  EXPECT_LT((back.qd + initial.qd).norm(), 1e-10);
  EXPECT_LT((back.omega_0 + initial.omega_0).norm(), 1e-10);
}

TEST(ConservationAudit, ReportsDriftRelativeToTheLargestMotion) {
  ConservationAudit audit;
  Momentum momentum;
  momentum.linear = {1.0, 0.0, 0.0};
  audit.update(momentum, {2.0, 1.0}, {4.0, 0.0, 0.0}, {});
  EXPECT_EQ(audit.momentum_drift(), 0.0);
  EXPECT_EQ(audit.energy_residual(), 0.0);

  AuditIntegrals integrals;
  integrals.impulse = {0.5, 0.0, 0.0};
  integrals.work = 1.0;
  integrals.dissipated = 0.5;
  integrals.throughput = 10.0;
  momentum.linear = {1.5, 1e-3, 0.0};
  momentum.angular_centroid = {0.0, 0.0, 1e-2};
  audit.update(momentum, {4.0, 2.0}, {4.0, 0.25, 0.35}, integrals);
  EXPECT_NEAR(audit.linear_drift(), 1e-3 / 4.0, 1e-15);
  EXPECT_NEAR(audit.angular_drift(), 1e-2 / 2.0, 1e-15);
  EXPECT_EQ(audit.momentum_drift(), audit.angular_drift());
  EXPECT_NEAR(audit.energy_residual(), 0.1 / 10.0, 1e-15);
}

TEST(ConservationAudit, FindsNoDriftWithoutMotion) {
  ConservationAudit audit;
  audit.update({}, {}, {}, {});
  audit.update({}, {}, {}, {});
  EXPECT_EQ(audit.momentum_drift(), 0.0);
  Momentum momentum;
  momentum.linear.x() = 1.0;
  audit.update(momentum, {}, {}, {});
  EXPECT_TRUE(std::isinf(audit.linear_drift()));
  audit.update({}, {}, {1e-30, 0.0, 0.0}, {}, {0.0, 0.0, 1e-20});
  EXPECT_NEAR(audit.energy_residual(), 1e-10, 1e-24);
}

}  // namespace
}  // namespace spacedyn::conservation_test
