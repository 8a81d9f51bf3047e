#include "oracles/small_vibrations.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "spacedyn/inertia/inertia_blocks.hpp"

namespace spacedyn::testing {

MatrixX joint_stiffness(const Model& model) {
  VectorX stiffness(model.joint_count());
  for (int i = 1; i <= model.joint_count(); ++i) stiffness(i - 1) = model.joint(i).stiffness;
  return stiffness.asDiagonal();
}

Vibrations small_vibrations(const Model& model) {
  const int n = model.joint_count();
  const MatrixX H = inertia_matrix(model, State(model));
  MatrixX reduced = H.bottomRightCorner(n, n);
  if (!model.has_fixed_base()) {
    const MatrixX H_bm = H.topRightCorner(6, n);
    reduced -= H_bm.transpose() * H.topLeftCorner(6, 6).llt().solve(H_bm);
  }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(joint_stiffness(model), reduced);
  return {solver.eigenvalues().cwiseMax(0.0).cwiseSqrt(), solver.eigenvectors()};
}

}  // namespace spacedyn::testing
