/// @file
/// Magnetic fields and dipoles on bodies: torquers, and what magnetism a spacecraft has besides.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/applied_loads.hpp"
#include "spacedyn/forces/element.hpp"
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

struct ActuatorOutput;

/// A coil or rod on a body that can have a magnetic dipole along an axis.
struct SPACEDYN_EXPORT Torquer {
  std::string name;
  Frame at;
  Vector3 axis = Vector3::UnitZ();  ///< unit vector in the axes of the frame
  double dipole_limit = std::numeric_limits<double>::infinity();  ///< A m²
  MagneticField field;                                            ///< in which it is
  bool is_scheduled = false;  ///< whether it has a dipole of its own, so that no controller sets it

  /// Its axis, inertial.
  Vector3 direction(const LinkFrames& frames) const;
  /// B where it is, inertial, T.
  Vector3 field_at(const EvaluationContext& context) const;
  /// Adds the torque m × B of a dipole m along its axis, A m².
  void apply(const EvaluationContext& context, double dipole, Loads& loads) const;
  /// Its dipole as a column.
  ActuatorOutput output(
      std::function<double(const EvaluationContext&, ConstVectorRef command)> value) const;
};

/// The torque m × B on a body, m a dipole on a schedule. The force of the gradient of B, smaller by
/// the size of the orbit, is left out.
class SPACEDYN_EXPORT MagneticTorquer final : public ForceElement {
 public:
  /// @param dipole  1 row, A m²; nothing: only a controller gives it a dipole
  /// @throws DimensionError if the dipole has another number of rows; DomainError if the axis is no
  /// unit vector, the limit not positive, a dipole beyond it, or check_magnetic_field() throws
  MagneticTorquer(std::string name, const Frame& at, const Vector3& axis,
                  const MagneticField& field, double dipole_limit,
                  std::optional<TimeTable> dipole = std::nullopt);

  const Torquer& torquer() const { return torquer_; }
  /// Of the schedule, A m².
  double dipole(const Instant& now) const;

  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  std::vector<const Schedule*> schedules() const override {
    return {dipole_ ? &*dipole_ : nullptr};
  }

 private:
  Torquer torquer_;
  std::optional<TimeTable> dipole_;
};

}  // namespace spacedyn
