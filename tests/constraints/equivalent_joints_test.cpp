// The same joint between two bodies, once in the tree and once as a loop.
#include <gtest/gtest.h>

#include "spacedyn/constraints/constrained_dynamics.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/dynamics/forward_dynamics.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/math/rotations.hpp"
#include "support/case_name.hpp"
#include "support/loop_models.hpp"
#include "support/random_models.hpp"

namespace spacedyn::testing::equivalent_joints_test {
namespace {

constexpr auto R = JointType::revolute;
constexpr auto P = JointType::prismatic;

struct Case {
  LoopType type;
  std::vector<ChainJoint> joints;  ///< of the tree, in the axes of the first point
  double length;                   ///< by which the chain goes on along z after two joints

  friend std::ostream& operator<<(std::ostream& out, const Case& given) {
    return out << loop_traits(given.type).name;
  }
};

const Vector3 kAxis = Vector3(0.3, -0.5, 0.8).normalized();
const Matrix3 kNormals = rotation_from_z_to(kAxis);

std::vector<Case> all_cases() {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  const Vector3 first = kNormals.col(0), second = kNormals.col(1);
  return {{LoopType::weld, {{JointType::fixed, z}}, 0.0},
          {LoopType::revolute, {{R, kAxis}}, 0.0},
          {LoopType::prismatic, {{P, kAxis}}, 0.0},
          {LoopType::cylindrical, {{P, kAxis}, {R, kAxis}}, 0.0},
          {LoopType::spherical, {{R, x}, {R, y}, {R, z}}, 0.0},
          {LoopType::universal, {{R, first}, {R, second}}, 0.0},
          {LoopType::planar, {{P, first}, {P, second}, {R, kAxis}}, 0.0},
          {LoopType::distance, {{R, x}, {R, y}, {R, x}, {R, y}, {R, z}}, 0.7}};
}

/// A floating base with an arm A, to which a body B is joined.
struct Pair {
  RandomModels random{7};
  ModelDescription common;
  LinkDescription body;
  Pose place;  ///< of the joint on A

  Pair() {
    common.name = "pair";
    common.base = base_body(8.0, {2.0, 3.0, 2.5});
    LinkDescription arm =
        link_body("A", "base", 2.0, {0.4, 0.5, 0.3}, {0.3, 0.1, -0.2}, {0.2, 0.1, 0.3});
    arm.joint.axis = Vector3(1.0, 2.0, -0.5);
    common.links.push_back(arm);
    body = link_body("B", "", 1.5, {0.2, 0.3, 0.25}, Vector3::Zero(), {0.1, -0.2, 0.15});
    place.position = {0.5, -0.1, 0.2};
    place.rotation = matrix_from_rpy({0.4, -0.7, 1.1});
    FrameDescription frame = point_on("on_A", "A", place.position);
    frame.origin.rotation = place.rotation;
    common.frames.push_back(frame);
  }

  Model tree(const Case& given) const {
    ModelDescription robot = common;
    add_chain("B", "A", place, given.joints, body, robot);
    if (given.length > 0.0) robot.links[3].joint.origin.position = {0.0, 0.0, given.length};
    return ModelBuilder(robot).build();
  }

