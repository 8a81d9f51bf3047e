#include "integration/steppers/implicit_solver.hpp"

namespace spacedyn {
void ImplicitSolver::factorize(const MotionJacobian& jacobian, double shift) {
  jacobian_ = &jacobian;
  position_ = 1.0 / shift;
  const Eigen::Index f = jacobian.by_position.cols(), z = jacobian.by_auxiliary.cols();
  matrix_.resize(f + z, f + z);
  matrix_.leftCols(f) = -jacobian.by_velocity - position_ * jacobian.by_position;
  turns_.resize(jacobian.turns.size());
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const MotionJacobian::Turn& turn = jacobian.turns[k];
    turns_[k].by_turn = (shift * Matrix3::Identity() - turn.by_turn).inverse();
    turns_[k].by_omega = turns_[k].by_turn * turn.by_omega;
    const auto by_turn = jacobian.by_position.middleCols<3>(turn.column);
    matrix_.middleCols<3>(turn.column) = -jacobian.by_velocity.middleCols<3>(turn.column);
    matrix_.middleCols<3>(turn.column) -= by_turn.lazyProduct(turns_[k].by_omega);
  }
  matrix_.rightCols(z) = -jacobian.by_auxiliary;
  matrix_.diagonal().array() += shift;
  factorization_.compute(matrix_, f, shift);
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
  const auto row_of = [&](const MotionJacobian::Turn& turn) {
    return free[static_cast<std::size_t>(turn.column)];
  };
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const MotionJacobian::Turn& turn = jacobian_->turns[k];
    positions_.segment<3>(turn.column) = turns_[k].by_turn * g.segment<3>(row_of(turn));
  }
  right_side_.tail(z) = g.segment(layout.z(), z);
  right_side_.noalias() += jacobian_->by_position * positions_;
  solution_ = right_side_;
  factorization_.solve(solution_);

  g.head(layout.z()).setZero();
  for (Eigen::Index i = 0; i < f; ++i) {
    const Eigen::Index row = free[static_cast<std::size_t>(i)];
    g(row) = positions_(i) + position_ * solution_(i);
    g(layout.v_0() + row) = solution_(i);
  }
  for (std::size_t k = 0; k < turns_.size(); ++k) {
    const MotionJacobian::Turn& turn = jacobian_->turns[k];
    g.segment<3>(row_of(turn)) =
        positions_.segment<3>(turn.column) + turns_[k].by_omega * solution_.segment<3>(turn.column);
  }
  g.segment(layout.z(), z) = solution_.tail(z);
}

}  // namespace spacedyn
