/// @file
/// Subspaces of motions and of forces, [RBDA] 3.3: complements, direct sums, apparent inertia.
///
/// Vectors are those of one body, (linear, angular) about one point, of M⁶ and F⁶, or velocities u
/// and forces of a system, of Mⁿ and Fⁿ. Nothing here depends on the basis by which a subspace is
/// given.
#pragma once

#include "spacedyn/math/types.hpp"

namespace spacedyn {

class ForceSubspace;

/// Orthonormal columns that span the range of a matrix, of singular values above a part of the
/// largest. @throws DomainError if a number is not finite
MatrixX range_basis(const MatrixX& vectors, double tolerance = 1e-10);
/// Likewise of all vectors whose product with each column is zero.
MatrixX complement_basis(const MatrixX& vectors, double tolerance = 1e-10);

/// What subspaces of motions and of forces share; the product of one with the other is power.
template <typename Own, typename Dual>
class SpatialSubspace {
 public:
  /// The span of columns, which may depend on one another.
  explicit SpatialSubspace(const MatrixX& vectors) : basis_(range_basis(vectors)) {}

  /// Of the space that it lies in, n.
  int size() const { return static_cast<int>(basis_.rows()); }
  int dimension() const { return static_cast<int>(basis_.cols()); }
  /// Orthonormal columns: one basis of many.
  const MatrixX& basis() const { return basis_; }
  /// Whether a vector lies in it, but for a part of its length.
  bool contains(const VectorX& vector, double tolerance = 1e-10) const {
    return (vector - basis_ * (basis_.transpose() * vector)).norm() <= tolerance * vector.norm();
  }
  /// S^⊥: of the other kind, all that has no power with any vector of this one.
  Dual complement() const { return Dual(complement_basis(basis_)); }
  /// span(S_1 ∪ S_2).
  Own sum(const Own& other) const {
    MatrixX all(size(), dimension() + other.dimension());
    all << basis_, other.basis();
    return Own(all);
  }
  /// S_1 ∩ S_2 = (S_1^⊥ + S_2^⊥)^⊥.
  Own intersection(const Own& other) const {
    return complement().sum(other.complement()).complement();
  }
  /// S_1 ⊕ S_2 is the whole space, (3.24).
  bool completes(const Own& other) const {
    return dimension() + other.dimension() == size() && sum(other).dimension() == size();
  }

 private:
  MatrixX basis_;
};

/// A subspace of M⁶: what a joint lets move; of Mⁿ: S = null K = range G of a system with
/// constraints K u = 0, which leave it u = G ẏ.
class MotionSubspace : public SpatialSubspace<MotionSubspace, ForceSubspace> {
 public:
  using SpatialSubspace::SpatialSubspace;
};

/// A subspace of F⁶: what a joint transmits; of Fⁿ: S^⊥ = range Kᵀ, the constraint forces τ_c.
class ForceSubspace : public SpatialSubspace<ForceSubspace, MotionSubspace> {
 public:
  using SpatialSubspace::SpatialSubspace;
};

/// A vector as the sum of two.
struct Decomposition {
  VectorX first, second;
};

/// v = v_1 + v_2 with v_1 in S_1 and v_2 in S_2, (3.26), (3.27).
/// @throws DomainError unless S_1 ⊕ S_2 is the whole space
Decomposition decompose(const VectorX& v, const MotionSubspace& S_1, const MotionSubspace& S_2);
Decomposition decompose(const VectorX& f, const ForceSubspace& T_1, const ForceSubspace& T_2);

/// f = f_a + f_c of a body of inertia I, or a system of inertia H, that moves in S: f_a = I S (Sᵀ I
/// S)⁻¹ Sᵀ f accelerates it, f_c in S^⊥ is what its constraint answers to, (3.28).
/// @param I  n×n, positive definite
/// @throws DomainError unless I is symmetric and positive definite
Decomposition decompose_force(const VectorX& f, const MotionSubspace& S, const MatrixX& I);
/// v = v_a + v_c with v_a in S and I v_c in S^⊥: what a plastic impact onto S leaves and takes.
Decomposition decompose_velocity(const VectorX& v, const MotionSubspace& S, const MatrixX& I);

/// Φ = S (Sᵀ I S)⁻¹ Sᵀ: acceleration of the body per force on it, of rank dim S.
MatrixX apparent_inverse_inertia(const MotionSubspace& S, const MatrixX& I);
/// I Φ I: the active force per acceleration in S, on which it is I; Φ (I Φ I) Φ = Φ.
MatrixX apparent_inertia(const MotionSubspace& S, const MatrixX& I);

}  // namespace spacedyn
