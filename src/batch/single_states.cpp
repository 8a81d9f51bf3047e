#include "batch/single_states.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "forces/compliant_only.hpp"
#include "inertia/dense_size.hpp"
#include "math/rotation_vectors.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::batch {
namespace {

using Index = Eigen::Index;
template <typename Number>
using Strided = Eigen::Map<std::conditional_t<std::is_const_v<Number>, const VectorX, VectorX>, 0,
                           Eigen::InnerStride<kTile>>;

/// Rows of one state of a tile.
template <typename Number>
Strided<Number> part(Number* lane, int first, Index size) {
  return Strided<Number>(lane + first * kTile, size);
}

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
/// Angle of one step, beyond what a chart holds: as in the lanes.
constexpr double kChartLimit = 2.0;

Matrix3 attitude(const AttitudeChart& chart, const Vector3& theta) {
  if (theta.squaredNorm() > kChartLimit * kChartLimit) return Matrix3::Constant(kNothing);
  return chart.attitude(theta);
}

}  // namespace

void begin_charts(const std::vector<int>& spherical_joints, int n, double* lane) {
  int row = StateRows::count(n);
  for (const int first : spherical_joints) {
    const Vector3 q = part(lane, StateRows::q + first - 1, 3);
    part(lane, row, 3).setZero();
    part(lane, row + 3, 9) = exp_so3(-q).reshaped();
    row += StateRows::kChart;
  }
}

SingleStates::SingleStates(const Model& model, const Vector3& gravity)
    : model_(model),
      workspace_(model),
      state_(model),
      loads_(model),
      acceleration_(model.velocity_size()),
      forces_(model.velocity_size()),
      own_(static_cast<std::size_t>(model.velocity_size()), -1),
      factor_(own_.size(), 1.0),
      charts_(1 + model.spherical_joints().size(), AttitudeChart(Matrix3::Identity())) {
  loads_.gravity = gravity;
  int count = 0;
  if (!model.has_fixed_base()) {
    for (std::size_t i = 0; i < 6; ++i) own_[i] = count++;
  }
  const auto row = [](int joint) { return static_cast<std::size_t>(5 + joint); };
  for (const int joint : model.coordinates()) own_[row(joint)] = count++;
  for (const Follower& each : model.followers()) {
    own_[row(each.joint)] = own_[row(each.followed)];
    factor_[row(each.joint)] = each.ratio;
  }
  if (!model.followers().empty()) {
    H_.resize(model.velocity_size(), model.velocity_size());
    own_H_.resize(count, count);
    factorization_ = Eigen::LLT<MatrixX>(count);
    own_force_.resize(count);
  }
  for (VectorX* vector : {&start_, &x_, &rates_, &sum_}) {
    vector->setZero(12 + 2 * model.joint_count());
  }
}

bool SingleStates::are_needed(const Model& model) {
  return !model.spherical_joints().empty() || !model.followers().empty();
}

void SingleStates::read(const double* lane) {
  const int n = model_.joint_count();
  state_.r_0 = part(lane, StateRows::r_0, 3);
  state_.A_0.reshaped() = part(lane, StateRows::A_0, 9);
  state_.v_0 = part(lane, StateRows::v_0, 3);
  state_.omega_0 = part(lane, StateRows::omega_0, 3);
  state_.q = part(lane, StateRows::q, n);
  state_.qd = part(lane, StateRows::q + n, n);
  follow(model_, state_);
}

void SingleStates::accelerate() {
  acceleration_.setZero();  // that of a base that is held
  if (!model_.followers().empty()) return accelerate_own_coordinates();
  const DynamicsStatus status =
      spacedyn::forward_dynamics(state_, loads_, workspace_, acceleration_, forces_);
  if (status != DynamicsStatus::ok) acceleration_.setConstant(kNothing);
}

/// Gᵀ H G ÿ = Gᵀ (f − c): bodies of joints that follow need no mass of their own.
void SingleStates::accelerate_own_coordinates() {
  composite_rigid_body(state_, workspace_, H_);
  spacedyn::inverse_dynamics(state_, acceleration_, loads_, workspace_, forces_);
  own_H_.setZero();
  own_force_.setZero();
  const auto size = static_cast<Index>(own_.size());
  const auto own = [&](Index i) { return own_[static_cast<std::size_t>(i)]; };
  const auto factor = [&](Index i) { return factor_[static_cast<std::size_t>(i)]; };
  for (Index i = 0; i < size; ++i) {
    if (own(i) < 0) continue;
    const double given = i < 6 ? loads_.F_b(i) : loads_.tau(i - 6);
    own_force_(own(i)) += factor(i) * (given - forces_(i));
    for (Index j = 0; j < size; ++j) {
      if (own(j) >= 0) own_H_(own(i), own(j)) += factor(i) * factor(j) * H_(i, j);
    }
  }
  factorization_.compute(own_H_);
  const auto pivots = factorization_.matrixLLT().diagonal().array().square();
  const bool is_sound = factorization_.info() == Eigen::Success &&
                        (pivots > kLeastPivot * own_H_.diagonal().array()).all();
  if (!is_sound) {
    acceleration_.setConstant(kNothing);
    return;
  }
  factorization_.solveInPlace(own_force_);
  for (Index i = 0; i < size; ++i) {
    if (own(i) >= 0) acceleration_(i) = factor(i) * own_force_(own(i));
  }
}

