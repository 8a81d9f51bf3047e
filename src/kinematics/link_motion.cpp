#include "spacedyn/kinematics/link_motion.hpp"

#include <cmath>
#include <string>

#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/spatial/ordering.hpp"
#include "state/spherical.hpp"

namespace spacedyn {
namespace {

/// A · R_z(q): turns the first two columns, without forming the factor.
Matrix3 turned_about_z(const Matrix3& A, double q) {
  const double c = std::cos(q);
  const double s = std::sin(q);
  Matrix3 turned;
  turned.col(0) = c * A.col(0) + s * A.col(1);
  turned.col(1) = c * A.col(1) - s * A.col(0);
  turned.col(2) = A.col(2);
  return turned;
}

}  // namespace

LinkFrames::LinkFrames(const Model& model) {
  const auto bodies = static_cast<std::size_t>(model.body_count());
  A.assign(bodies, Matrix3::Identity());
  r.assign(bodies, Vector3::Zero());
  p.assign(bodies, Vector3::Zero());
  o.assign(bodies, Vector3::Zero());
  k.assign(bodies, Vector3::Zero());
}

void compute_link_frames(const Model& model, const State& state, LinkFrames& frames) {
  SPACEDYN_ASSERT(state.q.size() == model.joint_count());
  SPACEDYN_ASSERT(static_cast<int>(frames.r.size()) == model.body_count());
  frames.A[0] = state.A_0;
  frames.r[0] = state.r_0;
  frames.o[0] = state.r_0 - state.A_0 * model.body(0).center_of_mass;

  for (int link = 1; link <= model.joint_count(); ++link) {
    const Joint& joint = model.joint(link);
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    const double q = state.q(link - 1);

    // (1), transposed: A_i = A_B R_x(α) R_y(β) R_z(γ) R_z(q), the last for a revolute joint only
    // of a spherical joint the first coordinate has the whole rotation, the others none
    const Matrix3 at_zero =
        frames.A[lower] * (joint.spherical == 1
                               ? turned_by(joint, spherical_rotation(state.q, link))
                               : joint.rotation);
    const bool turns = joint.turn != 0.0 && joint.spherical == 0;
    frames.A[i] = turns ? turned_about_z(at_zero, q) : at_zero;
    frames.k[i] = at_zero.col(2);

    // r_i = r_B + c_Bi − c_ii (+ k_i q_i if prismatic, h k_i q_i of a screw)
    frames.p[i] = frames.o[lower] + frames.A[lower] * joint.origin;
    frames.o[i] = frames.p[i] + frames.k[i] * (joint.slide * q);
    frames.r[i] = frames.o[i] + frames.A[i] * model.body(link).center_of_mass;
  }
}

Vector3 frame_position(const LinkFrames& frames, const Frame& frame) {
  const auto i = static_cast<std::size_t>(frame.body);
  return frames.o[i] + frames.A[i] * frame.position;
}

Matrix3 frame_orientation(const LinkFrames& frames, const Frame& frame) {
  return frames.A[static_cast<std::size_t>(frame.body)] * frame.rotation;
}

LinkVelocities::LinkVelocities(const Model& model)
    : v(static_cast<std::size_t>(model.body_count()), Vector3::Zero()),
      omega(v),
      qd(VectorX::Zero(model.joint_count())) {}

LinkAccelerations::LinkAccelerations(const Model& model)
    : vd(static_cast<std::size_t>(model.body_count()), Vector3::Zero()),
      omegad(vd),
      qdd(VectorX::Zero(model.joint_count())) {}

void compute_link_velocities(const Model& model, const State& state, const LinkFrames& frames,
                             LinkVelocities& velocities) {
  SPACEDYN_ASSERT(static_cast<int>(velocities.v.size()) == model.body_count());
  velocities.v[0] = state.v_0;
  velocities.omega[0] = state.omega_0;
  velocities.qd = state.qd;
  for (int link = 1; link <= model.joint_count(); ++link) {
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    const Vector3& omega_B = velocities.omega[lower];
    const Joint& joint = model.joint(link);
    const Vector3 rate = frames.k[i] * state.qd(link - 1);
    const Vector3 c_Bi = frames.p[i] - frames.r[lower];
    const Vector3 d_i = frames.r[i] - frames.p[i];  // −c_ii, or k_i q_i − c_ii if prismatic

    // (8), (9); (12), (13)
    velocities.omega[i] = omega_B + joint.turn * rate;
    velocities.v[i] = velocities.v[lower] + omega_B.cross(c_Bi) + velocities.omega[i].cross(d_i) +
                      joint.slide * rate;
  }
}

void compute_link_accelerations(const Model& model, const State& state, const LinkFrames& frames,
                                const LinkVelocities& velocities, ConstVectorRef acceleration,
                                LinkAccelerations& accelerations) {
  SPACEDYN_ASSERT(acceleration.size() == model.velocity_size());
  accelerations.vd[0] = linear_part(acceleration);
  accelerations.omegad[0] = angular_part(acceleration);
  accelerations.qdd = acceleration.tail(model.joint_count());
  for (int link = 1; link <= model.joint_count(); ++link) {
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    const Vector3& omega_B = velocities.omega[lower];
    const Vector3& omega_i = velocities.omega[i];
    const Vector3& omegad_B = accelerations.omegad[lower];
    const Joint& joint = model.joint(link);
    const Vector3& k_i = frames.k[i];
    const double qd = state.qd(link - 1);
    const double qdd = acceleration(link + 5);
    const Vector3 c_Bi = frames.p[i] - frames.r[lower];
    const Vector3 d_i = frames.r[i] - frames.p[i];
    const Vector3 vd_joint =
        accelerations.vd[lower] + omegad_B.cross(c_Bi) + omega_B.cross(omega_B.cross(c_Bi));

    // (10), (11); (14), (15) with the Coriolis term 2 ω × k q̇
    const Vector3& omega_k = velocities.omega[static_cast<std::size_t>(model.axis_body(link))];
    accelerations.omegad[i] = omegad_B + joint.turn * (omega_k.cross(k_i * qd) + k_i * qdd);
    accelerations.vd[i] = vd_joint + accelerations.omegad[i].cross(d_i) +
                          omega_i.cross(omega_i.cross(d_i)) +
                          joint.slide * (2.0 * omega_i.cross(k_i * qd) + k_i * qdd);
  }
}

Vector6 frame_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                       const Frame& frame) {
  const auto i = static_cast<std::size_t>(frame.body);
  const Vector3 arm = frame_position(frames, frame) - frames.r[i];
  Vector6 twist;
  twist << velocities.v[i] + velocities.omega[i].cross(arm), velocities.omega[i];
  return twist;
}