  /// B on six joints from the base, held to A by a loop.
  Model loop(const Case& given) const {
    ModelDescription robot = common;
    const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
    add_chain("B", "base", {}, {{P, x}, {P, y}, {P, z}, {R, x}, {R, y}, {R, z}}, body, robot);
    LoopDescription loop = loop_between("joint", given.type, "on_A", "B");
    loop.axis = given.type == LoopType::universal ? Vector3(2.0 * kNormals.col(0)) : 3.0 * kAxis;
    loop.second_axis = kNormals.col(1);
    loop.length = given.length > 0.0 ? given.length : 1.0;
    robot.loops.push_back(loop);
    return ModelBuilder(robot).build();
  }
};

/// Position, attitude and velocity of B as those of another model.
State same_motion(const Model& tree, const State& given, const Model& other) {
  LinkFrames frames(tree);
  LinkVelocities velocities(tree);
  compute_link_frames(tree, given, frames);
  compute_link_velocities(tree, given, frames, velocities);
  const Frame B = tree.frame("B"), base = tree.frame("base");
  const Matrix3 A_base = frame_orientation(frames, base);

  State state(other);
  state.r_0 = given.r_0;
  state.A_0 = given.A_0;
  state.v_0 = given.v_0;
  state.omega_0 = given.omega_0;
  state.q(0) = given.q(0);
  state.qd(0) = given.qd(0);
  state.q.segment<3>(1) =
      A_base.transpose() * (frame_position(frames, B) - frame_position(frames, base));
  state.q.segment<3>(4) = twist_from_matrix(A_base.transpose() * frame_orientation(frames, B));

  LinkFrames other_frames(other);
  compute_link_frames(other, state, other_frames);
  Matrix6X J_m(6, other.joint_count());
  frame_jacobian(other, other_frames, other.frame("B"), J_m);
  Vector6 base_twist;
  base_twist << given.v_0, given.omega_0;
  const Vector6 rest = frame_velocity(frames, velocities, B) -
                       base_jacobian(other_frames, other.frame("B")) * base_twist -
                       J_m.col(0) * state.qd(0);
  state.qd.tail<6>() = J_m.rightCols<6>().fullPivLu().solve(rest);
  return state;
}

/// Accelerations of the base, of joint A and of B.
VectorX motion_of(const Model& model, const State& state, const VectorX& acceleration) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  LinkAccelerations accelerations(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  compute_link_accelerations(model, state, frames, velocities, acceleration, accelerations);
  VectorX all(13);
  all << acceleration.head<7>(),
      frame_acceleration(frames, velocities, accelerations, model.frame("B"));
  return all;
}

class EquivalentJoints : public ::testing::TestWithParam<Case> {};

TEST_P(EquivalentJoints, MoveAlike) {
  const Pair pair;
  const Model tree = pair.tree(GetParam()), loop = pair.loop(GetParam());
  RandomModels random(11);
  for (int i = 0; i < 5; ++i) {
    State state = random.state(tree);
    state.q *= 0.5;  // away from the singularity of B's six joints
    const State other = same_motion(tree, state, loop);
    ASSERT_LT(position_residual(loop, other).value, 1e-13);
    ASSERT_LT(velocity_residual(loop, other).value, 1e-12);

    Loads loads(tree), other_loads(loop);
    loads.gravity = other_loads.gravity = random.vector(3, 9.0);
    loads.F_b = other_loads.F_b = random.vector(6, 5.0);
    loads.tau(0) = other_loads.tau(0) = random.number(-3.0, 3.0);
    const int B = tree.frame("B").body, other_B = loop.frame("B").body;
    loads.force.col(B) = random.vector(3, 4.0);
    // a wrench about the centroid of the body that B is part of, which differs if B is welded
    LinkFrames frames(tree), other_frames(loop);
    compute_link_frames(tree, state, frames);
    compute_link_frames(loop, other, other_frames);
    other_loads.force.col(other_B) = loads.force.col(B);
    other_loads.moment.col(other_B) =
        (frames.r[std::size_t(B)] - other_frames.r[std::size_t(other_B)])
            .cross(Vector3(loads.force.col(B)));

    const VectorX expected = motion_of(tree, state, forward_dynamics(tree, state, loads));
    const ConstrainedMotion found = constrained_motion(loop, other, other_loads);
    const VectorX actual = motion_of(loop, other, found.acceleration);
    EXPECT_LT((actual - expected).norm(), 1e-11 * (1.0 + expected.norm()));
    EXPECT_EQ(found.rank, loop_traits(GetParam().type).rows());
    EXPECT_EQ(found.degrees_of_freedom, tree.velocity_size());
  }
}

INSTANTIATE_TEST_SUITE_P(AllTypes, EquivalentJoints, ::testing::ValuesIn(all_cases()),
                         NamedByValue());

}  // namespace
}  // namespace spacedyn::testing::equivalent_joints_test
