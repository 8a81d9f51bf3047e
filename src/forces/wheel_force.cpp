#include "spacedyn/forces/wheel_force.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/wheel_motion.hpp"
#include "math/smooth_step.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

struct WheelForce::Motion : WheelStance {
  Motion(const EvaluationContext& context, const Settings& settings)
      : WheelStance(
            wheel_stance(context, settings.link, settings.wheel.radius, *settings.terrain)) {}
};

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
    : WheelElement(std::move(name)),
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

void WheelForce::check(const Model& model) const { check_wheel_link(*this, settings_.link, model); }

WheelForce::Contact WheelForce::contact(const Motion& motion) const {
  Contact contact;
  contact.reading.sinkage = motion.sinkage;
  if (!motion.stands) return contact;
  const double least = settings_.slip_velocity;
  const double forward = share_forward(motion.forward, motion.rim, least);
  const double rate = settings_.sinkage_damping * motion.sinkage_rate;
  const double pressing = rate + std::sqrt(1.0 + rate * rate);
  for (const double direction : {1.0, -1.0}) {
    const double share = direction > 0.0 ? forward : 1.0 - forward;
    if (share == 0.0) continue;
    WheelSoilModel::Contact at = slips_of(direction * motion.forward, direction * motion.sideward,
                                          direction * motion.rim, least);
    at.sinkage = motion.sinkage;
    at.pressing = pressing;
    WheelReading slips;
    slips.slip = at.slip;
    slips.slip_angle = at.slip_angle;
    contact.add(model_.force(at), slips, share, direction);
  }
  return contact;
}

void WheelForce::apply(const EvaluationContext& context, Loads& loads) const {
  const Motion motion(context, settings_);
  if (!motion.stands || motion.sinkage <= 0.0) return;
  const Contact now = contact(motion);
  add_at_center(context, settings_.link, motion.center, now.force(motion), now.moment(motion),
                loads);
}

WheelReading WheelForce::reading(const EvaluationContext& context) const {
  return contact(Motion(context, settings_)).reading;
}

void WheelForce::append_events(std::vector<ElementEvent>& events) const {
  events.push_back({name() + " ground", [this](const EvaluationContext& now) {
                      return Motion(now, settings_).sinkage;
                    }});
}

double WheelForce::stored_energy(const EvaluationContext& context) const {
  return model_.pressing_work(Motion(context, settings_).sinkage);
}

double WheelForce::stored_power(const EvaluationContext& context) const {
  const Motion motion(context, settings_);
  return model_.force(motion.sinkage, 0.0, 0.0).vertical_force * motion.sinkage_rate;
}

double WheelForce::dissipated_power(const EvaluationContext& context) const {
  const Motion motion(context, settings_);
  if (!motion.stands || motion.sinkage <= 0.0) return 0.0;
  const Contact now = contact(motion);
  const double power =
      now.force(motion).dot(motion.velocity) + now.moment(motion).dot(motion.omega);
  return -power - model_.force(motion.sinkage, 0.0, 0.0).vertical_force * motion.sinkage_rate;
}

}  // namespace spacedyn
