/// @file
/// Torques and motion of the base along a joint motion at no momentum, with derivatives. Private.
#pragma once

#include <vector>

#include "spacedyn/dynamics/derivatives.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/optimization/trajectory.hpp"

namespace spacedyn {

/// Of one instant of a motion of some joints q, f of them.
class PathDynamics {
 public:
  PathDynamics(const Model& model, const State& state, std::vector<int> joints,
               const Vector3& gravity);

  /// Values alone.
  void update(const VectorX& q, const VectorX& qd, const VectorX& qdd);
  /// Values and derivatives.
  void differentiate(const VectorX& q, const VectorX& qd, const VectorX& qdd);

  bool floats() const { return floats_; }
  const VectorX& effort() const { return effort_; }                ///< f
  const Vector3& base_rate() const { return base_rate_; }          ///< ω_0, axes of the base
  const MatrixX& effort_by_q() const { return effort_by_q_; }      ///< f×f
  const MatrixX& effort_by_qd() const { return effort_by_qd_; }    ///< f×f
  const MatrixX& effort_by_qdd() const { return effort_by_qdd_; }  ///< f×f
  const Matrix3X& base_rate_by_q() const { return rate_by_q_; }    ///< 3×f
  const Matrix3X& base_rate_by_qd() const { return rate_by_qd_; }  ///< 3×f

 private:
  MatrixX columns(MatrixX whole) const;
  MatrixX rows(const MatrixX& whole) const;

  const Model& model_;
  State state_;
  std::vector<int> joints_;
  Loads loads_;
  bool floats_;
  TreeWorkspace tree_;
  DerivativesWorkspace memory_;
  InverseDynamicsDerivatives at_rest_, moving_;
  VectorX acceleration_, forces_, effort_;
  Vector3 base_rate_ = Vector3::Zero();
  MatrixX H_, effort_by_q_, effort_by_qd_, effort_by_qdd_;
  Matrix3X rate_by_q_, rate_by_qd_;
};

}  // namespace spacedyn
