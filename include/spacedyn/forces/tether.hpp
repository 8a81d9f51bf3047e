/// @file
/// A tether through points of several bodies, which pulls and never pushes.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

struct RootBound;

/// T = max(0, k (ℓ − ℓ_0) + c ℓ̇) where ℓ > ℓ_0, else 0; ℓ is the length from point to point.
///
/// The tension is the same in all parts: it slides through the points between its ends without
/// friction. Each end is pulled along its part, each point between by both of its parts, so the
/// forces add up to nothing. It stores ½ k (ℓ − ℓ_0)² while ℓ > ℓ_0, and loses (T − k (ℓ − ℓ_0)) ℓ̇.
/// T jumps by c ℓ̇ where ℓ passes ℓ_0; steps end there and where T begins or ends, at the events
/// `<name> taut` and `<name> slack`. A part without length has no direction and pulls nothing.
///
/// Where ℓ_0 changes in time, as of a WinchTether, ℓ̇ − ℓ̇_0 stands in place of ℓ̇, and −T ℓ̇_0 is the
/// work of what changes it.
///
/// Auxiliary state: 0 slack, 1 taut, 2 longer than ℓ_0 without tension; between slack and stretched
/// lie 1e-12 of ℓ_0 on either side.
class SPACEDYN_EXPORT Tether : public ForceElement {
 public:
  struct Settings {
    Frame from, to;            ///< its ends
    std::vector<Frame> via;    ///< points between them, in their order
    double stiffness = 0.0;    ///< k of the whole, N/m, positive
    double damping = 0.0;      ///< c, N s/m
    double rest_length = 0.0;  ///< ℓ_0, m
  };

  /// @throws DomainError unless k is positive, c and ℓ_0 are not negative and all are finite
  Tether(std::string name, Settings settings);

  const Settings& settings() const { return settings_; }
  /// ℓ at an instant, m.
  double length(const LinkFrames& frames) const;

  /// @throws DomainError if a point is not on a body of the model, or all are on one
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  /// That on the body of `to`, where a part pulls it.
  bool wrench_between(const EvaluationContext& context, Vector6& wrench) const override;
  int auxiliary_size() const override { return 1; }
  void append_events(std::vector<ElementEvent>& events) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;
  EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef rate) const override;

 protected:
  /// ℓ_0 and its rate at an instant.
  struct Rest {
    double length = 0.0, rate = 0.0;
    bool varies = false;
  };
  virtual Rest rest(const Instant& now) const;

 private:
  struct Stretch;
  Stretch stretch(const EvaluationContext& context) const;
  void pull(const EvaluationContext& context, double tension, Loads& loads) const;
  EnergyRates energy_rates(const Stretch& now) const;
  double length(const EvaluationContext& context) const;  // with more digits far from the origin
  /// How far ℓ has passed ℓ_0, and a part of it more, towards the other side of it.
  double passed(const EvaluationContext& context) const;
  RootBound bound(const EvaluationContext& context) const;
  /// The auxiliary state that length and rate ask for.
  double state_of(const EvaluationContext& context) const;

  Settings settings_;
  std::vector<Frame> points_;
};

}  // namespace spacedyn
