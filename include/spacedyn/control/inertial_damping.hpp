/// @file
/// Elastic modes, and damping of vibration by the inertia of joints that are driven.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/state/state.hpp"

namespace spacedyn {

/// K φ = Ω² M φ with the M that the joints feel where their springs are at rest, Φᵀ M Φ = E.
/// Of the lowest frequency first.
struct ElasticModes {
  std::vector<int> joints;   ///< with stiffness
  VectorX rest;              ///< positions at which their springs are at rest
  VectorX omega_squared;     ///< rad²/s²
  MatrixX shapes, to_modes;  ///< Φ by columns; Φᵀ M, by which η = Φᵀ M (q − q_rest)
};

/// @param base_floats  whether the base answers; else M is that of a base that is held
/// @param reference  where all other joints are held
/// @param others  joints that are held although they have springs
/// @throws DomainError, its text beginning with @p owner, if a joint is one of a rotation vector,
/// or one moves no mass
SPACEDYN_EXPORT ElasticModes elastic_modes(const std::string& owner, const Model& model,
                                           bool base_floats, const State& reference,
                                           const std::vector<int>& others = {});

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
