#include "spacedyn/forces/body_field.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_mass_field.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

BodyField::BodyField(std::string name, Gravity gravity, const BodyAxes& axes)
    : RobotField(std::move(name)), gravity_(std::move(gravity)), axes_(axes) {
  if (!gravity_ || !axes_.is_finite()) {
    throw DomainError(owner_prefix(*this) + "it must have gravity, and finite axes");
  }
}

BodyField::BodyField(std::string name, Gravity gravity, const BodyAxes& axes, const Model& model)
    : BodyField(std::move(name), std::move(gravity), axes) {
  divide(model);
}

void BodyField::declare(Declarations& declared) const {
  declared.field = this;
  if (!gravity_->is_steady()) return;  // masses in the distance are not drawn
  CelestialBody body;
  gravity_->describe(body);
  declared.planet = {axes_.at(0.0).origin, body.radius};
  if (axes_.orbit.exists()) return;  // HillField declares its planet
  body.name = name();
  body.position = axes_.position;
  body.attitude = axes_.attitude;
  body.angular_velocity = axes_.angular_velocity;
  declared.scene.bodies.push_back(std::move(body));
}

GravityPotential BodyField::field(const BodyAxes::Pose& pose, const Vector3& r, double time) const {
  const Matrix3& A = pose.attitude;
  GravityPotential field = gravity_->at(A.transpose() * (r - pose.origin), time);
  field.gradient = A * field.gradient;
  field.second = A * field.second * A.transpose();
  return field;
}

template <typename Visit>
void BodyField::for_each_body(const EvaluationContext& context, const Visit& visit) const {
  const BodyAxes::Pose pose = axes_.at(context.time);
  const auto visit_of = [&](int robot, const Vector3* place, const GravityPotential* shared) {
    for (int i = 0; i < context.model.body_count(); ++i) {
      const Body& body = context.model.body(i);
      const auto at = static_cast<std::size_t>(i);
      if (place != nullptr) {
        if (robots_[at] == robot && body.mass != 0.0) visit(i, pose, *place, *shared);
      } else if (body.mass != 0.0 || !body.inertia_L.isZero(0.0)) {
        visit(i, pose, context.frames.r[at], field(pose, context.frames.r[at], context.time));
      }
    }
  };
  if (robots_.empty()) return visit_of(0, nullptr, nullptr);
  for (int robot = 0; robot < robot_count_; ++robot) {
    const RobotCentroid center(context, robots_, robot);
    if (!(center.mass > 0.0)) continue;
    const GravityPotential here = field(pose, center.position, context.time);
    visit_of(robot, &center.position, &here);
  }
}

EnergyRates BodyField::attract(const EvaluationContext& context, Loads* loads) const {
  EnergyRates rates;
  for_each_body(context, [&](int i, const BodyAxes::Pose& pose, const Vector3& place,
                             const GravityPotential& here) {
    const double mass = context.model.body(i).mass;
    // the field moves along
    const Vector3 relative =
        context.velocities.v[static_cast<std::size_t>(i)] - pose.velocity_at(place);
    if (gravity_->is_steady()) rates.stored -= mass * here.gradient.dot(relative);
    if (loads == nullptr) return;
    loads->force.col(i) += mass * here.gradient;
    if (!robots_.empty()) return;
    // Σ ρ × ∇∇U ρ dm
    const Matrix3 M = second_moment(inertia_of(context, i)) * here.second;
    loads->moment.col(i) += Vector3(M(1, 2) - M(2, 1), M(2, 0) - M(0, 2), M(0, 1) - M(1, 0));
  });
  return rates;
}

double BodyField::stored_energy(const EvaluationContext& context) const {
  if (!gravity_->is_steady()) return 0.0;
  double energy = 0.0;
  for_each_body(context,
                [&](int i, const BodyAxes::Pose&, const Vector3&, const GravityPotential& here) {
                  energy -= context.model.body(i).mass * here.potential;
                });
  return energy;
}

Vector3 BodyField::acceleration(const EvaluationContext& context, int body, const Vector3& r,
                                const Vector3&) const {
  const Vector3 place = robots_.empty() ? r : center_of(context, body);
  return field(axes_.at(context.time), place, context.time).gradient;
}

double BodyField::potential(const EvaluationContext& context, int body, const Vector3& r,
                            double) const {
  if (!gravity_->is_steady()) return 0.0;
  const Vector3 center = center_of(context, body);
  const GravityPotential here = field(axes_.at(context.time), center, context.time);
  return -here.potential - here.gradient.dot(r - center);
}

Vector3 BodyField::center_of(const EvaluationContext& context, int body) const {
  const auto at = static_cast<std::size_t>(body);
  if (robots_.empty()) return context.frames.r[at];
  return RobotCentroid(context, robots_, robots_[at]).position;
}

}  // namespace spacedyn
