#include "spacedyn/inertia/inertia_blocks.hpp"

#include "inertia/dense_size.hpp"
#include "kinematics/jacobian_columns.hpp"
#include "spacedyn/assert.hpp"
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

}  // namespace

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

}  // namespace spacedyn
