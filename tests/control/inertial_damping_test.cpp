// Vibration that driven joints damp by their inertia, against the poles of damped modes.
#include "spacedyn/control/inertial_damping.hpp"

#include <cmath>
#include <complex>

#include <gmock/gmock.h>
#include <Eigen/Eigenvalues>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/state/followers.hpp"
#include "support/allocation_guard.hpp"
#include "support/contexts.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::inertial_damping_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

/// A chain of three elastic joints that carries an arm of four driven ones.
struct MacroMini {
  explicit MacroMini(bool is_fixed) {
    RandomModels random(55);
    ModelDescription tree = random.description(TreeShape{7, 1, 0.0, true});
    tree.base.fixed = is_fixed;
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      tree.links[i].joint.stiffness = i < 3 ? 300.0 + 250.0 * static_cast<double>(i) : 0.0;
      tree.links[i].joint.damping = 0.0;
    }
    setup.model = std::make_shared<const Model>(ModelBuilder(tree).build());
    if (is_fixed) setup.base_mode = BaseMode::fixed;
    start = State(*setup.model);
    start.q << 0.0, 0.0, 0.0, 0.5, -0.6, 0.8, 0.4;
    settings.joints = {4, 5, 6, 7};
    settings.modes = 2;
    settings.damping_ratio = 0.3;
    settings.surroundings.base_floats = !is_fixed;
  }
  std::shared_ptr<const InertialDamping> law() const {
    return std::make_shared<InertialDamping>("calm", *setup.model, start, settings);
  }
  /// ω² of the elastic joints with all others held, from the whole H.
  VectorX omega_squared() const {
    const MatrixX H = inertia_matrix(*setup.model, start);
    MatrixX M = H.block<3, 3>(6, 6);
    if (!setup.model->has_fixed_base()) {
      M -= H.block<3, 6>(6, 0) * H.topLeftCorner<6, 6>().ldlt().solve(H.block<6, 3>(0, 6));
    }
    const MatrixX K = Vector3(300.0, 550.0, 800.0).asDiagonal();
    return Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX>(K, M).eigenvalues();
  }

  /// Both modes have poles of the linearized loop with the damping ratio.
  void expect_damped() const {
    const VectorX squares = omega_squared();
    const std::vector<EigenMode> found = eigenmodes(linearize(setup, start).A);
    for (Eigen::Index k = 0; k < 2; ++k) {
      const double omega = std::sqrt(squares(k));
      EXPECT_NEAR(law()->modes().omega_squared(k), squares(k), 1e-9 * squares(k));
      const std::complex<double> pole(-0.3 * omega, omega * std::sqrt(1.0 - 0.09));
      double nearest = std::numeric_limits<double>::infinity();
      for (const EigenMode& mode : found) {
        nearest = std::min(nearest, std::abs(mode.eigenvalue - pole));
      }
      // differences of the loads
      EXPECT_LE(nearest, 1e-6 * omega) << k;
    }
  }

  SimulationSetup setup;
  State start;
  InertialDamping::Settings settings;
};

class InertialDampingOf : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Bases, InertialDampingOf, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "fixed" : "floating"; });

TEST_P(InertialDampingOf, GivesItsModesTheDampingRatio) {
  MacroMini rig(GetParam());
  rig.setup.controllers = {rig.law()};
  rig.expect_damped();
}

// What follows a driven joint moves with it: the elastic joints feel both.
TEST_P(InertialDampingOf, LeadsJointsThatFollow) {
  MacroMini rig(GetParam());
  ModelDescription robot = rig.setup.model->description();
  JointDescription& led = robot.links[6].joint;
  led.mimic = MimicDescription{rig.setup.model->joint(6).name, -1.2, 0.0};
  led.position_upper = led.velocity_limit = led.effort_limit =
      std::numeric_limits<double>::infinity();
  led.position_lower = -led.position_upper;
  rig.setup.model = std::make_shared<const Model>(ModelBuilder(robot).build());
  follow(*rig.setup.model, rig.start);
  rig.settings.joints = {4, 5, 6};
  rig.setup.controllers = {rig.law()};
  rig.expect_damped();
}

TEST(InertialDamping, RefusesModesThatItCannotDamp) {
  const auto refused = [](const char* text, const std::function<void(MacroMini&)>& change) {
    MacroMini rig(false);
    change(rig);
    EXPECT_THAT([&] { rig.law(); },
                Throws<DomainError>(Property(&DomainError::what, HasSubstr(text))));
  };
  refused("modes must be at least 1", [](MacroMini& rig) { rig.settings.modes = 0; });
  refused("at most the number of its joints, 4, and of other joints with springs, 3",
          [](MacroMini& rig) { rig.settings.modes = 4; });
  refused("number of its joints, 1,", [](MacroMini& rig) { rig.settings.joints = {4}; });
  refused("damping_ratio", [](MacroMini& rig) { rig.settings.damping_ratio = 0.0; });
  refused("damping_ratio", [](MacroMini& rig) { rig.settings.damping_ratio = std::nan(""); });
}

TEST(InertialDamping, AllocatesNothingAfterItsFirstUse) {
  if (!counts_allocations()) GTEST_SKIP();
  MacroMini rig(false);
  const auto law = rig.law();
  const Snapshot now(*rig.setup.model, rig.start);
  VectorX torque(4);
  law->command(now.at(0.0), torque);
  const long before = allocation_count();
  law->command(now.at(0.5), torque);
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace spacedyn::testing::inertial_damping_test
