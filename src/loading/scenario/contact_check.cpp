#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loading/model/model_assembly.hpp"
#include "loading/scenario/start_check.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/effective_mass.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn::loading {
namespace {

/// m; a start that touches by less has been rounded.
constexpr double kTouch = 1e-9;
/// Steps of this part of √(m/k) follow a contact.
constexpr double kStepPart = 0.1;

/// A point of a contact at the start.
struct StartPoint {
  const ContactPair* pair = nullptr;
  ContactPoint at;
  double speed = 0.0;  // towards each other
};

template <typename Visit>
void for_each_point(const ContactPlace& contact, const StartMotion& start, const Visit& visit) {
  for (const ContactPair& pair : contact.pairs()) {
    const ShapePose a = pair.a.at(start.frames);
    const ShapePose b = pair.on_ground ? ShapePose() : pair.b.at(start.frames);
    for (int number = 0; number < pair.point_count(); ++number) {
      StartPoint point{
          &pair,
          pair.on_ground ? contact_point(a, *contact.terrain(), number) : contact_point(a, b), 0.0};
      const auto velocity = [&](int body) {
        const auto i = static_cast<std::size_t>(body);
        return Vector3(start.velocities.v[i] +
                       start.velocities.omega[i].cross(point.at.point - start.frames.r[i]));
      };
      Vector3 relative = velocity(pair.a.frame.body);
      if (!pair.on_ground) relative -= velocity(pair.b.frame.body);
      point.speed = -point.at.normal.dot(relative);
      visit(point);
    }
  }
}

StartPoint nearest_point(const ContactPlace& contact, const StartMotion& start) {
  StartPoint nearest;
  for_each_point(contact, start, [&](const StartPoint& point) {
    if (nearest.pair == nullptr || point.at.depth > nearest.at.depth) nearest = point;
  });
  return nearest;
}

std::string other_side(const ContactPair& pair) {
  return pair.on_ground ? "the terrain" : "'" + pair.b.name + "'";
}

/// The mass that an impact at a point feels along its normal; nothing where a body cannot move.
std::optional<double> effective_mass_at(const Scenario& scenario, const StartMotion& start,
                                        const StartPoint& point) {
  const Model& model = *scenario.setup.model;
  const auto material = [&](int body) {
    return material_point_at(model, start.frames, body, point.at.point);
  };
  const std::vector<int> free = start_mobility(scenario.setup).free();
  const Frame a = material(point.pair->a.frame.body);
  const ImpactEffect effect =
      point.pair->on_ground
          ? impact_effect(model, scenario.initial, a, point.at.normal, free)
          : impact_effect(model, scenario.initial, a, material(point.pair->b.frame.body),
                          point.at.normal, free);
  if (!std::isfinite(effect.effective_mass)) return std::nullopt;
  return effect.effective_mass;
}

/// The longest step that follows a contact: of the speed at which it may begin, as far as the start
/// tells, and of what gravity presses it with.
double longest_step(const Scenario& scenario, const NormalContact& normal, const StartPoint& point,
                    double mass) {
  const double n = normal.settings().exponent, k = normal.settings().stiffness;
  const double g = scenario.setup.gravity.norm();
  const double gap = std::max(0.0, -point.at.depth);
  const double speed =
      std::sqrt(std::max(0.0, point.speed) * std::max(0.0, point.speed) + 2.0 * g * gap);
  // deepest by energy, and at rest
  const double impact = std::pow(0.5 * (n + 1.0) * mass * speed * speed / k, 1.0 / (n + 1.0));
  const double rest = std::pow(mass * g / k, 1.0 / n);
  const double depth = std::max({impact, rest, point.at.depth});
  return kStepPart * std::sqrt(mass / normal.slope(depth));
}

/// Whether the method can follow a rigid contact; else says why not.
bool check_rigid(const ContactPlace& place, const SimulationSetup& setup, ProblemList& problems) {
  if (!place.rigid) return true;
  const MethodTraits method = method_traits(setup.integrator);
  const Value& at = place.between;
  const auto refuse = [&](const std::string& what, const char* hint) {
    problems.error(at, what, hint);
    return false;
  };
  if (!method.steps_contacts) {
    if (!place.rigid->has_patches()) return true;
    return refuse(fmt::format("expected shapes that touch in single points, got some that touch "
                              "along a patch, which {} cannot follow",
                              method.name),
                  "'integrator: {method: time_stepping, step: 0.001}' can; so can compliant laws");
  }
  if (place.rigid->settings().impact == ImpactLaw::poisson) {
    return refuse("expected 'impact: newton' with time_stepping, got 'poisson'", "");
  }
  for (const Event& event : setup.events) {
    if (event.owner != place.rigid.get()) continue;
    return refuse(fmt::format("expected no event about this contact, got '{}': time_stepping "
                              "steps over the instants at which contacts begin and end",
                              event.name),
                  "dop853 finds them");
  }
  return true;
}

}  // namespace

void check_contacts(ScenarioContext& scenario) {
  if (scenario.contacts.empty() || !scenario.model || scenario.problems().has_errors()) return;
  const StartMotion start(scenario.result);
  for (const ContactPlace& place : scenario.contacts) {
    if (!check_rigid(place, scenario.setup(), scenario.problems())) continue;
    const StartPoint nearest = nearest_point(place, start);
    if (nearest.at.depth > kTouch && !place.may_penetrate) {
      scenario.problems().error(
          place.between,
          fmt::format("expected a start without penetration, got '{}' and {} that are {:.6g} m "
                      "inside each other",
                      nearest.pair->a.name, other_side(*nearest.pair), nearest.at.depth),
          place.rigid ? "" : "'penetrating_start: true' accepts it");
      continue;
    }
    const IntegratorOptions& integrator = scenario.setup().integrator;
    if (place.rigid || is_adaptive(integrator)) continue;
    std::optional<double> mass;
    try {
      mass = effective_mass_at(scenario.result, start, nearest);
    } catch (const Error&) {  // told by other checks, or too large to say
    }
    if (!mass) continue;
    const double most = longest_step(scenario.result, place.contact->normal(), nearest, *mass);
    if (!(integrator.step > most)) continue;
    scenario.problems().warning(
        place.stiffness,
        fmt::format("expected a stiffness that steps of {:g} s can follow, got one that needs "
                    "steps of {:.2g} s",
                    integrator.step, most),
        fmt::format("integrator.step: {:.2g}, or an adaptive method", most));
  }
}

}  // namespace spacedyn::loading
