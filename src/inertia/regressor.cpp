#include "spacedyn/inertia/regressor.hpp"

#include "inertia/dense_size.hpp"
#include "kinematics/acceleration_check.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// Linear rows above, angular rows about the origin of the body's frame below.
using BodyColumns = Eigen::Matrix<double, 6, kInertialParameters>;

/// I w as a matrix that I_xx, I_xy, I_xz, I_yy, I_yz, I_zz are multiplied by.
Eigen::Matrix<double, 3, 6> tensor_times(const Vector3& w) {
  Eigen::Matrix<double, 3, 6> L;
  L << w.x(), w.y(), w.z(), 0.0, 0.0, 0.0,  //
      0.0, w.x(), 0.0, w.y(), w.z(), 0.0,   //
      0.0, 0.0, w.x(), 0.0, w.y(), w.z();
  return L;
}

/// How the frame of a body moves that is not a carrier, in its own axes.
struct FrameMotion {
  Matrix3 R;       ///< the body's axes, as the file gives them, to inertial components
  Vector3 origin;  ///< inertial
  Vector3 arm;     ///< from the centroid to the origin, inertial
  Vector3 v, omega;

  FrameMotion(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
              int body) {
    const auto i = static_cast<std::size_t>(body);
    R = frames.A[i] * model.body(body).user_axes;
    origin = frames.o[i];
    arm = -(frames.A[i] * model.body(body).center_of_mass);
    v = R.transpose() * (velocities.v[i] + velocities.omega[i].cross(arm));
    omega = R.transpose() * velocities.omega[i];
  }

  /// Columns in inertial axes, still about the origin of the frame.
  BodyColumns turned(BodyColumns columns) const {
    columns.topRows<3>() = (R * columns.topRows<3>()).eval();
    columns.bottomRows<3>() = (R * columns.bottomRows<3>()).eval();
    return columns;
  }
};

/// [P; L] of a body: p = m v + ω × h, l = I ω + h × v with h = m c.
BodyColumns momentum_columns(const FrameMotion& motion) {
  BodyColumns columns = BodyColumns::Zero();
  columns.col(0).head<3>() = motion.v;
  columns.block<3, 3>(0, 1) = tilde(motion.omega);
  columns.block<3, 3>(3, 1) = -tilde(motion.v);
  columns.block<3, 6>(3, 4) = tensor_times(motion.omega);
  return columns;
}

/// [f; n] of a body with a the acceleration of the origin less gravity, all in the body's axes:
/// f = m a + ω̇ × h + ω × (ω × h), n = I ω̇ + ω × I ω + h × a.
BodyColumns force_columns(const Vector3& a, const Vector3& omega, const Vector3& omegad) {
  const Matrix3 turn = tilde(omega);
  BodyColumns columns = BodyColumns::Zero();
  columns.col(0).head<3>() = a;
  columns.block<3, 3>(0, 1) = tilde(omegad) + turn * turn;
  columns.block<3, 3>(3, 1) = -tilde(a);
  columns.block<3, 6>(3, 4) = tensor_times(omegad) + turn * tensor_times(omega);
  return columns;
}

int column_count(const Model& model) { return kInertialParameters * model.body_count(); }

/// Moves the point about which moments are taken from the origin of the frame to r_0.
void about_r_0(const Vector3& r_0, const Vector3& origin, BodyColumns& columns) {
  columns.bottomRows<3>() += tilde(origin - r_0) * columns.topRows<3>();
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
    const Vector3& omega = velocities.omega[i];
    const Vector3& omegad = accelerations.omegad[i];
    const Vector3 a = accelerations.vd[i] - gravity + omegad.cross(motion.arm) +
                      omega.cross(omega.cross(motion.arm));
    BodyColumns columns = motion.turned(
        force_columns(motion.R.transpose() * a, motion.omega, motion.R.transpose() * omegad));
    for_each_joint_below(model, body, [&](int joint) {
      regressor.block<1, kInertialParameters>(joint + 5, first) =
          linear_column(model, frames, joint, motion.origin).transpose() * columns.topRows<3>() +
          angular_column(model, frames, joint).transpose() * columns.bottomRows<3>();
    });
    about_r_0(frames.r[0], motion.origin, columns);
    regressor.block<6, kInertialParameters>(0, first) = columns;
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
    BodyColumns columns = motion.turned(momentum_columns(motion));
    about_r_0(frames.r[0], motion.origin, columns);
    regressor.block<6, kInertialParameters>(0, first) = columns;
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
    // T = ½ (v·p + ω·l), the momenta being linear in the parameters; V = −g·(m o + R h)
    const BodyColumns momenta = momentum_columns(motion);
    regressor.block<1, kInertialParameters>(0, first) =
        0.5 * (motion.v.transpose() * momenta.topRows<3>() +
               motion.omega.transpose() * momenta.bottomRows<3>());
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

}  // namespace spacedyn
