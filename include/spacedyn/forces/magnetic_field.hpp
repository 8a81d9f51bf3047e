/// @file
/// Magnetic fields.
#pragma once

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// A uniform field, that of a dipole, or their sum; B in T, in the axes of coordinates.
///
/// The dipole has the moment −M z_N [Sidi 1997], z_N being the unit vector to the north:
///   B = μ_0 M/(4π r³) (z_N − 3 (z_N·r̂) r̂),
/// along z_N above the equator and twice that downward above the northern pole. In a frame that
/// turns against the stars at frame_rate, as that of an orbit, z_N turns back.
struct SPACEDYN_EXPORT MagneticField {
  Vector3 uniform = Vector3::Zero();     ///< T
  double dipole = 0.0;                   ///< M, A m²
  Vector3 center = Vector3::Zero();      ///< of the dipole, m
  Vector3 north = Vector3::UnitZ();      ///< z_N at t = 0, unit vector
  Vector3 frame_rate = Vector3::Zero();  ///< of the frame of coordinates against the stars, rad/s

  /// B at a point. Allocates nothing. @pre the point is not the center of a dipole
  Vector3 at(double time, const Vector3& point) const;
};

/// @throws DomainError, its text beginning with "the magnetic field: ", if a number is not finite,
/// the north is no unit vector or there is no field at all
SPACEDYN_EXPORT void check_magnetic_field(const MagneticField& field);

}  // namespace spacedyn
