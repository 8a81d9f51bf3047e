#include "spacedyn/terramechanics/soil.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "terramechanics/pressure.hpp"

namespace spacedyn {
namespace {

void require(bool condition, const char* what) {
  if (!condition) throw DomainError(what);
}

bool is_modulus(const std::array<double, 2>& k) {
  return std::isfinite(k[0]) && std::isfinite(k[1]) && k[0] > 0.0 && k[1] >= 0.0;
}

}  // namespace

void Soil::check() const {
  constexpr double kRight = 0.5 * kPi;
  require(std::isfinite(cohesion) && cohesion >= 0.0, "the cohesion must not be negative");
  require(friction_angle >= 0.0 && friction_angle < kRight,
          "the friction angle must be from 0 to less than 90°");
  require(std::isfinite(k_c) && std::isfinite(k_phi) && k_phi >= 0.0,
          "k_c and k_phi must be finite, k_phi not negative");
  require(k_c != 0.0 || k_phi != 0.0, "k_c and k_phi must not both be zero: nothing would carry");
  require(exponent > 0.0 && exponent <= 5.0, "the exponent must be above 0 and at most 5");
  require(exponent_slip >= 0.0 && exponent_slip <= 5.0, "exponent_slip must be from 0 to 5");
  require(std::isfinite(density) && density >= 0.0, "the density must not be negative");
  require(is_modulus(shear_modulus_x) && is_modulus(shear_modulus_y),
          "the shear moduli must be positive, their second numbers not negative");
  require(a0 >= 0.0 && a0 <= 1.0 && std::abs(a1) <= 1.0, "a0 must be from 0 to 1, a1 from -1 to 1");
  require(lambda >= 0.0 && lambda <= 1.0, "lambda must be from 0 to 1");
  for (const double modulus : unloading_modulus) {
    require(std::isfinite(modulus) && modulus >= 0.0, "the unloading modulus must not be negative");
  }
  require(destructive_angle >= 0.0 && destructive_angle + friction_angle < kRight,
          "the destructive angle must be positive, with the friction angle less than 90°");
}

void SoilWheel::check() const {
  require(std::isfinite(radius) && radius > 0.0, "the radius must be positive");
  require(std::isfinite(width) && width >= 0.0, "the width must not be negative");
  require(std::isfinite(grouser_height) && grouser_height >= 0.0,
          "the height of grousers must not be negative");
}

double shear_stress(const Soil& soil, double normal_stress, double displacement, double modulus) {
  const double mobilized = -std::expm1(-std::abs(displacement) / modulus);
  return std::copysign((soil.cohesion + normal_stress * std::tan(soil.friction_angle)) * mobilized,
                       displacement);
}

double plate_pressure(const Soil& soil, double width, double sinkage, double gravity) {
  const Pressure law = pressure_under(soil, width, gravity);
  return law.stiffness * std::pow(sinkage / law.unit, soil.exponent);
}

PressedBed pressed_bed(const Soil& soil, double width, double deepest, double gravity) {
  require(deepest > 0.0, "the depth to which the soil was pressed must be positive");
  require(soil.unloading_modulus[0] + soil.unloading_modulus[1] > 0.0,
          "soil that was pressed before needs its unloading modulus");
  const Bed<double> bed = bed_under(soil, deepest, plate_pressure(soil, width, deepest, gravity));
  return {bed.floor, bed.modulus};
}

double plate_pressure(const Soil& soil, double width, double sinkage, double gravity,
                      double deepest) {
  const PressedBed bed = pressed_bed(soil, width, deepest, gravity);
  if (sinkage > deepest) return plate_pressure(soil, width, sinkage, gravity);
  return std::max(0.0, bed.modulus * (sinkage - bed.floor));
}

double plate_sinkage(const Soil& soil, double length, double width, double load, double gravity) {
  require(length > 0.0 && width > 0.0 && load > 0.0, "length, width and load must be positive");
  const Pressure law = pressure_under(soil, width, gravity);
  require(law.stiffness > 0.0, "the soil carries no load: its pressure does not grow with sinkage");
  return law.unit * std::pow(load / (length * width * law.stiffness), 1.0 / soil.exponent);
}

CompactionResistance compaction_resistance(const SoilWheel& wheel, const Soil& soil, double load,
                                           double gravity) {
  require(load > 0.0 && wheel.radius > 0.0 && wheel.width > 0.0,
          "load, radius and width must be positive");
  require(soil.exponent < 3.0, "the closed form holds for an exponent below 3");
  const double n = soil.exponent;
  const Pressure law = pressure_under(soil, wheel.width, gravity);
  const double k = law.stiffness / std::pow(law.unit, n);
  require(k > 0.0, "the soil carries no load: its pressure does not grow with sinkage");
  CompactionResistance result;
  result.sinkage =
      std::pow(3.0 * load / ((3.0 - n) * wheel.width * k * std::sqrt(2.0 * wheel.radius)),
               2.0 / (2.0 * n + 1.0));
  result.resistance = wheel.width * k * std::pow(result.sinkage, n + 1.0) / (n + 1.0);
  return result;
}

}  // namespace spacedyn
