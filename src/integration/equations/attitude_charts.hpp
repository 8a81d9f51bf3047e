/// @file
/// Attitudes in the integrated vector.
#pragma once

#include <vector>

#include "integration/equations/failure.hpp"
#include "integration/equations/layout.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// Turns a state into the integrated vector and back: the attitude of the base and those of
/// spherical joints are kept in charts that move along.
class AttitudeCharts {
 public:
  /// @param model, layout  must outlive this object
  AttitudeCharts(const Model& model, const StateLayout& layout) : model_(model), layout_(layout) {}

  /// Takes over a state. @param x  out: of the layout's size; z and integrals are zero
  void start(const State& initial, VectorX& x);
  /// The state of a vector but for what follows references. @returns false after a failure
  bool unpack(const VectorX& x, State& state, Failure& failure);
  /// θ of the last unpack().
  const Vector3& theta() const { return theta_; }
  /// Moves charts along in which attitudes have turned far. @returns whether one was moved
  bool recentre(VectorX& x, VectorX& rate);
  void adopt(const AttitudeCharts& other, VectorX& x);  ///< of the same tree
  bool operator==(const AttitudeCharts& other) const {
    return base_ == other.base_ && spherical_ == other.spherical_;
  }
  void transfer(Archive& archive) {
    archive(base_);
    archive.keep(spherical_);
  }

 private:
  const Model& model_;
  const StateLayout& layout_;
  AttitudeChart base_{Matrix3::Identity()};
  std::vector<AttitudeChart> spherical_;  // of Rᵀ at −θ, for R = R_ref Exp(θ)
  Vector3 theta_ = Vector3::Zero();
};

}  // namespace spacedyn
