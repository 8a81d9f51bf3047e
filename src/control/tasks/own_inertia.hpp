/// @file
/// Inertia of the coordinates of a robot in which joints may follow others. Private.
#pragma once

#include <vector>

#include <Eigen/Cholesky>

#include "spacedyn/dynamics/inertia_factorization.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {

/// H⁻¹ = R Rᵀ of a tree. Where joints follow others, q̇ = G ẏ, it is (Gᵀ H G)⁻¹ = R Rᵀ in their
/// place: a dense one, because G may tie branches together.
class OwnInertia {
 public:
  OwnInertia(const Model& model, const Mobility& mobility);

  /// Allocates nothing. @param H  of composite_rigid_body()
  DynamicsStatus factorize(const MatrixX& H);
  /// x ← Rᵀ Gᵀ x. Allocates nothing. @pre factorize() has returned ok
  void halve(VectorRef x) const;
  /// Accelerations of the tree under loads, where each joint moves by itself, become those with
  /// which joints follow: the nearest in the metric of H. @pre as halve()
  void constrain(const MatrixX& H, VectorRef acceleration);

 private:
  bool follows() const { return !followers_.empty(); }
  void gather(VectorRef x) const;

  InertiaFactorization tree_;
  std::vector<Follower> followers_;
  std::vector<Eigen::Index> own_;  // free coordinates that follow none
  MatrixX led_, compact_;
  Eigen::LLT<MatrixX> dense_;
  VectorX excess_, push_;
  mutable VectorX gathered_;
};

}  // namespace spacedyn
