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
  Matrix6 vectors = Matrix6::Identity();
  Eigen::Index rank = 0;

  RangeOfVectors(const Matrix6X& given, double tolerance) {
    if (!given.allFinite()) {
      throw DomainError("a vector of a subspace has an element that is not finite");
    }
    if (given.cols() == 0) return;
    const Eigen::JacobiSVD<MatrixX> svd(MatrixX(given), Eigen::ComputeFullU);
    const auto& values = svd.singularValues();
    vectors = svd.matrixU();
    while (rank < values.size() && values(rank) > tolerance * values(0)) ++rank;
  }
};

template <typename Space>
Decomposition split_between(const Vector6& v, const Space& first, const Space& second) {
  if (!first.completes(second)) {
    throw DomainError("subspaces of dimensions " + std::to_string(first.dimension()) + " and " +
                      std::to_string(second.dimension()) +
                      " are no direct sum of the six-dimensional space: no unique decomposition");
  }
  Matrix6 both;
  both << first.basis(), second.basis();
  const Vector6 coordinates = both.partialPivLu().solve(v);
  return {first.basis() * coordinates.head(first.dimension()),
          second.basis() * coordinates.tail(second.dimension())};
}

}  // namespace

Matrix6X range_basis(const Matrix6X& vectors, double tolerance) {
  const RangeOfVectors range(vectors, tolerance);
  return range.vectors.leftCols(range.rank);
}

Matrix6X complement_basis(const Matrix6X& vectors, double tolerance) {
  const RangeOfVectors range(vectors, tolerance);
  return range.vectors.rightCols(6 - range.rank);
}

Decomposition decompose(const Vector6& v, const MotionSubspace& S_1, const MotionSubspace& S_2) {
  return split_between(v, S_1, S_2);
}

Decomposition decompose(const Vector6& f, const ForceSubspace& T_1, const ForceSubspace& T_2) {
  return split_between(f, T_1, T_2);
}

Matrix6 apparent_inverse_inertia(const MotionSubspace& S, const Matrix6& I) {
  if (!I.isApprox(I.transpose(), 1e-10) || I.llt().info() != Eigen::Success) {
    throw DomainError("the inertia of a constrained body must be symmetric and positive definite");
  }
  const MatrixX inertia = S.basis().transpose() * I * S.basis();
  return S.basis() * inertia.llt().solve(S.basis().transpose());
}

Matrix6 apparent_inertia(const MotionSubspace& S, const Matrix6& I) {
  return I * apparent_inverse_inertia(S, I) * I;
}

Decomposition decompose_force(const Vector6& f, const MotionSubspace& S, const Matrix6& I) {
  const Vector6 active = I * (apparent_inverse_inertia(S, I) * f);
  return {active, f - active};
}

Decomposition decompose_velocity(const Vector6& v, const MotionSubspace& S, const Matrix6& I) {
  const Vector6 along = apparent_inverse_inertia(S, I) * (I * v);
  return {along, v - along};
}

}  // namespace spacedyn
