#include "spacedyn/control/base_pd.hpp"

#include <algorithm>
#include <cmath>

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "forces/point_load.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/control/attitude_pd.hpp"
#include "spacedyn/control/momentum_dumping.hpp"
#include "spacedyn/control/wheel_allocation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/load_derivatives.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

void require(bool condition, const std::string& message) {
  if (!condition) throw DomainError(message);
}

bool is_gain(double value) { return std::isfinite(value) && value >= 0.0; }

void check_gains(const std::string& name, const BaseGains& gains) {
  require(is_gain(gains.stiffness), name + " stiffness must be finite and not negative");
  require(is_gain(gains.damping), name + " damping must be finite and not negative");
  require(gains.limit > 0.0, name + " limit must be positive");
}

bool is_zero(const BaseGains& gains) { return gains.stiffness == 0.0 && gains.damping == 0.0; }

Vector3 limited(const Vector3& desired, double limit) {
  const double size = desired.norm();
  return size > limit ? Vector3(desired * (limit / size)) : desired;
}

/// Derivative of limited(): what changes the length of a vector beyond its limit has no effect.
Matrix3 derivative_of_limited(const Vector3& desired, double limit) {
  const double size = desired.norm();
  if (!(size > limit)) return Matrix3::Identity();
  const Vector3 direction = desired / size;
  return limit / size * (Matrix3::Identity() - direction * direction.transpose());
}

}  // namespace

BasePd::BasePd(std::string name, Settings settings)
    : Controller(std::move(name)), settings_(std::move(settings)) {
  const std::string owner = owner_prefix(*this);
  check_gains(owner + "position", settings_.position);
  check_gains(owner + "attitude", settings_.attitude);
  require(!is_zero(settings_.position) || !is_zero(settings_.attitude),
          "'" + this->name() + "' has no gain that is not zero");
  require(is_gain(settings_.sample_period),
          owner + "sample_period must be finite and not negative");
  require(!settings_.robot || settings_.robot->floats,
          owner + "the base of the robot does not float");
  const PrescribedBase& motion = settings_.motion;
  require(std::abs(motion.axis.norm() - 1.0) <= 1e-9,
          owner + "the axis of the motion has not length 1");
  if (motion.position)
    check_same_size(owner + "the reference of position", motion.position->size(), 3);
  if (motion.angle) check_same_size(owner + "the reference of the angle", motion.angle->size(), 1);
}

BaseMotion BasePd::base_of(const EvaluationContext& context) const {
  if (settings_.robot) return base_motion(context.model, *settings_.robot, context.state);
  const State& state = context.state;
  return {state.r_0, state.A_0, state.v_0, state.omega_0};
}

struct BasePd::Errors {
  State goal;
  Vector6 goal_acceleration;
  Vector3 turn;           // log(A_ref A_0ᵀ)
  Vector3 force, torque;  // before they are limited
};

BasePd::Errors BasePd::errors(const EvaluationContext& context) const {
  const BaseMotion now = base_of(context);
  Errors errors;
  State& goal = errors.goal;
  settings_.motion.evaluate(context.instant(), goal, errors.goal_acceleration);
  errors.turn = orientation_error(goal.A_0, now.A_0);
  // F_0 = K_p (r_ref − r_0) + D_p (ṙ_ref − v_0)
  const BaseGains& position = settings_.position;
  errors.force =
      position.stiffness * (goal.r_0 - now.r_0) + position.damping * (goal.v_0 - now.v_0);
  // N_0 = K_a log(A_ref A_0ᵀ) + D_a (ω_ref − ω_0)
  const BaseGains& attitude = settings_.attitude;
  errors.torque =
      attitude.stiffness * errors.turn + attitude.damping * (goal.omega_0 - now.omega_0);
  return errors;
}

void BasePd::command(const EvaluationContext& context, VectorRef command) const {
  const Errors now = errors(context);
  command.head<3>() = limited(now.force, settings_.position.limit);
  command.tail<3>() = limited(now.torque, settings_.attitude.limit);
}

bool BasePd::differentiate(const EvaluationContext& context, ConstVectorRef, CommandMode mode,
                           LoadDerivatives& derivatives) const {
  if (mode == CommandMode::held) return true;
  if (settings_.robot) return false;  // by differences: its coordinates are those of a joint
  const Errors now = errors(context);
  const BaseGains& position = settings_.position;
  const Matrix3 force = derivative_of_limited(now.force, position.limit);
  derivatives.force_configuration.topLeftCorner<3, 3>() -= position.stiffness * force;
  derivatives.force_velocity.topLeftCorner<3, 3>() -= position.damping * force;
  derivatives.force_time.head<3>() += force * (position.stiffness * now.goal.v_0 +
                                               position.damping * now.goal_acceleration.head<3>());
  // log(A_ref A_0ᵀ) = e: δe = dexp⁻¹(e) δθ_ref − dexp⁻¹(−e) δθ
  const BaseGains& attitude = settings_.attitude;
  const Matrix3 torque = derivative_of_limited(now.torque, attitude.limit);
  derivatives.force_configuration.block<3, 3>(3, 3) -=
      attitude.stiffness * torque * dexp_inverse_so3(-now.turn);
  derivatives.force_velocity.block<3, 3>(3, 3) -= attitude.damping * torque;
  derivatives.force_time.segment<3>(3) +=
      torque * (attitude.stiffness * apply_dexp_inverse_so3(now.turn, now.goal.omega_0) +
                attitude.damping * now.goal_acceleration.tail<3>());
  return true;
}

