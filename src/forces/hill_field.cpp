#include "spacedyn/forces/hill_field.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_mass_field.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// √(1 + s) − 1, with |R + r|² = R² (1 + s), without cancellation.
double excess(double R, const Vector3& r) {
  const double s = (2.0 * R * r.x() + r.squaredNorm()) / (R * R);
  return s / (std::sqrt(1.0 + s) + 1.0);
}

/// Σ ρ × Γ ρ dm of a body with second moment S in a field of gradient Γ.
Vector3 torque_of_gradient(const Matrix3& S, const Matrix3& gradient) {
  const Matrix3 M = S * gradient;
  return {M(1, 2) - M(2, 1), M(2, 0) - M(0, 2), M(0, 1) - M(1, 0)};
}

}  // namespace

HillField::HillField(std::string name, const Model& model, const OrbitSettings& settings)
    : RobotField(std::move(name)), settings_(settings) {
  check_orbit(settings, owner_prefix(*this));
  divide(model);
}

void HillField::declare(Declarations& declared) const {
  const bool is_ours = is_earth(settings_.mu);
  declared.field = this;
  declared.scene.bodies.push_back({is_ours ? "earth" : "planet", settings_.center(0.0),
                                   settings_.mu, is_ours ? kEarthRadius : 0.0});
  declared.scene.orbit = settings_;
}

Vector3 HillField::gravity(const Place& place, const Vector3& r) const {
  const double R = place.radius, strength = settings_.mu / (R * R * R);
  if (!settings_.exact_tide) return strength * Vector3(2.0 * r.x(), -r.y(), -r.z());
  // −μ ρ/|ρ|³ + μ/R³ R with ρ = R + r, |ρ| = R w: −μ/R³ (r + (w⁻³ − 1) ρ)
  const double less = excess(R, r), w = 1.0 + less;
  const double factor = -less * (w * w + w + 1.0) / (w * w * w);
  const Vector3 from_center = r + Vector3(R, 0.0, 0.0);
  return -strength * (r + factor * from_center);
}

double HillField::potential(const Place& place, const Vector3& r) const {
  const double R = place.radius, strength = settings_.mu / (R * R * R);
  if (!settings_.exact_tide) {
    return -0.5 * strength * (2.0 * r.x() * r.x() - r.y() * r.y() - r.z() * r.z());
  }
  const double less = excess(R, r), w = 1.0 + less;
  return -strength * R * R * less * less * (w + 2.0) / (2.0 * w) + 0.5 * strength * r.squaredNorm();
}

template <typename Visit>
void HillField::for_each_body(const EvaluationContext& context, const Visit& visit) const {
  for (int robot = 0; robot < robot_count_; ++robot) {
    Vector3 center = Vector3::Zero();
    if (!settings_.gravity_gradient) center = RobotCentroid(context, robots_, robot).position;
    for (int i = 0; i < context.model.body_count(); ++i) {
      const Body& body = context.model.body(i);
      if (robots_[static_cast<std::size_t>(i)] != robot) continue;
      if (body.mass == 0.0 && body.inertia_L.isZero(0.0)) continue;
      visit(i, inertia_of(context, i), center);
    }
  }
}

HillField::Wrench HillField::conservative(const EvaluationContext& context, const Place& place,
                                          int body, const Matrix3& inertia,
                                          const Vector3& center) const {
  const double mass = context.model.body(body).mass, square = place.rate * place.rate;
  const Vector3& r = context.frames.r[static_cast<std::size_t>(body)];
  const Matrix3 S = second_moment(inertia);
  Wrench wrench{mass * square * Vector3(r.x(), r.y(), 0.0),
                square * Vector3::UnitZ().cross(S.col(2))};
  if (place.rate_change != 0.0) {
    wrench.force += mass * place.rate_change * Vector3(r.y(), -r.x(), 0.0);
    wrench.moment -= place.rate_change * inertia.col(2);
  }
  if (!settings_.gravity_gradient) {
    wrench.force += mass * gravity(place, center);
    return wrench;
  }
  wrench.force += mass * gravity(place, r);
  const double R = place.radius;
  if (settings_.exact_tide) {
    const InertiaInField field(settings_.mu, r + Vector3(R, 0.0, 0.0), inertia);
    wrench.force += field.force;
    wrench.moment += field.torque;
  } else {
    const Vector3 tide = settings_.mu / (R * R * R) * Vector3(2.0, -1.0, -1.0);
    wrench.moment += torque_of_gradient(S, tide.asDiagonal());
  }
  return wrench;
}

