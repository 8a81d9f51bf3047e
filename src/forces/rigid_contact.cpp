#include "spacedyn/forces/rigid_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "forces/element_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn {

RigidContact::RigidContact(std::string name, const Settings& settings)
    : ForceElement(std::move(name)), settings_(settings) {
  const auto require = [this](bool condition, const char* what) {
    if (!condition) throw DomainError(owner_prefix(*this) + what);
  };
  require(settings.restitution >= 0.0 && settings.restitution <= 1.0,
          "a restitution must lie between 0 and 1");
  require(settings.friction >= 0.0 && std::isfinite(settings.friction),
          "a friction coefficient must be finite and not negative");
  require(settings.static_friction >= settings.friction && std::isfinite(settings.static_friction),
          "a static friction coefficient must be at least that of sliding");
  require(!settings.pairs.empty(), "a contact needs a pair of shapes");
  for (ContactPair& pair : settings_.pairs) {
    require(!pair.on_ground || settings.terrain != nullptr, "a contact with the ground needs one");
    require(pair.on_ground || may_touch(pair.a.type, pair.b.type),
            "ellipsoids touch spheres and the ground alone");
    if (pair.on_ground) pair.ground_parts = settings.terrain->part_count();
    point_count_ += pair.point_count();
  }
}

bool RigidContact::has_patches() const {
  return std::any_of(settings_.pairs.begin(), settings_.pairs.end(),
                     [](const ContactPair& pair) { return pair.has_patch(); });
}

void RigidContact::declare(Declarations& declared) const {
  declared.ground = settings_.terrain.get();
  declared.rigid = this;
}

void RigidContact::check(const Model& model) const {
  for (const ContactPair& pair : settings_.pairs) {
    check_body(*this, pair.a.frame.body, model);
    if (pair.on_ground) continue;
    check_body(*this, pair.b.frame.body, model);
    if (pair.a.frame.body != pair.b.frame.body) continue;
    throw DomainError(owner_prefix(*this) + "'" + pair.a.name + "' and '" + pair.b.name +
                      "' are on one body");
  }
}

void RigidContact::apply(const EvaluationContext& /*context*/, Loads& /*loads*/) const {}

bool RigidContact::differentiate(const EvaluationContext& /*context*/,
                                 LoadDerivatives& /*derivatives*/) const {
  return true;
}

double deepest_point(const std::vector<ContactPair>& pairs, const Terrain* terrain,
                     const LinkFrames& frames) {
  double deepest = -std::numeric_limits<double>::infinity();
  for (const ContactPair& pair : pairs) {
    const ShapePose a = pair.a.at(frames);
    const ShapePose b = pair.on_ground ? ShapePose() : pair.b.at(frames);
    for (int number = 0; number < pair.point_count(); ++number) {
      const ContactPoint point =
          pair.on_ground ? contact_point(a, *terrain, number) : contact_point(a, b);
      deepest = std::max(deepest, point.depth);
    }
  }
  return deepest;
}

}  // namespace spacedyn
