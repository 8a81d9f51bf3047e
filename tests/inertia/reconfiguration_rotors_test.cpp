// Robots with geared rotors and elastic drives that lock, catch and let go, against impulses in the
// coordinates of before.
#include <Eigen/Cholesky>

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/inertia/reconfiguration.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/model/elastic_drive.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "support/conditioning.hpp"
#include "support/property.hpp"
#include "support/random_models.hpp"
#include "support/small_models.hpp"

namespace spacedyn::testing::reconfiguration_rotors_test {
namespace {

/// Rotors of both kinds and elastic drives in a random tree; bodies have the rotors they carry.
ModelDescription geared(RandomModels& random, const TreeShape& shape) {
  ModelDescription robot = random.description(shape);
  std::vector<LinkDescription> rotors;
  for (LinkDescription& link : robot.links) {
    if (random.number(0.0, 1.0) < 0.2) continue;
    JointDescription& joint = link.joint;
    joint.rotor_inertia = random.number(1e-4, 0.05);
    joint.gear_ratio = std::copysign(random.number(0.5, 40.0), random.number(-1.0, 3.0));
    BodyDescription* parent = &robot.base;
    for (LinkDescription& other : robot.links) {
      if (other.name == link.parent) parent = &other;
    }
    parent->inertia += joint.rotor_inertia * Matrix3::Identity();
    if (joint.type == JointType::prismatic) continue;
    const double kind = random.number(0.0, 1.0);
    if (kind < 0.5) joint.rotor_coupling = RotorCoupling::full;
    if (kind > 0.85) {
      const ElasticDrive drive = separate_rotor(link, 1000.0, 1.0);
      rotors.push_back(drive.rotor);
      robot.transmissions.push_back(drive.transmission);
    }
  }
  robot.links.insert(robot.links.end(), rotors.begin(), rotors.end());
  return robot;
}

struct Case {
  RandomModels random;
  Model model;
  State state;

  static Case generate(int most_links = 12) {
    RandomModels random(*rc::gen::resize(100, rc::gen::arbitrary<unsigned>()));
    TreeShape shape;
    shape.links = *rc::gen::resize(100, rc::gen::inRange(1, most_links + 1));
    shape.window = *rc::gen::resize(100, rc::gen::inRange(1, 5));
    Model model = ModelBuilder(geared(random, shape)).build();
    State state = random.state(model);
    return {std::move(random), std::move(model), std::move(state)};
  }

