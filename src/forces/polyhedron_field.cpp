#include "spacedyn/forces/polyhedron_field.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_mass_field.hpp"
#include "forces/robots_of.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
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

PolyhedronField::PolyhedronField(std::string name, Settings settings, const Model& model)
    : PolyhedronField(std::move(name), std::move(settings)) {
  robots_ = robots_of(model, robot_count_);
}

void PolyhedronField::declare(Declarations& declared) const {
  declared.field = this;
  declared.scene.bodies.push_back({name(), settings_.position, settings_.mu, 0.0,
                                   corner_coordinates(settings_.mesh), settings_.attitude,
                                   settings_.angular_velocity});
}

void PolyhedronField::check(const Model& model) const {
  int count = 1;
  if (robots_.empty() || robots_of(model, count) == robots_) return;
  throw DomainError(owner_prefix(*this) + "it is of another model than '" + model.name() + "'");
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

template <typename Visit>
void PolyhedronField::for_each_body(const EvaluationContext& context, const Visit& visit) const {
  const auto visit_of = [&](int robot, const Vector3* place, const Polyhedron::Field* shared) {
    for (int i = 0; i < context.model.body_count(); ++i) {
      const Body& body = context.model.body(i);
      const auto at = static_cast<std::size_t>(i);
      if (place != nullptr) {
        if (robots_[at] == robot && body.mass != 0.0) visit(i, *place, *shared);
      } else if (body.mass != 0.0 || !body.inertia_L.isZero(0.0)) {
        visit(i, context.frames.r[at], field(context.time, context.frames.r[at]));
      }
    }
  };
  if (robots_.empty()) return visit_of(0, nullptr, nullptr);
  for (int robot = 0; robot < robot_count_; ++robot) {
    const RobotCentroid center(context, robots_, robot);
    if (!(center.mass > 0.0)) continue;
    const Polyhedron::Field here = field(context.time, center.position);
    visit_of(robot, &center.position, &here);
  }
}

EnergyRates PolyhedronField::attract(const EvaluationContext& context, Loads* loads) const {
  EnergyRates rates;
  for_each_body(context, [&](int i, const Vector3& place, const Polyhedron::Field& here) {
    const double mass = context.model.body(i).mass;
    // the field turns along
    const Vector3 relative = context.velocities.v[static_cast<std::size_t>(i)] -
                             settings_.angular_velocity.cross(place - settings_.position);
    rates.stored -= mass * here.gradient.dot(relative);
    if (loads == nullptr) return;
    loads->force.col(i) += mass * here.gradient;
    if (!robots_.empty()) return;
    // Σ ρ × ∇∇U ρ dm
    const Matrix3 M = second_moment(inertia_of(context, i)) * here.second;
    loads->moment.col(i) += Vector3(M(1, 2) - M(2, 1), M(2, 0) - M(0, 2), M(0, 1) - M(1, 0));
  });
  return rates;
}

double PolyhedronField::stored_energy(const EvaluationContext& context) const {
  double energy = 0.0;
  for_each_body(context, [&](int i, const Vector3&, const Polyhedron::Field& here) {
    energy -= context.model.body(i).mass * here.potential;
  });
  return energy;
}

Vector3 PolyhedronField::acceleration(const EvaluationContext& context, int body, const Vector3& r,
                                      const Vector3&) const {
  if (robots_.empty()) return field(context.time, r).gradient;
  return field(context.time, center_of(context, body)).gradient;
}

double PolyhedronField::potential(const EvaluationContext& context, int body, const Vector3& r,
                                  double) const {
  const Vector3 center = center_of(context, body);
  const Polyhedron::Field here = field(context.time, center);
  return -here.potential - here.gradient.dot(r - center);
}

Vector3 PolyhedronField::center_of(const EvaluationContext& context, int body) const {
  const auto at = static_cast<std::size_t>(body);
  if (robots_.empty()) return context.frames.r[at];
  return RobotCentroid(context, robots_, robots_[at]).position;
}

}  // namespace spacedyn
