#include "spacedyn/control/attitude_pd.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "control/mounting.hpp"
#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// Part of an axis that may lie outside of what the wheels span.
constexpr double kSpanned = 1e-9;

using Decomposition = Eigen::JacobiSVD<MatrixX>;

/// Singular vectors of the axes of wheels, those that count.
Decomposition decompose(const Matrix3X& axes) {
  Decomposition svd(axes, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-9);
  return svd;
}

void check_gains(const std::string& owner, const char* name, const Vector3& gain) {
  if (gain.allFinite() && gain.minCoeff() >= 0.0) return;
  throw DomainError(owner + name + " must be finite and not negative");
}

void check_wheels(const std::string& owner, const Model& model, const std::vector<int>& joints) {
  if (joints.empty()) throw DomainError(owner + "it has no actuators");
  for (const int joint : joints) {
    if (joint < 1 || joint > model.joint_count() || model.wheel(joint) == nullptr) {
      throw DomainError(owner + "joint " + std::to_string(joint) + " has no reaction wheel");
    }
    if (std::count(joints.begin(), joints.end(), joint) > 1) {
      throw DomainError(owner + "'" + model.joint(joint).name + "' is named twice");
    }
    if (model.topology().connection(joint) != model.topology().connection(joints.front())) {
      throw DomainError(owner + "'" + model.joint(joint).name + "' and '" +
                        model.joint(joints.front()).name + "' are on different bodies");
    }
  }
}

}  // namespace

void AttitudeReference::evaluate(double time, Matrix3& A, Vector3& omega) const {
  if (rpy) {
    const ReferenceValue roll = rpy->evaluate(0, time), pitch = rpy->evaluate(1, time),
                         yaw = rpy->evaluate(2, time);
    const Matrix3 A_z = rotation_z(yaw.position), A_zy = A_z * rotation_y(pitch.position);
    A = A_zy * rotation_x(roll.position);
    omega =
        yaw.velocity * Vector3::UnitZ() + pitch.velocity * A_z.col(1) + roll.velocity * A_zy.col(0);
    return;
  }
  const ReferenceValue turn = angle ? angle->evaluate(0, time) : ReferenceValue{};
  A = turn_by(turn.position * axis, start);
  omega = turn.velocity * axis;
}

Matrix3X wheel_axes(const Model& model, const std::vector<int>& joints) {
  Matrix3X axes(3, static_cast<Eigen::Index>(joints.size()));
  if (joints.empty()) return axes;
  const Matrix3 to_carrier = axes_of_carrier(model, joints.front()).transpose();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    axes.col(static_cast<Eigen::Index>(i)) = to_carrier * model.joint(joints[i]).rotation.col(2);
  }
  return axes;
}

std::vector<int> axes_without_command(const Matrix3X& wheel_axes) {
  const Decomposition svd = decompose(wheel_axes);
  const auto U = svd.matrixU().leftCols(svd.rank());
  std::vector<int> missing;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3 e = Vector3::Unit(axis);
    if ((e - U * (U.transpose() * e)).norm() > kSpanned) missing.push_back(axis);
  }
  return missing;
}

AttitudePd::AttitudePd(std::string name, const Model& model, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  const std::string owner = owner_prefix(*this);
  check_gains(owner, "stiffness", settings_.stiffness);
  check_gains(owner, "damping", settings_.damping);
  const Vector3 gains = settings_.stiffness + settings_.damping;
  if (gains.isZero(0.0)) throw DomainError(owner + "it has no gain that is not zero");
  if (!(settings_.sample_period >= 0.0) || std::isinf(settings_.sample_period)) {
    throw DomainError(owner + "sample_period must be finite and not negative");
  }
  const AttitudeReference& reference = settings_.reference;
  if (reference.rpy) check_same_size(owner + "the reference", reference.rpy->size(), 3);
  if (reference.angle) check_same_size(owner + "the reference", reference.angle->size(), 1);
  if (!std::isfinite(settings_.dead_band) || settings_.dead_band < 0.0) {
    throw DomainError(owner + "dead_band must be finite and not negative");
  }
  // a gain without wheels is the better thing to say about gyros
  if (settings_.null_space.gain != 0.0 && settings_.wheels.empty()) {
    throw DomainError(owner + "only wheels have a null space");
  }
  take_actuators(model);
  if (settings_.null_space.gain != 0.0) {
    null_space_ =
        std::make_unique<WheelNullSpace>(owner, model, settings_.wheels, settings_.null_space);
  }
  if (settings_.feed_forward.empty()) return;
  feed_forward_ =
      std::make_unique<MomentumFeedForward>(owner, model, body_, settings_.feed_forward);
}

void AttitudePd::take_actuators(const Model& model) {
  if (!settings_.thrusters.empty()) return take_thrusters(model);
  if (!settings_.torquers.empty()) return take_torquers(model);
  if (!settings_.gyros.gimbals.empty()) return take_gyros(model);
  check_wheels(owner_prefix(*this), model, settings_.wheels);
  body_ = model.topology().connection(settings_.wheels.front());
  user_axes_ = axes_of_carrier(model, settings_.wheels.front());
  const Matrix3X axes = wheel_axes(model, settings_.wheels);
  require_torque("wheels", axes_without_command(axes), model);
  allocation_ = -decompose(axes).solve(Matrix3::Identity()).transpose();
}

