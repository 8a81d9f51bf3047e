/// @file
/// A spring and a damper at a joint, beside the linear ones that a model gives it.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/spring_law.hpp"

namespace spacedyn {

/// τ = −F(q − q_0) − D q̇; stores ∫ F ds and loses D q̇².
class SPACEDYN_EXPORT JointSpring final : public ForceElement {
 public:
  struct Settings {
    int joint = 1;  ///< 1…n
    SpringLaw spring;
    double damping = 0.0;        ///< D, N m s/rad or N s/m
    double rest_position = 0.0;  ///< q_0, rad or m
  };

  /// @throws DomainError unless D is finite and not negative and q_0 finite
  JointSpring(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  bool uses_links() const override { return false; }
  /// @throws DomainError unless the model has the joint, with one coordinate
  void check(const Model& model) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  bool belongs_to_modes() const override { return true; }
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;

 private:
  SpringLaw::Value spring(const EvaluationContext& context) const;

  Settings settings_;
};

}  // namespace spacedyn
