#include <array>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/control/resting_table.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/allocation_guard.hpp"
#include "support/recorders.hpp"
#include "support/reference_data.hpp"
#include "support/rigid_heaps.hpp"

namespace spacedyn::allocation_test {
namespace {

/// Notes how many allocations have happened by the end of each step; does not allocate itself.
class AllocationWatch final : public SimulationObserver {
 public:
  void on_output(const SimulationPoint&) override { ++outputs; }
  bool on_step(double, const IntegratorStatistics&) override {
    if (steps < counts.size()) counts[steps++] = testing::allocation_count();
    return true;
  }
  std::array<long, 4096> counts{};
  std::size_t steps = 0;
  long outputs = 0;
};

/// Springs, a wrench on a schedule, a sampled and a continuous controller, an imposed joint.
SimulationSetup busy_setup(const IntegratorOptions& integrator) {
  SimulationSetup setup;
  ModelDescription description =
      testing::reference_description(testing::reference("ets7_like").at("model"));
  description.links[5].joint.stiffness = 3.0;
  setup.model = std::make_shared<const Model>(ModelBuilder(description).build());
  setup.gravity = {0.0, 0.0, -1.0};
  setup.integrator = integrator;
  setup.forces = {std::make_shared<AppliedWrench>("push", setup.model->frames().back(),
                                                  WrenchAxes::body,
                                                  TimeTable({0.2, 0.9, 1.7}, MatrixX::Ones(6, 3)))};
  JointPd::Settings pd;
  pd.joints = {1, 3};
  pd.stiffness = VectorX::Constant(2, 20.0);
  pd.damping = VectorX::Constant(2, 20.0);
  pd.effort_limit = VectorX::Constant(2, 5.0);
  pd.reference = std::make_shared<TrapezoidReference>(VectorX::Zero(2), VectorX::Ones(2), 0.3,
                                                      VectorX::Ones(2), VectorX::Ones(2));
  setup.controllers.push_back(std::make_shared<JointPd>("continuous", pd));
  pd.joints = {2, 5};
  pd.sample_period = 0.07;
  setup.controllers.push_back(std::make_shared<JointPd>("sampled", pd));
  setup.prescribed_joints = {
      {4, std::make_shared<RestingTable>(std::vector<double>{0.0, 1.0, 2.5},
                                         (MatrixX(1, 3) << 0.0, 0.4, -0.2).finished())}};
  return setup;
}

TEST(Allocation, HappensInNoStepAfterTheFirst) {
  if (!testing::counts_allocations()) GTEST_SKIP() << "the sanitizer's allocator is in use";
  for (const IntegrationMethod method : all_integration_methods()) {
    SCOPED_TRACE(to_string(method));
    SimulationSetup setup = busy_setup(is_adaptive(method) ? testing::adaptive(method, 1e-8)
                                                           : testing::fixed_step(method, 0.005));
    if (method == IntegrationMethod::variational) setup.prescribed_joints.clear();
    AllocationWatch watch;
    State initial(*setup.model);
    initial.omega_0 = {0.5, 0.8, -0.6};  // far enough to re-centre the attitude
    Simulator(setup).run(initial, 3.0, 0.01, watch);
    ASSERT_GT(watch.steps, 50U);
    EXPECT_EQ(watch.outputs, 301);
    EXPECT_GT(watch.counts[0], 100);  // the guard does see allocations
    EXPECT_EQ(watch.counts[0], watch.counts[watch.steps - 1]);
  }
}

TEST(Allocation, HappensInNoStepOverContactsAfterTheFirst) {
  if (!testing::counts_allocations()) GTEST_SKIP() << "the sanitizer's allocator is in use";
  std::vector<testing::HeapBody> bodies;
  for (int i = 0; i < 8; ++i) {
    BaseMotion start;
    start.r_0 = {0.03 * (i % 3), 0.02 * (i % 2), 0.1 + 0.15 * i};
    start.omega_0 = {1.0, -2.0, 0.1 * i};
    bodies.push_back(i % 2 == 0 ? testing::heap_box({0.2, 0.15, 0.1}, 1.0, start)
                                : testing::heap_ball(0.07, 1.0, start));
  }
  testing::Heap heap(bodies, testing::rigid_law(0.2, 0.5), 1e-3);
  // to which sweeps settle: few points that do not go to a solver with dense matrices, which
  // allocates
  heap.setup.integrator.contact_tolerance = 1e-2;
  AllocationWatch watch;
  const SimulationResult end = Simulator(heap.setup).run(heap.start, 2.0, 0.01, watch);
  ASSERT_EQ(watch.steps, 2000U);
  EXPECT_GT(end.contacts[1].count, 3);
  // the list of what has happened grows with the result
  const auto noted = static_cast<long>(2 * end.events.size());
  EXPECT_LE(watch.counts[watch.steps - 1], watch.counts[0] + noted);
}

}  // namespace
}  // namespace spacedyn::allocation_test
