/// @file
/// Drag and solar pressure on plates of bodies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/reference_orbit.hpp"
#include "spacedyn/forces/third_bodies.hpp"

namespace spacedyn {

/// A flat piece of a body's surface, as air and light meet it.
struct Plate {
  std::string name;
  Frame at;                           ///< its centre
  Vector3 normal = Vector3::UnitZ();  ///< outward, unit vector in the axes of the frame
  double area = 0.0;                  ///< m²
  bool two_sided = false;             ///< met on both sides, as a solar panel is
  double drag_coefficient = 2.2;
  double specular = 0.0;  ///< part of the light that is mirrored
  double diffuse = 0.0;   ///< part that is scattered back; the rest is absorbed
};

/// A spherical planet in the frame of coordinates.
struct Planet {
  Vector3 center = Vector3::Zero();  ///< m; in an orbit its own
  double radius = 0.0;               ///< m
  ReferenceOrbit orbit = {};         ///< whose frame is that of coordinates

  Vector3 center_at(double time) const { return orbit.exists() ? orbit.center(time) : center; }
};

/// @throws DomainError, its text beginning with the plate's name, if a number is not finite or out
/// of its range, or the model has no such body
SPACEDYN_EXPORT void check_plate(const Plate& plate, const Model& model);

/// Atmospheres with a density of their own, see us_1976_density().
enum class StandardAtmosphere { us_1976 };

/// Drag in an atmosphere that turns with the planet, whose density falls exponentially, ρ = ρ_0
/// exp(−(h − h_0)/H), or is that of a standard: on a plate that looks into the wind, at its centre,
///   F = −½ ρ c_D A cos θ |w| w, cos θ = n·w/|w|, w its velocity through the air.
///
/// Plates do not hide one another.
class SPACEDYN_EXPORT DragForce final : public ForceElement {
 public:
  struct Settings {
    std::vector<Plate> plates;
    Planet planet;
    std::optional<StandardAtmosphere> standard = {};  ///< in the place of the three numbers below
    double density = 0.0;                             ///< ρ_0, kg/m³
    double reference_altitude = 0.0;                  ///< h_0, m
    double scale_height = 0.0;                        ///< H, m
    Vector3 rotation = Vector3::Zero();  ///< of the air against the stars, rad/s; axes that the
                                         ///< frame of coordinates has at t = 0
  };
  /// @throws DomainError if a number is not finite or out of its range
  DragForce(std::string name, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  /// ρ at an altitude over the sphere of the planet, kg/m³.
  double density(double altitude) const;
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;

 private:
  Settings settings_;
};

/// Pressure of sunlight: on a plate that the sun shines on, at its centre,
///   F = −P ν A cos θ ((1 − c_s) ŝ + 2 (c_s cos θ + c_d/3) n), ŝ towards the sun.
///
/// ν is the part of the sun's disc that the planet leaves free at the plate. By an ephemeris the
/// pressure and the apparent radius are those at an astronomical unit, and change with the
/// distance.
class SPACEDYN_EXPORT SolarPressure final : public ForceElement {
 public:
  struct Settings {
    std::vector<Plate> plates;
    Planet planet;                         ///< of radius 0: no shadow
    Vector3 direction = Vector3::UnitX();  ///< towards the sun, in axes as those of `rotation`
    std::optional<Sky> sky = {};           ///< whose sun stands in the place of the direction
    double pressure = 4.56e-6;             ///< P, Pa
    double sun_angle = 0.00465;            ///< apparent radius of the sun, rad
  };
  /// @throws DomainError if a number is not finite or out of its range
  SolarPressure(std::string name, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  /// ν at a point, 0…1.
  double visible_part(double time, const Vector3& point) const;
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;

 private:
  /// Towards the sun, in the frame of coordinates, and its distance in astronomical units.
  struct Sun {
    Vector3 direction;
    double distance = 1.0;
  };
  Sun sun(double time) const;

  Settings settings_;
};

}  // namespace spacedyn
