/// @file
/// A spring and a damper in all six directions between two frames: the virtual cut of a loop.
#pragma once

#include <memory>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

class FramePair;

/// Draws two frames of two bodies together, in the axes of the first.
///
/// With p = A_fromᵀ (r_to − r_from), φ the rotation vector of A_fromᵀ A_to, |φ| ≤ π, their rate ṗ
/// and the relative angular velocity ω in the axes of `from`, the body of `to` gets
///   f = −(K_p p + D_p ṗ),   m = −(dexp⁻¹(φ)ᵀ K_φ φ + D_φ ω)
/// at the origin of `to`, in the axes of `from`; the body of `from` gets the opposite at the same
/// place, so momentum is kept. K and D are diagonal. As φ̇ = dexp⁻¹(φ) ω the springs derive from
/// V = ½ pᵀ K_p p + ½ φᵀ K_φ φ for any stiffness and any rotation. Where the frames are half a turn
/// apart φ changes its sign: V is continuous there, m jumps.
class SPACEDYN_EXPORT Bushing final : public ForceElement {
 public:
  struct Settings {
    Frame from, to;                       ///< on two bodies
    Vector6 stiffness = Vector6::Zero();  ///< K: N/m along x, y, z, then N m/rad about them
    Vector6 damping = Vector6::Zero();    ///< D: N s/m, then N m s/rad
  };

  /// @throws DomainError unless all numbers are finite and not negative and one is not zero
  Bushing(std::string name, const Settings& settings);
  ~Bushing() override;

  const Settings& settings() const { return settings_; }
  /// @throws DomainError if a frame is not on a body of the model, or both are on one
  void check(const Model& model) const override;
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
  std::unique_ptr<const FramePair> pair_;
};

}  // namespace spacedyn
