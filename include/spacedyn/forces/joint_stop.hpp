/// @file
/// Ends of a joint's travel that give way: a spring and a damper beyond each limit.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// A force that pushes a joint back from beyond its limits and never pulls.
///
/// With p the travel beyond a limit, f = max(0, K p + D ṗ) where p > 0: it stores ½ K p², and what
/// the joint does not get back, D ṗ² or, once the joint leaves faster than the spring follows, the
/// rest of the spring's energy, is dissipated. f jumps by D ṗ at contact; steps end there, at the
/// events
/// `<name> lower` and `<name> upper`. A step that begins inside the limits sees no damper, one that
/// begins beyond sees it throughout, and every method keeps its order.
class SPACEDYN_EXPORT JointStop final : public ForceElement {
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
  bool uses_links() const override { return false; }
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
