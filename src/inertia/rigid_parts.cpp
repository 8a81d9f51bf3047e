#include "inertia/rigid_parts.hpp"

#include <algorithm>

#include <Eigen/Cholesky>

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {
namespace {

/// The part's centroid as a point of the joined body.
Frame centroid(const RigidPart& part, const LinkFrames& frames) {
  const auto i = static_cast<std::size_t>(part.body);
  return {"", part.body, frames.A[i].transpose() * (part.r - frames.o[i]), Matrix3::Identity()};
}

/// Σ J_iᵀ [m_i v_i; I_i ω_i] and the rotors' own, size 6 + n.
VectorX generalized_momentum(const Model& joined, const LinkFrames& frames,
                             const MovingParts& parts) {
  VectorX momentum = VectorX::Zero(joined.velocity_size());
  Matrix6X J_m(6, joined.joint_count());
  momentum.tail(joined.joint_count()) = parts.rotor_momentum;
  for (const RigidPart& part : parts.bodies) {
    const Frame point = centroid(part, frames);
    Vector6 own;
    own << part.mass * part.v, part.inertia * part.omega;
    frame_jacobian(joined, frames, point, J_m);
    momentum.head<6>() += base_jacobian(frames, point).transpose() * own;
    momentum.tail(joined.joint_count()) += J_m.transpose() * own;
  }
  return momentum;
}

}  // namespace

void add_parts(const Model& model, const State& state, const Model& joined,
               const std::string& prefix, MovingParts& parts) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Body& source = model.body(body);
    RigidPart part;
    part.body = joined.frame(prefix + source.name).body;
    part.mass = source.mass;
    part.inertia = frames.A[i] * source.inertia_L * frames.A[i].transpose();
    part.r = frames.r[i];
    part.v = velocities.v[i];
    part.omega = velocities.omega[i];
    parts.bodies.push_back(part);
  }
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    const Joint& source = model.joint(joint);
    if (const auto there = joined.find_joint(prefix + source.name)) {
      parts.rotor_momentum(*there - 1) += source.armature * state.qd(joint - 1);
    }
  }
}

void set_plastic_velocity(const Model& joined, const MovingParts& parts, State& state) {
  LinkFrames frames(joined);
  compute_link_frames(joined, state, frames);
  const VectorX momentum = generalized_momentum(joined, frames, parts);
  // a fixed base stays at rest
  const Eigen::Index free = joined.has_fixed_base() ? joined.joint_count() : joined.velocity_size();
  const MatrixX H = inertia_matrix(joined, state).bottomRightCorner(free, free);
  const Eigen::LLT<MatrixX> factorization(H);
  if (free > 0 && factorization.info() != Eigen::Success) {
    throw NumericalError("the inertia matrix of the joined system is not positive definite", 0.0, 0,
                         "inertia matrix");
  }
  VectorX u = VectorX::Zero(joined.velocity_size());
  if (free > 0) u.tail(free) = factorization.solve(momentum.tail(free));
  state.v_0 = linear_part(u);
  state.omega_0 = angular_part(u);
  state.qd = joint_part(u);
}

VelocityJump largest_jump(const Model& joined, const State& state, const MovingParts& parts) {
  LinkFrames frames(joined);
  LinkVelocities velocities(joined);
  compute_link_frames(joined, state, frames);
  compute_link_velocities(joined, state, frames, velocities);
  VelocityJump jump;
  for (const RigidPart& part : parts.bodies) {
    const Vector6 after = frame_velocity(frames, velocities, centroid(part, frames));
    jump.linear = std::max(jump.linear, (after.head<3>() - part.v).norm());
    jump.angular = std::max(jump.angular, (after.tail<3>() - part.omega).norm());
  }
  return jump;
}

}  // namespace spacedyn
