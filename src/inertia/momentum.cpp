#include "spacedyn/inertia/momentum.hpp"

#include <algorithm>

#include "inertia/snapshot.hpp"
#include "inertia/system_sums.hpp"
#include "math/squared_arm.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// Whether all joints that an element couples belong to a robot.
bool is_among(const Robot& robot, const std::vector<int>& joints) {
  return std::all_of(joints.begin(), joints.end(),
                     [&](int joint) { return joint >= robot.first && joint < robot.end; });
}

}  // namespace

Vector3 center_of_mass(const Model& model, const LinkFrames& frames) {
  // summed from the base centroid: a system far from the origin loses no digits
  Vector3 moment = Vector3::Zero();
  for (int body = 1; body < model.body_count(); ++body) {
    moment += model.body(body).mass * (frames.r[static_cast<std::size_t>(body)] - frames.r[0]);
  }
  return model.total_mass() > 0.0 ? Vector3(frames.r[0] + moment / model.total_mass())
                                  : frames.r[0];
}

Vector3 center_of_mass_velocity(const Model& model, const LinkVelocities& velocities) {
  Vector3 linear = Vector3::Zero();
  for (int body = 0; body < model.body_count(); ++body) {
    linear += model.body(body).mass * velocities.v[static_cast<std::size_t>(body)];
  }
  return model.total_mass() > 0.0 ? Vector3(linear / model.total_mass()) : velocities.v[0];
}

Momentum momentum(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities) {
  return system_sums(model, frames, velocities).momentum;
}

MomentumScale momentum_scale(const Model& model, const LinkFrames& frames,
                             const LinkVelocities& velocities) {
  return system_sums(model, frames, velocities).scale;
}

double kinetic_energy(const Model& model, const LinkFrames& frames,
                      const LinkVelocities& velocities) {
  return system_sums(model, frames, velocities).kinetic_energy;
}

double gravity_potential(const Model& model, const LinkFrames& frames, const Vector3& gravity) {
  return -model.total_mass() * gravity.dot(center_of_mass(model, frames));
}

double elastic_energy(const Model& model, ConstVectorRef q) {
  double twice = 0.0;
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    const double stretch = q(i - 1) - joint.rest_position;
    twice += joint.stiffness * stretch * stretch;
  }
  double energy = 0.5 * twice;
  for (const JointCoupling& coupling : model.couplings()) energy += elastic_energy(coupling, q);
  for (const Transmission& transmission : model.transmissions()) {
    energy += elastic_energy(transmission, q);
  }
  return energy;
}

RobotSums robot_sums(const Model& model, const Robot& robot, const LinkFrames& frames,
                     const LinkVelocities& velocities) {
  RobotSums sums;
  const Vector3 r_0 = frame_position(frames, robot.base);
  // summed from the base, which keeps digits far from the origin; a fixed base has mass there
  sums.mass = robot.moves() ? 0.0 : robot.base_mass;
  Vector3 moment = Vector3::Zero();
  for (int i = robot.first; i < robot.end; ++i) {
    const double m = model.body(i).mass;
    const Vector3& v = velocities.v[static_cast<std::size_t>(i)];
    sums.mass += m;
    moment += m * (frames.r[static_cast<std::size_t>(i)] - r_0);
    sums.momentum.linear += m * v;
  }
  const double w = sums.mass;
  sums.r_g = w > 0.0 ? Vector3(r_0 + moment / w) : r_0;
  const Vector3 v_g = w > 0.0 ? Vector3(sums.momentum.linear / w) : Vector3(Vector3::Zero());
  double twice = 0.0;
  for (int i = robot.first; i < robot.end; ++i) {
    const auto body = static_cast<std::size_t>(i);
    const double m = model.body(i).mass;
    const Vector3 arm = frames.r[body] - sums.r_g, relative = velocities.v[body] - v_g;
    const Vector3 omega = frames.A[body].transpose() * velocities.omega[body];
    const Vector3 spin = model.body(i).inertia_L * omega;
    sums.momentum.angular_centroid += frames.A[body] * spin + m * arm.cross(relative);
    twice += m * velocities.v[body].squaredNorm() + omega.dot(spin);
    sums.inertia += frames.A[body] * model.body(i).inertia_L * frames.A[body].transpose() +
                    m * squared_arm(arm);
    const double rate = velocities.qd(i - 1);
    twice += model.joint(i).armature * rate * rate;
  }
  if (!robot.moves()) {
    // the base at rest moves against the centroid all the same
    sums.momentum.angular_centroid += robot.base_mass * (r_0 - sums.r_g).cross(-v_g);
  }
  sums.momentum.angular_base =
      sums.momentum.angular_centroid + (sums.r_g - r_0).cross(sums.momentum.linear);
  sums.momentum.angular_origin = sums.momentum.angular_base + r_0.cross(sums.momentum.linear);
  sums.kinetic_energy = 0.5 * twice;
  return sums;
}