void BasePd::apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const {
  if (!settings_.robot) {
    loads.F_b += command;
    return;
  }
  add_at(settings_.robot->base, context, command.head<3>(), command.tail<3>(), loads);
}

void AttitudeReference::evaluate(const Instant& now, Matrix3& A, Vector3& omega) const {
  if (rpy) {
    const ReferenceValue roll = rpy->at(0, now), pitch = rpy->at(1, now), yaw = rpy->at(2, now);
    const Matrix3 A_z = rotation_z(yaw.position), A_zy = A_z * rotation_y(pitch.position);
    A = A_zy * rotation_x(roll.position);
    omega =
        yaw.velocity * Vector3::UnitZ() + pitch.velocity * A_z.col(1) + roll.velocity * A_zy.col(0);
    return;
  }
  const ReferenceValue turn = angle ? angle->at(0, now) : ReferenceValue{};
  A = turn_by(turn.position * axis, start);
  omega = turn.velocity * axis;
}

AttitudePd::AttitudePd(std::string name, const Model& model, Settings settings,
                       std::shared_ptr<const Allocation> allocation)
    : WrenchController(std::move(name), std::move(allocation), settings.sample_period),
      settings_(std::move(settings)) {
  const std::string owner = owner_prefix(*this);
  const bool has_gains = !settings_.stiffness.isZero(0.0) || !settings_.damping.isZero(0.0);
  if (has_gains || settings_.feed_forward.empty()) settings_.check(owner);
  const AttitudeReference& reference = settings_.reference;
  if (reference.rpy) check_same_size(owner + "the reference", reference.rpy->size(), 3);
  if (reference.angle) check_same_size(owner + "the reference", reference.angle->size(), 1);
  for (const int axis : this->allocation().idle_axes(model)) {
    if (!settings_.act_on(axis)) continue;
    throw DomainError(owner + "its " + this->allocation().kind() + " have no torque about the " +
                      "xyz"[axis] + " axis of '" + model.body(this->allocation().body()).name +
                      "', which has a gain");
  }
  if (settings_.feed_forward.empty()) return;
  feed_forward_ = std::make_unique<MomentumFeedForward>(owner, model, this->allocation().body(),
                                                        settings_.feed_forward);
}

WrenchDemand AttitudePd::demand(const EvaluationContext& context) const {
  const auto at = static_cast<std::size_t>(allocation().body());
  const Matrix3 A = context.frames.A[at] * allocation().axes();
  Matrix3 A_ref;
  Vector3 omega_ref;
  settings_.reference.evaluate(context.instant(), A_ref, omega_ref);
  // w ≥ 0: the shorter of the two turns
  const Vector3 error = 2.0 * quaternion_from_matrix(A.transpose() * A_ref).vec();
  const Vector3 rate = A.transpose() * (omega_ref - context.velocities.omega[at]);
  WrenchDemand demand;
  demand.torque = A * settings_.feedback(error, rate);
  if (feed_forward_) demand.torque += feed_forward_->rate(context);
  return demand;
}

MomentumDumping::MomentumDumping(std::string name, const Model& model, Settings settings,
                                 std::shared_ptr<const Allocation> allocation)
    : WrenchController(std::move(name), std::move(allocation), 0.0),
      settings_(std::move(settings)) {
  if (!std::isfinite(settings_.gain) || settings_.gain <= 0.0) {
    throw DomainError(owner_prefix(*this) + "the gain must be finite and positive");
  }
  check(model);
}

void MomentumDumping::check(const Model& model) const {
  WrenchController::check(model);
  check_wheels(owner_prefix(*this), model, settings_.wheels);
}

WrenchDemand MomentumDumping::demand(const EvaluationContext& context) const {
  Vector3 momentum = Vector3::Zero();
  for (const int joint : settings_.wheels) {
    momentum += context.model.wheel(joint)->spin_inertia * context.state.qd(joint - 1) *
                context.frames.k[static_cast<std::size_t>(joint)];
  }
  return {-settings_.gain * momentum};
}

StationKeeping::StationKeeping(std::string name, Settings settings,
                               std::shared_ptr<const Allocation> allocation)
    : WrenchController(std::move(name), std::move(allocation), settings.sample_period),
      settings_(std::move(settings)) {
  const std::string owner = owner_prefix(*this);
  settings_.check(owner);
  if (!settings_.reference) throw DomainError(owner + "it has no reference");
  check_same_size(owner + "the reference", settings_.reference->size(), 3);
  if (this->allocation().has_force()) return;
  throw DomainError(owner + "its " + this->allocation().kind() + " have no force");
}

WrenchDemand StationKeeping::demand(const EvaluationContext& context) const {
  const auto at = static_cast<std::size_t>(allocation().body());
  Vector3 place, velocity;
  for (int i = 0; i < 3; ++i) {
    const ReferenceValue wanted = settings_.reference->at(i, context.instant());
    place(i) = wanted.position;
    velocity(i) = wanted.velocity;
  }
  WrenchDemand demand;
  demand.force =
      settings_.feedback(place - context.frames.r[at], velocity - context.velocities.v[at]);
  demand.counts_force = true;
  return demand;
}

}  // namespace spacedyn
