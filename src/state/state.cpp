#include "spacedyn/state/state.hpp"

#include <cmath>
#include <string>

#include <Eigen/LU>

#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/conventions.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/loads.hpp"
#include "spacedyn/state/robot_state.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

constexpr double kAttitudeTolerance = 1e-6;

void check_size(const VectorX& vector, int expected, const char* name) {
  if (vector.size() == expected) return;
  throw DimensionError(std::string(name) + " has " + std::to_string(vector.size()) +
                       " elements, expected " + std::to_string(expected) + ", one per joint");
}

void check_finite(bool finite, const char* name) {
  if (!finite) throw DomainError(std::string(name) + " is not finite");
}

void require_finite(bool finite, const char* name) {
  if (!finite) throw DomainError(std::string(name) + " of the loads is not finite");
}

}  // namespace

State::State(const Model& model)
    : q(VectorX::Zero(model.joint_count())), qd(VectorX::Zero(model.joint_count())) {
  // the base of several robots is the inertial frame, with the mass of what is fixed to it
  const bool is_at_frame =
      !model.robots().empty() || base_point(model.description()) == BasePoint::frame;
  if (is_at_frame) r_0 = model.body(0).center_of_mass;
  follow(model, *this);
}

VectorX State::velocity() const {
  VectorX u(6 + qd.size());
  u << v_0, omega_0, qd;
  return u;
}

void State::check(const Model& model) const {
  check_size(q, model.joint_count(), "q");
  check_size(qd, model.joint_count(), "qd");
  check_finite(r_0.allFinite(), "r_0");
  check_finite(A_0.allFinite(), "A_0");
  check_finite(q.allFinite(), "q");
  check_finite(v_0.allFinite(), "v_0");
  check_finite(omega_0.allFinite(), "omega_0");
  check_finite(qd.allFinite(), "qd");
  check_finite(z.allFinite(), "z");
  if (orthogonality_error(A_0) > kAttitudeTolerance || A_0.determinant() < 0.0) {
    throw DomainError("A_0 is not a rotation: expected orthonormal to 1e-6, determinant +1");
  }
}

void displace_joints(const Model& model, ConstVectorRef displacement, VectorRef q) {
  SPACEDYN_ASSERT(q.size() == model.joint_count() && displacement.size() == q.size());
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (model.joint(i).spherical == 0) q(i - 1) += displacement(i - 1);
  }
  for (const int first : model.spherical_joints()) {
    const Vector3 turn = displacement.segment<3>(first - 1);
    if (turn.isZero(0.0)) continue;
    q.segment<3>(first - 1) = turn_spherical(q, first, turn);
  }
}

VectorX joint_difference(const Model& model, ConstVectorRef from, ConstVectorRef to) {
  SPACEDYN_ASSERT(from.size() == model.joint_count() && to.size() == from.size());
  VectorX displacement = to - from;
  for (const int first : model.spherical_joints()) {
    displacement.segment<3>(first - 1) =
        log_so3(spherical_rotation(from, first).transpose() * spherical_rotation(to, first));
  }
  return displacement;
}

void joint_position_rate(const Model& model, ConstVectorRef q, ConstVectorRef qd, VectorRef rate) {
  SPACEDYN_ASSERT(q.size() == model.joint_count() && rate.size() == q.size());
  if (rate.data() != qd.data()) rate = qd;
  for (const int first : model.spherical_joints()) {
    rate.segment<3>(first - 1) =
        apply_dexp_inverse_so3(-q.segment<3>(first - 1), Vector3(qd.segment<3>(first - 1)));
  }
}

Loads::Loads(const Model& model)
    : tau(VectorX::Zero(model.joint_count())),
      force(Matrix3X::Zero(3, model.body_count())),
      moment(Matrix3X::Zero(3, model.body_count())) {}

void Loads::check(const Model& model) const {
  const int joints = model.joint_count();
  const int bodies = model.body_count();
  if (tau.size() != joints || force.cols() != bodies || moment.cols() != bodies) {
    throw DimensionError("loads are sized for " + std::to_string(tau.size()) + " joints and " +
                         std::to_string(force.cols()) + " bodies, expected " +
                         std::to_string(joints) + " and " + std::to_string(bodies));
  }
  require_finite(gravity.allFinite(), "gravity");
  require_finite(F_b.allFinite(), "F_b");
  require_finite(tau.allFinite(), "tau");
  require_finite(force.allFinite(), "force");
  require_finite(moment.allFinite(), "moment");
}

