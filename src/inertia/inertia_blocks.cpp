#include "spacedyn/inertia/inertia_blocks.hpp"

#include "inertia/dense_size.hpp"
#include "inertia/snapshot.hpp"
#include "inertia/system_sums.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/inertia/inertia_rates.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

/// What link i adds to each sum.
void add_link(const Model& model, const LinkFrames& frames, int link, JacobianWorkspace& workspace,
              InertiaBlocks& blocks) {
  const auto i = static_cast<std::size_t>(link);
  const double m = model.body(link).mass;
  const Matrix3 I = frames.A[i] * model.body(link).inertia_L * frames.A[i].transpose();
  const Vector3 r_0i = frames.r[i] - frames.r[0];  // (28)
  const Matrix3 r_tilde = tilde(r_0i);

  // (21) and what does not depend on joints; r_0g gathers Σ m_i r_0i here
  blocks.w += m;
  blocks.r_0g += m * r_0i;
  blocks.H_omega += I + m * r_tilde.transpose() * r_tilde;

  // (25), (26), then (24), (22): only joints between the base and the link have columns
  for_each_joint_below(model, link, [&](int joint) {
    const Eigen::Index j = joint - 1;
    workspace.J_T.col(j) = linear_column(model, frames, joint, frames.r[i]);
    workspace.J_R.col(j) = angular_column(model, frames, joint);
    workspace.I_J_R.col(j) = I * workspace.J_R.col(j);
    blocks.J_Tw.col(j) += m * workspace.J_T.col(j);
    blocks.H_omega_phi.col(j) += workspace.I_J_R.col(j) + m * r_0i.cross(workspace.J_T.col(j));
  });

  // (23), the upper triangle: k is j or below it
  for_each_joint_below(model, link, [&](int j) {
    for_each_joint_below(model, j, [&](int k) {
      blocks.H_m(k - 1, j - 1) += workspace.J_R.col(k - 1).dot(workspace.I_J_R.col(j - 1)) +
                                  m * workspace.J_T.col(k - 1).dot(workspace.J_T.col(j - 1));
    });
  });
}

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

SystemSums system_sums(const Model& model, const LinkFrames& frames,
                       const LinkVelocities& velocities) noexcept {
  SystemSums sums;
  sums.r_g = center_of_mass(model, frames);
  sums.v_g = center_of_mass_velocity(model, velocities);
  const Vector3& r_0 = frames.r[0];
  const Vector3& v_0 = velocities.v[0];
  Vector3 spin_sum = Vector3::Zero();
  double twice = 0.0, inertia = 0.0;
  for (int i = 0; i < model.body_count(); ++i) {
    const auto body = static_cast<std::size_t>(i);
    const double m = model.body(i).mass;
    const Matrix3& I = model.body(i).inertia_L;
    const Vector3 &r = frames.r[body], &v = velocities.v[body];
    // I_i ω_i in body axes: its length is the same in any
    const Vector3 omega = frames.A[body].transpose() * velocities.omega[body];
    const Vector3 spin = I * omega;
    spin_sum.noalias() += frames.A[body] * spin;
    const Vector3 arm = r - sums.r_g, relative = v - sums.v_g;
    sums.momentum.linear += m * v;
    sums.momentum.angular_base += m * (r - r_0).cross(v);
    sums.momentum.angular_centroid += m * arm.cross(relative);
    sums.scale.linear += m * v.norm();
    sums.scale.angular += spin.norm() + m * arm.norm() * relative.norm();
    sums.relative_linear += m * (v - v_0).norm();
    twice += m * v.squaredNorm() + omega.dot(spin);
    inertia += 0.5 * I.trace() + m * (r - r_0).squaredNorm();
  }
  for (int i = 1; i <= model.joint_count(); ++i) {
    const double rate = velocities.qd(i - 1);
    twice += model.joint(i).armature * rate * rate;
  }
  sums.momentum.angular_base += spin_sum;
  sums.momentum.angular_centroid += spin_sum;
  sums.momentum.angular_origin = sums.momentum.angular_base + r_0.cross(sums.momentum.linear);
  sums.kinetic_energy = 0.5 * twice;
  if (model.total_mass() > 0.0) sums.radius_squared = inertia / model.total_mass();
  return sums;
}

InertiaBlocks::InertiaBlocks(const Model& model)
    : J_Tw(Matrix3X::Zero(3, dense_size(model, "inertia matrix"))),
      H_omega_phi(Matrix3X::Zero(3, model.joint_count())),
      H_bm(Matrix6X::Zero(6, model.joint_count())),
      H_m(MatrixX::Zero(model.joint_count(), model.joint_count())) {}

