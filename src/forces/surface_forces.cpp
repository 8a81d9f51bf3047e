#include "spacedyn/forces/surface_forces.hpp"

#include <algorithm>
#include <cmath>

#include "forces/element_checks.hpp"
#include "forces/point_load.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/forces/standard_atmosphere.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

bool is_size(double value) { return std::isfinite(value) && value >= 0.0; }

void require_sizes(const Element& element, bool condition, const char* what) {
  if (!condition) throw DomainError(owner_prefix(element) + what);
}

void check_plates(const Element& element, const std::vector<Plate>& plates, const Model& model) {
  require_sizes(element, !plates.empty(), "it has no plates");
  for (const Plate& plate : plates) check_plate(plate, model);
}

/// Outward normal of a plate as seen from a direction, inertial; cos θ of it, 0 where it is hidden.
double facing(const EvaluationContext& context, const Plate& plate, const Vector3& direction,
              Vector3& normal) {
  normal = frame_orientation(context.frames, plate.at) * plate.normal;
  double cosine = normal.dot(direction);
  if (plate.two_sided && cosine < 0.0) {
    normal = -normal;
    cosine = -cosine;
  }
  return std::max(0.0, cosine);
}

/// Area of the part that two circles share, radii a and b, centres d apart.
double overlap(double a, double b, double d) {
  if (d >= a + b) return 0.0;
  const double least = std::min(a, b);
  if (d <= std::abs(a - b)) return kPi * least * least;
  const double x = (d * d + a * a - b * b) / (2.0 * d);
  const double y = std::sqrt(std::max(0.0, a * a - x * x));
  return a * a * std::atan2(y, x) + b * b * std::atan2(y, d - x) - d * y;
}

}  // namespace

void check_plate(const Plate& plate, const Model& model) {
  const auto require = [&](bool condition, const char* what) {
    if (!condition) throw DomainError('\'' + plate.name + "': " + what);
  };
  require(plate.at.body >= 0 && plate.at.body < model.body_count(),
          "it is on no body of the model");
  require(std::abs(plate.normal.norm() - 1.0) < 1e-9, "its normal must have length 1");
  require(is_size(plate.area) && plate.area > 0.0, "its area must be finite and positive");
  require(is_size(plate.drag_coefficient), "its drag coefficient must be finite and not negative");
  require(
      is_size(plate.specular) && is_size(plate.diffuse) && plate.specular + plate.diffuse <= 1.0,
      "specular and diffuse must be parts of the light, together at most 1");
}

DragForce::DragForce(std::string name, const Model& model, Settings settings)
    : ForceElement(std::move(name)), settings_(std::move(settings)) {
  check(model);
  require_sizes(*this, is_size(settings_.density), "the density must be finite and not negative");
  require_sizes(*this, std::isfinite(settings_.reference_altitude),
                "the reference altitude must be finite");
  require_sizes(
      *this,
      settings_.standard || (is_size(settings_.scale_height) && settings_.scale_height > 0.0),
      "the scale height must be finite and positive");
  require_sizes(*this, is_size(settings_.planet.radius) && settings_.planet.radius > 0.0,
                "the planet must have a radius");
  require_sizes(*this, settings_.rotation.allFinite(), "the rotation must be finite");
  density(
      settings_.reference_altitude);  // air that is tabulated at its first use is so before a run
}

double DragForce::density(double altitude) const {
  if (settings_.standard == StandardAtmosphere::us_1976) return us_1976_density(altitude);
  return settings_.density *
         std::exp((settings_.reference_altitude - altitude) / settings_.scale_height);
}

void DragForce::declare(Declarations& declared) const {
  declared.planet = {settings_.planet.center_at(0.0), settings_.planet.radius};
}

void DragForce::check(const Model& model) const { check_plates(*this, settings_.plates, model); }

