/// @file
/// Coulomb and Stribeck friction of joints without chatter.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Dry friction of every joint that has some, as a bristle of deflection z (the LuGre model).
///
/// g(v) = F_c + (F_s − F_c) exp(−(v/v_s)²), σ_0 = F_c/z_c:
///   ż = v − σ_0 |v| z / g(v),   τ = −(σ_0 z + σ_1(v) ż),   σ_1(v) = ⅕ F_s/v_s / (1 + (v/v_s)²).
/// At constant speed τ = −g(v) sign v; at rest the bristle is a spring that holds up to F_s, so
/// nothing switches and nothing creeps. v_s is stribeck_velocity, z_c presliding. It stores
/// ½ σ_0 z²; since σ_1(v) |v| < 4 g(v) where F_s ≤ 40 F_c it never puts energy in. Its fastest rate
/// is |v|/z_c, which explicit methods must resolve.
class SPACEDYN_EXPORT DryFriction final : public ForceElement {
 public:
  explicit DryFriction(const Model& model);

  /// Joints with friction, 1…n; z has one element for each, in this order.
  const std::vector<int>& joints() const { return joints_; }
  bool uses_links() const override { return false; }
  int auxiliary_size() const override { return static_cast<int>(joints_.size()); }

  void check(const Model& model) const override;
  void auxiliary_rate(const Situation& situation, VectorRef zd) const override;
  void apply(const Situation& situation, Loads& loads) const override;
  bool differentiate(const Situation& situation, LoadDerivatives& derivatives) const override;
  double stored_energy(const Situation& situation) const override;
  double stored_power(const Situation& situation) const override;
  double dissipated_power(const Situation& situation) const override;

 private:
  std::vector<int> joints_;
};

}  // namespace spacedyn