  bool is_elastic(const std::string& joint) const {
    for (const Transmission& drive : model.transmissions()) {
      if (model.joint(drive.motor).name == joint || model.joint(drive.joint).name == joint) {
        return true;
      }
    }
    return false;
  }
  /// Joints that may be locked or cut.
  std::vector<int> stiff_joints() const {
    std::vector<int> joints;
    for (int joint = 1; joint <= model.joint_count(); ++joint) {
      if (!is_elastic(model.joint(joint).name)) joints.push_back(joint);
    }
    return joints;
  }
  std::string any_body() {
    return model.body(static_cast<int>(random.number(0.0, model.body_count() - 1e-9))).name;
  }
};

/// Momentum, energy and velocities of a system.
struct Motion {
  Motion(const Model& model, const State& state) : frames(model), velocities(model) {
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    total = momentum(model, frames, velocities);
    energy = kinetic_energy(model, frames, velocities);
  }
  LinkFrames frames;
  LinkVelocities velocities;
  Momentum total;
  double energy = 0.0;
};

/// Velocities after the impulse that makes K u zero, H⁻¹ Kᵀ (K H⁻¹ Kᵀ)⁻¹ K u less than before.
VectorX struck(const MatrixX& H, const MatrixX& K, const VectorX& u) {
  if (K.rows() == 0) return u;
  const MatrixX response = H.llt().solve(K.transpose());
  const VectorX impulse = (K * response).ldlt().solve(K * u);
  return u - response * impulse;
}

/// [J_b, J_m] of a point.
MatrixX jacobian(const Model& model, const State& state, const Frame& frame) {
  const FrameJacobians J = frame_jacobians(model, state, frame);
  MatrixX all(6, model.velocity_size());
  all << J.J_b, J.J_m;
  return all;
}

void require_same_velocities(const Model& before, const State& moved, const Model& after,
                             const State& state, const std::string& prefix, double tolerance) {
  const Motion expected(before, moved), actual(after, state);
  for (int body = 0; body < before.body_count(); ++body) {
    const Frame here = before.frame(before.body(body).name);
    const Frame there = after.frame(prefix + before.body(body).name);
    const Vector6 v = frame_velocity(expected.frames, expected.velocities, here);
    const Vector6 w = frame_velocity(actual.frames, actual.velocities, there);
    RC_ASSERT((w - v).norm() <= tolerance * (1.0 + moved.velocity().norm()));
  }
  for (int joint = 1; joint <= before.joint_count(); ++joint) {
    const auto other = after.find_joint(prefix + before.joint(joint).name);
    if (!other) continue;
    RC_ASSERT(std::abs(state.qd(*other - 1) - moved.qd(joint - 1)) <=
              tolerance * (1.0 + moved.velocity().norm()));
  }
}

State with_velocity(State state, const VectorX& u) {
  state.v_0 = u.head<3>();
  state.omega_0 = u.segment<3>(3);
  state.qd = u.tail(state.qd.size());
  return state;
}

TEST(RotorsAndLocks, ALockIsAnImpulseInTheJoint) {
  check_property([] {
    Case c = Case::generate();
    std::vector<std::string> names;
    std::vector<int> rows;
    for (const int joint : c.stiff_joints()) {
      if (c.random.number(0.0, 1.0) > 0.5) continue;
      names.push_back(c.model.joint(joint).name);
      rows.push_back(5 + joint);
    }
    MatrixX K = MatrixX::Zero(static_cast<Eigen::Index>(rows.size()), c.model.velocity_size());
    for (std::size_t i = 0; i < rows.size(); ++i) K(static_cast<Eigen::Index>(i), rows[i]) = 1.0;
    const MatrixX H = inertia_matrix(c.model, c.state);
    const VectorX after = struck(H, K, c.state.velocity());
    const ModelState locked = lock_joints(c.model, c.state, names);
    require_same_velocities(c.model, with_velocity(c.state, after), locked.model, locked.state, "",
                            solution_tolerance(H));
    const Motion whole(c.model, c.state), held(locked.model, locked.state);
    RC_ASSERT((held.total.linear - whole.total.linear).norm() <=
              solution_tolerance(H) * (1.0 + whole.total.linear.norm()));
    RC_ASSERT((held.total.angular_origin - whole.total.angular_origin).norm() <=
              solution_tolerance(H) * (1.0 + whole.total.angular_origin.norm()));
    RC_ASSERT(held.energy <= whole.energy * (1.0 + solution_tolerance(H)));
  });
}

TEST(RotorsAndLocks, LockingJointsAtRestChangesNothing) {
  check_property([] {
    Case c = Case::generate();
    std::vector<std::string> names;
    for (const int joint : c.stiff_joints()) {
      if (c.random.number(0.0, 1.0) > 0.5) continue;
      names.push_back(c.model.joint(joint).name);
      // at rest, and at rest but for a rounding
      c.state.qd(joint - 1) = c.random.number(0.0, 1.0) < 0.5 ? 0.0 : 1e-18;
    }
    const ModelState locked = lock_joints(c.model, c.state, names);
    require_same_velocities(c.model, c.state, locked.model, locked.state, "",
                            solution_tolerance(inertia_matrix(c.model, c.state)));
  });
}

TEST(RotorsAndAttachments, AHoldIsAnImpulseBetweenTheParts) {
  check_property([] {
    Case robot = Case::generate(8), target = Case::generate(6);
    const std::string hand = robot.any_body();
    const ModelState joined = attach(robot.model, robot.state, target.model, target.state,
                                     {hand, "target_", JoinVelocity::plastic});
    // the target's base as a point of the hand and as its own
    LinkFrames frames(robot.model), target_frames(target.model);
    compute_link_frames(robot.model, robot.state, frames);
    compute_link_frames(target.model, target.state, target_frames);
    Frame grip = robot.model.frame(hand);
    grip.position += grip.rotation * (frame_orientation(frames, grip).transpose() *
                                      (target_frames.r[0] - frame_position(frames, grip)));
    const Frame own = target.model.frame(target.model.body(0).name + ".com");
    const int a = robot.model.velocity_size(), b = target.model.velocity_size();
    MatrixX H = MatrixX::Zero(a + b, a + b), K(6, a + b);
    H.topLeftCorner(a, a) = inertia_matrix(robot.model, robot.state);
    H.bottomRightCorner(b, b) = inertia_matrix(target.model, target.state);
    K << jacobian(robot.model, robot.state, grip), -jacobian(target.model, target.state, own);
    VectorX u(a + b);
    u << robot.state.velocity(), target.state.velocity();
    const VectorX after = struck(H, K, u);
    const double tolerance =
        solution_tolerance(H) + solution_tolerance(inertia_matrix(joined.model, joined.state));
    require_same_velocities(robot.model, with_velocity(robot.state, after.head(a)), joined.model,
                            joined.state, "", tolerance);
    require_same_velocities(target.model, with_velocity(target.state, after.tail(b)), joined.model,
                            joined.state, "target_", tolerance);
    const double before =
        Motion(robot.model, robot.state).energy + Motion(target.model, target.state).energy;
    RC_ASSERT(Motion(joined.model, joined.state).energy <= before * (1.0 + tolerance));
  });
}

/// A grain at the centroid of a body, at rest.
ModelState grain(const Model& robot, const State& state, const std::string& hand, double mass) {
  Model model = ModelBuilder([&] {
                  ModelDescription description;
                  description.name = description.base.name = "grain";
                  description.base.mass = mass;
                  description.base.inertia = mass * Matrix3::Identity();
                  return description;
                }())
                    .build();
  LinkFrames frames(robot);
  compute_link_frames(robot, state, frames);
  State there(model);
  there.r_0 = frame_position(frames, robot.frame(hand + ".com"));
  return {std::move(model), std::move(there)};
}

TEST(RotorsAndAttachments, TheJumpGoesToZeroWithTheMass) {
  check_property([] {
    Case c = Case::generate();
    const std::string hand = c.any_body();
    const double rounding = solution_tolerance(inertia_matrix(c.model, c.state));
    double jump = 0.0;
    for (const double mass : {1e-6, 1e-8}) {
      const ModelState speck = grain(c.model, c.state, hand, mass);
      const ModelState joined = attach(c.model, c.state, speck.model, speck.state, {hand, "", {}});
      const double change =
          (joined.state.qd - c.state.qd).norm() + (joined.state.omega_0 - c.state.omega_0).norm();
      // in proportion to the mass, and rounding
      if (mass < 1e-7) RC_ASSERT(change <= 0.011 * jump + rounding * (1.0 + c.state.qd.norm()));
      jump = change;
    }
  });
}

TEST(RotorsAndAttachments, AMilligramLeavesAGearedArmAlone) {
  for (const RotorCoupling coupling : {RotorCoupling::reflected, RotorCoupling::full}) {
    ModelBuilder builder("arm");
    builder.set_base(base_body(100.0, {10.0, 10.0, 20.0}));
    for (const std::string name : {"upper", "fore"}) {
      LinkDescription link = link_body(name, name == "upper" ? "base" : "upper", 10.0,
                                       {0.05, 1.0, 1.0}, {1.0, 0.0, 0.0}, {0.5, 0.0, 0.0});
      link.joint.rotor_inertia = 1e-3;
      link.joint.gear_ratio = 100.0;
      link.joint.rotor_coupling = coupling;
      builder.add_link(link);
    }
    const Model arm = builder.build();
    State state(arm);
    state.q << 0.3, 0.8;
    state.qd << 1.0, 0.0;
    const ModelState speck = grain(arm, state, "fore", 1e-6);
    const ModelState joined = attach(arm, state, speck.model, speck.state, {"fore", "", {}});
    // 1 mg at some m/s against 10 kg m² of rotors
    EXPECT_NEAR(joined.state.qd(0), 1.0, 1e-6);
    EXPECT_NEAR(joined.state.qd(1), 0.0, 1e-6);
  }
}

TEST(RotorsAndCuts, EnergyAndMomentumOfThePartsAreThoseOfTheWhole) {
  check_property([] {
    Case c = Case::generate();
    const std::vector<int> joints = c.stiff_joints();
    RC_PRE(!joints.empty());
    const auto size = static_cast<double>(joints.size());
    const int cut = joints[static_cast<std::size_t>(c.random.number(0.0, size - 1e-9))];
    const std::string link = c.model.body(cut).name;
    const DetachedModels parts = [&] {
      try {
        return detach(c.model, c.state, link);
      } catch (const DomainError&) {
        RC_DISCARD("a transmission would be cut");
      }
    }();
    const Motion whole(c.model, c.state);
    const Motion a(parts.remaining.model, parts.remaining.state);
    const Motion b(parts.detached.model, parts.detached.state);
    // kinematics and sums alone: no equations are solved
    constexpr double kTight = 1e-12;
    RC_ASSERT(std::abs(a.energy + b.energy - whole.energy) <= kTight * whole.energy);
    RC_ASSERT((a.total.linear + b.total.linear - whole.total.linear).norm() <=
              kTight * (1.0 + whole.energy));
    RC_ASSERT(
        (a.total.angular_origin + b.total.angular_origin - whole.total.angular_origin).norm() <=
        kTight * (1.0 + whole.energy));
    RC_ASSERT(parts.remaining.model.total_mass() + parts.detached.model.total_mass() <=
              c.model.total_mass() * (1.0 + kTight));

    // one joint less, unless its motor stays
    int idle = 0;
    for (const LinkDescription& each : c.model.description().links) {
      if (each.name == link && each.joint.rotor_inertia > 0.0) idle = 1;
    }
    RC_ASSERT(parts.remaining.model.joint_count() + parts.detached.model.joint_count() + 1 ==
              c.model.joint_count() + idle);
  });
}

TEST(RotorsAndCuts, TheIdleMotorKeepsItsMomentum) {
  // a wheel on a fixed base: ½ N² I q̇² before, all of it in the rotor once the link has gone
  ModelBuilder builder("winch");
  BaseDescription base = base_body(10.0, {1.0, 1.0, 1.0});
  base.fixed = true;
  builder.set_base(base);
  LinkDescription drum =
      link_body("drum", "base", 2.0, {0.1, 0.1, 0.2}, Vector3::Zero(), Vector3::Zero());
  drum.joint.name = "axle";
  drum.joint.rotor_inertia = 0.01;
  drum.joint.gear_ratio = -5.0;
  drum.joint.stiffness = 3.0;
  drum.joint.effort_limit = 7.0;
  builder.add_link(drum);
  const Model winch = builder.build();
  State state(winch);
  state.q(0) = 0.4;
  state.qd(0) = 2.0;
  const DetachedModels parts = detach(winch, state, "drum");
  const Model& left = parts.remaining.model;
  ASSERT_EQ(left.joint_count(), 1);
  EXPECT_EQ(left.joint(1).name, "axle_motor");
  EXPECT_EQ(left.body(1).name, "drum_rotor");
  EXPECT_EQ(left.joint(1).effort_limit, 7.0);
  EXPECT_EQ(left.joint(1).stiffness, 0.0);
  EXPECT_EQ(parts.remaining.state.q(0), 0.4);
  EXPECT_EQ(parts.remaining.state.qd(0), 2.0);
  EXPECT_DOUBLE_EQ(Motion(left, parts.remaining.state).energy, 0.5 * 25.0 * 0.01 * 4.0);
  EXPECT_DOUBLE_EQ(Motion(parts.detached.model, parts.detached.state).energy, 0.5 * 0.2 * 4.0);
}

TEST(RotorsAndCuts, WhatIsLetGoCanBeHeldAgain) {
  RandomModels random(5);
  ModelDescription robot = random.description(TreeShape{4, 1, 0.0, true});
  for (LinkDescription& link : robot.links) link.joint.rotor_inertia = 1e-3;
  const Model model = ModelBuilder(robot).build();
  const State state = random.state(model);
  const DetachedModels parts = detach(model, state, "link_3");
  const ModelState joined = attach(parts.remaining.model, parts.remaining.state,
                                   parts.detached.model, parts.detached.state, {"link_2", "", {}});
  EXPECT_EQ(joined.model.joint_count(), 4);  // link_1, link_2, the idle motor of link_3, link_4
  const DetachedModels again = detach(joined.model, joined.state, "link_4");
  EXPECT_EQ(again.remaining.model.joint_count(), 4);
}

}  // namespace
}  // namespace spacedyn::testing::reconfiguration_rotors_test
