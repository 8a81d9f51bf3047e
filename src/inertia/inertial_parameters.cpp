#include "spacedyn/inertia/inertial_parameters.hpp"

#include <limits>

#include <Eigen/Eigenvalues>

#include "inertia/option_checks.hpp"

namespace spacedyn {
namespace {

/// Scales the coordinates of a pseudo-inertia: x → x / length.
Eigen::Matrix4d in_units_of(double length, const Eigen::Matrix4d& P) {
  const Eigen::Vector4d scale(1.0 / length, 1.0 / length, 1.0 / length, 1.0);
  return scale.asDiagonal() * P * scale.asDiagonal();
}

InertialParameters parameters_of(double mass, const Vector3& first_moment, const Matrix3& I) {
  InertialParameters parameters;
  parameters << mass, first_moment, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2);
  return parameters;
}

}  // namespace

InertialParameters inertial_parameters(const Body& body) {
  const Matrix3& axes = body.user_axes;
  const Vector3 c = axes.transpose() * body.center_of_mass;
  // Steiner's theorem, from the centroid to the origin of the frame
  const Matrix3 I = axes.transpose() * body.inertia_L * axes +
                    body.mass * (c.squaredNorm() * Matrix3::Identity() - c * c.transpose());
  return parameters_of(body.mass, body.mass * c, I);
}

VectorX inertial_parameters(const Model& model) {
  VectorX parameters(kInertialParameters * model.body_count());
  for (int i = 0; i < model.body_count(); ++i) {
    parameters.segment<kInertialParameters>(kInertialParameters * i) =
        inertial_parameters(model.body(i));
  }
  return parameters;
}

std::vector<std::string> inertial_parameter_names(const Model& model) {
  std::vector<std::string> names;
  for (int i = 0; i < model.body_count(); ++i) {
    for (const char* parameter :
         {".mass", ".mx", ".my", ".mz", ".xx", ".xy", ".xz", ".yy", ".yz", ".zz"}) {
      names.push_back(model.body(i).name + parameter);
    }
  }
  return names;
}

Eigen::Matrix4d pseudo_inertia(const InertialParameters& parameters) {
  Matrix3 I;
  I << parameters(4), parameters(5), parameters(6),  //
      parameters(5), parameters(7), parameters(8),   //
      parameters(6), parameters(8), parameters(9);
  Eigen::Matrix4d P;
  P.topLeftCorner<3, 3>() = 0.5 * I.trace() * Matrix3::Identity() - I;
  P.topRightCorner<3, 1>() = parameters.segment<3>(1);
  P.bottomLeftCorner<1, 3>() = parameters.segment<3>(1).transpose();
  P(3, 3) = parameters(0);
  return P;
}

InertialParameters inertial_parameters_of(const Eigen::Matrix4d& pseudo_inertia) {
  const Eigen::Matrix4d P = 0.5 * (pseudo_inertia + pseudo_inertia.transpose());
  const Matrix3 sigma = P.topLeftCorner<3, 3>();
  return parameters_of(P(3, 3), P.topRightCorner<3, 1>(),
                       sigma.trace() * Matrix3::Identity() - sigma);
}

bool is_physically_consistent(const InertialParameters& parameters) {
  if (!parameters.allFinite()) return false;
  const Eigen::Matrix4d P = pseudo_inertia(parameters);
  if (P.diagonal().minCoeff() <= 0.0) return false;
  // with a diagonal of ones neither units nor a slender shape hide in rounding what is not positive
  const Eigen::Vector4d scale = P.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::Matrix4d scaled = scale.asDiagonal() * P * scale.asDiagonal();
  constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(scaled, Eigen::EigenvaluesOnly)
             .eigenvalues()
             .minCoeff() > kRounding;
}

InertialParameters nearest_consistent_parameters(const InertialParameters& parameters,
                                                 double length, double margin) {
  require_positive("length", length);
  require_positive("margin", margin);
  if (margin >= 1.0) {
    throw DomainError("margin is " + short_number(margin) + ", expected a number below 1");
  }
  if (!parameters.allFinite()) throw DomainError("parameters are not finite");
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(
      in_units_of(length, pseudo_inertia(parameters)));
  const double largest = solver.eigenvalues().maxCoeff();
  if (largest <= 0.0) {
    throw DomainError(
        "parameters have a pseudo-inertia without a positive eigenvalue; expected "
        "those of a body, if inexact ones");
  }
  const Eigen::Vector4d kept = solver.eigenvalues().cwiseMax(margin * largest);
  const Eigen::Matrix4d nearest =
      solver.eigenvectors() * kept.asDiagonal() * solver.eigenvectors().transpose();
  return inertial_parameters_of(in_units_of(1.0 / length, nearest));
}

}  // namespace spacedyn
