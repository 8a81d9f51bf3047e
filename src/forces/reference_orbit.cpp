#include "spacedyn/forces/reference_orbit.hpp"

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
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
