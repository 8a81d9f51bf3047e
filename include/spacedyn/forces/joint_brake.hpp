/// @file
/// A friction brake on a joint, applied for a while.
#pragma once

#include <limits>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

struct Bristle;

/// Slows a joint down by a torque and then holds it against less than that.
///
/// The elasto-plastic bristle of DryFriction carries the torque, with F_c = F_s = F, the brake's
/// torque, and v_s = z_c · 10/s, z_c being presliding: τ = −F sign q̇ when it slides; below 0.9 F
/// it holds as a spring of stiffness F/z_c that does not slip, under varying loads, too. Once the
/// brake is let go its torque is 0, and the bristle loses its ½ F z²/z_c with ż = −100 z /s.
class SPACEDYN_EXPORT JointBrake final : public ForceElement {
 public:
  struct Settings {
    int joint = 1;                                           ///< 1…n
    double torque = 0.0;                                     ///< F, N m or N, positive
    double from = 0.0;                                       ///< s
    double until = std::numeric_limits<double>::infinity();  ///< s, excluded
    double presliding = 1.0e-3;                              ///< z_c, rad or m, positive
    int event = -1;  ///< in ForcedSystem::awaited, from which times count; negative: none
  };

  /// @throws DomainError unless torque and presliding are positive and finite and from < until
  JointBrake(std::string name, const Settings& settings);

  const Settings& settings() const { return settings_; }
  int auxiliary_size() const override { return 1; }
  bool uses_links() const override { return false; }
  void check(const Model& model) const override;
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  void append_discontinuities(std::vector<double>& times) const override;
  void append_event_discontinuities(const EventTimes& events,
                                    std::vector<double>& times) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;

 private:
  bool is_on(const Instant& now) const;
  Bristle bristle(const EvaluationContext& context) const;

  Settings settings_;
  EventStart start_;
};

}  // namespace spacedyn
