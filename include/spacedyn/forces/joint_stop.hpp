/// @file
/// Ends of a joint's travel that give way: a spring and a damper beyond a limit.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// A force that pushes a joint back from beyond a limit and never pulls.
///
/// With p the travel beyond it, f = max(0, K p + D ṗ) where p > 0: it stores ½ K p², and what
/// the joint does not get back, D ṗ² or, once the joint leaves faster than the spring follows, the
/// rest of the spring's energy, is dissipated. f jumps by D ṗ at contact; steps end there, at
/// events. A step that begins inside the limits sees no damper, one that begins beyond sees it
/// throughout, and every method keeps its order.
class SPACEDYN_EXPORT GivingStop : public ForceElement {
 public:
  bool uses_links() const override { return false; }
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;

 protected:
  /// How far a joint is beyond a limit and how fast it goes on.
  struct Contact {
    double depth = 0.0, rate = 0.0;
    bool is_damped = true;
  };
  using ForceElement::ForceElement;
  /// @throws DomainError unless the limits are valid, K is positive, D is not negative, both finite
  void set(const char* kind, double stiffness, double damping, bool has_limits, const char* limits);
  virtual Contact contact(const EvaluationContext& context) const = 0;
  double force(const Contact& contact) const;  ///< f
  double stiffness() const { return stiffness_; }
  double damping(const Contact& contact) const { return contact.is_damped ? damping_ : 0.0; }

 private:
  double stiffness_ = 0.0, damping_ = 0.0;
};

/// Between two limits of a scalar joint; events `<name> lower` and `<name> upper`.
class SPACEDYN_EXPORT JointStop final : public GivingStop {
 public:
  struct Settings {
    int joint = 1;           ///< 1…n
    double lower = 0.0;      ///< rad or m, may be −∞
    double upper = 0.0;      ///< may be ∞
    double stiffness = 0.0;  ///< K, N m/rad or N/m, positive
    double damping = 0.0;    ///< D, N m s/rad or N s/m
  };

  /// @throws DomainError unless lower < upper, K is positive, D is not negative, both finite
  JointStop(std::string name, const Settings& settings);

  const Settings& settings() const { return settings_; }
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  void append_events(std::vector<ElementEvent>& events) const override;

 private:
  Contact contact(const EvaluationContext& context) const override;

  Settings settings_;
};

/// A torque that turns a spherical joint back from beyond a total angle: with the rotation vector
/// θ = φ n of the joint and p = φ − φ_max, τ = −f n, φ̇ = n · ω; event `<name> limit`.
class SPACEDYN_EXPORT SphericalStop final : public GivingStop {
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
  /// @throws DomainError unless a spherical joint of the model begins with the coordinate
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  void append_events(std::vector<ElementEvent>& events) const override;

 private:
  Contact contact(const EvaluationContext& context) const override;

  Settings settings_;
};

}  // namespace spacedyn
