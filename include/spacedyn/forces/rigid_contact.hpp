/// @file
/// Contact of shapes that do not yield.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/contact_force.hpp"

namespace spacedyn {

/// What a restitution e is about.
enum class ImpactLaw {
  newton,  ///< velocities: v_n⁺ = −e v_n⁻
  poisson  ///< impulses: what compression has taken comes back times e
};

/// Pairs of shapes between which points neither enter each other nor stick to each other, with
/// Coulomb friction that truly sticks.
///
/// Forces follow from the motion of the whole system, so apply() adds none: a simulation finds them
/// as constraints, point by point. It counts as an element in everything else: it has a name, its
/// losses stand in the energy budget, its impulse and the work of its friction are integrals.
/// Methods that go from event to event follow pairs that touch in single points; those that step
/// over contacts, pairs that touch along a patch as well.
class SPACEDYN_EXPORT RigidContact final : public ForceElement {
 public:
  struct Settings {
    std::vector<ContactPair> pairs;
    std::shared_ptr<const Terrain> terrain;  ///< where a pair is on the ground
    double restitution = 0.0;                ///< e, from 0 to 1
    ImpactLaw impact = ImpactLaw::newton;
    double friction = 0.0;         ///< μ of sliding and of impacts
    double static_friction = 0.0;  ///< μ_s ≥ μ, what sticking bears
  };

  /// @throws DomainError if a number has no meaning, there is no pair or a terrain is missing
  RigidContact(std::string name, const Settings& settings);

  const Settings& settings() const { return settings_; }
  int point_count() const { return point_count_; }
  /// Whether a pair touches along a patch.
  bool has_patches() const;

  /// @throws DomainError if a shape is on no body of the model or both are on one
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  bool uses_links() const override { return false; }
  /// Impulse of the normal force, N s, and work of friction, J.
  int integral_count() const override { return 2; }

 private:
  Settings settings_;
  int point_count_ = 0;
};

/// Depth of the deepest point of a list of pairs, m.
SPACEDYN_EXPORT double deepest_point(const std::vector<ContactPair>& pairs, const Terrain* terrain,
                                     const LinkFrames& frames);

}  // namespace spacedyn