void AttitudePd::take_thrusters(const Model& model) {
  const std::string owner = owner_prefix(*this);
  require_only("thrusters");
  auto nozzles =
      std::make_unique<ThrusterAllocation>(owner, settings_.thrusters, settings_.modulation);
  nozzles->connect(model);
  nozzles_ = std::move(nozzles);
  if (settings_.modulation.acts()) settings_.sample_period = settings_.modulation.period;
  body_ = settings_.thrusters.front().at.body;
  for (const Thruster& thruster : settings_.thrusters) {
    if (thruster.at.body == body_ && body_ < model.body_count()) continue;
    throw DomainError(owner + '\'' + thruster.name + "' and '" + settings_.thrusters.front().name +
                      "' are on different bodies");
  }
  user_axes_ = axes_of_owner(model, settings_.thrusters.front().at);
}

void AttitudePd::take_torquers(const Model& model) {
  const std::string owner = owner_prefix(*this);
  require_only("torquers");
  if (!settings_.stiffness.isZero(0.0)) {
    throw DomainError(owner + "torquers damp rotation, its stiffness must be zero");
  }
  torquers_ = std::make_unique<TorquerAllocation>(owner, settings_.torquers);
  body_ = torquers_->body();
  check_body(*this, body_, model);
  user_axes_ = axes_of_owner(model, settings_.torquers.front().at);
  require_torque("torquers", torquers_->axes_without_torque(user_axes_), model);
}

void AttitudePd::take_gyros(const Model& model) {
  require_only("gyros");
  gyros_ = std::make_unique<GyroSteering>(owner_prefix(*this), model, settings_.gyros);
  body_ = gyros_->body();
  user_axes_ = axes_of_carrier(model, settings_.gyros.gimbals.front());
  require_torque("gyros", gyros_->axes_without_torque(model, user_axes_), model);
}

void AttitudePd::require_only(const char* kind) const {
  int kinds = settings_.wheels.empty() ? 0 : 1;
  if (!settings_.thrusters.empty()) ++kinds;
  if (!settings_.torquers.empty()) ++kinds;
  if (!settings_.gyros.gimbals.empty()) ++kinds;
  if (kinds == 1) return;
  throw DomainError(owner_prefix(*this) + "it has " + kind + " and other actuators");
}

void AttitudePd::require_torque(const char* kind, const std::vector<int>& missing,
                                const Model& model) const {
  for (const int axis : missing) {
    if (settings_.stiffness(axis) + settings_.damping(axis) == 0.0) continue;
    throw DomainError(owner_prefix(*this) + "its " + kind + " have no torque about the " +
                      "xyz"[axis] + " axis of '" + model.body(body_).name + "', which has a gain");
  }
}

int AttitudePd::command_size() const {
  if (nozzles_) return nozzles_->size();
  if (torquers_) return torquers_->size();
  return gyros_ ? gyros_->command_size() : static_cast<int>(settings_.wheels.size());
}

void AttitudePd::check(const Model& model) const {
  if (torquers_) check_body(*this, body_, model);
  if (gyros_) gyros_->check(owner_prefix(*this), model);
  if (nozzles_ || torquers_ || gyros_) return;
  check_wheels(owner_prefix(*this), model, settings_.wheels);
}

Vector3 AttitudePd::torque(const EvaluationContext& context, Matrix3& A) const {
  const auto at = static_cast<std::size_t>(body_);
  A = context.frames.A[at] * user_axes_;
  Matrix3 A_ref;
  Vector3 omega_ref;
  settings_.reference.evaluate(context.time, A_ref, omega_ref);
  // w ≥ 0: the shorter of the two turns
  Vector3 error = 2.0 * quaternion_from_matrix(A.transpose() * A_ref).vec();
  const Vector3 rate = A.transpose() * (omega_ref - context.velocities.omega[at]);
  const double band = settings_.dead_band;
  if (band > 0.0) error -= error.cwiseMax(-band).cwiseMin(band);
  const Vector3 feedback =
      settings_.stiffness.cwiseProduct(error) + settings_.damping.cwiseProduct(rate);
  return feed_forward_ ? Vector3(feedback + A.transpose() * feed_forward_->rate(context))
                       : feedback;
}

void AttitudePd::command(const EvaluationContext& context, VectorRef command) const {
  Matrix3 A;
  const Vector3 torque = this->torque(context, A);
  if (nozzles_) return nozzles_->allocate(context, A * torque, command);
  if (torquers_) return torquers_->allocate(context, A * torque, command);
  if (gyros_) return gyros_->steer(context, A * torque, command);
  for (Eigen::Index i = 0; i < command.size(); ++i) command(i) = allocation_.col(i).dot(torque);
  if (null_space_) null_space_->add(context, command);
}

void AttitudePd::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  if (!nozzles_) return;
  command(context, zd);
  nozzles_->flow(zd, zd);
}

void AttitudePd::apply(const EvaluationContext& context, ConstVectorRef command,
                       Loads& loads) const {
  if (nozzles_) return nozzles_->apply(context, command, loads);
  if (torquers_) return torquers_->apply(context, command, loads);
  if (gyros_) return gyros_->apply(context, command, loads);
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    loads.tau(settings_.wheels[static_cast<std::size_t>(i)] - 1) += command(i);
  }
}

void AttitudePd::append_discontinuities(std::vector<double>& times) const {
  if (settings_.sample_period > 0.0) return;  // sees its reference at sample instants only
  if (feed_forward_) feed_forward_->append_discontinuities(times);
  if (settings_.reference.rpy) settings_.reference.rpy->append_discontinuities(times);
  if (settings_.reference.angle) settings_.reference.angle->append_discontinuities(times);
}

}  // namespace spacedyn
