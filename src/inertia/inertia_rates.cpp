#include "spacedyn/inertia/inertia_rates.hpp"

#include "inertia/dense_size.hpp"
#include "inertia/snapshot.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
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
