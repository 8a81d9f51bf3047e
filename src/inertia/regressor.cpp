#include "spacedyn/inertia/regressor.hpp"

#include <algorithm>
#include <limits>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "inertia/dense_size.hpp"
#include "inertia/rigid_parts.hpp"
#include "kinematics/acceleration_check.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "math/squared_arm.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/inertia/inertial_parameters.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// The wrench of a body per inertial parameter, inertial axes. Its force does not depend on the
/// inertia, its moment about the origin of its frame not on the mass: that column is zero.
struct BodyColumns {
  Eigen::Matrix<double, 3, 4, Eigen::RowMajor> force;
  Eigen::Matrix<double, 3, kInertialParameters, Eigen::RowMajor> moment;
};

/// How the frame of a body moves that is not a carrier, inertial axes.
struct FrameMotion {
  Matrix3 R;  ///< the body's axes, as the file gives them
  Vector3 origin;
  Vector3 arm;  ///< from the centroid to the origin
  Vector3 v, omega;

  FrameMotion(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
              int body) {
    const auto i = static_cast<std::size_t>(body);
    R.noalias() = frames.A[i] * model.body(body).user_axes;
    origin = frames.o[i];
    arm = -(frames.A[i] * model.body(body).center_of_mass);
    v = velocities.v[i] + velocities.omega[i].cross(arm);
    omega = velocities.omega[i];
  }
};

/// [f; n] of a body with a the acceleration of the origin less gravity and h = m c:
/// f = m a + ω̇ × h + ω × (ω × h), n = I ω̇ + ω × I ω + h × a.
BodyColumns force_columns(const Matrix3& R, const Vector3& a, const Vector3& omegad,
                          const Vector3& omega) {
  const Vector3 w = R.transpose() * omega;
  const Vector3 wd = R.transpose() * omegad;
  Matrix3 turn;  // ω × each axis
  for (int i = 0; i < 3; ++i) turn.col(i) = omega.cross(R.col(i));
  BodyColumns columns;
  columns.force.col(0) = a;
  columns.moment.col(0).setZero();
  int k = 4;
  for (int i = 0; i < 3; ++i) {
    columns.force.col(1 + i) = omegad.cross(R.col(i)) + omega.cross(turn.col(i));
    columns.moment.col(1 + i) = R.col(i).cross(a);
    columns.moment.col(k++) = wd(i) * R.col(i) + w(i) * turn.col(i);
    for (int j = i + 1; j < 3; ++j) {
      columns.moment.col(k++) =
          wd(j) * R.col(i) + wd(i) * R.col(j) + w(j) * turn.col(i) + w(i) * turn.col(j);
    }
  }
  return columns;
}

int column_count(const Model& model) { return kInertialParameters * model.body_count(); }

/// The first six rows: moments about a point from which the origin of the frame is @p arm away.
template <typename Rows>
void write_base_rows(const BodyColumns& columns, const Vector3& arm, Rows rows) {
  rows.template topLeftCorner<3, 4>() = columns.force;
  rows.template bottomRows<3>() = columns.moment;
  for (int k = 0; k < 4; ++k) {
    rows.template block<3, 1>(3, k) += arm.cross(columns.force.col(k));
  }
}

template <typename Add>
void for_each_body(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
                   Add add) {
  for (int body = 0; body < model.body_count(); ++body) {
    if (model.is_carrier(body)) continue;
    add(body, kInertialParameters * body, FrameMotion(model, frames, velocities, body));
  }
}

struct Motion {
  Motion(const Model& model, const State& state) : frames(model), velocities(model) {
    state.check(model);
    dense_size(model, "regressor");
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
  }
  LinkFrames frames;
  LinkVelocities velocities;
};

void check_gravity(const Vector3& gravity) {
  if (!gravity.allFinite()) throw DomainError("gravity is not finite");
}

}  // namespace

