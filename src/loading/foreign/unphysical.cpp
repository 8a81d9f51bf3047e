#include "loading/foreign/unphysical.hpp"

#include <cmath>

#include <Eigen/Eigenvalues>

namespace spacedyn::loading::foreign {

bool is_unphysical(const Matrix3& inertia) {
  constexpr double kTolerance = 1e-12;
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inertia, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()(0) < -kTolerance * std::abs(inertia.trace());
}

}  // namespace spacedyn::loading::foreign
