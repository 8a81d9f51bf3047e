#include "spacedyn/forces/hill_oblateness.hpp"

#include <cmath>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

HillOblateness::HillOblateness(std::string name, const OrbitSettings& orbit,
                               const Settings& settings)
    : ForceElement(std::move(name)), orbit_(orbit), settings_(settings) {
  const auto require = [this](bool rule, const char* what) {
    if (!rule) throw DomainError(owner_prefix(*this) + what);
  };
  require(std::isfinite(orbit.radius) && orbit.radius > 0.0 && std::isfinite(orbit.mu) &&
              orbit.mu > 0.0,
          "radius and mu of the orbit must be finite and positive");
  require(std::isfinite(settings.j2) && std::isfinite(settings.inclination) &&
              std::isfinite(settings.argument),
          "its numbers must be finite");
  require(settings.equatorial_radius > 0.0 && settings.equatorial_radius < orbit.radius,
          "the equatorial radius must be positive and within the orbit");
  rate_ = std::sqrt(orbit.mu / orbit.radius) / orbit.radius;
}

void HillOblateness::declare(Declarations& declared) const {
  declared.field = this;
  declared.planet = {{-orbit_.radius, 0.0, 0.0}, settings_.equatorial_radius};
}

Vector3 HillOblateness::pull(double time, const Vector3& r) const {
  const double u = settings_.argument + rate_ * time;
  const double sine = std::sin(settings_.inclination);
  const Vector3 north(sine * std::sin(u), sine * std::cos(u), std::cos(settings_.inclination));
  const Vector3 from_center = r + Vector3(orbit_.radius, 0.0, 0.0);
  const double distance = from_center.norm(), part = settings_.equatorial_radius / distance;
  const Vector3 up = from_center / distance;
  const double s = up.dot(north);
  const double strength = 1.5 * settings_.j2 * part * part * orbit_.mu / (distance * distance);
  return -strength * ((1.0 - 5.0 * s * s) * up + 2.0 * s * north);
}

void HillOblateness::apply(const EvaluationContext& context, Loads& loads) const {
  for (int i = 0; i < context.model.body_count(); ++i) {
    const double mass = context.model.body(i).mass;
    if (mass == 0.0) continue;
    loads.force.col(i) += mass * pull(context.time, context.frames.r[static_cast<std::size_t>(i)]);
  }
}

Vector3 HillOblateness::acceleration(const EvaluationContext& context, int /*body*/,
                                     const Vector3& r, const Vector3& /*v*/) const {
  return pull(context.time, r);
}

}  // namespace spacedyn
