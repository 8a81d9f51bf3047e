#include "spacedyn/control/rheonomic_distance.hpp"

#include "control/reference_checks.hpp"
#include "forces/element_checks.hpp"
#include "forces/separation.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/kinematics/point_acceleration.hpp"

namespace spacedyn {

RheonomicDistance::RheonomicDistance(std::string name, Settings settings)
    : MotionConstraint(std::move(name)), settings_(std::move(settings)) {
  if (settings_.length == nullptr) throw DomainError(owner_prefix(*this) + "it has no reference");
  if (settings_.length->size() == 1) return;
  throw DimensionError(owner_prefix(*this) + "its reference has " +
                       std::to_string(settings_.length->size()) + " components, expected 1");
}

void RheonomicDistance::check(const Model& model) const {
  for (const Frame* point : {&settings_.from, &settings_.to}) {
    check_body(*this, point->body, model);
    check_frame(model, *point);
  }
  if (settings_.from.body != settings_.to.body) return;
  throw DomainError(owner_prefix(*this) + "both points are on body '" +
                    model.body(settings_.to.body).name + "'");
}

void RheonomicDistance::declare(Declarations& declared) const {
  MotionConstraint::declare(declared);
  declared.line = {settings_.from, settings_.to};
}

void RheonomicDistance::rows(const EvaluationContext& context, MotionRows& rows) const {
  const auto acceleration_of = [&](const Frame& point) {
    return bias_acceleration(context.model, context.state, context.frames, context.velocities,
                             point)
        .linear;
  };
  const ReferenceValue length = settings_.length->at(0, context.instant());
  rows.points[0] = frame_position(context.frames, settings_.to);
  rows.points[1] = frame_position(context.frames, settings_.from);
  const auto [distance, velocity] = separation(context, settings_.from, settings_.to);
  const double size = distance.norm();
  const Vector3 direction = distance / size;
  const double rate = direction.dot(velocity);
  const double bias =
      direction.dot(acceleration_of(settings_.to) - acceleration_of(settings_.from)) +
      (velocity.squaredNorm() - rate * rate) / size;
  rows.rows[0] = {{direction, -direction},
                  rate - length.velocity,
                  bias - length.acceleration,
                  length.velocity,
                  size - length.position};
}

WinchTether::WinchTether(std::string name, Settings settings,
                         std::shared_ptr<const Reference> rest_length)
    : Tether(std::move(name), std::move(settings)), rest_length_(std::move(rest_length)) {
  if (rest_length_ == nullptr)
    throw DomainError(owner_prefix(*this) + "its winch has no reference");
  if (rest_length_->size() == 1) return;
  throw DimensionError(owner_prefix(*this) + "the reference of its winch has " +
                       std::to_string(rest_length_->size()) + " components, expected 1");
}

Tether::Rest WinchTether::rest(const Instant& now) const {
  const ReferenceValue value = rest_length_->at(0, now);
  if (value.position < 0.0) return {0.0, 0.0, true};
  return {value.position, value.velocity, true};
}

bool WinchTether::differentiate(const EvaluationContext& /*context*/,
                                LoadDerivatives& /*derivatives*/) const {
  return false;  // in time, too: by differences
}

}  // namespace spacedyn
