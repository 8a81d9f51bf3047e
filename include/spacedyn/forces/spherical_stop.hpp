/// @file
/// The end of the swing of a spherical joint that gives way: a spring and a damper beyond an angle.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// A torque that turns a spherical joint back from beyond a total angle and never further.
///
/// With the rotation vector θ = φ n of the joint and p = φ − φ_max > 0, τ = −max(0, K p + D ṗ) n,
/// φ̇ = n · ω. Energy, dissipation and the jump at contact are those of JointStop; steps end there,
/// at the event `<name> limit`.
class SPACEDYN_EXPORT SphericalStop final : public ForceElement {
 public:
  struct Settings {
    int joint = 1;           ///< 1…n, the first coordinate of a spherical joint
    double angle = 0.0;      ///< φ_max, rad, between 0 and π
    double stiffness = 0.0;  ///< K, N m/rad, positive
    double damping = 0.0;    ///< D, N m s/rad
  };

  /// @throws DomainError unless 0 < φ_max < π, K is positive, D is not negative, both finite
  SphericalStop(std::string name, const Settings& settings);

  const Settings& settings() const { return settings_; }
  bool uses_links() const override { return false; }
  /// @throws DomainError unless a spherical joint of the model begins with the coordinate
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;
  void append_events(std::vector<ElementEvent>& events) const override;

 private:
  struct Contact;
  Contact contact(const EvaluationContext& context) const;

  Settings settings_;
};

}  // namespace spacedyn
