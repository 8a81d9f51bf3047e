#include <cmath>
#include <string>

#include "math/decompositions.hpp"
#include "model/model_validation.hpp"
#include "model/short_number.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

// an eigenvalue or asymmetry beyond this fraction of the trace is no rounding error of its author
constexpr double kInertiaTolerance = 1e-12;
// identified tensors are printed with a few digits; a warning needs a clear violation
constexpr double kTriangleTolerance = 1e-9;
constexpr double kRotationTolerance = 1e-6;

void validate_inertia(const BodyDescription& body, const std::string& path, bool may_be_part,
                      std::vector<Problem>& problems) {
  const Matrix3& I = body.inertia;
  if (!I.allFinite()) {
    problems.push_back({Severity::error, path, "expected finite numbers", ""});
    return;
  }
  if (body.carries_modes) return;
  const double scale = std::abs(I.trace());
  const double asymmetry = (I - I.transpose()).cwiseAbs().maxCoeff();
  const Severity severity = body.unphysical_inertia ? Severity::warning : Severity::error;
  if (asymmetry > kInertiaTolerance * scale) {
    problems.push_back({severity, path,
                        "expected a symmetric tensor, got elements that differ by " +
                            short_number(asymmetry) + " kg m²",
                        body.unphysical_inertia ? "its symmetric part is used" : ""});
    if (!body.unphysical_inertia) return;
  }
  const Vector3 eigenvalues = symmetric_eigenvalues(Matrix3(0.5 * (I + I.transpose())));
  if (eigenvalues(0) < -kInertiaTolerance * scale) {
    problems.push_back(
        {severity, path,
         "expected a positive semidefinite tensor, got the eigenvalue " +
             short_number(eigenvalues(0)) + " kg m²",
         body.unphysical_inertia ? "" : "'unphysical_inertia: true' accepts the tensor as it is"});
    return;
  }
  if (!may_be_part &&
      eigenvalues(0) + eigenvalues(1) < eigenvalues(2) - kTriangleTolerance * scale) {
    problems.push_back(
        {Severity::warning, path,
         "no rigid body has these principal moments: " + short_number(eigenvalues(0)) + " + " +
             short_number(eigenvalues(1)) + " < " + short_number(eigenvalues(2)) + " kg m²",
         ""});
  }
}

}  // namespace

void validate_body(const BodyDescription& body, const std::string& path,
                   std::vector<Problem>& problems, bool may_be_part) {
  if (!std::isfinite(body.mass) || (body.mass < 0.0 && !body.carries_modes)) {
    problems.push_back({Severity::error, path + ".mass",
                        "expected a finite mass of at least 0 kg, got " + short_number(body.mass),
                        ""});
  }
  if (!body.center_of_mass.allFinite()) {
    problems.push_back({Severity::error, path + ".center_of_mass", "expected finite numbers", ""});
  }
  validate_inertia(body, path + ".inertia", may_be_part, problems);
}

void validate_pose(const Pose& pose, const std::string& path, std::vector<Problem>& problems) {
  if (!pose.position.allFinite()) {
    problems.push_back({Severity::error, path + ".xyz", "expected finite numbers", ""});
  }
  if (!pose.rotation.allFinite() || orthogonality_error(pose.rotation) > kRotationTolerance ||
      pose.rotation.determinant() < 0.0) {
    problems.push_back({Severity::error, path,
                        "expected a rotation: orthonormal to 1e-6 with determinant +1", ""});
  }
}

}  // namespace spacedyn
