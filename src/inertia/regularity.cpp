#include "spacedyn/inertia/regularity.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/StdVector>

#include "math/decompositions.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

using InertiaList = std::vector<Matrix6, Eigen::aligned_allocator<Matrix6>>;

// what remains of an inertia after eliminations that cancel it is rounding, not inertia
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

/// Inertia of body i about the base centroid, (linear, angular), as a block of (19).
Matrix6 body_inertia(const Model& model, const LinkFrames& frames, int body) {
  const auto i = static_cast<std::size_t>(body);
  const double m = model.body(body).mass;
  const Matrix3 r = tilde(frames.r[i] - frames.r[0]);
  Matrix6 inertia;
  inertia << m * Matrix3::Identity(), m * r.transpose(), m * r,
      frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose() + m * r.transpose() * r;
  return inertia;
}

/// Twist of link i per rate of joint i, taken at the base centroid.
Vector6 joint_twist(const Model& model, const LinkFrames& frames, int link) {
  const auto i = static_cast<std::size_t>(link);
  Vector6 twist;
  if (model.joint(link).type == JointType::revolute) {
    twist << frames.k[i].cross(frames.r[0] - frames.p[i]), frames.k[i];
  } else {
    twist << frames.k[i], Vector3::Zero();
  }
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
    articulated[lower] += articulated[i] - force * force.transpose() / inertia;
    composite[lower] += composite[i];
  }
  if (base_free && !is_positive_definite(articulated[0])) return "the base";
  return std::nullopt;
}

}  // namespace spacedyn
