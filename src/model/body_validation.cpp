#include <cmath>
#include <map>
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

/// Number of the elements of CollisionShape::size that count.
int size_count(CollisionType type) {
  switch (type) {
    case CollisionType::sphere:
      return 1;
    case CollisionType::box:
    case CollisionType::ellipsoid:
      return 3;
    case CollisionType::cylinder:
    case CollisionType::capsule:
      return 2;
    case CollisionType::mesh:
      break;  // its scale has any sign
  }
  return 0;
}

class CollisionValidator {
 public:
  CollisionValidator(const ModelDescription& description, std::vector<Problem>& problems)
      : problems_(problems), may_have_dots_(!description.robots.empty()) {
    bodies_.emplace(description.base.name, &description.base);
    for (const LinkDescription& link : description.links) bodies_.emplace(link.name, &link);
  }

  void check(const BodyDescription& body, const std::string& path) {
    for (std::size_t i = 0; i < body.collisions.size(); ++i) {
      const std::string own = path + ".collision." + std::to_string(i);
      check_name(body, body.collisions[i].name, own + ".name");
      check_shape(body.collisions[i], own);
    }
  }

 private:
  void error(const std::string& path, const std::string& message) {
    problems_.push_back({Severity::error, path, message, ""});
  }

  void check_name(const BodyDescription& body, const std::string& name, const std::string& path) {
    if (name.empty() || (!may_have_dots_ && name.find('.') != std::string::npos)) {
      return error(path, "expected a name without dots, got '" + name + "'");
    }
    if (name == "terrain" || name == "all") {
      return error(path,
                   "expected another name, got '" + name + "', which has a meaning of its own");
    }
    const auto named = bodies_.find(name);
    if (named != bodies_.end() && named->second != &body) {
      return error(path, "expected a name of its own, got '" + name + "' like a link");
    }
    const auto [owner, added] = taken_.emplace(name, path);
    if (!added) error(path, "expected a name of its own, got '" + name + "' like " + owner->second);
  }

  void check_shape(const CollisionShape& shape, const std::string& path) {
    validate_pose(shape.origin, path + ".origin", problems_);
    if (shape.type == CollisionType::mesh && shape.hull == nullptr) {
      return error(path, "expected the convex hull of a mesh");
    }
    for (int k = 0; k < size_count(shape.type); ++k) {
      if (std::isfinite(shape.size(k)) && shape.size(k) > 0.0) continue;
      return error(path, "expected a shape with positive, finite lengths");
    }
  }

  std::vector<Problem>& problems_;
  const bool may_have_dots_;  // those after the names of robots
  std::map<std::string, const BodyDescription*> bodies_;
  std::map<std::string, std::string> taken_;
};

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

void validate_collisions(const ModelDescription& description, std::vector<Problem>& problems) {
  CollisionValidator validator(description, problems);
  validator.check(description.base, "base");
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    validator.check(description.links[i], "links." + std::to_string(i));
  }
}

}  // namespace spacedyn
