#include "optimization/path_dynamics.hpp"

#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {

PathDynamics::PathDynamics(const Model& model, const State& state, std::vector<int> joints,
                           const Vector3& gravity)
    : model_(model),
      state_(state),
      joints_(std::move(joints)),
      loads_(model),
      floats_(!model.has_fixed_base()),
      tree_(model),
      memory_(model),
      at_rest_(model),
      moving_(model),
      acceleration_(VectorX::Zero(model.velocity_size())),
      forces_(acceleration_),
      effort_(VectorX::Zero(static_cast<Eigen::Index>(joints_.size()))),
      H_(model.velocity_size(), model.velocity_size()) {
  loads_.gravity = gravity;
  state_.qd.setZero();
  state_.v_0.setZero();
  state_.omega_0.setZero();
  // torques do not depend on where a base floats, and its axes are then those of the numbers
  if (floats_) state_.A_0.setIdentity();
  const auto f = effort_.size();
  rate_by_q_ = rate_by_qd_ = Matrix3X::Zero(3, f);
}

/// Columns of the joints, with those that follow them.
MatrixX PathDynamics::columns(MatrixX whole) const {
  lead(model_, whole);
  MatrixX part(whole.rows(), effort_.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    part.col(static_cast<Eigen::Index>(i)) = whole.col(joints_[i] + 5);
  }
  return part;
}

MatrixX PathDynamics::rows(const MatrixX& whole) const {
  return columns(whole.transpose()).transpose();
}

void PathDynamics::update(const VectorX& q, const VectorX& qd, const VectorX& qdd) {
  acceleration_.setZero();
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    state_.q(joints_[i] - 1) = q(row);
    state_.qd(joints_[i] - 1) = qd(row);
    acceleration_(joints_[i] + 5) = qdd(row);
  }
  follow(model_, state_);
  follow(model_, acceleration_);
  if (floats_) {
    // [H_b, H_bm] u = 0, then the six rows of F_b = 0
    composite_rigid_body(state_, tree_, H_);
    const Eigen::LLT<Matrix6> H_b(H_.topLeftCorner<6, 6>());
    if (H_b.info() != Eigen::Success) {
      throw DomainError("the base of '" + model_.name() + "' has no inertia that can be inverted");
    }
    const Vector6 twist = -H_b.solve(H_.topRightCorner(6, model_.joint_count()) * state_.qd);
    state_.v_0 = twist.head<3>();
    state_.omega_0 = base_rate_ = twist.tail<3>();
    inverse_dynamics(state_, acceleration_, loads_, tree_, forces_);
    acceleration_.head<6>() = -H_b.solve(forces_.head<6>());
  }
  inverse_dynamics(state_, acceleration_, loads_, tree_, forces_);
  for (int i = 1; i <= model_.joint_count(); ++i) {
    const Joint& joint = model_.joint(i);
    if (joint.spherical != 0) continue;
    forces_(i + 5) += joint.stiffness * (state_.q(i - 1) - joint.rest_position) +
                      joint.damping * state_.qd(i - 1);
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    effort_(static_cast<Eigen::Index>(i)) =
        own_force(model_, forces_.tail(model_.joint_count()), joints_[i]);
  }
}

void PathDynamics::differentiate(const VectorX& q, const VectorX& qd, const VectorX& qdd) {
  update(q, qd, qdd);
  inverse_dynamics_derivatives(state_, acceleration_, loads_, memory_, moving_);
  const MatrixX by_q = columns(moving_.configuration), by_qd = columns(moving_.velocity);
  const MatrixX by_qdd = columns(moving_.acceleration);
  effort_by_q_ = rows(by_q);
  effort_by_qd_ = rows(by_qd);
  effort_by_qdd_ = rows(by_qdd);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const auto add = [&](int joint, double ratio) {
      effort_by_q_(row, row) += ratio * ratio * model_.joint(joint).stiffness;
      effort_by_qd_(row, row) += ratio * ratio * model_.joint(joint).damping;
    };
    add(joints_[i], 1.0);
    for (const Follower& each : model_.followers()) {
      if (each.followed == joints_[i]) add(each.joint, each.ratio);
    }
  }
  if (!floats_) return;
  // momentum H u is inverse dynamics at rest with the acceleration u: ∂u_b = −H_b⁻¹ ∂(H u)_b
  State rest = state_;
  rest.v_0.setZero();
  rest.omega_0.setZero();
  rest.qd.setZero();
  const Vector3 gravity = loads_.gravity;
  loads_.gravity.setZero();
  inverse_dynamics_derivatives(rest, state_.velocity(), loads_, memory_, at_rest_);
  loads_.gravity = gravity;
  const Eigen::LLT<Matrix6> H_b(moving_.acceleration.topLeftCorner<6, 6>());
  const MatrixX twist_by_q = -H_b.solve(columns(at_rest_.configuration).topRows<6>());
  const MatrixX twist_by_qd = -H_b.solve(by_qdd.topRows<6>());
  rate_by_q_ = twist_by_q.bottomRows<3>();
  rate_by_qd_ = twist_by_qd.bottomRows<3>();
  const MatrixX base_by_twist = moving_.velocity.topLeftCorner<6, 6>();
  const MatrixX joints_by_twist = rows(moving_.velocity.leftCols<6>());
  const MatrixX joints_by_base = rows(moving_.acceleration.leftCols<6>());
  const MatrixX base_by_q = -H_b.solve(MatrixX(by_q.topRows<6>() + base_by_twist * twist_by_q));
  const MatrixX base_by_qd = -H_b.solve(MatrixX(by_qd.topRows<6>() + base_by_twist * twist_by_qd));
  effort_by_q_ += joints_by_twist * twist_by_q + joints_by_base * base_by_q;
  effort_by_qd_ += joints_by_twist * twist_by_qd + joints_by_base * base_by_qd;
  effort_by_qdd_ += joints_by_base * twist_by_qd;
}

}  // namespace spacedyn
