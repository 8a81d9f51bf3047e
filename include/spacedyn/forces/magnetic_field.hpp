/// @file
/// Magnetic fields.
#pragma once

#include <memory>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/forces/spherical_harmonics.hpp"

namespace spacedyn {

/// A uniform field, that of a dipole, a series of spherical harmonics, or their sum; B in T, in the
/// axes of coordinates.
///
/// The dipole has the moment −M z_N [Sidi 1997], z_N being the unit vector to the north:
///   B = μ_0 M/(4π r³) (z_N − 3 (z_N·r̂) r̂),
/// along z_N above the equator and twice that downward above the northern pole. A series is
/// B = −∇V. Both are fixed in axes that may turn, and turn back in the frame of an orbit.
struct SPACEDYN_EXPORT MagneticField {
  Vector3 uniform = Vector3::Zero();  ///< T
  double dipole = 0.0;                ///< M, A m²
  Vector3 north = Vector3::UnitZ();   ///< z_N in the axes of the planet, unit vector
  std::shared_ptr<const SphericalHarmonics> harmonics = nullptr;  ///< V, T m
  BodyAxes axes = {};                                             ///< of the planet

  /// B at a point. Allocates nothing. @pre the point is not the center of a planet
  Vector3 at(double time, const Vector3& point) const;
};

/// @throws DomainError, its text beginning with "the magnetic field: ", if a number is not finite,
/// the north is no unit vector or there is no field at all
SPACEDYN_EXPORT void check_magnetic_field(const MagneticField& field);

}  // namespace spacedyn
