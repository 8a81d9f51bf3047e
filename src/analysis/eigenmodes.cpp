#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

#include "spacedyn/analysis/linearization.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// Unit length, the phase chosen so that the largest element is real and positive.
Eigen::VectorXcd normalized(const Eigen::VectorXcd& shape) {
  Eigen::Index largest = 0;
  shape.cwiseAbs().maxCoeff(&largest);
  const std::complex<double> pivot = shape(largest);
  return shape * (std::conj(pivot) / std::abs(pivot)) / shape.norm();
}

}  // namespace

double EigenMode::frequency() const { return std::abs(eigenvalue.imag()) / (2.0 * kPi); }

std::vector<EigenMode> eigenmodes(const MatrixX& A) {
  if (A.rows() != A.cols()) throw DomainError("only a square matrix has eigenmodes");
  if (!A.allFinite()) throw DomainError("the matrix has an element that is not finite");
  if (A.rows() == 0) return {};
  const Eigen::EigenSolver<MatrixX> solver(A);
  if (solver.info() != Eigen::Success) {
    throw NumericalError("the eigenvalues did not converge", 0.0, 0, "eigenvalues");
  }
  const double rounding =
      std::sqrt(static_cast<double>(A.rows()) * std::numeric_limits<double>::epsilon() *
                A.cwiseAbs().maxCoeff());
  std::vector<EigenMode> modes;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    EigenMode mode;
    mode.eigenvalue = solver.eigenvalues()(i);
    mode.omega = std::abs(mode.eigenvalue);
    if (mode.omega <= rounding) {
      mode.eigenvalue = mode.omega = 0.0;
    } else {
      if (mode.eigenvalue.imag() < 0.0) continue;  // the other of a pair
      mode.damping_ratio = -mode.eigenvalue.real() / mode.omega;
    }
    mode.shape = normalized(solver.eigenvectors().col(i));
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(),
                   [](const EigenMode& a, const EigenMode& b) { return a.omega < b.omega; });
  return modes;
}

}  // namespace spacedyn
