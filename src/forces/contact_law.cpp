#include "spacedyn/forces/contact_law.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/tools/toms748_solve.hpp>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr double kLeastRestitution = 1e-3;
constexpr double kMostExponent = 10.0;

void require(bool condition, const char* what) {
  if (!condition) throw DomainError(what);
}
bool is_positive(double x) { return std::isfinite(x) && x > 0.0; }
bool is_not_negative(double x) { return std::isfinite(x) && x >= 0.0; }

/// smooth_sign(x)/x of a speed over its least one, divided by that.
double regularized(double speed, double least) {
  const double x = speed / least;
  if (x >= 1.0) return 1.0 / speed;
  const double square = x * x;
  return (1.875 + square * (0.375 * square - 1.25)) / least;
}

/// Its derivative by the speed.
double regularized_slope(double speed, double least) {
  const double x = speed / least;
  if (x >= 1.0) return -1.0 / (speed * speed);
  return x * (1.5 * x * x - 2.5) / (least * least);
}

/// Change of regularized(|v|) v.
Vector3 regularized_change(const Vector3& v, const Vector3& change, double least) {
  const double speed = v.norm();
  Vector3 result = regularized(speed, least) * change;
  if (speed > 0.0) result += regularized_slope(speed, least) * v.dot(change) / speed * v;
  return result;
}

}  // namespace

double hunt_crossley_damping(double restitution) {
  require(restitution >= 0.0 && restitution <= 1.0, "a restitution must lie between 0 and 1");
  const double e = std::max(restitution, kLeastRestitution);
  // the first term of the series, where the equation has nothing left but roundings
  if (1.0 - e < 1e-4) return 1.5 * (1.0 - e * e) / (1.0 + e * e * e);
  // with u = 1 − e β, which may be tiny: ln(1 + β) − ln u − (1 + e) β
  const auto residual = [e](double log_u) {
    const double beta = -std::expm1(log_u) / e;
    return std::log1p(beta) - log_u - (1.0 + e) * beta;
  };
  // zero at β = 0, negative behind it, positive where u vanishes; −ln u < (1 + e) β < 2/e there
  std::uintmax_t most = 300;
  const double near = std::log1p(-e * 0.5 * (1.0 - e));
  const auto [left, right] = boost::math::tools::toms748_solve(
      residual, -2.0 / e - 2.0, near, boost::math::tools::eps_tolerance<double>(52), most);
  return -std::expm1(0.5 * (left + right)) / e;
}

NormalContact::NormalContact(const Settings& settings) : settings_(settings) {
  require(is_positive(settings.stiffness), "the stiffness of a contact must be positive");
  require(is_positive(settings.least_impact_speed), "the least impact speed must be positive");
  if (settings.law == NormalContactLaw::linear) {
    require(is_not_negative(settings.damping), "the damping of a contact must not be negative");
    settings_.exponent = 1.0;
    return;
  }
  require(settings.exponent >= 1.0 && settings.exponent <= kMostExponent,
          "the exponent of a contact must lie between 1 and 10");
  beta_ = hunt_crossley_damping(settings.restitution);
}

double NormalContact::elastic(double depth) const {
  if (depth < 0.0) return -elastic(-depth);
  const double n = settings_.exponent;
  if (n == 1.0) return settings_.stiffness * depth;
  if (n == 1.5) return settings_.stiffness * depth * std::sqrt(depth);
  return settings_.stiffness * std::pow(depth, n);
}

double NormalContact::energy(double depth) const {
  return depth > 0.0 ? elastic(depth) * depth / (settings_.exponent + 1.0) : 0.0;
}

double NormalContact::slope(double depth) const {
  const double n = settings_.exponent;
  return n == 1.0 ? settings_.stiffness : n * settings_.stiffness * std::pow(depth, n - 1.0);
}

double NormalContact::force(double depth, double rate, double impact_speed) const {
  if (depth < 0.0) {
    // of trials beyond the end of a contact: the same spring, so that long steps are refused
    const bool is_linear = settings_.law == NormalContactLaw::linear;
    return elastic(depth) + (is_linear ? std::max(0.0, settings_.damping * rate) : 0.0);
  }
  if (settings_.law == NormalContactLaw::linear) {
    return std::max(0.0, elastic(depth) + settings_.damping * rate);
  }
  const double speed = std::max({impact_speed, settings_.least_impact_speed, std::abs(rate)});
  return elastic(depth) * std::max(0.0, 1.0 + beta_ * rate / speed);
}