double elastic_energy(const Model& model, const Robot& robot, ConstVectorRef q) {
  double energy = 0.0;
  for (int i = robot.first_joint(); i < robot.end; ++i) {
    const Joint& joint = model.joint(i);
    const double stretch = q(i - 1) - joint.rest_position;
    energy += 0.5 * joint.stiffness * stretch * stretch;
  }
  for (const JointCoupling& coupling : model.couplings()) {
    if (is_among(robot, coupling.joints)) energy += elastic_energy(coupling, q);
  }
  for (const Transmission& transmission : model.transmissions()) {
    if (is_among(robot, {transmission.joint})) energy += elastic_energy(transmission, q);
  }
  return energy;
}

void center_of_mass_jacobian(const InertiaBlocks& blocks, Eigen::Ref<Matrix3X> J_g) {
  SPACEDYN_ASSERT(J_g.cols() == 6 + blocks.J_Tw.cols());
  J_g.leftCols<6>() << Matrix3::Identity(), -tilde(blocks.r_0g);
  if (blocks.w > 0.0) {
    J_g.rightCols(blocks.J_Tw.cols()) = blocks.J_Tw / blocks.w;
  } else {
    J_g.rightCols(blocks.J_Tw.cols()).setZero();
  }
}

void center_of_mass_jacobian_derivative(const InertiaBlocks& blocks, const InertiaRates& rates,
                                        Eigen::Ref<Matrix3X> J_g_dot) {
  SPACEDYN_ASSERT(J_g_dot.cols() == 6 + blocks.J_Tw.cols());
  J_g_dot.leftCols<6>() << Matrix3::Zero(), -tilde(rates.r_0g_dot);
  if (blocks.w > 0.0) {
    J_g_dot.rightCols(blocks.J_Tw.cols()) = rates.J_Tw_dot / blocks.w;
  } else {
    J_g_dot.rightCols(blocks.J_Tw.cols()).setZero();
  }
}

void centroidal_momentum_matrix(const InertiaBlocks& blocks, Eigen::Ref<Matrix6X> A_g) {
  SPACEDYN_ASSERT(A_g.cols() == 6 + blocks.H_bm.cols());
  A_g.leftCols<6>() = blocks.H_b;
  A_g.rightCols(blocks.H_bm.cols()) = blocks.H_bm;
  // L_g = L_0 − r_0g × P
  A_g.bottomRows<3>().noalias() -= tilde(blocks.r_0g).lazyProduct(A_g.topRows<3>());
}

void centroidal_momentum_matrix_derivative(const InertiaBlocks& blocks, const InertiaRates& rates,
                                           Eigen::Ref<Matrix6X> A_g_dot) {
  const Eigen::Index n = blocks.H_bm.cols();
  SPACEDYN_ASSERT(A_g_dot.cols() == 6 + n);
  A_g_dot.leftCols<6>() = rates.H_b_dot;
  A_g_dot.rightCols(n) = rates.H_bm_dot;
  const Matrix3 r_tilde_dot = tilde(rates.r_0g_dot);
  A_g_dot.bottomRows<3>().noalias() -= tilde(blocks.r_0g).lazyProduct(A_g_dot.topRows<3>());
  A_g_dot.block<3, 6>(3, 0).noalias() -= r_tilde_dot.lazyProduct(blocks.H_b.topRows<3>());
  A_g_dot.bottomRightCorner(3, n).noalias() -= r_tilde_dot.lazyProduct(blocks.H_bm.topRows<3>());
}

CentroidalQuantities centroidal_quantities(const Model& model, const State& state) {
  const MovingSnapshot now(model, state);
  const int size = model.velocity_size();
  CentroidalQuantities result{Matrix3X(3, size), Matrix3X(3, size), Matrix6X(6, size),
                              Matrix6X(6, size)};
  center_of_mass_jacobian(now.blocks, result.J_g);
  center_of_mass_jacobian_derivative(now.blocks, now.rates, result.J_g_dot);
  centroidal_momentum_matrix(now.blocks, result.A_g);
  centroidal_momentum_matrix_derivative(now.blocks, now.rates, result.A_g_dot);
  return result;
}

}  // namespace spacedyn
