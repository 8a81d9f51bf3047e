#include "spacedyn/forces/wheel_force.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/wheel_motion.hpp"
#include "math/smooth_step.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

/// Forces in the frame of the wheel (heading, spin axis, up), and what is recorded.
struct WheelForce::Contact {
  double x = 0.0, y = 0.0, z = 0.0;                    // N, on the wheel
  double about_x = 0.0, about_y = 0.0, about_z = 0.0;  // N m, on the wheel
  WheelReading reading;

  /// Adds the forces of one direction of travel. @param direction  1: along the heading, −1:
  /// against
  void add(const WheelSoilForce& force, const WheelReading& slips, double share, double direction) {
    x += share * direction * force.drawbar_pull;
    y -= share * direction * force.side_force;
    z += share * force.vertical_force;
    about_x -= share * direction * force.overturning_moment;
    about_y -= share * direction * force.resistance_torque;
    about_z -= share * force.aligning_moment;
    reading.slip += share * slips.slip;
    reading.slip_angle += share * slips.slip_angle;
    reading.drawbar_pull += share * force.drawbar_pull;
    reading.side_force += share * force.side_force;
    reading.vertical_force += share * force.vertical_force;
    reading.resistance_torque += share * force.resistance_torque;
  }
  Vector3 force(const WheelStance& at) const { return x * at.heading + y * at.axis + z * at.up; }
  Vector3 moment(const WheelStance& at) const {
    return about_x * at.heading + about_y * at.axis + about_z * at.up;
  }
};

namespace {

/// Slip and slip angle of a wheel that travels along its heading, regular at any speeds.
WheelSoilModel::Contact slips_of(double forward, double sideward, double rim, double least_speed) {
  const double fastest = std::max(forward, rim) / least_speed;
  const double speed = least_speed * smooth_floor(fastest);
  WheelSoilModel::Contact contact;
  contact.slip = (rim - forward) / speed;
  // driving v_y/(rω), braking (1 − s) v_y/v
  const double braking = smooth_step(0.5 * fastest) * std::min(contact.slip, 0.0);
  contact.lateral = (1.0 - braking) * sideward / speed;
  contact.slip_angle =
      std::atan(sideward / (least_speed * smooth_floor(std::abs(forward) / least_speed)));
  return contact;
}

/// 1 where a wheel travels along its heading, 0 where it travels against it.
double share_forward(double forward, double rim, double least_speed) {
  // a wheel that spins on the spot counts as travelling where it drives to
  const double drive = smooth_sign(rim / least_speed);
  return smooth_step(0.5 * (forward / least_speed + drive + 1.0));
}

}  // namespace

WheelForce::WheelForce(std::string name, const Settings& settings)
    : WheelElement(std::move(name),
                   {settings.link, settings.wheel.radius, settings.wheel.width, settings.terrain}),
      settings_(settings),
      model_(settings.wheel, settings.soil, settings.gravity) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  require(settings.terrain != nullptr, "a wheel needs a terrain");
  require(std::isfinite(settings.sinkage_damping) && settings.sinkage_damping >= 0.0,
          "the sinkage damping must not be negative");
  require(std::isfinite(settings.slip_velocity) && settings.slip_velocity > 0.0,
          "the slip velocity must be positive");
}

WheelForce::~WheelForce() = default;

WheelForce::Contact WheelForce::contact(const WheelStance& stance) const {
  Contact contact;
  contact.reading.sinkage = stance.sinkage;
  if (!stance.stands) return contact;
  const double least = settings_.slip_velocity;
  const double forward = share_forward(stance.forward, stance.rim, least);
  const double rate = settings_.sinkage_damping * stance.sinkage_rate;
  const double pressing = rate + std::sqrt(1.0 + rate * rate);
  for (const double direction : {1.0, -1.0}) {
    const double share = direction > 0.0 ? forward : 1.0 - forward;
    if (share == 0.0) continue;
    WheelSoilModel::Contact at = slips_of(direction * stance.forward, direction * stance.sideward,
                                          direction * stance.rim, least);
    at.sinkage = stance.sinkage;
    at.pressing = pressing;
    WheelReading slips;
    slips.slip = at.slip;
    slips.slip_angle = at.slip_angle;
    contact.add(model_.force(at), slips, share, direction);
  }
  return contact;
}

void WheelForce::apply(const EvaluationContext& context, Loads& loads) const {
  const WheelStance at = stance(context);
  if (!at.stands || at.sinkage <= 0.0) return;
  const Contact now = contact(at);
  add_at_center(context, settings_.link, at.center, now.force(at), now.moment(at), loads);
}

WheelReading WheelForce::reading(const EvaluationContext& context) const {
  return contact(stance(context)).reading;
}

double WheelForce::stored_energy(const EvaluationContext& context) const {
  return model_.pressing_work(stance(context).sinkage);
}

EnergyRates WheelForce::energy_rates(const EvaluationContext& context) const {
  const WheelStance at = stance(context);
  if (!at.stands || at.sinkage <= 0.0) return {};
  const double pressing = model_.force(at.sinkage, 0.0, 0.0).vertical_force * at.sinkage_rate;
  const Contact now = contact(at);
  const double power = now.force(at).dot(at.velocity) + now.moment(at).dot(at.omega);
  return {pressing, -power - pressing};
}

}  // namespace spacedyn
