#include "integration/implicit_solver.hpp"

namespace spacedyn {
namespace {

constexpr Eigen::Index kTurn = 3;  // column of θ among the coordinates of a free base

}  // namespace

void ImplicitSolver::factorize(const MotionJacobian& jacobian, double shift) {
  jacobian_ = &jacobian;
  position_ = 1.0 / shift;
  const Eigen::Index f = jacobian.by_position.cols(), z = jacobian.by_auxiliary.cols();
  matrix_.resize(f + z, f + z);
  matrix_.leftCols(f) = -jacobian.by_velocity - position_ * jacobian.by_position;
  if (jacobian.base_is_free) {
    turn_by_turn_ = (shift * Matrix3::Identity() - jacobian.turn_by_turn).inverse();
    turn_by_omega_ = turn_by_turn_ * jacobian.turn_by_omega;
    const auto by_turn = jacobian.by_position.middleCols<3>(kTurn);
    matrix_.middleCols<3>(kTurn) = -jacobian.by_velocity.middleCols<3>(kTurn);
    matrix_.middleCols<3>(kTurn) -= by_turn.lazyProduct(turn_by_omega_);
  }
  matrix_.rightCols(z) = -jacobian.by_auxiliary;
  matrix_.diagonal().array() += shift;
  factorization_.compute(matrix_);
}

void ImplicitSolver::solve(const StateLayout& layout, VectorX& g) {
  const std::vector<int>& free = jacobian_->free;
  const auto f = static_cast<Eigen::Index>(free.size());
  const Eigen::Index z = layout.auxiliaries;
  positions_.resize(f);
  right_side_.resize(f + z);
  for (Eigen::Index i = 0; i < f; ++i) {
    const Eigen::Index row = free[static_cast<std::size_t>(i)];
    positions_(i) = position_ * g(row);
    right_side_(i) = g(layout.v_0() + row);
  }
  if (jacobian_->base_is_free) {
    positions_.segment<3>(kTurn) = turn_by_turn_ * g.segment<3>(StateLayout::theta);
  }
  right_side_.tail(z) = g.segment(layout.z(), z);
  right_side_.noalias() += jacobian_->by_position * positions_;
  solution_ = factorization_.solve(right_side_);

  g.head(layout.z()).setZero();
  for (Eigen::Index i = 0; i < f; ++i) {
    const Eigen::Index row = free[static_cast<std::size_t>(i)];
    g(row) = positions_(i) + position_ * solution_(i);
    g(layout.v_0() + row) = solution_(i);
  }
  if (jacobian_->base_is_free) {
    g.segment<3>(StateLayout::theta) =
        positions_.segment<3>(kTurn) + turn_by_omega_ * solution_.segment<3>(kTurn);
  }
  g.segment(layout.z(), z) = solution_.tail(z);
}

}  // namespace spacedyn