Vector6 frame_acceleration(const LinkFrames& frames, const LinkVelocities& velocities,
                           const LinkAccelerations& accelerations, const Frame& frame) {
  const auto i = static_cast<std::size_t>(frame.body);
  const Vector3 arm = frame_position(frames, frame) - frames.r[i];
  const Vector3& omega = velocities.omega[i];
  Vector6 acceleration;
  acceleration << accelerations.vd[i] + accelerations.omegad[i].cross(arm) +
                      omega.cross(omega.cross(arm)),
      accelerations.omegad[i];
  return acceleration;
}

Frame material_point(const Model& model, int body, const Vector3& position_L) {
  Frame point{"", body, position_L, Matrix3::Identity()};
  check_frame(model, point);
  return point;
}

Frame material_point_at(const Model& model, const LinkFrames& frames, int body,
                        const Vector3& position) {
  // the index must be good before it is used
  Frame point = material_point(model, body, Vector3::Zero());
  const auto i = static_cast<std::size_t>(body);
  point.position = frames.A[i].transpose() * (position - frames.o[i]);
  check_frame(model, point);
  return point;
}

void check_frame(const Model& model, const Frame& frame) {
  const std::string what = frame.name.empty() ? "a point" : "frame '" + frame.name + "'";
  if (frame.body < 0 || frame.body > model.joint_count()) {
    throw DomainError(what + " is on body " + std::to_string(frame.body) + ", expected 0 to " +
                      std::to_string(model.joint_count()));
  }
  if (!frame.position.allFinite() || !frame.rotation.allFinite()) {
    throw DomainError("the position or orientation of " + what + " is not finite");
  }
}

Vector3 point_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                       const Frame& point) {
  const auto i = static_cast<std::size_t>(point.body);
  return velocities.v[i] + velocities.omega[i].cross(frame_position(frames, point) - frames.r[i]);
}

ClassicalAcceleration classical_acceleration(const LinkFrames& frames,
                                             const LinkVelocities& velocities,
                                             const LinkAccelerations& accelerations,
                                             const Frame& point) {
  const Vector6 acceleration = frame_acceleration(frames, velocities, accelerations, point);
  return {acceleration.tail<3>(), acceleration.head<3>()};
}

MotionVector spatial_velocity(const LinkFrames& frames, const LinkVelocities& velocities,
                              const Frame& point) {
  return motion_from_linear_first(frame_velocity(frames, velocities, point));
}

MotionVector spatial_acceleration(const LinkFrames& frames, const LinkVelocities& velocities,
                                  const LinkAccelerations& accelerations, const Frame& point) {
  return spatial_acceleration(classical_acceleration(frames, velocities, accelerations, point),
                              spatial_velocity(frames, velocities, point));
}

