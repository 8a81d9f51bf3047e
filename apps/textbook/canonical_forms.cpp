#include "textbook/canonical_forms.hpp"

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/configuration.hpp"

namespace spacedyn {
namespace {

void check_size(const char* name, const ConstVectorRef& column, int expected) {
  if (column.size() == expected) return;
  throw DimensionError(
      fmt::format("{} has {} elements, expected {}", name, column.size(), expected));
}

}  // namespace

CanonicalForm::CanonicalForm(const Model& model, AttitudeCoordinates attitude)
    : model_(&model),
      attitude_(attitude),
      mobility_(model),
      state_(model),
      environment_(model),
      loads_(model),
      workspace_(model, mobility_),
      forces_(VectorX::Zero(model.velocity_size())) {}

void CanonicalForm::set_environment(const Loads& environment) {
  environment.check(*model_);
  environment_ = environment;
  loads_ = environment;
}

int CanonicalForm::position_size() const {
  return 3 + attitude_size(attitude_) + model_->joint_count();
}

VectorX CanonicalForm::position(const State& state) const {
  state.check(*model_);
  VectorX q(position_size());
  q << state.r_0, attitude_from_matrix(attitude_, state.A_0), state.q;
  return q;
}

VectorX CanonicalForm::state_vector(const State& state) const {
  VectorX x(state_size());
  x << position(state), state.velocity();
  return x;
}

State CanonicalForm::state(ConstVectorRef q, ConstVectorRef alpha) const {
  State state(*model_);
  assign(q, alpha, state);
  return state;
}

void CanonicalForm::assign(ConstVectorRef q, ConstVectorRef alpha, State& state) const {
  check_size("q", q, position_size());
  check_size("α", alpha, velocity_size());
  state.r_0 = q.head<3>();
  state.A_0 = matrix_from_attitude(attitude_, q.segment(3, attitude_size(attitude_)));
  state.q = q.tail(model_->joint_count());
  state.v_0 = alpha.head<3>();
  state.omega_0 = alpha.segment<3>(3);
  state.qd = alpha.tail(model_->joint_count());
}

void CanonicalForm::read(ConstVectorRef q, ConstVectorRef alpha) {
  assign(q, alpha, state_);
  update_kinematics(*model_, state_, workspace_);
}

MatrixX CanonicalForm::H(ConstVectorRef q) {
  read(q, VectorX::Zero(velocity_size()));
  compute_inertia_blocks(*model_, workspace_.frames, workspace_.jacobians, workspace_.inertia);
  assemble_inertia_matrix(workspace_.inertia, workspace_.H);
  return workspace_.H;
}

VectorX CanonicalForm::C(ConstVectorRef q, ConstVectorRef alpha) {
  return ID(q, alpha, VectorX::Zero(velocity_size()));
}

VectorX CanonicalForm::ID(ConstVectorRef q, ConstVectorRef alpha, ConstVectorRef alpha_rate) {
  check_size("α̇", alpha_rate, velocity_size());
  read(q, alpha);
  compute_link_accelerations(*model_, state_, workspace_.frames, workspace_.velocities, alpha_rate,
                             workspace_.accelerations);
  VectorX tau(velocity_size());
  inverse_dynamics(*model_, workspace_.frames, workspace_.velocities, workspace_.accelerations,
                   environment_, workspace_.reactions, tau);
  tau.head<6>() -= environment_.F_b;
  tau.tail(model_->joint_count()) -= environment_.tau;
  return tau;
}

void CanonicalForm::solve(ConstVectorRef tau, VectorRef alpha_rate) {
  check_size("τ", tau, velocity_size());
  loads_.F_b = environment_.F_b + tau.head<6>();
  loads_.tau = environment_.tau + tau.tail(model_->joint_count());
  alpha_rate.setZero();
  if (hybrid_dynamics(*model_, state_, loads_, mobility_, workspace_, alpha_rate, forces_) !=
      DynamicsStatus::ok) {
    throw NumericalError("the inertia matrix is not positive definite at this state", 0.0, 0,
                         "inertia matrix");
  }
}

VectorX CanonicalForm::FD(ConstVectorRef q, ConstVectorRef alpha, ConstVectorRef tau) {
  read(q, alpha);
  VectorX alpha_rate(velocity_size());
  solve(tau, alpha_rate);
  return alpha_rate;
}

void CanonicalForm::write_position_rate(ConstVectorRef q, ConstVectorRef alpha,
                                        VectorRef rate) const {
  const int numbers = attitude_size(attitude_);
  rate.head<3>() = alpha.head<3>();
  rate.segment(3, numbers) = attitude_rate(attitude_, q.segment(3, numbers), alpha.segment<3>(3));
  const int joints = model_->joint_count();
  joint_position_rate(*model_, q.tail(joints), alpha.tail(joints), rate.tail(joints));
}

VectorX CanonicalForm::qdfn(ConstVectorRef q, ConstVectorRef alpha) const {
  check_size("q", q, position_size());
  check_size("α", alpha, velocity_size());
  VectorX rate(position_size());
  write_position_rate(q, alpha, rate);
  return rate;
}

MatrixX CanonicalForm::Q(ConstVectorRef q) const {
  check_size("q", q, position_size());
  const int numbers = attitude_size(attitude_);
  const int joints = model_->joint_count();
  MatrixX matrix = MatrixX::Zero(position_size(), velocity_size());
  matrix.topLeftCorner<3, 3>().setIdentity();
  matrix.block(3, 3, numbers, 3) = attitude_rate_matrix(attitude_, q.segment(3, numbers));
  matrix.bottomRightCorner(joints, joints).setIdentity();
  for (const int first : model_->spherical_joints()) {
    const Eigen::Index row = position_size() - joints + first - 1;
    matrix.block<3, 3>(row, 6 + first - 1) = dexp_inverse_so3(-q.segment<3>(row));
  }
  return matrix;
}

VectorX CanonicalForm::FDx(ConstVectorRef x, ConstVectorRef tau) {
  VectorX rate(state_size());
  FDx(x, tau, rate);
  return rate;
}

void CanonicalForm::FDx(ConstVectorRef x, ConstVectorRef tau, VectorRef rate) {
  check_size("x", x, state_size());
  check_size("ẋ", rate, state_size());
  const auto q = x.head(position_size());
  const auto alpha = x.tail(velocity_size());
  read(q, alpha);
  write_position_rate(q, alpha, rate.head(position_size()));
  solve(tau, rate.tail(velocity_size()));
}

}  // namespace spacedyn
