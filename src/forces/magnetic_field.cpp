#include "spacedyn/forces/magnetic_field.hpp"

#include <cmath>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// μ_0/(4π), T m/A.
constexpr double kMagneticConstant = 1e-7;
constexpr double kUnitLength = 1e-9;

}  // namespace

Vector3 MagneticField::at(double time, const Vector3& point) const {
  if (dipole == 0.0 && !harmonics) return uniform;
  const BodyAxes::Pose pose = axes.at(time);
  const Vector3 r = pose.attitude.transpose() * (point - pose.origin);
  Vector3 field = Vector3::Zero();
  if (dipole != 0.0) {
    const double distance = r.norm();
    const Vector3 up = r / distance;
    const double strength = kMagneticConstant * dipole / (distance * distance * distance);
    field = strength * (north - 3.0 * north.dot(up) * up);
  }
  if (harmonics) field -= harmonics->at(r, time).gradient;
  return uniform + pose.attitude * field;
}

void check_magnetic_field(const MagneticField& field) {
  const auto require = [](bool rule, const char* what) {
    if (!rule) throw DomainError(std::string("the magnetic field: ") + what);
  };
  require(field.uniform.allFinite() && std::isfinite(field.dipole) && field.axes.is_finite(),
          "its numbers must be finite");
  require(std::abs(field.north.norm() - 1.0) <= kUnitLength, "its north must be a unit vector");
  require(field.dipole != 0.0 || !field.uniform.isZero(0.0) || field.harmonics, "it is zero");
}

}  // namespace spacedyn
