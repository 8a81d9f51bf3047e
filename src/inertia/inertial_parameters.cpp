#include "spacedyn/inertia/inertial_parameters.hpp"

#include <algorithm>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "inertia/dense_size.hpp"
#include "inertia/rigid_parts.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/kinematics/link_motion.hpp"

namespace spacedyn {
namespace {

/// The part's centroid as a point of the joined body.
Frame centroid(const RigidPart& part, const LinkFrames& frames) {
  const auto i = static_cast<std::size_t>(part.body);
  return {"", part.body, frames.A[i].transpose() * (part.r - frames.o[i]), Matrix3::Identity()};
}

/// Σ J_iᵀ [m_i v_i; I_i ω_i] and the rotors' own, size 6 + n.
VectorX generalized_momentum(const Model& joined, const LinkFrames& frames,
                             const MovingParts& parts) {
  VectorX momentum = VectorX::Zero(joined.velocity_size());
  Matrix6X J_m(6, joined.joint_count());
  momentum.tail(joined.joint_count()) = parts.rotor_momentum;
  for (const RigidPart& part : parts.bodies) {
    const Frame point = centroid(part, frames);
    Vector6 own;
    own << part.mass * part.v, part.inertia * part.omega;
    frame_jacobian(joined, frames, point, J_m);
    momentum.head<6>() += base_jacobian(frames, point).transpose() * own;
    momentum.tail(joined.joint_count()) += J_m.transpose() * own;
  }
  return momentum;
}

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

void add_parts(const Model& model, const State& state, const Model& joined,
               const std::string& prefix, MovingParts& parts) {
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Body& source = model.body(body);
    RigidPart part;
    part.body = joined.frame(prefix + source.name).body;
    part.mass = source.mass;
    part.inertia = frames.A[i] * source.inertia_L * frames.A[i].transpose();
    part.r = frames.r[i];
    part.v = velocities.v[i];
    part.omega = velocities.omega[i];
    parts.bodies.push_back(part);
  }
  for (int joint = 1; joint <= model.joint_count(); ++joint) {
    const Joint& source = model.joint(joint);
    if (const auto there = joined.find_joint(prefix + source.name)) {
      parts.rotor_momentum(*there - 1) += source.armature * state.qd(joint - 1);
    }
  }
}

void set_plastic_velocity(const Model& joined, const MovingParts& parts, State& state) {
  LinkFrames frames(joined);
  compute_link_frames(joined, state, frames);
  const VectorX momentum = generalized_momentum(joined, frames, parts);
  // a fixed base stays at rest
  const Eigen::Index free = joined.has_fixed_base() ? joined.joint_count() : joined.velocity_size();
  const MatrixX H = inertia_matrix(joined, state).bottomRightCorner(free, free);
  const Eigen::LLT<MatrixX> factorization(H);
  if (free > 0 && factorization.info() != Eigen::Success) {
    throw NumericalError("the inertia matrix of the joined system is not positive definite", 0.0, 0,
                         "inertia matrix");
  }
  VectorX u = VectorX::Zero(joined.velocity_size());
  if (free > 0) u.tail(free) = factorization.solve(momentum.tail(free));
  state.v_0 = linear_part(u);
  state.omega_0 = angular_part(u);
  state.qd = joint_part(u);
}

VelocityJump largest_jump(const Model& joined, const State& state, const MovingParts& parts) {
  LinkFrames frames(joined);
  LinkVelocities velocities(joined);
  compute_link_frames(joined, state, frames);
  compute_link_velocities(joined, state, frames, velocities);
  VelocityJump jump;
  for (const RigidPart& part : parts.bodies) {
    const Vector6 after = frame_velocity(frames, velocities, centroid(part, frames));
    jump.linear = std::max(jump.linear, (after.head<3>() - part.v).norm());
    jump.angular = std::max(jump.angular, (after.tail<3>() - part.omega).norm());
  }
  return jump;
}

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
