/// @file
/// Springs and dampers: along the line of two points, and at a joint.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// F(s), N over m or N m over rad, positive where the spring pulls back from a positive stretch.
class SPACEDYN_EXPORT SpringLaw {
 public:
  /// At a stretch: F, dF/ds, and ∫ F ds from no stretch.
  struct Value {
    double force = 0.0, stiffness = 0.0, energy = 0.0;
  };

  /// F = c_1 s + c_2 s² + …; a progressive spring has c_1 and c_3.
  /// @throws DomainError unless all coefficients are finite and one is not zero
  static SpringLaw polynomial(const std::vector<double>& coefficients);
  /// A smooth curve through points that rises and falls only where they do, and goes on straight
  /// beyond them (piecewise cubic, after Fritsch and Carlson).
  /// @throws DomainError unless there are as many forces as stretches, at least two, all finite,
  ///         stretches ascending
  static SpringLaw table(const std::vector<double>& stretches, const std::vector<double>& forces);

  Value at(double stretch) const noexcept;

 private:
  /// Between two points of a table: F = f + d x + …, x from the first of them.
  struct Piece {
    double start, force, slope, second, third, energy;
  };
  static Value value_of(const Piece& piece, double x) noexcept;

  std::vector<double> coefficients_;
  std::vector<Piece> pieces_;  // the first and the last go on straight
};

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