JacobianWorkspace::JacobianWorkspace(const Model& model)
    : J_T(Matrix3X::Zero(3, model.joint_count())), J_R(J_T), I_J_R(J_T) {}

void compute_inertia_blocks(const Model& model, const LinkFrames& frames,
                            JacobianWorkspace& workspace, InertiaBlocks& blocks) {
  SPACEDYN_ASSERT(blocks.H_m.rows() == model.joint_count());
  // the base's own part
  blocks.w = model.body(0).mass;
  blocks.r_0g.setZero();
  blocks.H_omega = frames.A[0] * model.body(0).inertia_L * frames.A[0].transpose();
  blocks.J_Tw.setZero();
  blocks.H_omega_phi.setZero();
  blocks.H_m.setZero();
  for (int link = 1; link <= model.joint_count(); ++link) {
    add_link(model, frames, link, workspace, blocks);
    blocks.H_m(link - 1, link - 1) += model.joint(link).armature;
  }

  blocks.H_m.triangularView<Eigen::StrictlyLower>() = blocks.H_m.transpose();

  // (19), with w r̃_0g from the sum before it is divided by w (27)
  const Matrix3 w_r_tilde = tilde(blocks.r_0g);
  blocks.H_b << blocks.w * Matrix3::Identity(), w_r_tilde.transpose(), w_r_tilde, blocks.H_omega;
  if (blocks.w > 0.0) blocks.r_0g /= blocks.w;

  // (20)
  blocks.H_bm.topRows<3>() = blocks.J_Tw;
  blocks.H_bm.bottomRows<3>() = blocks.H_omega_phi;
}

void assemble_inertia_matrix(const InertiaBlocks& blocks, Eigen::Ref<MatrixX> H) {
  const Eigen::Index n = blocks.H_m.rows();
  SPACEDYN_ASSERT(H.rows() == 6 + n && H.cols() == 6 + n);
  H.topLeftCorner<6, 6>() = blocks.H_b;
  H.topRightCorner(6, n) = blocks.H_bm;
  H.bottomLeftCorner(n, 6) = blocks.H_bm.transpose();
  H.bottomRightCorner(n, n) = blocks.H_m;
}

MatrixX inertia_matrix(const Model& model, const State& state) {
  state.check(model);
  LinkFrames frames(model);
  InertiaBlocks blocks(model);
  JacobianWorkspace workspace(model);
  compute_link_frames(model, state, frames);
  compute_inertia_blocks(model, frames, workspace, blocks);
  MatrixX H(model.velocity_size(), model.velocity_size());
  assemble_inertia_matrix(blocks, H);
  return H;
}

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

namespace {

/// Rotated inertia of a body and its derivative, İ = ω̃ I − I ω̃.
struct TurningInertia {
  TurningInertia(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
                 int body) {
    const auto i = static_cast<std::size_t>(body);
    I = frames.A[i] * model.body(body).inertia_L * frames.A[i].transpose();
    const Matrix3 omega_I = tilde(velocities.omega[i]) * I;
    I_dot = omega_I + omega_I.transpose();
  }
  Matrix3 I, I_dot;
};

/// Columns of a link's Jacobians and their derivatives for the joints below it; others stay as
/// they were.
void compute_columns(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
                     int link, const TurningInertia& inertia, InertiaRatesWorkspace& work) {
  const auto i = static_cast<std::size_t>(link);
  for_each_joint_below(model, link, [&](int joint) {
    const Eigen::Index j = joint - 1;
    work.J_T.col(j) = linear_column(model, frames, joint, frames.r[i]);
    work.J_R.col(j) = angular_column(model, frames, joint);
    work.J_T_dot.col(j) =
        linear_column_rate(model, frames, velocities, joint, frames.r[i], velocities.v[i]);
    work.J_R_dot.col(j) = angular_column_rate(model, frames, velocities, joint);
    work.spin.col(j) = inertia.I * work.J_R.col(j);
    work.spin_rate.col(j) = inertia.I_dot * work.J_R.col(j) + inertia.I * work.J_R_dot.col(j);
  });
}

/// What link i adds to each sum; of Ḣ_m the upper triangle.
void add_link(const Model& model, const LinkFrames& frames, const LinkVelocities& velocities,
              int link, InertiaRatesWorkspace& work, InertiaRates& rates) {
  const auto i = static_cast<std::size_t>(link);
  const double m = model.body(link).mass;
  const TurningInertia inertia(model, frames, velocities, link);
  const Vector3 r_0i = frames.r[i] - frames.r[0];
  const Vector3 r_0i_dot = velocities.v[i] - velocities.v[0];
  const Matrix3 steiner_half = m * tilde(r_0i_dot).transpose() * tilde(r_0i);
  compute_columns(model, frames, velocities, link, inertia, work);

  // (21), and Σ m_i ṙ_0i
  rates.r_0g_dot += m * r_0i_dot;
  rates.H_omega_dot += inertia.I_dot + (steiner_half + steiner_half.transpose());

  for_each_joint_below(model, link, [&](int joint) {
    const Eigen::Index j = joint - 1;
    // (24), (22)
    rates.J_Tw_dot.col(j) += m * work.J_T_dot.col(j);
    rates.H_omega_phi_dot.col(j) += work.spin_rate.col(j) + m * (r_0i_dot.cross(work.J_T.col(j)) +
                                                                 r_0i.cross(work.J_T_dot.col(j)));
    // (23), for k = j or below it
    for_each_joint_below(model, joint, [&](int lower) {
      const Eigen::Index k = lower - 1;
      rates.H_m_dot(k, j) += work.J_R_dot.col(k).dot(work.spin.col(j)) +
                             work.J_R.col(k).dot(work.spin_rate.col(j)) +
                             m * work.J_T_dot.col(k).dot(work.J_T.col(j)) +
                             m * work.J_T.col(k).dot(work.J_T_dot.col(j));
    });
  });
}

}  // namespace

