#include "spacedyn/inertia/reduced_inertia.hpp"

#include "spacedyn/error.hpp"

namespace spacedyn {

MatrixX reduced_inertia(const InertiaBlocks& blocks) {
  if (blocks.H_m.cols() == 0) return blocks.H_m;
  const Eigen::LLT<Matrix6> factorization(blocks.H_b);
  if (factorization.info() != Eigen::Success) {
    throw NumericalError(
        "the inertia H_b of the whole system about its base is not positive "
        "definite, so it has no reduced inertia H*",
        0.0, 0, "H_b");
  }
  const MatrixX base_twist = factorization.solve(blocks.H_bm);
  MatrixX H_star = blocks.H_m;
  H_star.noalias() -= blocks.H_bm.transpose() * base_twist;
  // symmetric in exact arithmetic; rounding must not decide otherwise
  return 0.5 * (H_star + H_star.transpose());
}

}  // namespace spacedyn