EnergyRates HillField::attract(const EvaluationContext& context, Loads* loads) const {
  const Place place = settings_.at(context.time);
  EnergyRates rates;
  for_each_body(context, [&](int body, const Matrix3& inertia, const Vector3& center) {
    const auto at = static_cast<std::size_t>(body);
    const Wrench wrench = conservative(context, place, body, inertia, center);
    const Vector3 &v = context.velocities.v[at], &omega = context.velocities.omega[at];
    if (settings_.is_circular()) {
      rates.stored -= wrench.force.dot(v) + wrench.moment.dot(omega);
    }
    if (loads == nullptr) return;
    // −2 ω × v, and what it does to a body that turns
    const Vector3 coriolis = 2.0 * place.rate * Vector3(v.y(), -v.x(), 0.0);
    const Vector3 turned = omega.cross(second_moment(inertia).col(2));
    loads->force.col(body) += wrench.force + context.model.body(body).mass * coriolis;
    loads->moment.col(body) += wrench.moment + 2.0 * place.rate * turned;
  });
  return rates;
}

double HillField::stored_energy(const EvaluationContext& context) const {
  if (!settings_.is_circular()) return 0.0;
  const Place place = settings_.at(context.time);
  const double n2 = place.rate * place.rate;
  double energy = 0.0;
  for_each_body(context, [&](int body, const Matrix3& inertia, const Vector3&) {
    const double mass = context.model.body(body).mass;
    const Vector3& r = context.frames.r[static_cast<std::size_t>(body)];
    energy -= 0.5 * n2 * (mass * r.head<2>().squaredNorm() + inertia(2, 2));
    if (!settings_.gravity_gradient) return;
    energy += mass * potential(place, r);
    if (settings_.exact_tide) {
      energy +=
          InertiaInField(settings_.mu, r + Vector3(settings_.radius, 0.0, 0.0), inertia).energy;
    } else {
      energy -= 0.5 * n2 * second_moment(inertia).diagonal().dot(Vector3(2.0, -1.0, -1.0));
    }
  });
  for (int robot = 0; !settings_.gravity_gradient && robot < robot_count_; ++robot) {
    const RobotCentroid center(context, robots_, robot);
    energy += center.mass * potential(place, center.position);
  }
  return energy;
}

Vector3 HillField::place_of(const EvaluationContext& context, int body, const Vector3& r) const {
  if (settings_.gravity_gradient) return r;
  return RobotCentroid(context, robots_, robots_[static_cast<std::size_t>(body)]).position;
}

Vector3 HillField::acceleration(const EvaluationContext& context, int body, const Vector3& r,
                                const Vector3& v) const {
  const Place place = settings_.at(context.time);
  return place.rate * place.rate * Vector3(r.x(), r.y(), 0.0) +
         place.rate_change * Vector3(r.y(), -r.x(), 0.0) +
         2.0 * place.rate * Vector3(v.y(), -v.x(), 0.0) +
         gravity(place, place_of(context, body, r));
}

double HillField::potential(const EvaluationContext& context, int body, const Vector3& r,
                            double specific_inertia) const {
  if (!settings_.is_circular()) return 0.0;
  const Place place = settings_.at(context.time);
  const double turning =
      -0.5 * place.rate * place.rate * (r.head<2>().squaredNorm() + specific_inertia);
  if (settings_.gravity_gradient && settings_.exact_tide) {
    const Vector3 from_planet(settings_.radius, 0.0, 0.0);
    const Vector3& center = context.frames.r[static_cast<std::size_t>(body)];
    const Body& its = context.model.body(body);
    const InertiaInField field(settings_.mu, center + from_planet, inertia_of(context, body));
    const InertiaInField added(settings_.mu, center + from_planet,
                               inertia_of_ball(r - center, specific_inertia));
    const Vector3 pull =
        gravity(place, center) + (its.mass > 0.0 ? 1.0 / its.mass : 0.0) * field.force;
    return turning + potential(place, center) - pull.dot(r - center) + added.energy;
  }
  // without gradient it is that of the centroid, which a mass at r moves
  const Vector3 where = place_of(context, body, r);
  return turning + potential(place, where) - gravity(place, where).dot(r - where);
}