void SingleStates::forward_dynamics(const double* state, const double* forces,
                                    double* acceleration) {
  const Index size = acceleration_.size();
  for (int k = 0; k < kTile; ++k) {
    read(state + k);
    loads_.F_b = part(forces + k, 0, 6);
    loads_.tau = part(forces + k, 6, size - 6);
    accelerate();
    part(acceleration + k, 0, size) = acceleration_;
  }
}

void SingleStates::inverse_dynamics(const double* state, const double* acceleration,
                                    double* forces) {
  for (int k = 0; k < kTile; ++k) {
    read(state + k);
    acceleration_ = part(acceleration + k, 0, acceleration_.size());
    follow(model_, acceleration_);
    spacedyn::inverse_dynamics(state_, acceleration_, loads_, workspace_, forces_);
    for (const Follower& each : model_.followers()) {
      forces_(5 + each.followed) += each.ratio * forces_(5 + each.joint);
      forces_(5 + each.joint) = 0.0;
    }
    part(forces + k, 0, forces_.size()) = forces_;
  }
}

void SingleStates::prepare_matrix() { H_.resize(model_.velocity_size(), model_.velocity_size()); }

void SingleStates::inertia_matrix(const double* state, double* H) {
  for (int k = 0; k < kTile; ++k) {
    read(state + k);
    composite_rigid_body(state_, workspace_, H_);
    part(H + k, 0, H_.size()) = H_.reshaped();  // which is symmetric
  }
}

void SingleStates::inverse_inertia(const double* state, double* H_inverse) {
  MatrixX& matrix = derivatives_.force;
  for (int k = 0; k < kTile; ++k) {
    read(state + k);
    const DynamicsStatus status =
        spacedyn::inverse_inertia(state_, workspace_.mobility(), *derivatives_workspace_, matrix);
    if (status != DynamicsStatus::ok) matrix.setConstant(kNothing);
    part(H_inverse + k, 0, matrix.size()) = matrix.reshaped();  // which is symmetric
  }
}

void SingleStates::prepare_derivatives() {
  if (derivatives_workspace_) return;
  derivatives_ = ForwardDynamicsDerivatives(model_);
  derivatives_workspace_.emplace(model_);
}

const ForwardDynamicsDerivatives& SingleStates::derivatives(const double* state,
                                                            const double* forces) {
  read(state);
  loads_.F_b = part(forces, 0, 6);
  loads_.tau = part(forces, 6, model_.joint_count());
  derivatives_.acceleration.setZero();  // of a base that is held
  const DynamicsStatus status = forward_dynamics_derivatives(state_, loads_, workspace_.mobility(),
                                                             *derivatives_workspace_, derivatives_);
  if (status != DynamicsStatus::ok) {
    derivatives_.acceleration.setConstant(kNothing);
    for (MatrixX* each :
         {&derivatives_.configuration, &derivatives_.velocity, &derivatives_.force}) {
      each->setConstant(kNothing);
    }
  }
  return derivatives_;
}

/// The forces of a state, as joint_forces() of the lanes.
void SingleStates::take_forces(const PdTask& pd, int instant, const double* given) {
  const int n = model_.joint_count();
  loads_.F_b = part(given, 0, 6);
  loads_.tau = part(given, 6, n);
  for (const int first : model_.spherical_joints()) {
    loads_.tau.segment<3>(first - 1) +=
        spring_torque(model_, state_.q.segment<3>(first - 1), first);
  }
  for (int j = 0; j < n; ++j) {
    const Joint& joint = model_.joint(j + 1);
    double& tau = loads_.tau(j);
    if (joint.spherical == 0) tau -= joint.stiffness * (state_.q(j) - joint.rest_position);
    tau -= joint.damping * state_.qd(j);
    if (pd.stiffness == nullptr) continue;
    const double* wanted = pd.references + static_cast<Index>(instant) * 2 * n;
    const double effort = pd.stiffness[j] * (wanted[j] - state_.q(j)) +
                          pd.damping[j] * (wanted[n + j] - state_.qd(j));
    tau += std::max(std::min(effort, pd.limit[j]), -pd.limit[j]);
  }
}

