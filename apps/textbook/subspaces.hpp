/// @file
/// Subspaces of motions and of forces, [RBDA] 3.3: complements, direct sums, apparent inertia.
///
/// Vectors are (linear, angular) about one point. Nothing here depends on the basis by which a
/// subspace is given.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

class ForceSubspace;

/// Orthonormal columns that span the range of a matrix with six rows, of singular values above a
/// part of the largest. @throws DimensionError unless it has six rows; DomainError if a number is
/// not finite
Matrix6X range_basis(const Matrix6X& vectors, double tolerance = 1e-10);
/// Likewise of all vectors whose product with each column is zero.
Matrix6X complement_basis(const Matrix6X& vectors, double tolerance = 1e-10);

/// What subspaces of motions and of forces share; the product of one with the other is power.
template <typename Own, typename Dual>
class SpatialSubspace {
 public:
  /// The span of columns, which may depend on one another.
  explicit SpatialSubspace(const Matrix6X& vectors) : basis_(range_basis(vectors)) {}

  int dimension() const { return static_cast<int>(basis_.cols()); }
  /// Orthonormal columns: one basis of many.
  const Matrix6X& basis() const { return basis_; }
  /// Whether a vector lies in it, but for a part of its length.
  bool contains(const Vector6& vector, double tolerance = 1e-10) const {
    return (vector - basis_ * (basis_.transpose() * vector)).norm() <= tolerance * vector.norm();
  }
  /// S^⊥: of the other kind, all that has no power with any vector of this one.
  Dual complement() const { return Dual(complement_basis(basis_)); }
  /// span(S_1 ∪ S_2).
  Own sum(const Own& other) const {
    Matrix6X all(6, dimension() + other.dimension());
    all << basis_, other.basis();
    return Own(all);
  }
  /// S_1 ∩ S_2 = (S_1^⊥ + S_2^⊥)^⊥.
  Own intersection(const Own& other) const {
    return complement().sum(other.complement()).complement();
  }
  /// S_1 ⊕ S_2 is the whole space, (3.24).
  bool completes(const Own& other) const {
    return dimension() + other.dimension() == 6 && sum(other).dimension() == 6;
  }

 private:
  Matrix6X basis_;
};

/// A subspace of M⁶: what a joint lets move.
class MotionSubspace : public SpatialSubspace<MotionSubspace, ForceSubspace> {
 public:
  using SpatialSubspace::SpatialSubspace;
};

/// A subspace of F⁶: what a joint transmits.
class ForceSubspace : public SpatialSubspace<ForceSubspace, MotionSubspace> {
 public:
  using SpatialSubspace::SpatialSubspace;
};

/// A vector as the sum of two.
struct Decomposition {
  Vector6 first, second;
};

/// v = v_1 + v_2 with v_1 in S_1 and v_2 in S_2, (3.26), (3.27).
/// @throws DomainError unless S_1 ⊕ S_2 is the whole space
Decomposition decompose(const Vector6& v, const MotionSubspace& S_1, const MotionSubspace& S_2);
Decomposition decompose(const Vector6& f, const ForceSubspace& T_1, const ForceSubspace& T_2);

/// f = f_a + f_c of a body of inertia I that moves in S: f_a = I S (Sᵀ I S)⁻¹ Sᵀ f accelerates it,
/// f_c in S^⊥ is what its constraint answers to, (3.28).
/// @param I  6×6, positive definite, (linear, angular)
/// @throws DomainError unless I is symmetric and positive definite
Decomposition decompose_force(const Vector6& f, const MotionSubspace& S, const Matrix6& I);
/// v = v_a + v_c with v_a in S and I v_c in S^⊥: what a plastic impact onto S leaves and takes.
Decomposition decompose_velocity(const Vector6& v, const MotionSubspace& S, const Matrix6& I);

/// Φ = S (Sᵀ I S)⁻¹ Sᵀ: acceleration of the body per force on it, of rank dim S.
Matrix6 apparent_inverse_inertia(const MotionSubspace& S, const Matrix6& I);
/// I Φ I: the active force per acceleration in S, on which it is I; Φ (I Φ I) Φ = Φ.
Matrix6 apparent_inertia(const MotionSubspace& S, const Matrix6& I);

}  // namespace spacedyn
