#include "spacedyn/control/attitude_pd.hpp"

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "math/rodrigues.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

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

}  // namespace spacedyn