void Loads::clear() {
  F_b.setZero();
  tau.setZero();
  force.setZero();
  moment.setZero();
}

namespace {

/// Element of the first slide of a base in joint vectors, and of its rotation vector or angle.
Eigen::Index slide_of(const Robot& robot) { return robot.first - 1; }
Eigen::Index turn_of(const Robot& robot) { return robot.first + 2; }

/// Axes of the link that turns a carried base, at angle 0, in the inertial frame: z is the axis.
Matrix3 turn_axes(const Model& model, const Robot& robot) {
  Matrix3 axes = Matrix3::Identity();
  for (int k = 0; k < 4; ++k) axes = axes * model.joint(robot.first + k).rotation;
  return axes;
}

BaseMotion carried_motion(const Model& model, const Robot& robot, const State& state) {
  const Matrix3 axes = turn_axes(model, robot);
  const double angle = state.q(turn_of(robot));
  BaseMotion motion;
  motion.A_0 = axes * Eigen::AngleAxisd(angle, Vector3::UnitZ()) * robot.base.rotation;
  motion.omega_0 = state.qd(turn_of(robot)) * axes.col(2);
  motion.r_0 = state.q.segment<3>(slide_of(robot));
  motion.v_0 = state.qd.segment<3>(slide_of(robot));
  return motion;
}

void set_carried_motion(const Model& model, const Robot& robot, const BaseMotion& motion,
                        State& state) {
  const Matrix3 axes = turn_axes(model, robot);
  const Matrix3 turn = axes.transpose() * motion.A_0 * robot.base.rotation.transpose();
  state.q.segment<3>(slide_of(robot)) = motion.r_0;
  state.q(turn_of(robot)) = std::atan2(turn(1, 0), turn(0, 0));
  state.qd.segment<3>(slide_of(robot)) = motion.v_0;
  state.qd(turn_of(robot)) = axes.col(2).dot(motion.omega_0);
}

void check_robot_size(const VectorX& vector, const Robot& robot, const char* name) {
  if (vector.size() == robot.joint_count()) return;
  throw DimensionError(std::string(name) + " of robot '" + robot.name + "' has " +
                       std::to_string(vector.size()) + " elements, expected " +
                       std::to_string(robot.joint_count()) + ", one per joint");
}

}  // namespace

BaseMotion base_motion(const Model& model, const Robot& robot, const State& state) {
  if (robot.is_carried) return carried_motion(model, robot, state);
  BaseMotion motion;
  if (!robot.floats) {
    const Vector3 arm = robot.base.position - model.body(0).center_of_mass;
    motion.r_0 = state.r_0 + state.A_0 * arm;
    motion.A_0 = state.A_0 * robot.base.rotation;
    return motion;
  }
  // the joint stands on the inertial frame, slides along its axes and turns in those of the base
  motion.A_0 = spherical_rotation(state.q, robot.first + 3);
  const Vector3 arm = motion.A_0 * robot.base.position;
  motion.omega_0 = motion.A_0 * state.qd.segment<3>(turn_of(robot));
  motion.r_0 = state.q.segment<3>(slide_of(robot)) + arm;
  motion.v_0 = state.qd.segment<3>(slide_of(robot)) + motion.omega_0.cross(arm);
  return motion;
}

void set_base_motion(const Model& model, const Robot& robot, const BaseMotion& motion,
                     State& state) {
  if (robot.is_carried) return set_carried_motion(model, robot, motion, state);
  if (!robot.floats) throw DomainError("the base of robot '" + robot.name + "' is fixed");
  const Vector3 arm = motion.A_0 * robot.base.position;
  state.q.segment<3>(slide_of(robot)) = motion.r_0 - arm;
  state.q.segment<3>(turn_of(robot)) = log_so3(motion.A_0);
  state.qd.segment<3>(slide_of(robot)) = motion.v_0 - motion.omega_0.cross(arm);
  state.qd.segment<3>(turn_of(robot)) = motion.A_0.transpose() * motion.omega_0;
}

State robot_state(const Model& model, const Robot& robot, const State& state) {
  const BaseMotion base = base_motion(model, robot, state);
  State own;
  own.r_0 = base.r_0;
  own.A_0 = base.A_0;
  own.v_0 = base.v_0;
  own.omega_0 = base.omega_0;
  own.q = state.q.segment(robot.first_joint() - 1, robot.joint_count());
  own.qd = state.qd.segment(robot.first_joint() - 1, robot.joint_count());
  return own;
}

