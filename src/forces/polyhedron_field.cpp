#include "spacedyn/forces/polyhedron_field.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_mass_field.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {

PolyhedronField::PolyhedronField(std::string name, Settings settings)
    : ForceElement(std::move(name)), settings_(std::move(settings)), polyhedron_(settings_.mesh) {
  const bool is_finite = settings_.position.allFinite() && settings_.attitude.allFinite() &&
                         settings_.angular_velocity.allFinite();
  if (!std::isfinite(settings_.mu) || settings_.mu <= 0.0 || !is_finite) {
    throw DomainError(owner_prefix(*this) + "mu must be positive, all numbers finite");
  }
  density_ = settings_.mu / polyhedron_.volume();
}

Matrix3 PolyhedronField::attitude(double time) const {
  if (settings_.angular_velocity.isZero(0.0)) return settings_.attitude;
  return exp_so3(time * settings_.angular_velocity) * settings_.attitude;
}

Polyhedron::Field PolyhedronField::field(double time, const Vector3& r) const {
  const Matrix3 A = attitude(time);
  Polyhedron::Field field = polyhedron_.field(A.transpose() * (r - settings_.position));
  field.potential *= density_;
  field.gradient = density_ * (A * field.gradient);
  field.second = density_ * (A * field.second * A.transpose());
  return field;
}

void PolyhedronField::apply(const EvaluationContext& context, Loads& loads) const {
  for (int i = 0; i < context.model.body_count(); ++i) {
    const Body& body = context.model.body(i);
    if (body.mass == 0.0 && body.inertia_L.isZero(0.0)) continue;
    const Polyhedron::Field here =
        field(context.time, context.frames.r[static_cast<std::size_t>(i)]);
    loads.force.col(i) += body.mass * here.gradient;
    if (!settings_.gravity_gradient) continue;
    // Σ ρ × ∇∇U ρ dm
    const Matrix3 M = second_moment(inertia_of(context, i)) * here.second;
    loads.moment.col(i) += Vector3(M(1, 2) - M(2, 1), M(2, 0) - M(0, 2), M(0, 1) - M(1, 0));
  }
}

double PolyhedronField::stored_energy(const EvaluationContext& context) const {
  double energy = 0.0;
  for (int i = 0; i < context.model.body_count(); ++i) {
    const double mass = context.model.body(i).mass;
    if (mass == 0.0) continue;
    energy -= mass * field(context.time, context.frames.r[static_cast<std::size_t>(i)]).potential;
  }
  return energy;
}

double PolyhedronField::stored_power(const EvaluationContext& context) const {
  double power = 0.0;
  for (int i = 0; i < context.model.body_count(); ++i) {
    const double mass = context.model.body(i).mass;
    if (mass == 0.0) continue;
    const auto at = static_cast<std::size_t>(i);
    const Vector3& r = context.frames.r[at];
    // the field turns along
    const Vector3 relative =
        context.velocities.v[at] - settings_.angular_velocity.cross(r - settings_.position);
    power -= mass * field(context.time, r).gradient.dot(relative);
  }
  return power;
}

Vector3 PolyhedronField::acceleration(const EvaluationContext& context, int, const Vector3& r,
                                      const Vector3&) const {
  return field(context.time, r).gradient;
}

double PolyhedronField::potential(const EvaluationContext& context, int, const Vector3& r) const {
  return -field(context.time, r).potential;
}

}  // namespace spacedyn
