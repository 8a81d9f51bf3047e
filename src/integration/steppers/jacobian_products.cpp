// Changes through a Jacobian of the motion, and covectors back.
#include "integration/steppers/implicit_solver.hpp"

namespace spacedyn {

void MotionJacobian::apply(const StateLayout& layout, const MatrixX& changes,
                           const Eigen::Ref<const MatrixX>& in_charts, Eigen::Ref<MatrixX> rates) {
  const auto f = static_cast<Eigen::Index>(free.size());
  const Eigen::Index z = layout.auxiliaries;
  positions_.resize(f, changes.cols());
  velocities_.resize(f, changes.cols());
  for (Eigen::Index i = 0; i < f; ++i) {
    const int row = free[static_cast<std::size_t>(i)];
    positions_.row(i) = changes.row(row);
    velocities_.row(i) = changes.row(layout.v_0() + row);
  }
  accelerations_.noalias() = by_position * positions_;
  accelerations_.noalias() += by_velocity * velocities_;
  accelerations_.noalias() += by_auxiliary * changes.middleRows(layout.z(), z);
  rates.setZero();
  for (Eigen::Index i = 0; i < f; ++i) {
    const int row = free[static_cast<std::size_t>(i)];
    rates.row(row) = velocities_.row(i);
    rates.row(layout.v_0() + row) = accelerations_.row(i);
  }
  for (const Turn& turn : turns) {
    const int row = free[static_cast<std::size_t>(turn.column)];
    rates.middleRows<3>(row) = turn.by_turn * in_charts.middleRows<3>(row) +
                               turn.by_omega * velocities_.middleRows<3>(turn.column);
  }
  rates.middleRows(layout.z(), z) = accelerations_.bottomRows(z);
}

void MotionJacobian::apply_transposed(const StateLayout& layout, const MatrixX& covectors,
                                      MatrixX& changes, MatrixX& in_charts) {
  const auto f = static_cast<Eigen::Index>(free.size());
  const Eigen::Index z = layout.auxiliaries;
  accelerations_.resize(f + z, covectors.cols());
  velocities_.resize(f, covectors.cols());
  for (Eigen::Index i = 0; i < f; ++i) {
    const int row = free[static_cast<std::size_t>(i)];
    velocities_.row(i) = covectors.row(row);
    accelerations_.row(i) = covectors.row(layout.v_0() + row);
  }
  accelerations_.bottomRows(z) = covectors.middleRows(layout.z(), z);
  changes.setZero(covectors.rows(), covectors.cols());
  in_charts.setZero(covectors.rows(), covectors.cols());
  for (const Turn& turn : turns) {
    const int row = free[static_cast<std::size_t>(turn.column)];
    in_charts.middleRows<3>(row) = turn.by_turn.transpose() * covectors.middleRows<3>(row);
    velocities_.middleRows<3>(turn.column) =
        turn.by_omega.transpose() * covectors.middleRows<3>(row);
  }
  positions_.noalias() = by_position.transpose() * accelerations_;
  velocities_.noalias() += by_velocity.transpose() * accelerations_;
  changes.middleRows(layout.z(), z).noalias() = by_auxiliary.transpose() * accelerations_;
  for (Eigen::Index i = 0; i < f; ++i) {
    const int row = free[static_cast<std::size_t>(i)];
    changes.row(row) = positions_.row(i);
    changes.row(layout.v_0() + row) = velocities_.row(i);
  }
}

}  // namespace spacedyn