/// ẋ at x_, whose state is left in state_.
void SingleStates::take_rates(const Rk4Task& task, int instant, const double* given,
                              VectorX& rates) {
  const int n = model_.joint_count();
  const Vector3 theta = x_.segment<3>(3);
  state_.r_0 = x_.head<3>();
  state_.A_0 = attitude(charts_[0], theta);
  state_.q = x_.segment(6, n);
  for (std::size_t k = 1; k < charts_.size(); ++k) {
    auto q = state_.q.segment<3>(model_.spherical_joints()[k - 1] - 1);
    q = vector_of_quaternion(charts_[k].quaternion().conjugate() * quaternion_of_vector(q));
  }
  state_.v_0 = x_.segment<3>(6 + n);
  state_.omega_0 = x_.segment<3>(9 + n);
  state_.qd = x_.tail(n);
  follow(model_, state_);
  take_forces(task.pd, instant, given);
  accelerate();
  rates.head<3>() = state_.v_0;
  rates.segment<3>(3) = apply_dexp_inverse_so3(theta, state_.omega_0);
  joint_position_rate(model_, x_.segment(6, n), state_.qd, rates.segment(6, n));
  rates.tail(6 + n) = acceleration_;
}

void SingleStates::read_charts(const double* lane) {
  const int n = model_.joint_count();
  const auto take = [&](AttitudeChart& chart, int row) {
    Matrix3 A;
    A.reshaped() = part(lane, row, 9);
    chart = AttitudeChart(A);
  };
  x_.head<3>() = part(lane, StateRows::r_0, 3);
  x_.segment<3>(3) = part(lane, StateRows::theta, 3);
  x_.segment(6, n) = part(lane, StateRows::q, n);
  x_.segment<6>(6 + n) = part(lane, StateRows::v_0, 6);
  x_.tail(n) = part(lane, StateRows::q + n, n);
  take(charts_[0], StateRows::A_ref);
  int row = StateRows::count(n);
  for (std::size_t k = 1; k < charts_.size(); ++k, row += StateRows::kChart) {
    x_.segment<3>(5 + model_.spherical_joints()[k - 1]) = part(lane, row, 3);
    take(charts_[k], row + 3);
  }
}

/// The state at x_, whose charts move along where they have turned far.
void SingleStates::write_charts(double* lane) {
  const int n = model_.joint_count();
  const auto put = [&](AttitudeChart& chart, Eigen::Ref<Vector3> theta, double sign, int row_theta,
                       int row_reference) {
    const Matrix3 A = attitude(chart, sign * theta);
    if (AttitudeChart::needs_recentring(theta)) {
      chart.recentre(sign * theta);
      theta.setZero();
      part(lane, row_reference, 9) = chart.attitude(theta).reshaped();
    }
    part(lane, row_theta, 3) = theta;
    return A;
  };
  part(lane, StateRows::r_0, 3) = x_.head<3>();
  part(lane, StateRows::A_0, 9) =
      put(charts_[0], x_.segment<3>(3), 1.0, StateRows::theta, StateRows::A_ref).reshaped();
  state_.q = x_.segment(6, n);
  int row = StateRows::count(n);
  for (std::size_t k = 1; k < charts_.size(); ++k, row += StateRows::kChart) {
    const int joint = model_.spherical_joints()[k - 1] - 1;
    const Matrix3 inverse = put(charts_[k], x_.segment<3>(6 + joint), -1.0, row, row + 3);
    state_.q.segment<3>(joint) = -vector_of_quaternion(quaternion_of<double>(inverse));
  }
  state_.qd = x_.tail(n);
  follow(model_, state_);
  part(lane, StateRows::v_0, 6) = x_.segment<6>(6 + n);
  part(lane, StateRows::q, n) = state_.q;
  part(lane, StateRows::q + n, n) = state_.qd;
}

void SingleStates::rk4(const Rk4Task& task, const double* forces, double* state) {
  for (int k = 0; k < kTile; ++k) {
    for (int step = 0; step < task.steps; ++step) {
      read_charts(state + k);
      start_ = x_;
      take_rates(task, 2 * step, forces + k, sum_);
      x_ = start_ + 0.5 * task.step * sum_;
      take_rates(task, 2 * step + 1, forces + k, rates_);
      sum_ += 2.0 * rates_;
      x_ = start_ + 0.5 * task.step * rates_;
      take_rates(task, 2 * step + 1, forces + k, rates_);
      sum_ += 2.0 * rates_;
      x_ = start_ + task.step * rates_;
      take_rates(task, 2 * step + 2, forces + k, rates_);
      x_ = start_ + task.step / 6.0 * (sum_ + rates_);
      write_charts(state + k);
    }
  }
}

}  // namespace spacedyn::batch
