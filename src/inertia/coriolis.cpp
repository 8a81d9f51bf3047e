#include "spacedyn/inertia/coriolis.hpp"

#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// Velocity and angular velocity of one body per u, and their derivatives.
void compute_body_jacobians(const Model& model, const LinkFrames& frames,
                            const LinkVelocities& velocities, int body, CoriolisWorkspace& work) {
  const auto i = static_cast<std::size_t>(body);
  const int n = model.joint_count();
  // v_i = v_0 + ω_0 × r_0i + J_Ti q̇, ω_i = ω_0 + J_Ri q̇
  work.J_v.leftCols<6>() << Matrix3::Identity(), -tilde(frames.r[i] - frames.r[0]);
  work.J_omega.leftCols<6>() << Matrix3::Zero(), Matrix3::Identity();
  work.J_v_dot.leftCols<6>() << Matrix3::Zero(), -tilde(velocities.v[i] - velocities.v[0]);
  work.J_omega_dot.leftCols<6>().setZero();
  translational_jacobian(model, frames, body, work.J_v.rightCols(n));
  rotational_jacobian(model, frames, body, work.J_omega.rightCols(n));
  translational_jacobian_derivative(model, frames, velocities, body, work.J_v_dot.rightCols(n));
  rotational_jacobian_derivative(model, frames, velocities, body, work.J_omega_dot.rightCols(n));
}

/// X with X ω = ω × I ω and X + Xᵀ = İ.
Matrix3 gyroscopic_matrix(const Matrix3& I, const Vector3& omega) {
  const Matrix3 omega_I = tilde(omega) * I;
  return 0.5 * (omega_I + omega_I.transpose() - tilde(I * omega));
}

}  // namespace

CoriolisWorkspace::CoriolisWorkspace(const Model& model)
    : J_v(Matrix3X::Zero(3, 6 + dense_size(model, "Coriolis matrix"))),
      J_omega(J_v),
      J_v_dot(J_v),
      J_omega_dot(J_v),
      spin_rate(J_v) {}

void compute_coriolis_matrix(const Model& model, const LinkFrames& frames,
                             const LinkVelocities& velocities, CoriolisWorkspace& workspace,
                             Eigen::Ref<MatrixX> C) {
  SPACEDYN_ASSERT(C.rows() == model.velocity_size() && C.cols() == model.velocity_size());
  C.setZero();
  for (int body = 0; body < model.body_count(); ++body) {
    const auto i = static_cast<std::size_t>(body);
    const Matrix3 I = frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose();
    compute_body_jacobians(model, frames, velocities, body, workspace);
    workspace.spin_rate.noalias() = I * workspace.J_omega_dot;
    workspace.spin_rate.noalias() += gyroscopic_matrix(I, velocities.omega[i]) * workspace.J_omega;
    C.noalias() += model.body(body).mass * workspace.J_v.transpose().lazyProduct(workspace.J_v_dot);
    C.noalias() += workspace.J_omega.transpose().lazyProduct(workspace.spin_rate);
  }
}

MatrixX coriolis_matrix(const Model& model, const State& state) {
  state.check(model);
  CoriolisWorkspace workspace(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  compute_link_frames(model, state, frames);
  compute_link_velocities(model, state, frames, velocities);
  MatrixX C(model.velocity_size(), model.velocity_size());
  compute_coriolis_matrix(model, frames, velocities, workspace, C);
  return C;
}

}  // namespace spacedyn
