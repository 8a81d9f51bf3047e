#include "textbook/subspaces.hpp"

#include <string>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SVD>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

/// Left singular vectors and how many of them span the range.
struct RangeOfVectors {
  MatrixX vectors;
  Eigen::Index rank = 0;

  RangeOfVectors(const MatrixX& given, double tolerance)
      : vectors(MatrixX::Identity(given.rows(), given.rows())) {
    if (!given.allFinite()) {
      throw DomainError("a vector of a subspace has an element that is not finite");
    }
    if (given.size() == 0) return;
    const Eigen::JacobiSVD<MatrixX> svd(given, Eigen::ComputeFullU);
    const auto& values = svd.singularValues();
    vectors = svd.matrixU();
    while (rank < values.size() && values(rank) > tolerance * values(0)) ++rank;
  }
};

template <typename Space>
Decomposition split_between(const VectorX& v, const Space& first, const Space& second) {
  if (!first.completes(second)) {
    throw DomainError("subspaces of dimensions " + std::to_string(first.dimension()) + " and " +
                      std::to_string(second.dimension()) + " are no direct sum of the " +
                      std::to_string(first.size()) + "-dimensional space: no unique decomposition");
  }
  MatrixX both(v.size(), v.size());
  both << first.basis(), second.basis();
  const VectorX coordinates = both.partialPivLu().solve(v);
  return {first.basis() * coordinates.head(first.dimension()),
          second.basis() * coordinates.tail(second.dimension())};
}

}  // namespace

MatrixX range_basis(const MatrixX& vectors, double tolerance) {
  const RangeOfVectors range(vectors, tolerance);
  return range.vectors.leftCols(range.rank);
}

MatrixX complement_basis(const MatrixX& vectors, double tolerance) {
  const RangeOfVectors range(vectors, tolerance);
  return range.vectors.rightCols(vectors.rows() - range.rank);
}

Decomposition decompose(const VectorX& v, const MotionSubspace& S_1, const MotionSubspace& S_2) {
  return split_between(v, S_1, S_2);
}

Decomposition decompose(const VectorX& f, const ForceSubspace& T_1, const ForceSubspace& T_2) {
  return split_between(f, T_1, T_2);
}

MatrixX apparent_inverse_inertia(const MotionSubspace& S, const MatrixX& I) {
  if (!I.isApprox(I.transpose(), 1e-10) || I.llt().info() != Eigen::Success) {
    throw DomainError("the inertia of what is constrained must be symmetric and positive definite");
  }
  const MatrixX inertia = S.basis().transpose() * I * S.basis();
  return S.basis() * inertia.llt().solve(S.basis().transpose());
}

MatrixX apparent_inertia(const MotionSubspace& S, const MatrixX& I) {
  return I * apparent_inverse_inertia(S, I) * I;
}

Decomposition decompose_force(const VectorX& f, const MotionSubspace& S, const MatrixX& I) {
  const VectorX active = I * (apparent_inverse_inertia(S, I) * f);
  return {active, f - active};
}

Decomposition decompose_velocity(const VectorX& v, const MotionSubspace& S, const MatrixX& I) {
  const VectorX along = apparent_inverse_inertia(S, I) * (I * v);
  return {along, v - along};
}

}  // namespace spacedyn
