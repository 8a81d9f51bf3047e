#include "spacedyn/forces/central_bodies.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_mass_field.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/body_field.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

double CentralBody::potential(const Vector3& r) const {
  const double distance = r.norm(), point = mu / distance;
  if (j2 == 0.0) return point;
  const double part = equatorial_radius / distance, s = axis.dot(r) / distance;
  return point * (1.0 - 0.5 * j2 * part * part * (3.0 * s * s - 1.0));
}

Vector3 CentralBody::gradient(const Vector3& r) const {
  const double distance = r.norm(), pull = mu / (distance * distance * distance);
  if (j2 == 0.0) return -pull * r;
  const double part = equatorial_radius / distance, s = axis.dot(r) / distance;
  const double shape = 1.5 * j2 * part * part;
  return -pull * ((1.0 + shape * (1.0 - 5.0 * s * s)) * r + 2.0 * shape * s * distance * axis);
}

CentralBodies::CentralBodies(std::string name, std::vector<CentralBody> bodies)
    : RobotField(std::move(name)), bodies_(std::move(bodies)) {
  if (bodies_.empty()) throw DomainError(owner_prefix(*this) + "there must be a point mass");
  for (const CentralBody& body : bodies_) {
    if (!std::isfinite(body.mu) || body.mu <= 0.0 || !body.position.allFinite() ||
        !std::isfinite(body.j2)) {
      throw DomainError(owner_prefix(*this) + "mu of '" + body.name +
                        "' must be positive, all its numbers finite");
    }
    const bool has_shape = std::isfinite(body.equatorial_radius) && body.equatorial_radius > 0.0 &&
                           std::abs(body.axis.norm() - 1.0) < 1e-9;
    if (body.j2 == 0.0 || has_shape) continue;
    throw DomainError(owner_prefix(*this) + "J2 of '" + body.name +
                      "' needs a positive equatorial radius and an axis of length 1");
  }
}

CentralBodies::CentralBodies(std::string name, std::vector<CentralBody> bodies, const Model& model)
    : CentralBodies(std::move(name), std::move(bodies)) {
  divide(model);
}

void CentralBodies::declare(Declarations& declared) const {
  declared.field = this;
  for (const CentralBody& body : bodies_) {
    CelestialBody drawn{body.name, body.position, body.mu, body.equatorial_radius};
    if (drawn.radius == 0.0 && is_earth(body.mu)) drawn.radius = kEarthRadius;
    // its axis of symmetry is the z axis of what is drawn
    drawn.attitude = rotation_from_z_to(body.axis);
    declared.scene.bodies.push_back(std::move(drawn));
  }
}

Vector3 CentralBodies::gravity(const Vector3& r) const {
  Vector3 sum = Vector3::Zero();
  for (const CentralBody& center : bodies_) sum += center.gradient(r - center.position);
  return sum;
}

double CentralBodies::potential(const Vector3& r) const {
  double sum = 0.0;
  for (const CentralBody& center : bodies_) sum -= center.potential(r - center.position);
  return sum;
}

CentralBodies::Attraction CentralBodies::attraction(const EvaluationContext& context,
                                                    int body) const {
  const Body& its = context.model.body(body);
  const Vector3& r = context.frames.r[static_cast<std::size_t>(body)];
  Attraction all{its.mass * potential(r), its.mass * gravity(r), Vector3::Zero()};
  if (its.inertia_L.isZero(0.0)) return all;
  const Matrix3 inertia = inertia_of(context, body);
  for (const CentralBody& center : bodies_) {
    const InertiaInField field(center.mu, r - center.position, inertia);
    all.energy += field.energy;
    all.force += field.force;
    all.moment += field.torque;
  }
  return all;
}

template <typename Visit>
void CentralBodies::for_each_body(const EvaluationContext& context, const Visit& visit) const {
  const auto is_heavy = [&](int i) {
    const Body& body = context.model.body(i);
    return body.mass != 0.0 || (robots_.empty() && !body.inertia_L.isZero(0.0));
  };
  for (int i = 0; robots_.empty() && i < context.model.body_count(); ++i) {
    if (is_heavy(i)) visit(i, attraction(context, i));
  }
  for (int robot = 0; !robots_.empty() && robot < robot_count_; ++robot) {
    const RobotCentroid center(context, robots_, robot);
    if (!(center.mass > 0.0)) continue;
    const double energy = potential(center.position);
    const Vector3 pull = gravity(center.position);
    for (int i = 0; i < context.model.body_count(); ++i) {
      if (robots_[static_cast<std::size_t>(i)] != robot || !is_heavy(i)) continue;
      const double mass = context.model.body(i).mass;
      visit(i, Attraction{mass * energy, mass * pull, Vector3::Zero()});
    }
  }
}

EnergyRates CentralBodies::attract(const EvaluationContext& context, Loads* loads) const {
  EnergyRates rates;
  for_each_body(context, [&](int body, const Attraction& all) {
    const auto at = static_cast<std::size_t>(body);
    rates.stored -=
        all.force.dot(context.velocities.v[at]) + all.moment.dot(context.velocities.omega[at]);
    if (loads == nullptr) return;
    loads->force.col(body) += all.force;
    loads->moment.col(body) += all.moment;
  });
  return rates;
}

double CentralBodies::stored_energy(const EvaluationContext& context) const {
  double energy = 0.0;
  for_each_body(context, [&](int, const Attraction& all) { energy += all.energy; });
  return energy;
}

Vector3 CentralBodies::acceleration(const EvaluationContext& context, int body, const Vector3& r,
                                    const Vector3&) const {
  if (robots_.empty()) return gravity(r);
  return gravity(RobotCentroid(context, robots_, robots_[static_cast<std::size_t>(body)]).position);
}

double CentralBodies::potential(const EvaluationContext& context, int body, const Vector3& r,
                                double specific_inertia) const {
  const auto at = static_cast<std::size_t>(body);
  if (!robots_.empty()) {
    const Vector3 center = RobotCentroid(context, robots_, robots_[at]).position;
    return potential(center) - gravity(center).dot(r - center);
  }
  // the mass moves the centroid of the body and adds to its inertia
  const double mass = context.model.body(body).mass;
  const Vector3& center = context.frames.r[at];
  const Vector3 arm = r - center;
  double energy = potential(center);
  if (mass > 0.0) energy -= attraction(context, body).force.dot(arm) / mass;
  const Matrix3 inertia = inertia_of_ball(arm, specific_inertia);
  for (const CentralBody& each : bodies_) {
    energy += InertiaInField(each.mu, center - each.position, inertia).energy;
  }
  return energy;
}

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