namespace {

/// Newton's method settles within some six steps from its start below for all e < 1.
constexpr int kMostKeplerSteps = 30;

/// E with E − e sin E = M, M within a turn of zero.
double eccentric_anomaly(double M, double e) {
  double E = M + std::copysign(0.85 * e, std::sin(M));
  for (int i = 0; i < kMostKeplerSteps; ++i) {
    const double step = (E - e * std::sin(E) - M) / (1.0 - e * std::cos(E));
    E -= step;
    if (std::abs(step) <= 1e-15 * (1.0 + std::abs(E))) break;
  }
  return E;
}

double true_of_eccentric(double E, double e) {
  // the difference of the two angles is small and has no jumps
  const double beta = e / (1.0 + std::sqrt(1.0 - e * e));
  return E + 2.0 * std::atan2(beta * std::sin(E), 1.0 - beta * std::cos(E));
}

double eccentric_of_true(double nu, double e) {
  const double beta = e / (1.0 + std::sqrt(1.0 - e * e));
  return nu - 2.0 * std::atan2(beta * std::sin(nu), 1.0 + beta * std::cos(nu));
}

}  // namespace

void check_orbit(const ReferenceOrbit& orbit, const std::string& owner) {
  const auto require = [&](bool rule, const char* what) {
    if (!rule) throw DomainError(owner + what);
  };
  require(std::isfinite(orbit.radius) && orbit.radius > 0.0,
          "the radius of the orbit must be finite and positive");
  require(std::isfinite(orbit.mu) && orbit.mu > 0.0, "mu must be finite and positive");
  require(orbit.eccentricity >= 0.0 && orbit.eccentricity < 1.0,
          "the eccentricity of the orbit must be at least 0 and below 1");
  require(std::isfinite(orbit.true_anomaly), "the true anomaly must be finite");
}

ReferenceOrbit::Place ReferenceOrbit::at(double time) const {
  Place place;
  if (!exists()) return place;
  if (is_circular()) {
    place.radius = radius;
    place.rate = std::sqrt(mu / radius) / radius;
    place.angle = place.rate * time;
    return place;
  }
  const double e = eccentricity, a = radius / (1.0 - e), p = radius * (1.0 + e);
  const double E_0 = eccentric_of_true(true_anomaly, e);
  const double M = E_0 - e * std::sin(E_0) + std::sqrt(mu / a) / a * time;
  const double turns = 2.0 * kPi * std::round(M / (2.0 * kPi));
  const double E = eccentric_anomaly(M - turns, e);
  const double nu = true_of_eccentric(E, e);
  place.radius = a * (1.0 - e * std::cos(E));
  place.radial_speed = std::sqrt(mu / p) * e * std::sin(nu);
  place.angle = nu + turns - true_anomaly;
  place.rate = std::sqrt(mu * p) / (place.radius * place.radius);
  place.rate_change = -2.0 * place.radial_speed * place.rate / place.radius;
  return place;
}

Matrix3 ReferenceOrbit::attitude(double time) const {
  return exists() ? Matrix3(rotation_z(at(time).angle)) : Matrix3(Matrix3::Identity());
}

BodyAxes BodyAxes::in_orbit(const ReferenceOrbit& orbit, double inclination, double argument,
                            double rotation, double longitude) {
  BodyAxes axes;
  axes.orbit = orbit;
  // from the axes of the planet to those of the node, to those of the orbit, to those of the start
  axes.attitude = rotation_z(-argument) * rotation_x(-inclination) * rotation_z(-longitude);
  axes.angular_velocity = rotation * axes.attitude.col(2);
  return axes;
}

BodyAxes::Pose BodyAxes::at(double time) const {
  Pose pose{position, attitude, Vector3::Zero(), angular_velocity};
  if (!angular_velocity.isZero(0.0)) pose.attitude = exp_so3(time * angular_velocity) * attitude;
  if (!orbit.exists()) return pose;
  const ReferenceOrbit::Place place = orbit.at(time);
  const Matrix3 back = rotation_z(-place.angle);
  pose.origin = {-place.radius, 0.0, 0.0};
  pose.velocity = {-place.radial_speed, 0.0, 0.0};
  pose.attitude = back * pose.attitude;
  pose.rate = back * angular_velocity - Vector3(0.0, 0.0, place.rate);
  return pose;
}

}  // namespace spacedyn
