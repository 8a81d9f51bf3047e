#include "spacedyn/inertia/reconfiguration.hpp"

#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "spacedyn/model/submodel.hpp"
#include "support/random_models.hpp"
#include "support/reference_data.hpp"

namespace spacedyn::testing::reconfiguration_test {
namespace {

constexpr double kTight = 1e-13;  // some hundred roundings on numbers near one

/// One free body, a bead or a box.
ModelDescription body(const std::string& name, double mass, const Matrix3& inertia) {
  ModelDescription description;
  description.name = name;
  description.base.name = name;
  description.base.mass = mass;
  description.base.inertia = inertia;
  return description;
}

/// The planar one-link floating robot: base 100 kg, joint 0.5 m from its centroid, link 10 kg.
Model one_link() {
  ModelDescription description = body("base", 100.0, Vector3(20.0, 20.0, 20.0).asDiagonal());
  LinkDescription link;
  link.name = "link";
  link.parent = "base";
  link.mass = 10.0;
  link.inertia = Vector3(2.0, 2.0, 2.0).asDiagonal();
  link.center_of_mass = Vector3(0.75, 0.0, 0.0);
  link.joint.name = "shoulder";
  link.joint.origin.position = Vector3(0.5, 0.0, 0.0);
  description.links.push_back(link);
  return ModelBuilder(description).build();
}

struct Totals {
  Momentum momentum;
  double energy = 0.0;
  Vector3 center = Vector3::Zero();
};

Totals totals(const Model& model, const State& state) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  return {momentum(model, frames, velocities), kinetic_energy(model, frames, velocities),
          center_of_mass(model, frames)};
}

TEST(LockMovingJoint, KeepsTheSpinThatAngularMomentumAllows) {
  // planar: A, B, D of the one-link robot at q = 90°; about the system centroid
  // L = (D + 2B cos q) θ̇ + (A + B cos q) q̇ before, (D + 2B cos q) θ̇ after
  const double A = 7.113636363636364, D = 29.386363636363637;
  const Model model = one_link();
  State state(model);
  state.q(0) = 0.5 * M_PI;
  state.qd(0) = 0.8;
  state.omega_0.z() = 0.3;
  const ModelState locked = lock_joints(model, state, {"shoulder"});
  EXPECT_EQ(locked.model.joint_count(), 0);
  EXPECT_NEAR(locked.state.omega_0.z(), 0.3 + 0.8 * A / D, kTight);
}

TEST(LockMovingJoint, TheEnergyLostIsThatOfTheStoppedMotion) {
  // ½ h q̇² with the reduced inertia h(90°) of the one-link robot
  const Model model = one_link();
  State state(model);
  state.q(0) = 0.5 * M_PI;
  state.qd(0) = 0.8;
  state.omega_0.z() = 0.3;
  const double before = totals(model, state).energy;
  const ModelState locked = lock_joints(model, state, {"shoulder"});
  const double lost = before - totals(locked.model, locked.state).energy;
  EXPECT_NEAR(lost, 0.5 * 5.391619208325 * 0.64, 1e-11);  // h printed to 12 decimals
}

TEST(LockMovingJoint, OnAFixedBaseOnlyTheOtherJointsGoOn) {
  RandomModels random(81);
  ModelDescription description = random.description(TreeShape{3, 1, 0.0, true});
  description.base.fixed = true;
  const Model model = ModelBuilder(description).build();
  State state = random.state(model);
  state.v_0.setZero();
  state.omega_0.setZero();
  const ModelState locked = lock_joints(model, state, {"link_2"});
  EXPECT_EQ(locked.state.v_0, Vector3(Vector3::Zero()));
  EXPECT_EQ(locked.state.omega_0, Vector3(Vector3::Zero()));
  EXPECT_LE(totals(locked.model, locked.state).energy, totals(model, state).energy);
}

TEST(LockJointsAtRest, ChangesNoVelocityBit) {
  const Model model = one_link();
  State state(model);
  state.q(0) = 0.4;
  state.omega_0 = Vector3(0.1, 0.2, 0.3);
  EXPECT_EQ(lock_joints(model, state, {"shoulder"}).state.omega_0, state.omega_0);
}

TEST(UnlockJoints, GivesTheStateBackWithTheJointAtRest) {
  const Model model = one_link();
  State state(model);
  state.r_0 = Vector3(1.0, 2.0, 3.0);
  state.q(0) = 0.4;
  state.omega_0 = Vector3(0.1, 0.2, 0.3);
  const ModelState locked = lock_joints(model, state, {"shoulder"});
  const ModelState free = unlock_joints(locked.model, locked.state, model, {{"shoulder", 0.4}});
  EXPECT_EQ(free.model.joint_count(), 1);
  EXPECT_EQ(free.state.q, state.q);
  EXPECT_EQ(free.state.qd, state.qd);
  EXPECT_LE((free.state.r_0 - state.r_0).norm(), kTight);
  EXPECT_LE((free.state.velocity() - state.velocity()).norm(), kTight);
}

TEST(Attach, PlasticImpactOfTwoBeadsSharesTheirMomentum) {
  const Model hammer = ModelBuilder(body("hammer", 3.0, Matrix3::Identity())).build();
  const Model nail = ModelBuilder(body("nail", 1.0, Matrix3::Identity())).build();
  State moving(hammer), resting(nail);
  moving.v_0.x() = 2.0;
  resting.r_0.x() = 1.0;  // struck centrally: nothing turns
  const ModelState joined = attach(hammer, moving, nail, resting, {"hammer", "", {}});
  EXPECT_NEAR(joined.state.v_0.x(), 3.0 * 2.0 / 4.0, kTight);
  EXPECT_LE(joined.state.omega_0.norm(), kTight);
  EXPECT_NEAR(joined.state.r_0.x(), 0.25, kTight);
  EXPECT_DOUBLE_EQ(joined.model.total_mass(), 4.0);
}

TEST(Attach, AnOffCentreHitTurnsThePair) {
  // reduced mass 3/4 kg at 2 m/s, arm 1 m: L = 1.5 about the centroid; I = 1 + 1 + 3/4
  const Model hammer = ModelBuilder(body("hammer", 3.0, Matrix3::Identity())).build();
  const Model nail = ModelBuilder(body("nail", 1.0, Matrix3::Identity())).build();
  State moving(hammer), resting(nail);
  moving.v_0.x() = 2.0;
  resting.r_0.y() = 1.0;
  const ModelState joined = attach(hammer, moving, nail, resting, {"hammer", "", {}});
  EXPECT_NEAR(joined.state.omega_0.z(), 1.5 / 2.75, kTight);
}

TEST(Attach, MatchingVelocitiesGoOnUnchanged) {
  RandomModels random(82);
  const Model robot = random.model(TreeShape{4, 1, 0.3, true});
  const State state = random.state(robot);
  // a bead that moves with the hand
  LinkFrames frames(robot);
  LinkVelocities velocities(robot);
  compute_link_frames(robot, state, frames);
  compute_link_velocities(robot, state, frames, velocities);
  const Vector6 twist = frame_velocity(frames, velocities, robot.frame("hand"));
  const Model bead = ModelBuilder(body("bead", 2.0, Matrix3::Identity())).build();
  State held(bead);
  held.r_0 = frame_position(frames, robot.frame("hand"));
  held.A_0 = random.rotation();
  held.v_0 = twist.head<3>();
  held.omega_0 = twist.tail<3>();
  const Grasp gentle{"link_4", "", JoinVelocity::matching};
  const ModelState joined = attach(robot, state, bead, held, gentle);
  EXPECT_EQ(joined.state.qd, state.qd);
  EXPECT_EQ(joined.state.omega_0, state.omega_0);
  // the impact that is none gives the same to the conditioning of H
  const ModelState struck = attach(robot, state, bead, held, {"link_4", "", {}});
  EXPECT_LE((struck.state.velocity() - joined.state.velocity()).norm(), 1e-11);
}

TEST(Attach, ARobotFixedToTheGroundStopsWhatItCatches) {
  ModelDescription wall = body("wall", 1.0, Matrix3::Identity());
  wall.base.fixed = true;
  const Model ground = ModelBuilder(wall).build();
  const Model ball = ModelBuilder(body("ball", 1.0, Matrix3::Identity())).build();
  State flying(ball);
  flying.v_0.x() = 1.0;
  const ModelState joined = attach(ground, State(ground), ball, flying, {"wall", "", {}});
  EXPECT_EQ(joined.state.velocity(), VectorX(VectorX::Zero(6)));
}

TEST(Detach, NothingJumps) {
  RandomModels random(83);
  const Model model = random.model(TreeShape{8, 2, 0.3, true});
  const State state = random.state(model);
  const DetachedModels parts = detach(model, state, "link_3");
  const Totals whole = totals(model, state);
  const Totals a = totals(parts.remaining.model, parts.remaining.state);
  const Totals b = totals(parts.detached.model, parts.detached.state);
  EXPECT_LE((a.momentum.linear + b.momentum.linear - whole.momentum.linear).norm(), 1e-12);
  EXPECT_NEAR(a.energy + b.energy, whole.energy, 1e-12 * whole.energy);
}

/// base – arm – hand, each joint with spring, damper and limits.
ModelDescription sprung_arm() {
  ModelDescription description = body("base", 100.0, Vector3(20.0, 20.0, 20.0).asDiagonal());
  for (const char* name : {"arm", "hand"}) {
    LinkDescription link;
    link.parent = description.links.empty() ? "base" : "arm";
    link.name = name;
    link.mass = 10.0;
    link.inertia = Vector3(2.0, 2.0, 2.0).asDiagonal();
    link.joint.name = "to_" + link.name;
    link.joint.origin.position = Vector3(0.5, 0.0, 0.0);
    link.joint.stiffness = 80.0;
    link.joint.rest_position = 0.1;
    link.joint.damping = 3.0;
    link.joint.position_lower = -1.0;
    link.joint.position_upper = 1.5;
    description.links.push_back(link);
  }
  return description;
}

TEST(Detach, SpringDamperAndLimitsEndWithTheirJointAlone) {
  const Model whole = ModelBuilder(sprung_arm()).build();
  State state(whole);
  state.q << 0.4, -0.3;
  const DetachedModels parts = detach(whole, state, "arm");
  // what the cut spring held is what the energies of the parts lack
  EXPECT_EQ(parts.remaining.model.joint_count(), 0);
  EXPECT_DOUBLE_EQ(
      elastic_energy(whole, state.q) - elastic_energy(parts.detached.model, parts.detached.state.q),
      0.5 * 80.0 * 0.3 * 0.3);
  Grasp grasp;
  grasp.link = "base";
  const ModelState again = attach(parts.remaining.model, parts.remaining.state,
                                  parts.detached.model, parts.detached.state, grasp);
  ASSERT_EQ(again.model.joint_count(), 1) << "the hold is rigid";
  const Joint& hand = again.model.joint(1);
  EXPECT_EQ(hand.name, "to_hand");
  EXPECT_EQ(hand.stiffness, 80.0);
  EXPECT_EQ(hand.rest_position, 0.1);
  EXPECT_EQ(hand.damping, 3.0);
  EXPECT_EQ(hand.position_lower, -1.0);
  EXPECT_EQ(hand.position_upper, 1.5);
  EXPECT_EQ(again.state.q(0), -0.3);

  // a joint as it was is one that says so
  const DetachedDescriptions descriptions = detach(sprung_arm(), "arm");
  Attachment attachment;
  attachment.parent = "base";
  attachment.joint = sprung_arm().links[0].joint;
  const Model restored =
      ModelBuilder(attach(descriptions.remaining, descriptions.detached, attachment)).build();
  ASSERT_EQ(restored.joint_count(), 2);
  EXPECT_EQ(restored.joint(1).name, "to_arm");
  EXPECT_EQ(restored.joint(1).stiffness, 80.0);
  EXPECT_EQ(restored.joint(1).position_upper, 1.5);
}

TEST(Rerooted, TheBaseIsWhereTheLinkWas) {
  RandomModels random(84);
  const Model model = random.model(TreeShape{5, 1, 0.3, true});
  const State state = random.state(model);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  const ModelState turned = rerooted(model, state, "link_4");
  EXPECT_LE((turned.state.r_0 - frames.r[4]).norm(), kTight);
  EXPECT_LE(relative_difference(turned.state.A_0, frame_orientation(frames, model.frame("link_4"))),
            kTight);
}

}  // namespace
}  // namespace spacedyn::testing::reconfiguration_test
