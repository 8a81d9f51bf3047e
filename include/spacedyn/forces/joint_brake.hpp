/// @file
/// A friction brake on a joint, applied for a while.
#pragma once

#include <limits>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Slows a joint down by a torque and then holds it against less than that.
///
/// A bristle of deflection z carries the torque, as in DryFriction: with z_c = presliding
///   ż = q̇ − |q̇| z/z_c,   τ = −F (z/z_c + ż/(5 v_s (1 + (q̇/v_s)²))),   v_s = z_c · 10/s,
/// so that τ = −F sign q̇ when it slides and a spring of stiffness F/z_c when it holds; nothing
/// creeps. F is the brake's torque while it is on, else 0, with ż = −100 z /s. All that it takes
/// from the joint counts as dissipated, the little that its bristle gives back (at most ½ F z_c) as
/// less of it.
class SPACEDYN_EXPORT JointBrake final : public ForceElement {
 public:
  struct Settings {
    int joint = 1;                                           ///< 1…n
    double torque = 0.0;                                     ///< F, N m or N, positive
    double from = 0.0;                                       ///< s
    double until = std::numeric_limits<double>::infinity();  ///< s, excluded
    double presliding = 1.0e-3;                              ///< z_c, rad or m, positive
  };

  /// @throws DomainError unless torque and presliding are positive and finite and from < until
  JointBrake(std::string name, const Settings& settings);

  const Settings& settings() const { return settings_; }
  int auxiliary_size() const override { return 1; }
  bool uses_links() const override { return false; }
  void check(const Model& model) const override;
  void auxiliary_rate(const Situation& situation, VectorRef zd) const override;
  void apply(const Situation& situation, Loads& loads) const override;
  bool differentiate(const Situation& situation, LoadDerivatives& derivatives) const override;
  void append_discontinuities(std::vector<double>& times) const override;
  double dissipated_power(const Situation& situation) const override;

 private:
  bool is_on(double time) const { return time >= settings_.from && time < settings_.until; }
  double rate(const Situation& situation) const;    // ż
  double torque(const Situation& situation) const;  // τ

  Settings settings_;
};

}  // namespace spacedyn
