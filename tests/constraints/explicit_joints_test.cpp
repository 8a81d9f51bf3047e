// Joints that follow coordinates of a program's own, q = γ(y): closed forms, and loops.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/constraints/explicit_form.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "support/message_of.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::explicit_joints_test {
namespace {

using ::testing::HasSubstr;

constexpr double kG = 9.81;

/// A bead in the plane x, z on two slides.
Model bead() {
  BaseDescription base = base_body(1.0, {1, 1, 1});
  base.fixed = true;
  LinkDescription along = link_body("along", "base", 0.0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0});
  LinkDescription up = link_body("up", "along", 2.0, {1, 1, 1}, {0, 0, 0}, {0, 0, 0});
  along.joint.type = up.joint.type = JointType::prismatic;
  along.joint.axis = Vector3::UnitX();
  up.joint.axis = Vector3::UnitZ();
  return ModelBuilder("bead").set_base(base).add_link(along).add_link(up).build();
}

TEST(ExplicitJoints, LetABeadSlideOnACycloid) {
  // x = y − sin y, z = −(1 − cos y): with s = 4 (1 − cos y/2) … s̈ = −(g/4) (s − 4) of arc length
  const Model model = bead();
  ExplicitJoints cycloid;
  cycloid.position = [](const VectorX& y) {
    return VectorX(Eigen::Vector2d(y(0) - std::sin(y(0)), std::cos(y(0)) - 1.0));
  };
  cycloid.jacobian = [](const VectorX& y) {
    return MatrixX(Eigen::Vector2d(1.0 - std::cos(y(0)), -std::sin(y(0))));
  };
  cycloid.change = [](const VectorX& y, const VectorX& rate) {
    const double square = rate(0) * rate(0);
    return VectorX(square * Eigen::Vector2d(std::sin(y(0)), -std::cos(y(0))));
  };
  State state(model);
  Loads loads(model);
  loads.gravity = {0, 0, -kG};
  for (const double y : {0.5, 2.0, 3.5, 5.0}) {
    constexpr double kRate = 0.7;
    const ExplicitForm form = explicit_form(model, state, cycloid, VectorX::Constant(1, y),
                                            VectorX::Constant(1, kRate), loads);
    // s = −4 cos(y/2) from the bottom, ṡ = 2 sin(y/2) ẏ, s̈ = cos(y/2) ẏ² + 2 sin(y/2) ÿ = −g s/4
    const double s = -4.0 * std::cos(0.5 * y);
    const double expected =
        (-0.25 * kG * s - std::cos(0.5 * y) * kRate * kRate) / (2.0 * std::sin(0.5 * y));
    EXPECT_NEAR(form.rate_change(0), expected, 1e-12);
    EXPECT_NEAR(form.kinetic_energy(), std::pow(2.0 * std::sin(0.5 * y) * kRate, 2), 1e-12);
    // the wire pushes across itself
    EXPECT_LT((form.G.transpose() * form.constraint_force).norm(), 1e-12);
    const Eigen::Vector2d along(form.G(6, 0), form.G(7, 0));
    EXPECT_LT(std::abs(form.constraint_force.tail<2>().dot(along)), 1e-12);
    EXPECT_GT(form.constraint_force.tail<2>().norm(), 1.0);
  }
}

TEST(ExplicitJoints, AreAGearOnAFloatingBase) {
  // q_2 = −2 q_1 by explicit joints, and as a loop of type linear
  const ModelDescription tree =
      ModelBuilder("pair")
          .set_base(base_body(10.0, {1, 2, 3}))
          .add_link(link_body("a", "base", 2.0, {0.1, 0.2, 0.3}, {0.5, 0, 0}, {0.2, 0.1, 0}))
          .add_link(link_body("b", "a", 1.0, {0.1, 0.1, 0.2}, {0.5, 0, 0}, {0.3, 0, 0.1}))
          .description();
  ModelDescription geared = tree;
  LoopDescription loop;
  loop.name = "gear";
  loop.type = LoopType::linear;
  loop.joints = {"b", "a"};
  loop.coefficients = {1.0, 2.0};
  geared.loops = {loop};
  const Model model = ModelBuilder(tree).build(), with_loop = ModelBuilder(geared).build();
  ExplicitJoints gear;
  gear.position = [](const VectorX& y) { return VectorX(Eigen::Vector2d(y(0), -2.0 * y(0))); };
  gear.jacobian = [](const VectorX&) { return MatrixX(Eigen::Vector2d(1.0, -2.0)); };
  gear.change = [](const VectorX&, const VectorX&) { return VectorX(Eigen::Vector2d::Zero()); };
  State state(model);
  state.omega_0 = {0.3, -0.5, 0.2};
  state.v_0 = {1, 0, 2};
  Loads loads(model);
  loads.tau << 0.4, -0.3;
  loads.F_b << 1, 2, 3, 0.1, 0.2, 0.3;
  const ExplicitForm form = explicit_form(model, state, gear, VectorX::Constant(1, 0.6),
                                          VectorX::Constant(1, -0.8), loads);
  const ConstrainedMotion expected = constrained_motion(with_loop, state, loads);
  EXPECT_LT((form.acceleration() - expected.acceleration).norm(), 1e-12);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  EXPECT_NEAR(form.kinetic_energy(), kinetic_energy(model, frames, velocities), 1e-12);
  EXPECT_LT((form.constraint_force - expected.K.transpose() * expected.multipliers).norm(), 1e-12);
}

TEST(ExplicitJoints, RefuseWhatDoesNotFit) {
  const Model model = bead();
  State state(model);
  ExplicitJoints joints;
  const auto form = [&] {
    explicit_form(model, state, joints, VectorX::Zero(1), VectorX::Zero(1), Loads(model));
  };
  EXPECT_THAT(message_of<DomainError>(form), HasSubstr("need the functions"));
  joints.position = [](const VectorX&) { return VectorX(VectorX::Zero(2)); };
  joints.jacobian = [](const VectorX&) { return MatrixX(MatrixX::Zero(1, 1)); };
  joints.change = [](const VectorX&, const VectorX&) { return VectorX(VectorX::Zero(2)); };
  EXPECT_THAT(message_of<DimensionError>(form),
              HasSubstr("the jacobian of explicit joints is 1×1, expected 2×1"));
}

}  // namespace
}  // namespace spacedyn::testing::explicit_joints_test
