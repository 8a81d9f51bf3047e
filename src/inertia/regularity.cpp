#include "spacedyn/inertia/regularity.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/StdVector>

#include "inertia/dense_size.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "math/decompositions.hpp"
#include "spacedyn/inertia/manipulability.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

using InertiaList = std::vector<Matrix6, Eigen::aligned_allocator<Matrix6>>;

// what remains of an inertia after eliminations that cancel it is rounding, not inertia
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// Inertia of body i about its own centroid, (linear, angular).
Matrix6 body_inertia(const Model& model, const LinkFrames& frames, int body) {
  const auto i = static_cast<std::size_t>(body);
  Matrix6 inertia = Matrix6::Zero();
  inertia.topLeftCorner<3, 3>().diagonal().setConstant(model.body(body).mass);
  inertia.bottomRightCorner<3, 3>() =
      frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose();
  return inertia;
}

/// An inertia about a point that lies at −@p arm from the one that it is about: robots far from the
/// origin keep the digits of their own.
Matrix6 moved(const Matrix6& inertia, const Vector3& arm) {
  Matrix6 twist = Matrix6::Identity();
  twist.topRightCorner<3, 3>() = -tilde(arm);
  return twist.transpose() * inertia * twist;
}

/// Twist of link i per rate of joint i, taken at its centroid.
Vector6 joint_twist(const Model& model, const LinkFrames& frames, int link) {
  const auto i = static_cast<std::size_t>(link);
  Vector6 twist;
  twist << linear_column(model, frames, link, frames.r[i]), angular_column(model, frames, link);
  return twist;
}

/// Lengths at which the rotational part counts like the translational one.
bool is_positive_definite(const Matrix6& inertia) {
  const Vector6 scale = inertia.diagonal().cwiseMax(0.0).cwiseSqrt();
  if (scale.minCoeff() <= 0.0) return false;
  const Matrix6 normalized =
      scale.cwiseInverse().asDiagonal() * inertia * scale.cwiseInverse().asDiagonal();
  return symmetric_eigenvalues(MatrixX(normalized))(0) > kRounding;
}

}  // namespace

std::optional<std::string> find_singularity(const Model& model, const State& state,
                                            bool base_free) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  InertiaList articulated;
  InertiaList composite;  // the size of what the articulated inertia was subtracted from
  for (int body = 0; body < model.body_count(); ++body) {
    articulated.push_back(body_inertia(model, frames, body));
  }
  composite = articulated;
  for (int link = model.joint_count(); link > 0; --link) {
    const auto i = static_cast<std::size_t>(link);
    const auto lower = static_cast<std::size_t>(model.topology().connection(link));
    const Vector6 twist = joint_twist(model, frames, link);
    const Vector6 force = articulated[i] * twist;
    const double armature = model.joint(link).armature;
    const double inertia = twist.dot(force) + armature;
    const double size = twist.dot(composite[i] * twist) + armature;
    if (!(inertia > kRounding * size)) return "joint '" + model.joint(link).name + "'";
    const Vector3 arm = frames.r[i] - frames.r[lower];
    articulated[lower] += moved(articulated[i] - force * force.transpose() / inertia, arm);
    composite[lower] += moved(composite[i], arm);
  }
  if (base_free && !is_positive_definite(articulated[0])) return "the base";
  return std::nullopt;
}

Manipulability compute_manipulability(const ManipulabilityOptions& options,
                                      SingularValues& jacobian) noexcept {
  MatrixX& J = jacobian.matrix();
  if (J.rows() == 6) J.topRows<3>() /= options.length;
  jacobian.decompose_relative(options.tolerance);
  const VectorX& sigma = jacobian.sigma();
  Manipulability result;
  result.rank = jacobian.rank();
  result.threshold = jacobian.threshold();
  result.is_singular = result.rank < sigma.size();
  if (sigma.size() == 0) return result;
  result.sigma_max = sigma(0);
  result.sigma_min = sigma(sigma.size() - 1);
  if (J.cols() >= J.rows()) result.measure = sigma.prod();
  return result;
}

Manipulability manipulability(const Eigen::Ref<const MatrixX>& J,
                              const ManipulabilityOptions& options) {
  require_positive("length", options.length);
  require_not_negative("tolerance", options.tolerance);
  if (J.rows() == 0) throw DomainError("the Jacobian has no rows, expected at least one");
  if (!J.allFinite()) throw DomainError("the Jacobian is not finite");
  SingularValues jacobian(static_cast<int>(J.rows()), static_cast<int>(J.cols()));
  jacobian.matrix() = J;
  return compute_manipulability(options, jacobian);
}

Manipulability fixed_base_manipulability(const Model& model, const State& state, const Frame& frame,
                                         const ManipulabilityOptions& options) {
  return manipulability(frame_jacobians(model, state, frame).J_m, options);
}

Manipulability free_floating_manipulability(const Model& model, const State& state,
                                            const Frame& frame,
                                            const ManipulabilityOptions& options) {
  return manipulability(generalized_jacobian(model, state, frame), options);
}

}  // namespace spacedyn