ClassicalAcceleration bias_acceleration(const Model& model, const State& state,
                                        const LinkFrames& frames, const LinkVelocities& velocities,
                                        const Frame& point) {
  SPACEDYN_ASSERT(state.qd.size() == model.joint_count());
  const Vector3 x = frame_position(frames, point);
  const Vector3 v = point_velocity(frames, velocities, point);
  ClassicalAcceleration bias;
  // J̇_b x_b = ω_0 × (v − v_0)
  bias.linear = velocities.omega[0].cross(v - velocities.v[0]);
  // J̇_m q̇
  for_each_joint_below(model, point.body, [&](int joint) {
    const double qd = state.qd(joint - 1);
    bias.linear += linear_column_rate(model, frames, velocities, joint, x, v) * qd;
    bias.angular += angular_column_rate(model, frames, velocities, joint) * qd;
  });
  return bias;
}

void translational_jacobian(const Model& model, const LinkFrames& frames, int body,
                            Eigen::Ref<Matrix3X> J_T) {
  SPACEDYN_ASSERT(J_T.cols() == model.joint_count());
  const Vector3& r_i = frames.r[static_cast<std::size_t>(body)];
  J_T.setZero();
  for_each_joint_below(model, body, [&](int joint) {
    J_T.col(joint - 1) = linear_column(model, frames, joint, r_i);
  });
}

void rotational_jacobian(const Model& model, const LinkFrames& frames, int body,
                         Eigen::Ref<Matrix3X> J_R) {
  SPACEDYN_ASSERT(J_R.cols() == model.joint_count());
  J_R.setZero();
  for_each_joint_below(
      model, body, [&](int joint) { J_R.col(joint - 1) = angular_column(model, frames, joint); });
}

void frame_jacobian(const Model& model, const LinkFrames& frames, const Frame& frame,
                    Eigen::Ref<Matrix6X> J_m) {
  SPACEDYN_ASSERT(J_m.cols() == model.joint_count());
  const Vector3 p_e = frame_position(frames, frame);
  J_m.setZero();
  for_each_joint_below(model, frame.body, [&](int joint) {
    J_m.col(joint - 1) << linear_column(model, frames, joint, p_e),
        angular_column(model, frames, joint);
  });
}

Matrix6 base_jacobian(const LinkFrames& frames, const Frame& frame) {
  Matrix6 J_b = Matrix6::Identity();
  J_b.topRightCorner<3, 3>() = -tilde(frame_position(frames, frame) - frames.r[0]);
  return J_b;
}

void translational_jacobian_derivative(const Model& model, const LinkFrames& frames,
                                       const LinkVelocities& velocities, int body,
                                       Eigen::Ref<Matrix3X> J_T_dot) {
  SPACEDYN_ASSERT(J_T_dot.cols() == model.joint_count());
  const auto i = static_cast<std::size_t>(body);
  J_T_dot.setZero();
  for_each_joint_below(model, body, [&](int joint) {
    J_T_dot.col(joint - 1) =
        linear_column_rate(model, frames, velocities, joint, frames.r[i], velocities.v[i]);
  });
}

void rotational_jacobian_derivative(const Model& model, const LinkFrames& frames,
                                    const LinkVelocities& velocities, int body,
                                    Eigen::Ref<Matrix3X> J_R_dot) {
  SPACEDYN_ASSERT(J_R_dot.cols() == model.joint_count());
  J_R_dot.setZero();
  for_each_joint_below(model, body, [&](int joint) {
    J_R_dot.col(joint - 1) = angular_column_rate(model, frames, velocities, joint);
  });
}

void frame_jacobian_derivative(const Model& model, const LinkFrames& frames,
                               const LinkVelocities& velocities, const Frame& frame,
                               Eigen::Ref<Matrix6X> J_m_dot) {
  SPACEDYN_ASSERT(J_m_dot.cols() == model.joint_count());
  const Vector3 p_e = frame_position(frames, frame);
  const Vector3 v_e = point_velocity(frames, velocities, frame);
  J_m_dot.setZero();
  for_each_joint_below(model, frame.body, [&](int joint) {
    J_m_dot.col(joint - 1) << linear_column_rate(model, frames, velocities, joint, p_e, v_e),
        angular_column_rate(model, frames, velocities, joint);
  });
}

Matrix6 base_jacobian_derivative(const LinkFrames& frames, const LinkVelocities& velocities,
                                 const Frame& frame) {
  Matrix6 J_b_dot = Matrix6::Zero();
  J_b_dot.topRightCorner<3, 3>() =
      -tilde(point_velocity(frames, velocities, frame) - velocities.v[0]);
  return J_b_dot;
}

FrameJacobians frame_jacobians(const Model& model, const State& state, const Frame& frame) {
  state.check(model);
  check_frame(model, frame);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);

  FrameJacobians result;
  result.J_m.resize(6, model.joint_count());
  result.J_m_dot.resize(6, model.joint_count());
  frame_jacobian(model, frames, frame, result.J_m);
  frame_jacobian_derivative(model, frames, velocities, frame, result.J_m_dot);
  result.J_b = base_jacobian(frames, frame);
  result.J_b_dot = base_jacobian_derivative(frames, velocities, frame);
  return result;
}

}  // namespace spacedyn
