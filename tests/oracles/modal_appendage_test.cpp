// An appendage by its modes against the chain of segments whose modes they are.
#include "spacedyn/model/modal_appendage.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include "oracles/beams.hpp"
#include "oracles/small_vibrations.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/shipped.hpp"

namespace spacedyn::testing::modal_appendage_test {
namespace {

/// A panel that bends about y and twists, its root off the hub's centroid.
FlexibleBeamDescription panel() {
  FlexibleBeamDescription beam = slender_beam(4, HingePlacement::segment_centres);
  beam.torsional_stiffness = 3.0;
  beam.width = 0.5;
  beam.height = 0.02;
  beam.damping_ratio = 0.01;
  return beam;
}

/// Modes of the panel alone, clamped: L = (H_bm about the root) φ with φᵀ H_m φ = 1.
ModalAppendageDescription modes_of(const FlexibleBeamDescription& beam, int count) {
  BaseDescription root = base_body(0.0, Vector3::Zero());
  root.fixed = true;
  const Model clamped = ModelBuilder(with_beam(root, beam)).build();
  const Vibrations modes = small_vibrations(clamped);
  const MatrixX H = inertia_matrix(clamped, State(clamped));
  const Vector3 c = clamped.body(0).center_of_mass;  // the half segment at the root
  Matrix6 to_root = Matrix6::Identity();             // from the base centroid
  to_root.bottomLeftCorner<3, 3>() = tilde(c);
  const MatrixX coupling = to_root * H.topRightCorner(6, clamped.joint_count());
  const Matrix6 rigid = to_root * H.topLeftCorner<6, 6>() * to_root.transpose();

  ModalAppendageDescription appendage;
  appendage.name = "panel";
  appendage.parent = "base";
  appendage.mass = rigid(0, 0);
  appendage.center_of_mass = Vector3(rigid(5, 1), rigid(3, 2), rigid(4, 0)) / appendage.mass;
  const Matrix3 moved = tilde(appendage.center_of_mass);
  appendage.inertia = rigid.bottomRightCorner<3, 3>() - appendage.mass * moved * moved.transpose();
  appendage.inertia = 0.5 * (appendage.inertia + appendage.inertia.transpose()).eval();
  for (int k = 0; k < count; ++k) {
    const Vector6 L = coupling * modes.shapes.col(k);
    AppendageMode mode;
    mode.frequency = modes.frequencies(k);
    mode.damping_ratio = 0.01;
    mode.translation = L.head<3>();
    mode.rotation = L.tail<3>();
    // roundings of the eigenvectors: torsion does not move the centroid
    if (mode.translation.norm() < 1e-9 * mode.rotation.norm()) mode.translation.setZero();
    appendage.modes.push_back(mode);
  }
  return appendage;
}

BaseDescription hub() {
  BaseDescription base = base_body(8.0, {0.9, 1.1, 1.3});
  base.center_of_mass = Vector3(0.05, -0.1, 0.02);
  return base;
}

Pose mounting() {
  Pose pose;
  pose.position = Vector3(0.4, 0.1, 0.2);
  pose.rotation = rotation_about(Vector3(1, 2, 3), 0.7);
  return pose;
}

Model chain_robot() {
  FlexibleBeamDescription beam = panel();
  beam.origin = mounting();
  return ModelBuilder(with_beam(hub(), beam)).build();
}

Model modal_robot(int modes) {
  ModalAppendageDescription appendage = modes_of(panel(), modes);
  appendage.origin = mounting();
  ModelDescription robot = ModelBuilder("modal").set_base(hub()).description();
  add_modal_appendage(robot, appendage);
  return ModelBuilder(robot).build();
}

TEST(ModalAppendage, WithAllItsModesIsTheChain) {
  const Model chain = chain_robot();
  const Model modal = modal_robot(8);
  EXPECT_NEAR(modal.total_mass(), chain.total_mass(), 1e-12);
  const VectorX expected = small_vibrations(chain).frequencies;
  const VectorX found = small_vibrations(modal).frequencies;
  ASSERT_EQ(found.size(), 8);
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(found(k), expected(k), 1e-8 * expected(k));

  // the same rigid body when nothing bends
  const MatrixX H = inertia_matrix(chain, State(chain));
  State state(modal);
  const double offset = (modal.body(0).center_of_mass - chain.body(0).center_of_mass).norm();
  EXPECT_GT(offset, 1e-3);  // H_b is about another point, so compare at the centroid of the whole
  const auto at_centroid = [](const Model& model) {
    const MatrixX whole = inertia_matrix(model, State(model));
    const double w = whole(0, 0);
    const Vector3 g(whole(5, 1) / w, whole(3, 2) / w, whole(4, 0) / w);
    const Matrix3 g_tilde = tilde(g);
    return Matrix3(whole.block<3, 3>(3, 3) - w * g_tilde * g_tilde.transpose());
  };
  EXPECT_LT((at_centroid(modal) - at_centroid(chain)).norm(), 1e-12);
}

TEST(ModalAppendage, FewModesGiveTheLowFrequencies) {
  const VectorX expected = small_vibrations(chain_robot()).frequencies;
  const VectorX found = small_vibrations(modal_robot(3)).frequencies;
  ASSERT_EQ(found.size(), 3);
  EXPECT_NEAR(found(0), expected(0), 0.01 * expected(0));
  EXPECT_NEAR(found(1), expected(1), 0.03 * expected(1));
  EXPECT_GT(found(0), expected(0));  // truncation stiffens
}

TEST(ModalAppendage, SwingsAsTheChainWhereBothAreLinear) {
  const auto chain = std::make_shared<const Model>(chain_robot());
  const auto modal = std::make_shared<const Model>(modal_robot(8));
  const auto kicked = [](const std::shared_ptr<const Model>& model) {
    State state(*model);
    // a kick of the hub, felt at the same point of it
    state.omega_0 = Vector3(1e-5, -2e-5, 1.5e-5);
    state.v_0 = state.omega_0.cross(model->body(0).center_of_mass);
    const SimulationResult result = fly(tight_setup(model), state, 2.0);
    EXPECT_LT(result.audit.momentum_drift(), 1e-9);
    return Vector3(result.state.A_0.col(0) * 1e5);
  };
  EXPECT_LT((kicked(chain) - kicked(modal)).norm(), 1e-3 * 1e0);
}

/// A panel that bends in both planes and twists, on a hub lighter than what its modes move.
TEST(ModalAppendage, WithAllItsModesInTwoPlanesIsTheChainOnASmallBus) {
  FlexibleBeamDescription beam = panel();
  beam.bending_stiffness_z = 120.0;
  for (const double mass : {0.3, 1.0, 1.5}) {
    SCOPED_TRACE(mass);
    BaseDescription bus = base_body(mass, Vector3(0.02, 0.03, 0.04));
    ModelDescription robot = ModelBuilder("modal").set_base(bus).description();
    ModalAppendageDescription appendage = modes_of(beam, 12);
    ASSERT_TRUE(validate_modal_appendage(appendage, "panel").empty());
    appendage.origin = mounting();
    add_modal_appendage(robot, appendage);
    EXPECT_TRUE(robot.base.carries_modes);
    EXPECT_LT(robot.base.mass, 0.0);
    const auto modal = std::make_shared<const Model>(ModelBuilder(robot).build());
    FlexibleBeamDescription placed = beam;
    placed.origin = mounting();
    const auto chain = std::make_shared<const Model>(ModelBuilder(with_beam(bus, placed)).build());
    EXPECT_NEAR(modal->total_mass(), chain->total_mass(), 1e-12);
    const VectorX expected = small_vibrations(*chain).frequencies;
    const VectorX found = small_vibrations(*modal).frequencies;
    ASSERT_EQ(found.size(), 12);
    for (int k = 0; k < 12; ++k) EXPECT_NEAR(found(k), expected(k), 1e-7 * expected(k));

    // and it flies: the kick of a mode, integrals exact
    State state(*modal);
    state.qd(0) = 1e-3;
    const SimulationResult result = fly(tight_setup(modal), state, 1.0);
    EXPECT_LT(result.audit.momentum_drift(), 1e-9);
    EXPECT_LT(result.audit.energy_residual(), 1e-9);
  }
}

TEST(ModalAppendage, RefusesModesThatContradictTheMass) {
  ModalAppendageDescription appendage = modes_of(panel(), 2);
  EXPECT_TRUE(validate_modal_appendage(appendage, "panel").empty());
  appendage.modes[0].translation *= 1.5;
  appendage.modes[0].rotation *= 1.5;
  const auto problems = validate_modal_appendage(appendage, "panel");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "panel.modes");
  EXPECT_EQ(problems[0].message,
            "expected modes that take part in no more than the whole appendage, got participation "
            "factors that contradict its mass and inertia");
}

TEST(ModalAppendage, RefusesAScrew) {
  ModalAppendageDescription appendage = modes_of(panel(), 1);
  appendage.modes[0].rotation = 0.01 * appendage.modes[0].translation;
  const auto problems = validate_modal_appendage(appendage, "panel");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "panel.modes.0.rotation");
}

TEST(ModalAppendage, TurnsEts7AsItsChainOfPanelsDoes) {
  const Scenario chain = shipped_scenario("ets7_arm_slew");
  const Scenario modal = shipped_scenario("ets7_arm_slew_modal");
  const SimulationResult with_chain = fly(chain.setup, chain.initial, 15.0);
  const SimulationResult with_modes = fly(modal.setup, modal.initial, 15.0);
  const double turned = (with_chain.state.A_0 - Matrix3::Identity()).norm();
  EXPECT_GT(turned, 0.01);
  EXPECT_LT((with_chain.state.A_0 - with_modes.state.A_0).norm(), 2e-3 * turned);
}

}  // namespace
}  // namespace spacedyn::testing::modal_appendage_test
