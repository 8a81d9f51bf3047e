#include "spacedyn/state/robot_state.hpp"

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
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

}  // namespace spacedyn
