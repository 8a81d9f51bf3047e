/// @file
/// Coulomb and Stribeck friction of joints without chatter.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Dry friction of every joint that has some, as an elasto-plastic bristle of deflection z: the
/// LuGre model with the elastic range of [Dupont].
///
/// g(v) = F_c + (F_s − F_c) exp(−(v/v_s)²), σ_0 = F_c/z_c, u = σ_0 |z|/g(v):
///   ż = v − |v| sign(z) φ(u) where v pushes on z, else ż = v,
///   τ = −(σ_0 z + σ_1(v) ż),   σ_1(v) = ⅕ F_s/v_s / (1 + (v/v_s)²).
/// φ is 0 below u = 0.9, where the bristle is a spring and nothing slips, rises smoothly to φ(1) =
/// 1 and is u beyond. At constant speed τ = −g(v) sign v. A joint that holds less than 0.9 F_s
/// while its bristle bends slowly against v_s stays where it is however the load varies; nothing
/// switches. v_s is stribeck_velocity, z_c presliding. It stores ½ σ_0 z²; since σ_1(v) |v| < 4
/// g(v) where F_s ≤ 40 F_c it never puts energy in. When it slides its rate is |v|/z_c, which
/// explicit methods must resolve, for a moment some hundred times that as it breaks away.
class SPACEDYN_EXPORT DryFriction final : public ForceElement {
 public:
  explicit DryFriction(const Model& model);

  /// Joints with friction, 1…n; z has one element for each, in this order.
  const std::vector<int>& joints() const { return joints_; }
  bool uses_links() const override { return false; }
  int auxiliary_size() const override { return static_cast<int>(joints_.size()); }

  void check(const Model& model) const override;
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;

 private:
  std::vector<int> joints_;
};

}  // namespace spacedyn
