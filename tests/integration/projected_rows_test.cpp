// Rows of a run with project_momentum have the momentum that the laws demand, not only its steps.
#include "support/random_models.hpp"
#include "support/recorders.hpp"

namespace spacedyn::projected_rows_test {
namespace {

class ProjectedRows : public ::testing::TestWithParam<IntegrationMethod> {};

TEST_P(ProjectedRows, HaveTheMomentumOfTheLaws) {
  testing::RandomModels random(23);
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(random.model(testing::TreeShape{5, 3, 0.3, true}));
  setup.gravity = Vector3(0.3, -0.2, 0.5);
  // steps are long, and many rows lie in each
  setup.integrator = is_adaptive(GetParam()) ? testing::adaptive(GetParam(), 1e-5)
                                             : testing::fixed_step(GetParam(), 0.02);
  setup.integrator.project_momentum = true;
  Trajectory trajectory;
  const SimulationResult result =
      Simulator(setup).run(random.state(*setup.model), 1.0, 0.0031, trajectory);
  const double mass = setup.model->total_mass();
  const Momentum& start = trajectory.points.front().momentum;
  const double linear_scale = result.audit.linear_scale() + mass * setup.gravity.norm();
  ASSERT_GT(trajectory.points.size(), 3 * trajectory.step_times.size());
  for (const TrajectoryPoint& row : trajectory.points) {
    const Vector3 linear = start.linear + mass * row.time * setup.gravity;
    EXPECT_LT((row.momentum.linear - linear).norm(), 1e-13 * linear_scale) << row.time;
    EXPECT_LT((row.momentum.angular_centroid - start.angular_centroid).norm(),
              1e-13 * result.audit.angular_scale())
        << row.time;
  }
  // there is something to project
  EXPECT_GT(result.audit.momentum_drift(), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Methods, ProjectedRows,
                         ::testing::Values(IntegrationMethod::dop853, IntegrationMethod::dopri5,
                                           IntegrationMethod::rk4, IntegrationMethod::rodas,
                                           IntegrationMethod::bulirsch_stoer,
                                           IntegrationMethod::newmark),
                         [](const auto& instance) {
                           return std::string(to_string(instance.param));
                         });

}  // namespace
}  // namespace spacedyn::projected_rows_test
