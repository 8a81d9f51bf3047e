/// @file
/// A spring and a damper along the line of two points.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/spring_law.hpp"

namespace spacedyn {

class FramePair;

/// Pulls two points of two bodies along their line with T = k (ℓ − ℓ_0) + c ℓ̇, ℓ their distance;
/// with a spring that is no straight line F(ℓ − ℓ_0) stands in place of k (ℓ − ℓ_0).
///
/// The forces are equal and opposite; the spring stores ½ k (ℓ − ℓ_0)², the damper takes c ℓ̇². It
/// pushes where T < 0. Where the points coincide, the line is that in which they part; of a spring
/// that pushes points apart that rest on each other the forces are not finite.
class SPACEDYN_EXPORT SpringDamper final : public ForceElement {
 public:
  struct Settings {
    Frame from, to;                        ///< points of two bodies
    double stiffness = 0.0;                ///< k, N/m
    double damping = 0.0;                  ///< c, N s/m
    double rest_length = 0.0;              ///< ℓ_0, m
    std::optional<SpringLaw> spring = {};  ///< F, in place of k
  };

  /// @throws DomainError unless all numbers are finite and not negative, k or c is not zero without
  ///         a law of the spring, and k is zero with one
  SpringDamper(std::string name, const Settings& settings);
  ~SpringDamper() override;

  const Settings& settings() const { return settings_; }
  /// @throws DomainError if a point is not on a body of the model, or both are on one
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  bool belongs_to_modes() const override { return true; }
  bool wrench_between(const EvaluationContext& context, Vector6& wrench) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;

 private:
  struct Stretch;
  Stretch stretch(const EvaluationContext& context) const;

  Settings settings_;
  SpringLaw spring_;
  std::unique_ptr<const FramePair> pair_;
};

}  // namespace spacedyn