void set_robot_state(const Model& model, const Robot& robot, const State& own, State& state) {
  check_robot_size(own.q, robot, "q");
  check_robot_size(own.qd, robot, "qd");
  if (robot.moves()) {
    set_base_motion(model, robot, {own.r_0, own.A_0, own.v_0, own.omega_0}, state);
  }
  state.q.segment(robot.first_joint() - 1, robot.joint_count()) = own.q;
  state.qd.segment(robot.first_joint() - 1, robot.joint_count()) = own.qd;
}

namespace {

constexpr const char* kNeedsScalars =
    "vectors of other toolboxes are known for joints with one coordinate each";

/// From the base centroid to the point whose motion the convention uses, inertial axes.
Vector3 offset_of_base_point(Convention convention, const Model& model, const Matrix3& A_0) {
  if (convention == Convention::spart) return Vector3::Zero();
  return -A_0 * model.body(0).center_of_mass;
}

/// Where the quaternion sits: its scalar part, and the first of the others.
Eigen::Index scalar_row(Convention convention, int joint_count) {
  if (convention == Convention::mujoco) return 3;
  return convention == Convention::rbdl ? 6 + joint_count : 6;
}
Eigen::Index vector_row(Convention convention) { return convention == Convention::mujoco ? 4 : 3; }

/// First row of the joint positions.
Eigen::Index joint_row(Convention convention) { return convention == Convention::rbdl ? 6 : 7; }

void check_size(ConstVectorRef vector, int expected, const char* name) {
  if (vector.size() == expected) return;
  throw DimensionError(std::string(name) + " have " + std::to_string(vector.size()) +
                       " elements, expected " + std::to_string(expected));
}

}  // namespace

VectorX positions_in(Convention convention, const Model& model, const State& state) {
  state.check(model);
  refuse_spherical_joints(model, kNeedsScalars);
  const int n = model.joint_count();
  const Quaternion quaternion = quaternion_from_matrix(state.A_0);
  VectorX positions(7 + n);
  positions.head<3>() = state.r_0 + offset_of_base_point(convention, model, state.A_0);
  positions.segment<3>(vector_row(convention)) = quaternion.vec();
  positions.segment(joint_row(convention), n) = state.q;
  positions(scalar_row(convention, n)) = quaternion.w();
  return positions;
}

VectorX velocities_in(Convention convention, const Model& model, const State& state) {
  return velocity_map(convention, model, state) * state.velocity();
}

State state_from(Convention convention, const Model& model, ConstVectorRef positions,
                 ConstVectorRef velocities) {
  refuse_spherical_joints(model, kNeedsScalars);
  const int n = model.joint_count();
  check_size(positions, 7 + n, "positions");
  check_size(velocities, 6 + n, "velocities");
  State state(model);
  Quaternion quaternion;
  quaternion.w() = positions(scalar_row(convention, n));
  quaternion.vec() = positions.segment<3>(vector_row(convention));
  state.A_0 = matrix_from_quaternion(quaternion);
  state.r_0 = positions.head<3>() - offset_of_base_point(convention, model, state.A_0);
  state.q = positions.segment(joint_row(convention), n);
  // the map is a change of axes and a shift, so its inverse is exact to rounding
  const VectorX u = velocity_map(convention, model, state).inverse() * velocities;
  state.v_0 = linear_part(u);
  state.omega_0 = angular_part(u);
  state.qd = joint_part(u);
  return state;
}

MatrixX velocity_map(Convention convention, const Model& model, const State& state) {
  state.check(model);
  MatrixX X = MatrixX::Identity(model.velocity_size(), model.velocity_size());
  const Matrix3 to_base = state.A_0.transpose();
  const Matrix3 shift = -tilde(offset_of_base_point(convention, model, state.A_0));
  switch (convention) {
    case Convention::pinocchio:
      X.topLeftCorner<6, 6>() << to_base, to_base * shift, Matrix3::Zero(), to_base;
      break;
    case Convention::rbdl:
    case Convention::mujoco:
      X.topLeftCorner<6, 6>() << Matrix3::Identity(), shift, Matrix3::Zero(), to_base;
      break;
    case Convention::spart:
      X.topLeftCorner<6, 6>() << Matrix3::Zero(), to_base, Matrix3::Identity(), Matrix3::Zero();
      break;
  }
  return X;
}

}  // namespace spacedyn
