/// @file
/// Everything that acts on a ForcedSystem, as a function of its state.
#pragma once

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/forces/dry_friction.hpp"

namespace spacedyn {

/// Evaluates springs, forces and controllers at states near one another.
class SystemLoads {
 public:
  /// @throws DomainError, DimensionError if an element does not fit the model
  explicit SystemLoads(const ForcedSystem& system);

  int auxiliary_size() const { return auxiliary_size_; }
  const std::vector<std::string>& auxiliary_names() const { return auxiliary_names_; }
  /// The elements' own initial auxiliary states.
  VectorX initial_auxiliary() const;

  /// All loads and ż at a state.
  void evaluate(const State& state, double time, Loads& loads, VectorX& auxiliary_rate);

 private:
  void add_auxiliaries(const Element& element);

  const ForcedSystem& system_;
  DryFriction friction_;
  LinkFrames frames_;
  LinkVelocities velocities_;
  int auxiliary_size_ = 0;
  std::vector<std::string> auxiliary_names_;
};

/// How generalized forces [F_b; τ] of all loads and ż depend on the state.
struct LoadDerivatives {
  MatrixX force_configuration, force_velocity, force_auxiliary;  ///< 6+n rows
  MatrixX rate_configuration, rate_velocity, rate_auxiliary;     ///< as many rows as z
  std::vector<bool> rough;  ///< per column: configuration, velocity, auxiliary states
};

/// By extrapolated central differences at a state, prescribed coordinates not varied (columns
/// zero).
///
/// Wrenches on bodies count with how their force and moment about the centroid change; that the
/// centroid itself moves is part of forward_dynamics_derivatives().
LoadDerivatives differentiate_loads(const ForcedSystem& system, SystemLoads& loads,
                                    const State& state, double time);

}  // namespace spacedyn
