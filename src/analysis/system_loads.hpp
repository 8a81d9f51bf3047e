/// @file
/// Everything that acts on a ForcedSystem, as a function of its state.
#pragma once

#include "control/load_differentiator.hpp"
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
  /// Derivatives of all loads and of ż by the state; sampled controllers count as continuous ones,
  /// time is not varied, and neither are prescribed coordinates.
  LoadDerivatives differentiate(const State& state, double time);

 private:
  void add_auxiliaries(const Element& element);
  void move_links(const State& state);

  const ForcedSystem& system_;
  DryFriction friction_;
  LinkFrames frames_;
  LinkVelocities velocities_;
  int auxiliary_size_ = 0;
  int largest_command_ = 0;
  std::vector<std::string> auxiliary_names_;
};

/// Whether the loads bend sharply along free coordinates, their velocities and auxiliary states:
/// one flag for each of 6 + n coordinates, velocities, and then z.
std::vector<bool> rough_columns(const ForcedSystem& system, SystemLoads& loads, const State& state,
                                double time);

}  // namespace spacedyn
