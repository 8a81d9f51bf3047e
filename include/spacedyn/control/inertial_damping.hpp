/// @file
/// Damping of vibration by the inertia of joints that are driven.
#pragma once

#include <string>

#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/elastic_modes.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// The torques of ComputedTorque for accelerations a = (Φᵀ H*_sj)⁺ 2 ζ Ω η̇ of the joints j that it
/// drives: s are the other joints with springs, Φ and Ω their lowest modes at the start of a run,
/// and η̇ = Φᵀ M q̇_s. For small motion η̈ + 2 ζ Ω η̇ + Ω² η = 0. H* is that of the instant, H_m
/// where the base does not float; of several a the shortest is taken.
class SPACEDYN_EXPORT InertialDamping final : public ComputedTorque {
 public:
  /// Stiffness, damping and reference are not used.
  struct Settings : JointTracking {
    int modes = 1;               ///< n
    double damping_ratio = 0.0;  ///< ζ, positive
    KnownSurroundings surroundings;
  };

  /// @param model  that it is in, of one robot
  /// @param start  of the run
  /// @throws DomainError as ComputedTorque and elastic_modes(); if the ratio is not positive, or
  /// there are more modes than joints on either side, or several robots
  InertialDamping(std::string name, const Model& model, const State& start, Settings settings);

  JointMotion joint_motion() const override { return {}; }
  /// Those that it damps; shapes by columns.
  const ElasticModes& modes() const { return modes_; }

 protected:
  void accelerations(const EvaluationContext& context, VectorRef a) const override;

 private:
  struct Memory;

  ElasticModes modes_;
  VectorX damping_;  // 2 ζ Ω
  bool base_floats_;
  long id_;  // of this object, never used again
};

}  // namespace spacedyn
