// Accelerations and loop forces against MuJoCo's equality constraints.
//
// They are soft: R in (K H⁻¹ Kᵀ + R) λ = k − K u̇₀ is about 1e-4 of the diagonal at the largest
// impedance that it admits, 0.9999. It also takes k for zero, although J̇ u is not.
#include <gtest/gtest.h>

#include "bench/loops/loop_peer.hpp"
#include "bench/loops/mechanisms.hpp"
#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "support/case_name.hpp"

namespace spacedyn::testing::mujoco_loops_test {
namespace {

struct Case {
  const char* name;
  bench::Mechanism (*make)();

  friend std::ostream& operator<<(std::ostream& out, const Case& given) {
    return out << given.name;
  }
};

struct Difference {
  double acceleration, force;  ///< relative
};

Difference difference(const bench::Mechanism& its, const bench::MujocoSettings& settings) {
  const ConstrainedMotion ours = constrained_motion(its.model, its.state, its.loads);
  const auto peer = bench::make_mujoco_loops(its.model, settings);
  peer->place(its.state, its.loads);
  peer->evaluate();
  Difference result;
  result.acceleration =
      (peer->acceleration() - ours.acceleration).norm() / ours.acceleration.norm();
  const LoopEquations equations(its.model);
  LinkFrames frames(its.model);
  compute_link_frames(its.model, its.state, frames);
  double sum = 0.0, size = 0.0;
  for (std::size_t i = 0; i < equations.loops().size(); ++i) {
    const int loop = static_cast<int>(i);
    const Vector6 wrench = equations.wrench(loop, frames, ours.multipliers);
    const Matrix3 A = frame_orientation(frames, equations.loops()[i].from);
    const Vector3 axis = A * equations.loops()[i].axis, force = A * wrench.head<3>();
    Vector3 rest = peer->force(loop) - force;
    // along the pin of a plane mechanism it is rounding over R
    if (equations.loops()[i].type == LoopType::revolute) rest -= axis * axis.dot(rest);
    sum += rest.squaredNorm();
    size += force.squaredNorm();
  }
  result.force = std::sqrt(sum / size);
  return result;
}

class MujocoLoops : public ::testing::TestWithParam<Case> {};

/// As its users have it, where k is zero. R, up to 1e-4 of the diagonal, lets loops yield by about
/// as much of what the loads accelerate.
TEST_P(MujocoLoops, AgreeAtRest) {
  bench::Mechanism its = GetParam().make();
  its.state.v_0.setZero();
  its.state.omega_0.setZero();
  its.state.qd.setZero();
  ASSERT_LT(position_residual(its.model, its.state).value, 1e-13);
  const Difference found = difference(its, {});
  EXPECT_LT(found.acceleration, 2e-4);
  EXPECT_LT(found.force, 2e-4);
}

/// With k = −J̇ u from differences of its own J, and with its R made smaller: the difference is
/// linear in R. Its last value includes the rounding of H + Jᵀ R⁻¹ J, where R is 1e-10.
TEST_P(MujocoLoops, ConvergeHardened) {
  const bench::Mechanism its = GetParam().make();
  ASSERT_LT(velocity_residual(its.model, its.state).value, 1e-13);
  bench::MujocoSettings settings;
  settings.jacobian = "dense";
  settings.tolerance = "0";
  settings.with_bias = true;
  const Difference soft = difference(its, settings);
  EXPECT_LT(soft.acceleration, 2e-4);
  EXPECT_LT(soft.force, 2e-4);
  for (const double softness : {1e-2, 1e-4}) {
    settings.softness = softness;
    const Difference found = difference(its, settings);
    EXPECT_NEAR(found.acceleration / soft.acceleration, softness, 0.02 * softness);
    EXPECT_NEAR(found.force / soft.force, softness, 0.02 * softness);
  }
  settings.softness = 1e-6;
  const Difference hard = difference(its, settings);
  EXPECT_LT(hard.acceleration, 1e-9);
  EXPECT_LT(hard.force, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Loops, MujocoLoops,
                         ::testing::Values(Case{"four_bar", bench::floating_four_bar},
                                           Case{"dual_arm_grasp", bench::dual_arm_grasp},
                                           Case{"stewart_platform", bench::stewart_platform}),
                         NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::mujoco_loops_test
