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

CentralBodies::CentralBodies(std::string name, std::vector<CentralBody> bodies,
                             bool gravity_gradient)
    : ForceElement(std::move(name)),
      bodies_(std::move(bodies)),
      gravity_gradient_(gravity_gradient) {
  if (bodies_.empty()) throw DomainError(owner_prefix(*this) + "there must be a point mass");
  for (const CentralBody& body : bodies_) {
    if (std::isfinite(body.mu) && body.mu > 0.0 && body.position.allFinite()) continue;
    throw DomainError(owner_prefix(*this) + "mu of '" + body.name +
                      "' must be positive, all its numbers finite");
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
      const double distance = r.norm();
      Attraction all{-center.mu * body.mass / distance,
                     -center.mu * body.mass / (distance * distance * distance) * r,
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
    const Vector3 from_center = r - center.position;
    const double distance = from_center.norm();
    sum -= center.mu / (distance * distance * distance) * from_center;
  }
  return sum;
}

double CentralBodies::potential(const EvaluationContext&, int, const Vector3& r) const {
  double sum = 0.0;
  for (const CentralBody& center : bodies_) sum -= center.mu / (r - center.position).norm();
  return sum;
}

}  // namespace spacedyn
