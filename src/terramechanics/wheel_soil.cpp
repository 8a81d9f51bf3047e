#include "spacedyn/terramechanics/wheel_soil.hpp"

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "terramechanics/contact_integral.hpp"
#include "terramechanics/pressure.hpp"

namespace spacedyn {

namespace {

/// The deepest contact that has its angles.
constexpr double kDeepest = 1.9;  // radii

}  // namespace

WheelSoilModel::WheelSoilModel(const SoilWheel& wheel, const Soil& soil, double gravity)
    : wheel_(wheel), soil_(soil) {
  wheel.check();
  soil.check();
  if (!(std::isfinite(gravity) && gravity >= 0.0)) {
    throw DomainError("the gravity must not be negative");
  }
  shear_radius_ = wheel.radius + wheel.grouser_height;
  // no stress is asked of a wheel without width
  const Pressure law = pressure_under(soil, wheel.width > 0.0 ? wheel.width : 1.0, gravity);
  stiffness_ = law.stiffness;
  unit_ = law.unit;
  if (!(stiffness_ >= 0.0)) {
    throw DomainError("the soil pulls: k_c/b + k_phi must not be negative under this width");
  }
  const double phi = soil.friction_angle;
  tan_phi_ = std::tan(phi);
  const double angle =
      soil.destructive_angle > 0.0 ? soil.destructive_angle : 0.25 * kPi - 0.5 * phi;
  const double cot = 1.0 / std::tan(angle);
  const double D1 = cot + std::tan(angle + phi);
  push_c_ = D1 * soil.cohesion;
  // without friction cot² X_c / cot φ is zero
  push_weight_ = 0.5 * D1 * (cot + cot * cot * tan_phi_) * soil.density * gravity;
}

WheelSoilForce WheelSoilModel::force(double sinkage, double slip, double slip_angle) const {
  return force({sinkage, slip, (1.0 - slip) * std::tan(slip_angle), slip_angle, 1.0});
}

WheelSoilForce WheelSoilModel::force(const Contact& contact) const {
  if (!(contact.sinkage > 0.0) || wheel_.width == 0.0) return {};
  ContactPatch<double> patch(
      *this, {std::min(contact.sinkage, kDeepest * wheel_.radius), contact.slip, contact.lateral,
              contact.slip_angle, contact.pressing, contact.pressed});
  const PatchSums<double> sums = patch.integrate();
  const double b = wheel_.width;
  return {b * sums.x,      b * sums.y,           b * sums.z,
          b * sums.torque, b * sums.overturning, b * sums.aligning};
}

ContactAngles WheelSoilModel::angles(double sinkage, double slip) const {
  if (!(sinkage > 0.0)) return {};
  return ContactPatch<double>(*this,
                              {std::min(sinkage, kDeepest * wheel_.radius), slip, 0.0, 0.0, 1.0})
      .angles();
}

WheelStress WheelSoilModel::stress(double sinkage, double slip, double slip_angle,
                                   double angle) const {
  if (!(sinkage > 0.0)) return {};
  const ContactPatch<double> patch(*this, {std::min(sinkage, kDeepest * wheel_.radius), slip,
                                           (1.0 - slip) * std::tan(slip_angle), slip_angle, 1.0});
  const ContactAngles at = patch.angles();
  if (angle < at.exit || angle > at.entry) return {};
  const double x = angle >= at.peak ? (at.entry - angle) / (at.entry - at.peak)
                                    : (angle - at.exit) / (at.peak - at.exit);
  const double normal = patch.normal(x), below = at.entry - angle;
  return {normal, patch.shear_x(normal, below, std::sin(angle)), patch.shear_y(normal, below)};
}

WheelSoilForce wheel_soil_force(const SoilWheel& wheel, const Soil& soil, double sinkage,
                                double slip, double slip_angle, double gravity) {
  return WheelSoilModel(wheel, soil, gravity).force(sinkage, slip, slip_angle);
}

double wheel_sinkage(const SoilWheel& wheel, const Soil& soil, double load, double slip,
                     double slip_angle, double gravity) {
  return WheelSoilModel(wheel, soil, gravity).sinkage(load, slip, slip_angle);
}

}  // namespace spacedyn