InertiaRates::InertiaRates(const Model& model)
    : J_Tw_dot(Matrix3X::Zero(3, dense_size(model, "inertia matrix"))),
      H_omega_phi_dot(Matrix3X::Zero(3, model.joint_count())),
      H_bm_dot(Matrix6X::Zero(6, model.joint_count())),
      H_m_dot(MatrixX::Zero(model.joint_count(), model.joint_count())) {}

InertiaRatesWorkspace::InertiaRatesWorkspace(const Model& model)
    : J_T(Matrix3X::Zero(3, model.joint_count())),
      J_R(J_T),
      J_T_dot(J_T),
      J_R_dot(J_T),
      spin(J_T),
      spin_rate(J_T) {}

void compute_inertia_rates(const Model& model, const LinkFrames& frames,
                           const LinkVelocities& velocities, InertiaRatesWorkspace& workspace,
                           InertiaRates& rates) {
  SPACEDYN_ASSERT(rates.H_m_dot.rows() == model.joint_count());
  // the base's own part
  rates.r_0g_dot.setZero();
  rates.H_omega_dot = TurningInertia(model, frames, velocities, 0).I_dot;
  rates.J_Tw_dot.setZero();
  rates.H_omega_phi_dot.setZero();
  rates.H_m_dot.setZero();
  for (int link = 1; link <= model.joint_count(); ++link) {
    add_link(model, frames, velocities, link, workspace, rates);
  }
  rates.H_m_dot.triangularView<Eigen::StrictlyLower>() = rates.H_m_dot.transpose();

  // (19), with w ṙ_0g from the sum before it is divided by w
  const Matrix3 w_r_tilde_dot = tilde(rates.r_0g_dot);
  rates.H_b_dot << Matrix3::Zero(), w_r_tilde_dot.transpose(), w_r_tilde_dot, rates.H_omega_dot;
  if (model.total_mass() > 0.0) rates.r_0g_dot /= model.total_mass();

  // (20)
  rates.H_bm_dot.topRows<3>() = rates.J_Tw_dot;
  rates.H_bm_dot.bottomRows<3>() = rates.H_omega_phi_dot;
}

void assemble_inertia_matrix_derivative(const InertiaRates& rates, Eigen::Ref<MatrixX> H_dot) {
  const Eigen::Index n = rates.H_m_dot.rows();
  SPACEDYN_ASSERT(H_dot.rows() == 6 + n && H_dot.cols() == 6 + n);
  H_dot.topLeftCorner<6, 6>() = rates.H_b_dot;
  H_dot.topRightCorner(6, n) = rates.H_bm_dot;
  H_dot.bottomLeftCorner(n, 6) = rates.H_bm_dot.transpose();
  H_dot.bottomRightCorner(n, n) = rates.H_m_dot;
}

MatrixX inertia_matrix_derivative(const Model& model, const State& state) {
  const MovingSnapshot now(model, state);
  MatrixX H_dot(model.velocity_size(), model.velocity_size());
  assemble_inertia_matrix_derivative(now.rates, H_dot);
  return H_dot;
}

}  // namespace spacedyn
