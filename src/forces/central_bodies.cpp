#include "spacedyn/forces/central_bodies.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_mass_field.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// What a point mass does to one body.
struct Attraction {
  double energy;
  Vector3 force, moment;
};

}  // namespace

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

CentralBodies::CentralBodies(std::string name, std::vector<CentralBody> bodies,
                             bool gravity_gradient)
    : ForceElement(std::move(name)),
      bodies_(std::move(bodies)),
      gravity_gradient_(gravity_gradient) {
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

template <typename Visit>
void CentralBodies::for_each_pair(const EvaluationContext& context, const Visit& visit) const {
  for (int i = 0; i < context.model.body_count(); ++i) {
    const Body& body = context.model.body(i);
    const auto at = static_cast<std::size_t>(i);
    const bool has_inertia = gravity_gradient_ && !body.inertia_L.isZero(0.0);
    if (body.mass == 0.0 && !has_inertia) continue;
    const Matrix3 inertia = inertia_of(context, i);
    for (const CentralBody& center : bodies_) {
      const Vector3 r = context.frames.r[at] - center.position;
      Attraction all{-body.mass * center.potential(r), body.mass * center.gradient(r),
                     Vector3::Zero()};
      if (has_inertia) {
        const InertiaInField field(center.mu, r, inertia);
        all.energy += field.energy;
        all.force += field.force;
        all.moment += field.torque;
      }
      visit(i, all);
    }
  }
}

void CentralBodies::apply(const EvaluationContext& context, Loads& loads) const {
  for_each_pair(context, [&](int body, const Attraction& all) {
    loads.force.col(body) += all.force;
    loads.moment.col(body) += all.moment;
  });
}

double CentralBodies::stored_energy(const EvaluationContext& context) const {
  double energy = 0.0;
  for_each_pair(context, [&](int, const Attraction& all) { energy += all.energy; });
  return energy;
}

double CentralBodies::stored_power(const EvaluationContext& context) const {
  double power = 0.0;
  for_each_pair(context, [&](int body, const Attraction& all) {
    const auto at = static_cast<std::size_t>(body);
    power -= all.force.dot(context.velocities.v[at]) + all.moment.dot(context.velocities.omega[at]);
  });
  return power;
}

Vector3 CentralBodies::acceleration(const EvaluationContext&, int, const Vector3& r,
                                    const Vector3&) const {
  Vector3 sum = Vector3::Zero();
  for (const CentralBody& center : bodies_) {
    sum += center.gradient(r - center.position);
  }
  return sum;
}

double CentralBodies::potential(const EvaluationContext&, int, const Vector3& r) const {
  double sum = 0.0;
  for (const CentralBody& center : bodies_) sum -= center.potential(r - center.position);
  return sum;
}

}  // namespace spacedyn
