/// @file
/// Everything that acts on a ForcedSystem, as a function of its state.
#pragma once

#include "spacedyn/analysis/linearization.hpp"
#include "system/system_elements.hpp"

namespace spacedyn {

/// Evaluates springs, forces and controllers at states near one another, time and discrete state
/// fixed. Sampled controllers count as continuous ones.
class SystemLoads {
 public:
  /// @throws DomainError, DimensionError if an element or the discrete state does not fit the model
  SystemLoads(const ForcedSystem& system, const DiscreteState& discrete, double time);

  const SystemElements& elements() const { return elements_; }
  const Mobility& mobility() const { return mobility_; }

  /// All loads and ż at a state.
  void evaluate(const State& state, Loads& loads, VectorX& auxiliary_rate);
  /// Derivatives of all loads and of ż by the state; time and prescribed coordinates are not
  /// varied.
  LoadDerivatives differentiate(const State& state);

 private:
  EvaluationContext at(const State& state);

  const ForcedSystem& system_;
  const DiscreteState& discrete_;
  double time_;
  SystemElements elements_;
  SystemElements::Workspace workspace_;
  Mobility mobility_;
  LinkFrames frames_;
  LinkVelocities velocities_;
};

/// Whether the loads bend sharply along free coordinates, their velocities and auxiliary states:
/// one flag for each of 6 + n coordinates, velocities, and then z.
std::vector<bool> rough_columns(SystemLoads& loads, const State& state);

}  // namespace spacedyn