NormalContact::Slopes NormalContact::slopes(double depth, double rate, double impact_speed) const {
  const double spring = slope(std::abs(depth));  // a negative force grows like a positive one
  if (settings_.law == NormalContactLaw::linear) {
    const bool acts = depth < 0.0 ? rate > 0.0 : elastic(depth) + settings_.damping * rate > 0.0;
    return {depth < 0.0 || acts ? spring : 0.0, acts ? settings_.damping : 0.0, 0.0};
  }
  if (depth < 0.0) return {spring, 0.0, 0.0};
  const double least = std::max(impact_speed, settings_.least_impact_speed);
  const double speed = std::max(least, std::abs(rate));
  const double factor = 1.0 + beta_ * rate / speed;
  if (!(factor > 0.0)) return {};
  Slopes slopes{spring * factor, 0.0, 0.0};
  if (std::abs(rate) >= least) return slopes;  // where the ratio is ±1
  slopes.rate = elastic(depth) * beta_ / speed;
  if (impact_speed > settings_.least_impact_speed)
    slopes.impact_speed = -slopes.rate * rate / speed;
  return slopes;
}

double NormalContact::depth_of(double force) const {
  return std::pow(force / settings_.stiffness, 1.0 / settings_.exponent);
}

void ContactFriction::check() const {
  require(is_not_negative(coefficient), "a friction coefficient must not be negative");
  require(static_coefficient >= coefficient && std::isfinite(static_coefficient),
          "a static friction coefficient must be at least that of sliding");
  require(
      is_positive(slip_velocity) && is_positive(stribeck_velocity) && is_positive(slip_rate),
      "the slip velocity, the Stribeck velocity and the slip rate of friction must be positive");
  require(is_not_negative(rolling) && is_not_negative(spinning),
          "rolling and spinning friction must not be negative");
  if (!has_bristle()) return;
  require(is_positive(stiffness) && is_positive(damping),
          "the stiffness and the damping of a bristle must be positive");
}

double ContactFriction::coefficient_at(double speed) const {
  const double ratio = speed / stribeck_velocity;
  return coefficient + (static_coefficient - coefficient) * std::exp(-ratio * ratio);
}

Vector3 ContactFriction::coulomb(double normal_force, const Vector3& velocity) const {
  const double speed = velocity.norm();
  return -coefficient_at(speed) * normal_force * regularized(speed, slip_velocity) * velocity;
}

Vector3 ContactFriction::moment(double normal_force, const Vector3& normal,
                                const Vector3& omega) const {
  const double spin = normal.dot(omega);
  const Vector3 roll = omega - spin * normal;
  return -normal_force * (rolling * regularized(roll.norm(), slip_rate) * roll +
                          spinning * regularized(std::abs(spin), slip_rate) * spin * normal);
}

double ContactFriction::coefficient_change(const Vector3& velocity,
                                           const Vector3& velocity_change) const {
  const double square = stribeck_velocity * stribeck_velocity;
  return -2.0 * velocity.dot(velocity_change) / square * (static_coefficient - coefficient) *
         std::exp(-velocity.squaredNorm() / square);
}

Vector3 ContactFriction::coulomb_change(double normal_force, const Vector3& velocity,
                                        double force_change, const Vector3& velocity_change) const {
  const double speed = velocity.norm(), mu = coefficient_at(speed);
  const double limit_change =
      mu * force_change + coefficient_change(velocity, velocity_change) * normal_force;
  return -limit_change * regularized(speed, slip_velocity) * velocity -
         mu * normal_force * regularized_change(velocity, velocity_change, slip_velocity);
}

Vector3 ContactFriction::moment_change(const Turning& now, const Turning& change) const {
  const Vector3 &n = now.normal, &n_change = change.normal;
  const double spin = n.dot(now.omega);
  const double spin_change = n_change.dot(now.omega) + n.dot(change.omega);
  const Vector3 roll = now.omega - spin * n;
  const Vector3 roll_change = change.omega - spin_change * n - spin * n_change;
  const Vector3 across = regularized(std::abs(spin), slip_rate) * spin * n_change +
                         regularized_change(spin * n, spin_change * n, slip_rate);
  return moment(change.normal_force, n, now.omega) -
         now.normal_force *
             (rolling * regularized_change(roll, roll_change, slip_rate) + spinning * across);
}

}  // namespace spacedyn
