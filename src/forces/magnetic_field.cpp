#include "spacedyn/forces/magnetic_field.hpp"

#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn {
namespace {

/// μ_0/(4π), T m/A.
constexpr double kMagneticConstant = 1e-7;
constexpr double kUnitLength = 1e-9;

}  // namespace

Vector3 MagneticField::at(double time, const Vector3& point) const {
  if (dipole == 0.0) return uniform;
  const Vector3 r = point - center;
  const double distance = r.norm();
  const Vector3 up = r / distance;
  const Vector3 z_N = frame_rate.isZero(0.0) ? north : Vector3(exp_so3(-time * frame_rate) * north);
  const double strength = kMagneticConstant * dipole / (distance * distance * distance);
  return uniform + strength * (z_N - 3.0 * z_N.dot(up) * up);
}

void check_magnetic_field(const MagneticField& field) {
  const auto require = [](bool rule, const char* what) {
    if (!rule) throw DomainError(std::string("the magnetic field: ") + what);
  };
  require(field.uniform.allFinite() && std::isfinite(field.dipole) && field.center.allFinite() &&
              field.frame_rate.allFinite(),
          "its numbers must be finite");
  require(std::abs(field.north.norm() - 1.0) <= kUnitLength, "its north must be a unit vector");
  require(field.dipole != 0.0 || !field.uniform.isZero(0.0), "it is zero");
}

}  // namespace spacedyn