void inverse_dynamics_regressor(const Model& model, const LinkFrames& frames,
                                const LinkVelocities& velocities,
                                const LinkAccelerations& accelerations, const Vector3& gravity,
                                Eigen::Ref<MatrixX> regressor) {
  SPACEDYN_ASSERT(regressor.rows() == model.velocity_size());
  SPACEDYN_ASSERT(regressor.cols() == column_count(model));
  regressor.setZero();
  for_each_body(model, frames, velocities, [&](int body, int first, const FrameMotion& motion) {
    const auto i = static_cast<std::size_t>(body);
    const Vector3& omegad = accelerations.omegad[i];
    const Vector3 a = accelerations.vd[i] - gravity + omegad.cross(motion.arm) +
                      motion.omega.cross(motion.omega.cross(motion.arm));
    const BodyColumns columns = force_columns(motion.R, a, omegad, motion.omega);
    for_each_joint_below(model, body, [&](int joint) {
      const Vector3 linear = linear_column(model, frames, joint, motion.origin);
      const Vector3 angular = angular_column(model, frames, joint);
      Eigen::Matrix<double, 1, kInertialParameters> row = angular.x() * columns.moment.row(0) +
                                                          angular.y() * columns.moment.row(1) +
                                                          angular.z() * columns.moment.row(2);
      row.head<4>() += linear.x() * columns.force.row(0) + linear.y() * columns.force.row(1) +
                       linear.z() * columns.force.row(2);
      regressor.block<1, kInertialParameters>(joint + 5, first) = row;
    });
    write_base_rows(columns, motion.origin - frames.r[0],
                    regressor.block<6, kInertialParameters>(0, first));
  });
}

MatrixX inverse_dynamics_regressor(const Model& model, const State& state,
                                   ConstVectorRef acceleration, const Vector3& gravity) {
  check_acceleration(model, acceleration);
  check_gravity(gravity);
  const Motion now(model, state);
  LinkAccelerations accelerations(model);
  compute_link_accelerations(model, state, now.frames, now.velocities, acceleration, accelerations);
  MatrixX regressor(model.velocity_size(), column_count(model));
  inverse_dynamics_regressor(model, now.frames, now.velocities, accelerations, gravity, regressor);
  return regressor;
}

void momentum_regressor(const Model& model, const LinkFrames& frames,
                        const LinkVelocities& velocities, Eigen::Ref<Matrix6X> regressor) {
  SPACEDYN_ASSERT(regressor.cols() == column_count(model));
  regressor.setZero();
  for_each_body(model, frames, velocities, [&](int, int first, const FrameMotion& motion) {
    // p = m v + ω × h, l = I ω + h × v: the forces of a frame that begins to move
    const BodyColumns columns = force_columns(motion.R, motion.v, motion.omega, Vector3::Zero());
    write_base_rows(columns, motion.origin - frames.r[0],
                    regressor.block<6, kInertialParameters>(0, first));
  });
}

Matrix6X momentum_regressor(const Model& model, const State& state) {
  const Motion now(model, state);
  Matrix6X regressor(6, column_count(model));
  momentum_regressor(model, now.frames, now.velocities, regressor);
  return regressor;
}

void energy_regressor(const Model& model, const LinkFrames& frames,
                      const LinkVelocities& velocities, const Vector3& gravity,
                      Eigen::Ref<MatrixX> regressor) {
  SPACEDYN_ASSERT(regressor.rows() == 2 && regressor.cols() == column_count(model));
  regressor.setZero();
  for_each_body(model, frames, velocities, [&](int, int first, const FrameMotion& motion) {
    // T = ½ m v·v + v·(ω × h) + ½ ω·I ω; V = −g·(m o + R h)
    const Vector3 w = motion.R.transpose() * motion.omega;
    const Vector3 cross = motion.R.transpose() * motion.v.cross(motion.omega);
    auto row = regressor.block<1, kInertialParameters>(0, first);
    row << 0.5 * motion.v.squaredNorm(), cross.transpose(),  //
        0.5 * w.x() * w.x(), w.x() * w.y(), w.x() * w.z(),   //
        0.5 * w.y() * w.y(), w.y() * w.z(), 0.5 * w.z() * w.z();
    regressor(1, first) = -gravity.dot(motion.origin);
    regressor.block<1, 3>(1, first + 1) = -gravity.transpose() * motion.R;
  });
}

MatrixX energy_regressor(const Model& model, const State& state, const Vector3& gravity) {
  check_gravity(gravity);
  const Motion now(model, state);
  MatrixX regressor(2, column_count(model));
  energy_regressor(model, now.frames, now.velocities, gravity, regressor);
  return regressor;
}

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
  const Matrix3 I = axes.transpose() * body.inertia_L * axes + body.mass * squared_arm(c);
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
