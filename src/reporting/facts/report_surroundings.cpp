#include "reporting/facts/report_surroundings.hpp"

#include "reporting/facts/mesh_file.hpp"
#include "spacedyn/forces/central_bodies.hpp"
#include "spacedyn/forces/hill_field.hpp"
#include "spacedyn/forces/hill_oblateness.hpp"
#include "spacedyn/forces/polyhedron_field.hpp"
#include "spacedyn/forces/surface_forces.hpp"

namespace spacedyn {
namespace {

bool is_earth(double mu) { return std::abs(mu - kEarthMu) < 1e-3 * kEarthMu; }

void add(const CentralBodies& field, ReportSurroundings& around) {
  for (const CentralBody& body : field.bodies()) {
    ReportCelestialBody drawn;
    drawn.name = body.name;
    drawn.position = body.position;
    drawn.mu = body.mu;
    drawn.radius = body.equatorial_radius;
    if (drawn.radius == 0.0 && is_earth(body.mu)) drawn.radius = kEarthRadius;
    // its axis of symmetry is the z axis of what is drawn
    drawn.attitude = Quaternion::FromTwoVectors(Vector3::UnitZ(), body.axis).toRotationMatrix();
    around.bodies.push_back(std::move(drawn));
  }
}

void add(const PolyhedronField& field, ReportSurroundings& around) {
  const PolyhedronField::Settings& settings = field.settings();
  ReportCelestialBody drawn;
  drawn.name = field.name();
  drawn.position = settings.position;
  drawn.mu = settings.mu;
  drawn.triangles = mesh_corners(settings.mesh);
  drawn.attitude = settings.attitude;
  drawn.angular_velocity = settings.angular_velocity;
  around.bodies.push_back(std::move(drawn));
}

void add(const HillField& field, ReportSurroundings& around) {
  const OrbitSettings& orbit = field.settings();
  ReportCelestialBody planet;
  planet.name = is_earth(orbit.mu) ? "earth" : "planet";
  planet.position = {-orbit.radius, 0.0, 0.0};
  planet.mu = orbit.mu;
  if (is_earth(orbit.mu)) planet.radius = kEarthRadius;
  around.bodies.insert(around.bodies.begin(), std::move(planet));
  around.orbit_radius = orbit.radius;
  around.frame_rate = field.frame_rate();
}

/// A radius that drag, shadow or oblateness state for the planet that is there.
void add_radius(const Vector3& center, double radius, ReportSurroundings& around) {
  for (ReportCelestialBody& body : around.bodies) {
    const bool is_same = (body.position - center).norm() <= 1e-9 * center.norm();
    if (is_same && body.triangles.empty() && radius > 0.0) body.radius = radius;
  }
}

}  // namespace

ReportSurroundings surroundings_of(const SimulationSetup& setup) {
  ReportSurroundings around;
  for (const auto& force : setup.forces) {
    if (const auto* field = dynamic_cast<const CentralBodies*>(force.get())) add(*field, around);
    if (const auto* field = dynamic_cast<const PolyhedronField*>(force.get())) add(*field, around);
    if (const auto* field = dynamic_cast<const HillField*>(force.get())) add(*field, around);
  }
  for (const auto& force : setup.forces) {
    if (const auto* drag = dynamic_cast<const DragForce*>(force.get())) {
      add_radius(drag->settings().planet.center, drag->settings().planet.radius, around);
    }
    if (const auto* oblateness = dynamic_cast<const HillOblateness*>(force.get())) {
      add_radius({-around.orbit_radius, 0.0, 0.0}, oblateness->settings().equatorial_radius,
                 around);
    }
    if (const auto* light = dynamic_cast<const SolarPressure*>(force.get())) {
      const SolarPressure::Settings& settings = light->settings();
      add_radius(settings.planet.center, settings.planet.radius, around);
      around.sun = settings.direction;
      around.frame_rate = settings.planet.frame_rate;
    }
  }
  return around;
}

}  // namespace spacedyn
