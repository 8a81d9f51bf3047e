/// @file
/// A joint motion that stays in the reaction null space, for simulations that follow it.
#pragma once

#include <memory>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "spacedyn/inertia/reaction_null_space.hpp"

namespace spacedyn::testing {

/// q̇ = N(q) ζ f(t) with f = sin²(πt/T), from rest to rest, while the base keeps its attitude.
///
/// Positions come from a fine Runge–Kutta integration; velocity and acceleration are evaluated at
/// these positions, so that they lie in the null space exactly whatever the error of the positions.
class NullSpacePath {
 public:
  /// @param start  q and A_0 at t = 0
  NullSpacePath(const Model& model, const State& start, VectorX zeta, double duration);

  /// State (base at rest) and q̈ at a time.
  void evaluate(double time, State& state, VectorX& qdd) const;
  /// q̇ and q̈ at a configuration and a time; `state.qd` is an output.
  void evaluate_at(double time, State& state, VectorX& qdd) const;

 private:
  VectorX rate(double time, const VectorX& q) const;

  const Model& model_;
  State start_;
  VectorX zeta_;
  double duration_, grid_;
  std::vector<VectorX> positions_;  // at multiples of grid_
};

/// One joint of a path.
class NullSpaceReference final : public Reference {
 public:
  NullSpaceReference(std::shared_ptr<const NullSpacePath> path, const State& start, int joint)
      : path_(std::move(path)), start_(start), joint_(joint) {}
  int size() const override { return 1; }
  ReferenceValue evaluate(int, double time) const override {
    State state = start_;
    VectorX qdd;
    path_->evaluate(time, state, qdd);
    return {state.q(joint_ - 1), state.qd(joint_ - 1), qdd(joint_ - 1)};
  }

 private:
  std::shared_ptr<const NullSpacePath> path_;
  State start_;
  int joint_;
};

}  // namespace spacedyn::testing