void DragForce::apply(const EvaluationContext& context, Loads& loads) const {
  const Planet& planet = settings_.planet;
  const ReferenceOrbit::Place place = planet.orbit.at(context.time);
  const Vector3 center = planet.center_at(context.time);
  // velocities are relative to a frame that turns and whose origin leaves the planet
  const Vector3 air = rotation_z(-place.angle) * settings_.rotation - place.rate * Vector3::UnitZ();
  for (const Plate& plate : settings_.plates) {
    const Vector3 from_center = frame_position(context.frames, plate.at) - center;
    const Vector3 wind = frame_velocity(context.frames, context.velocities, plate.at).head<3>() +
                         place.radial_speed * Vector3::UnitX() - air.cross(from_center);
    const double speed = wind.norm();
    if (speed == 0.0) continue;
    Vector3 normal;
    const double cosine = facing(context, plate, wind / speed, normal);
    const double altitude = from_center.norm() - planet.radius;
    const double factor =
        0.5 * density(altitude) * plate.drag_coefficient * plate.area * cosine * speed;
    add_at(plate.at, context, -factor * wind, Vector3::Zero(), loads);
  }
}

SolarPressure::SolarPressure(std::string name, const Model& model, Settings settings)
    : ForceElement(std::move(name)), settings_(std::move(settings)) {
  check(model);
  require_sizes(*this, std::abs(settings_.direction.norm() - 1.0) < 1e-9,
                "the direction of the sun must have length 1");
  require_sizes(*this, is_size(settings_.pressure), "the pressure must be finite and not negative");
  require_sizes(
      *this, is_size(settings_.sun_angle) && settings_.sun_angle > 0.0 && settings_.sun_angle < 0.1,
      "the apparent radius of the sun must be positive and below 0.1 rad");
  require_sizes(*this, is_size(settings_.planet.radius),
                "the planet's radius must not be negative");
}

void SolarPressure::declare(Declarations& declared) const {
  declared.planet = {settings_.planet.center_at(0.0), settings_.planet.radius};
  declared.scene.sun = sun(0.0).direction;
  declared.scene.orbit = settings_.planet.orbit;
}

void SolarPressure::check(const Model& model) const {
  check_plates(*this, settings_.plates, model);
}

SolarPressure::Sun SolarPressure::sun(double time) const {
  Sun sun{settings_.direction};
  if (settings_.sky) {
    sun.direction = settings_.sky->sun(time);
    sun.distance = sun.direction.norm() / kAstronomicalUnit;
    sun.direction.normalize();
  }
  sun.direction = settings_.planet.orbit.attitude(time).transpose() * sun.direction;
  return sun;
}

double SolarPressure::visible_part(double time, const Vector3& point) const {
  const Planet& planet = settings_.planet;
  const Vector3 to_planet = planet.center_at(time) - point;
  const double distance = to_planet.norm();
  if (planet.radius == 0.0 || distance == 0.0) return 1.0;
  const Sun now = sun(time);
  const Vector3& s = now.direction;
  const double a = settings_.sun_angle / now.distance;
  const double b = std::asin(std::min(1.0, planet.radius / distance));
  const double d = std::atan2(s.cross(to_planet).norm(), s.dot(to_planet));
  return 1.0 - overlap(a, b, d) / (kPi * a * a);
}

void SolarPressure::apply(const EvaluationContext& context, Loads& loads) const {
  const Sun now = sun(context.time);
  const Vector3& s = now.direction;
  const double pressure = settings_.pressure / (now.distance * now.distance);
  for (const Plate& plate : settings_.plates) {
    Vector3 n;
    const double cosine = facing(context, plate, s, n);
    if (cosine == 0.0) continue;
    const double visible = visible_part(context.time, frame_position(context.frames, plate.at));
    const double push_of_light = pressure * visible * plate.area * cosine;
    const Vector3 force =
        -push_of_light *
        ((1.0 - plate.specular) * s + 2.0 * (plate.specular * cosine + plate.diffuse / 3.0) * n);
    add_at(plate.at, context, force, Vector3::Zero(), loads);
  }
}

}  // namespace spacedyn
