#include "spacedyn/terramechanics/wheel_soil.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "math/gauss_legendre.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "terramechanics/contact_integral.hpp"
#include "terramechanics/pressure.hpp"

namespace spacedyn {
namespace {

using Slope = Dual<6>;

WheelSoilForce slope_of(const PatchSums<Slope>& sums, double width, std::size_t i) {
  const auto part = [&](const Slope& sum) { return width * sum.slope[i]; };
  return {part(sums.x),      part(sums.y),           part(sums.z),
          part(sums.torque), part(sums.overturning), part(sums.aligning)};
}

/// The deepest contact that has its angles.
constexpr double kDeepest = 1.9;  // radii

}  // namespace

double WheelSoilModel::sinkage(double load, double slip, double slip_angle, double pressed) const {
  if (!(std::isfinite(load) && load >= 0.0)) {
    throw DomainError("the load of a wheel must be finite and not negative");
  }
  if (load == 0.0) return 0.0;
  const double r = wheel_.radius;
  const double lateral = (1.0 - slip) * std::tan(slip_angle);
  const auto excess = [&](double h) {
    return force({h, slip, lateral, slip_angle, 1.0, pressed}).vertical_force - load;
  };
  double low = 0.0, high = r, f_low = -load, f_high = excess(high);
  if (!(f_high >= 0.0)) {
    throw DomainError("the soil carries " + std::to_string(f_high + load) +
                      " N at a sinkage of one radius, less than the load of " +
                      std::to_string(load) + " N");
  }
  // Illinois' rule, every fourth step a bisection
  int side = 0;
  double h = high;
  for (int i = 0; i < 200 && high - low > 1e-15 * r; ++i) {
    h = low + (high - low) * (f_low / (f_low - f_high));
    if (i % 4 == 3) h = 0.5 * (low + high);
    const double f = excess(h);
    if (f == 0.0 || std::abs(f) < 1e-15 * load) return h;
    if (f < 0.0) {
      low = h;
      f_low = f;
      if (side == -1) f_high *= 0.5;
      side = -1;
    } else {
      high = h;
      f_high = f;
      if (side == 1) f_low *= 0.5;
      side = 1;
    }
  }
  return h;
}

double WheelSoilModel::pressing_work(double sinkage) const {
  static constexpr GaussLegendre<10> kRule;
  if (!(sinkage > 0.0)) return 0.0;
  double work = 0.0;
  for (std::size_t i = 0; i < kRule.node.size(); ++i) {
    const double u = kRule.node[i];  // h ~ u²: the force grows with h^(n + 1/2)
    work += kRule.weight[i] * 2.0 * u * sinkage * force(sinkage * u * u, 0.0, 0.0).vertical_force;
  }
  return work;
}

WheelSoilForce WheelSoilModel::force(const Contact& contact, Slopes& slopes) const {
  slopes = {};
  if (!(contact.sinkage > 0.0) || wheel_.width == 0.0) return {};
  ContactPatch<Slope> patch(
      *this, {Slope::variable(std::min(contact.sinkage, 1.9 * wheel_.radius), 0),
              Slope::variable(contact.slip, 1), Slope::variable(contact.lateral, 2),
              Slope::variable(contact.slip_angle, 3), Slope::variable(contact.pressing, 4),
              Slope::variable(contact.pressed, 5)});
  const PatchSums<Slope> sums = patch.integrate();
  const double b = wheel_.width;
  slopes = {slope_of(sums, b, 0), slope_of(sums, b, 1), slope_of(sums, b, 2),
            slope_of(sums, b, 3), slope_of(sums, b, 4), slope_of(sums, b, 5)};
  if (contact.sinkage > 1.9 * wheel_.radius) slopes.by_sinkage = {};
  return {b * sums.x.value,      b * sums.y.value,           b * sums.z.value,
          b * sums.torque.value, b * sums.overturning.value, b * sums.aligning.value};
}

WheelSoilModel::PressingWork WheelSoilModel::pressing_work(double sinkage, double pressed) const {
  static constexpr GaussLegendre<4> kRule;
  using Number = Dual<2>;
  if (wheel_.width == 0.0) return {};
  const Number h = Number::variable(std::min(sinkage, 1.9 * wheel_.radius), 0);
  const Number deepest = Number::variable(pressed, 1);
  const Number carried =
      Number(stiffness_) * exp(Number(soil_.exponent) * log(deepest * Number(1.0 / unit_)));
  const Number floor = bed_under(soil_, deepest, carried).floor;
  const Number depth = h - floor;
  if (!(depth.value > 0.0)) return {};
  Number work;
  for (std::size_t i = 0; i < kRule.node.size(); ++i) {
    const double u = kRule.node[i];  // as without a floor
    ContactPatch<Number> patch(*this, {floor + depth * Number(u * u), 0.0, 0.0, 0.0, 1.0, deepest});
    work += Number(kRule.weight[i] * 2.0 * u * wheel_.width) * depth * patch.integrate().z;
  }
  return {work.value, work.slope[0], work.slope[1]};
}

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
