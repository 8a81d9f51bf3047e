// Sampled loops against the transition of a rotor under a held torque, which is exact.
#include "spacedyn/analysis/sampled_loops.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/integration/trajectory.hpp"
#include "support/recorders.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::sampled_loops_test {
namespace {

constexpr double kInertia = 2.0, kStiffness = 50.0, kDamping = 8.0;

SimulationSetup rotor(double period, double delay) {
  SimulationSetup setup;
  setup.model = std::make_shared<const Model>(
      ModelBuilder("rotor")
          .set_base(base_body(1.0, {1.0, 1.0, 1.0}))
          .add_link(link_body("arm", "base", 1.0, {kInertia, kInertia, kInertia}, Vector3::Zero(),
                              Vector3::Zero()))
          .build());
  setup.base_mode = BaseMode::fixed;
  JointPd::Settings pd;
  pd.joints = {1};
  pd.stiffness = VectorX::Constant(1, kStiffness);
  pd.damping = VectorX::Constant(1, kDamping);
  pd.sample_period = period;
  pd.digitization.delay = delay;
  pd.reference = std::make_shared<ConstantReference>(VectorX::Zero(1));
  setup.controllers = {std::make_shared<JointPd>("pd", pd)};
  return setup;
}

/// Largest modulus of the eigenvalues of the transition of [q, q̇, τ of the last sample], the torque
/// of a sample acting from the delay on.
double closed_form(double h, double delay) {
  const auto drift = [](double t) {
    Eigen::Matrix3d T = Eigen::Matrix3d::Identity();
    T(0, 1) = t;
    T(0, 2) = 0.5 * t * t / kInertia;
    T(1, 2) = t / kInertia;
    return T;
  };
  // the old torque until the delay is over, then that of the state at the sample
  Eigen::Matrix3d state = drift(delay);
  state.row(2) << -kStiffness, -kDamping, 0.0;
  const Eigen::Matrix3d T = drift(h - delay) * state;
  return Eigen::EigenSolver<Eigen::Matrix3d>(T).eigenvalues().cwiseAbs().maxCoeff();
}

TEST(SampledLoops, HaveTheEigenvaluesOfTheirTransition) {
  for (const double h : {0.01, 0.1, 0.3}) {
    for (const double part : {0.0, 0.25, 0.6}) {
      const SimulationSetup setup = rotor(h, part * h);
      const auto loops = sampled_loops(setup, State(*setup.model));
      ASSERT_EQ(loops.size(), 1U);
      EXPECT_NEAR(std::abs(loops[0].eigenvalue), closed_form(h, part * h), 1e-9);
      EXPECT_EQ(loops[0].is_unstable, closed_form(h, part * h) > 1.0);
    }
  }
}

// by the growth of a flight from sample to sample
TEST(SampledLoops, GrowAsFlightsDoWithADelayOfMorePeriods) {
  const double h = 0.05, delay = 0.12;
  const SimulationSetup setup = rotor(h, delay);
  const SampledLoop loop = sampled_loops(setup, State(*setup.model)).front();
  EXPECT_TRUE(loop.is_unstable);
  State start(*setup.model);
  start.q(0) = 1e-3;
  Trajectory trajectory;
  Simulator(setup).run(start, 400 * h, h, trajectory);
  // |x| of a pair swings: the greatest of many samples
  const auto greatest = [&](std::size_t from) {
    double most = 0.0;
    for (std::size_t k = from; k < from + 100; ++k) {
      most = std::max(most, std::abs(trajectory.points[k].state.q(0)));
    }
    return most;
  };
  const double growth = std::log(greatest(300) / greatest(200)) / 100.0;
  EXPECT_NEAR(growth, std::log(std::abs(loop.eigenvalue)), 1e-3);
}

TEST(SampledLoops, AreThoseOfControllersWithOnePeriod) {
  SimulationSetup setup = rotor(0.1, 0.0);
  setup.controllers.push_back(rotor(0.1, 0.0).controllers.front());
  EXPECT_EQ(sampled_loops(setup, State(*setup.model)).size(), 1U);
  setup.controllers.push_back(rotor(0.2, 0.0).controllers.front());
  setup.controllers.push_back(rotor(0.0, 0.0).controllers.front());
  const auto loops = sampled_loops(setup, State(*setup.model));
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(loops[0].controllers.size(), 2U);
  EXPECT_EQ(loops[1].sample_period, 0.2);
}

}  // namespace
}  // namespace spacedyn::testing::sampled_loops_test
