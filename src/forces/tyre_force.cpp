#include "spacedyn/forces/tyre_force.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/wheel_motion.hpp"
#include "math/smooth_step.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

constexpr double kDampedSpeed = 0.1;   // m/s
constexpr double kReleaseSpeed = 1.0;  // m/s: deflections fade at this over L above the ground

/// Of numbers far from overflow.
double length(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace

/// A tyre on its ground: forces in the axes of the wheel, and the rate of its deflection.
struct TyreForce::Grip {
  WheelStance at;
  bool touches = false;
  double x = 0.0, y = 0.0, z = 0.0;  // N, on the wheel
  double rolling = 0.0;              // moment about the axis, N m
  double rate_x = 0.0, rate_y = 0.0;

  Vector3 force() const { return x * at.heading + y * at.axis + z * at.up; }
  /// About the centre: tangential forces act a radius below.
  Vector3 moment(double radius) const {
    return (rolling - radius * x) * at.axis + radius * y * at.heading;
  }
};

TyreForce::TyreForce(std::string name, const Settings& settings)
    : WheelElement(std::move(name),
                   {settings.link, settings.radius, settings.width, settings.terrain}),
      settings_(settings) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  const auto positive = [](double x) { return std::isfinite(x) && x > 0.0; };
  const auto not_negative = [](double x) { return std::isfinite(x) && x >= 0.0; };
  require(settings.terrain != nullptr, "a tyre needs a terrain");
  require(positive(settings.radius) && not_negative(settings.width),
          "the radius must be positive, the width not negative");
  require(positive(settings.stiffness) && not_negative(settings.damping),
          "the stiffness must be positive, the damping not negative");
  require(positive(settings.friction), "the friction must be positive");
  require(positive(settings.slip_stiffness) && positive(settings.cornering_stiffness),
          "slip and cornering stiffness must be positive");
  require(not_negative(settings.relaxation_length), "the relaxation length must not be negative");
  require(not_negative(settings.rolling_resistance), "the rolling resistance must not be negative");
  require(settings.shape >= 1.0 && settings.shape <= 2.0, "the shape must be from 1 to 2");
  require(settings.curvature <= 1.0 && std::isfinite(settings.curvature),
          "the curvature must be at most 1");
  require(positive(settings.slip_velocity), "the slip velocity must be positive");
  if (settings_.relaxation_length == 0.0) settings_.relaxation_length = settings.radius;
}

TyreForce::~TyreForce() = default;

double TyreForce::mobilized(double x) const {
  if (settings_.model == TyreModel::brush) {
    const double rest = std::max(0.0, 1.0 - x / 3.0);
    return 1.0 - rest * rest * rest;
  }
  const double C = settings_.shape, part = x / C;
  return std::sin(C * std::atan(part - settings_.curvature * (part - std::atan(part))));
}

TyreForce::Grip TyreForce::grip(const EvaluationContext& context) const {
  const Settings& s = settings_;
  Grip grip;
  grip.at = stance(context);
  const double u_x = context.auxiliary(0), u_y = context.auxiliary(1), L = s.relaxation_length;
  grip.touches = grip.at.stands && grip.at.sinkage > 0.0;
  if (!grip.touches) {
    grip.rate_x = -u_x * kReleaseSpeed / L;
    grip.rate_y = -u_y * kReleaseSpeed / L;
    return grip;
  }
  grip.z = std::max(0.0, s.stiffness * grip.at.sinkage + s.damping * grip.at.sinkage_rate);
  const double rim = grip.at.rim;
  const double slide_x = grip.at.forward - rim, slide_y = grip.at.sideward;
  const double rolling = smooth_sign(rim / s.slip_velocity);
  const double speed = rim * rolling;  // |rω|
  // where and how fast the bristles would slide, as forces per μ F_z
  const double c_x = s.slip_stiffness / (s.friction * L),
               c_y = s.cornering_stiffness / (s.friction * L);
  const double x = length(c_x * u_x, c_y * u_y);
  const double limit = s.model == TyreModel::brush ? 3.0 : 12.0;
  const double slipping =
      length(c_x * slide_x, c_y * slide_y) / limit * smooth_step(x / limit - 1.0);
  const double release = speed / L + slipping;
  grip.rate_x = slide_x - release * u_x;
  grip.rate_y = slide_y - release * u_y;
  const double damped =
      (1.0 - smooth_step(speed / kDampedSpeed)) * s.damping / (s.friction * std::max(grip.z, 1e-9));
  const double pull_x = c_x * u_x + damped * slide_x, pull_y = c_y * u_y + damped * slide_y;
  const double pull = length(pull_x, pull_y);
  const double scale = pull > 1e-12 ? mobilized(pull) / pull : 1.0;
  grip.x = -s.friction * grip.z * scale * pull_x;
  grip.y = -s.friction * grip.z * scale * pull_y;
  grip.rolling = -s.rolling_resistance * grip.z * s.radius * rolling;
  return grip;
}

void TyreForce::auxiliary_rate(const EvaluationContext& context, VectorRef zd) const {
  const Grip now = grip(context);
  zd(0) = now.rate_x;
  zd(1) = now.rate_y;
}

void TyreForce::apply(const EvaluationContext& context, Loads& loads) const {
  add(grip(context), context, loads);
}

void TyreForce::add(const Grip& now, const EvaluationContext& context, Loads& loads) const {
  if (!now.touches) return;
  add_at_center(context, settings_.link, now.at.center, now.force(), now.moment(settings_.radius),
                loads);
}

WheelReading TyreForce::reading(const EvaluationContext& context) const {
  const Grip now = grip(context);
  WheelReading reading;
  reading.sinkage = now.at.sinkage;
  // in the direction of travel
  const double direction = now.at.forward + now.at.rim < 0.0 ? -1.0 : 1.0;
  const double forward = direction * now.at.forward, rim = direction * now.at.rim;
  const double least = settings_.slip_velocity;
  reading.slip = (rim - forward) / (least * smooth_floor(std::max(forward, rim) / least));
  reading.slip_angle =
      std::atan(direction * now.at.sideward / (least * smooth_floor(std::abs(forward) / least)));
  reading.drawbar_pull = direction * now.x;
  reading.side_force = -direction * now.y;
  reading.vertical_force = now.z;
  reading.resistance_torque = direction * (settings_.radius * now.x - now.rolling);
  return reading;
}

double TyreForce::stored_energy(const EvaluationContext& context) const {
  const Grip now = grip(context);
  const double h = now.touches ? now.at.sinkage : 0.0;
  return 0.5 * settings_.stiffness * h * h;
}

EnergyRates TyreForce::energy_rates(const EvaluationContext& context) const {
  return energy_rates(grip(context));
}

EnergyRates TyreForce::act(const EvaluationContext& context, Loads& loads, VectorRef rate) const {
  const Grip now = grip(context);
  add(now, context, loads);
  rate << now.rate_x, now.rate_y;
  return energy_rates(now);
}

EnergyRates TyreForce::energy_rates(const Grip& now) const {
  if (!now.touches) return {};
  const double spring = settings_.stiffness * now.at.sinkage * now.at.sinkage_rate;
  const double power =
      now.force().dot(now.at.velocity) + now.moment(settings_.radius).dot(now.at.omega);
  return {spring, -power - spring};
}

}  // namespace spacedyn
