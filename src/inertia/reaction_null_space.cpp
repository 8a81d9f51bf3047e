#include "spacedyn/inertia/reaction_null_space.hpp"

#include <algorithm>
#include <cmath>

#include "inertia/dense_size.hpp"
#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

void write_coupling(const InertiaBlocks& blocks, Reaction reaction, double length, MatrixX& H) {
  if (reaction == Reaction::full) {
    H.topRows<3>() = length * blocks.J_Tw;
    H.bottomRows<3>() = blocks.H_omega_phi;
    return;
  }
  // H_ωφ − w r̃_0g J_Tg, without dividing by w
  H = blocks.H_omega_phi;
  H.noalias() -= tilde(blocks.r_0g).lazyProduct(blocks.J_Tw);
}

/// √(tr(base part) · tr(H_m)), what |H̄| cannot exceed because H is positive semidefinite. A sum of
/// positive terms, so unlike H̄ it cannot cancel.
double largest_coupling(const InertiaBlocks& blocks, Reaction reaction, double length) {
  double base = blocks.H_omega.trace();
  if (reaction == Reaction::full) base += 3.0 * blocks.w * length * length;
  return std::sqrt(std::max(0.0, base * blocks.H_m.trace()));
}

}  // namespace

ReactionNullSpace::ReactionNullSpace(const Model& model, Reaction which)
    : reaction(which),
      coupling(which == Reaction::full ? 6 : 3, dense_size(model, "reaction null space")),
      projector(MatrixX::Zero(model.joint_count(), model.joint_count())) {}

ReactionNullSpace::ReactionNullSpace(Reaction which, int rates)
    : reaction(which),
      coupling(which == Reaction::full ? 6 : 3, rates),
      projector(MatrixX::Zero(rates, rates)) {}

void ReactionNullSpaceOptions::check() const {
  require_not_negative("tolerance", tolerance);
  require_not_negative("damping", damping);
  require_positive("length", length);
}

void compute_reaction_null_space(const InertiaBlocks& blocks,
                                 const ReactionNullSpaceOptions& options,
                                 ReactionNullSpace& null_space) noexcept {
  SPACEDYN_ASSERT(null_space.projector.rows() == blocks.H_m.rows());
  SingularValues& coupling = null_space.coupling;
  write_coupling(blocks, null_space.reaction, options.length, coupling.matrix());
  coupling.decompose(options.tolerance *
                     largest_coupling(blocks, null_space.reaction, options.length));
  coupling.project_on_kernel(options.damping, null_space.projector);
}

void compute_reaction_null_space(const InertiaBlocks& blocks, const Eigen::Ref<const MatrixX>& G,
                                 const ReactionNullSpaceOptions& options,
                                 ReactionNullSpace& null_space) {
  SPACEDYN_ASSERT(G.rows() == blocks.H_m.rows() && null_space.projector.rows() == G.cols());
  MatrixX H(null_space.coupling.matrix().rows(), G.rows());
  write_coupling(blocks, null_space.reaction, options.length, H);
  SingularValues& coupling = null_space.coupling;
  coupling.matrix() = H * G;
  // G enlarges what the coupling could be as it enlarges the rates
  coupling.decompose(options.tolerance * std::max(1.0, G.norm()) *
                     largest_coupling(blocks, null_space.reaction, options.length));
  coupling.project_on_kernel(options.damping, null_space.projector);
}

ReactionNullSpace reaction_null_space(const Model& model, const State& state, Reaction reaction,
                                      const ReactionNullSpaceOptions& options) {
  options.check();
  ReactionNullSpace result(model, reaction);
  compute_reaction_null_space(Snapshot(model, state).blocks, options, result);
  return result;
}

namespace {

Vector3 three_values(const VectorX& sigma) {
  Vector3 values = Vector3::Zero();
  values.head(sigma.size()) = sigma;
  return values;
}

}  // namespace

void generalized_jacobian(const Eigen::Ref<const Matrix6X>& J_m, const Matrix6& J_b,
                          const BaseResponse& response, Eigen::Ref<Matrix6X> J_star) {
  SPACEDYN_ASSERT(J_m.cols() == response.D.cols() && J_star.cols() == J_m.cols());
  J_star = J_m;
  J_star.noalias() += J_b.lazyProduct(response.D);
}

void generalized_jacobian_derivative(const Eigen::Ref<const Matrix6X>& J_m_dot, const Matrix6& J_b,
                                     const Matrix6& J_b_dot, const BaseResponse& response,
                                     const Eigen::Ref<const Matrix6X>& D_dot,
                                     Eigen::Ref<Matrix6X> J_star_dot) {
  SPACEDYN_ASSERT(J_m_dot.cols() == response.D.cols() && J_star_dot.cols() == J_m_dot.cols());
  J_star_dot = J_m_dot;
  J_star_dot.noalias() += J_b_dot.lazyProduct(response.D);
  J_star_dot.noalias() += J_b.lazyProduct(D_dot);
}

Vector6 twist_offset(const Matrix6& J_b, const BaseResponse& response, const Vector6& momentum) {
  const Vector6 x_b = response.H_b_inverse * momentum;
  return J_b * x_b;
}

Vector6 twist_offset_rate(const Matrix6& J_b, const Matrix6& J_b_dot, const BaseResponse& response,
                          const InertiaRates& rates, const Vector3& v_0, const Vector6& momentum) {
  const Vector6 x_b = response.H_b_inverse * momentum;
  Vector6 force = -(rates.H_b_dot * x_b);
  force.tail<3>() -= v_0.cross(Vector3(momentum.head<3>()));
  const Vector6 xd_b = response.H_b_inverse * force;
  return J_b_dot * x_b + J_b * xd_b;
}

Matrix6X generalized_jacobian(const Model& model, const State& state, const Frame& frame) {
  const FrameJacobians J = frame_jacobians(model, state, frame);
  const ResponseSnapshot<Snapshot> now(model, state);
  Matrix6X J_star(6, model.joint_count());
  generalized_jacobian(J.J_m, J.J_b, now.response, J_star);
  return J_star;
}

Matrix6X generalized_jacobian_derivative(const Model& model, const State& state,
                                         const Frame& frame) {
  const FrameJacobians J = frame_jacobians(model, state, frame);
  const ResponseSnapshot<MovingSnapshot> now(model, state);
  Matrix6X D_dot(6, model.joint_count());
  Matrix6X J_star_dot(6, model.joint_count());
  compute_base_response_rate(now.response, now.rates, D_dot);
  generalized_jacobian_derivative(J.J_m_dot, J.J_b, J.J_b_dot, now.response, D_dot, J_star_dot);
  return J_star_dot;
}

Vector6 twist_offset(const Model& model, const State& state, const Frame& frame,
                     const Vector6& momentum, MomentumPoint point) {
  check_frame(model, frame);
  const ResponseSnapshot<Snapshot> now(model, state);
  return twist_offset(base_jacobian(now.frames, frame), now.response,
                      momentum_about_base(momentum, point, state.r_0, now.blocks));
}

CouplingWorkspace::CouplingWorkspace(const Model& model)
    : linear(3, model.joint_count()),
      angular(3, model.joint_count()),
      all(6, model.joint_count()) {}

CouplingMeasures compute_coupling_measures(const BaseResponse& response,
                                           CouplingWorkspace& workspace) noexcept {
  SPACEDYN_ASSERT(workspace.all.matrix().cols() == response.D.cols());
  workspace.linear.matrix() = response.D.topRows<3>();
  workspace.angular.matrix() = response.D.bottomRows<3>();
  workspace.linear.decompose(0.0);
  workspace.angular.decompose(0.0);

  CouplingMeasures measures;
  measures.linear = three_values(workspace.linear.sigma());
  measures.angular = three_values(workspace.angular.sigma());
  if (response.D.cols() >= 6) {
    workspace.all.matrix() = response.D;
    workspace.all.decompose(0.0);
    measures.volume = workspace.all.sigma().prod();
  }
  return measures;
}

CouplingMeasures coupling_measures(const Model& model, const State& state) {
  const ResponseSnapshot<Snapshot> now(model, state);
  CouplingWorkspace workspace(model);
  return compute_coupling_measures(now.response, workspace);
}

ResolvedRates resolve_rates(const ResolvedRateOptions& options, SingularValues& jacobian,
                            ConstVectorRef twist, VectorRef rates) noexcept {
  jacobian.decompose_relative(options.tolerance);
  jacobian.solve(twist, options.damping, rates);
  ResolvedRates result;
  result.rank = jacobian.rank();
  result.threshold = jacobian.threshold();
  // row by row, so that the difference needs no memory
  double squares = 0.0;
  for (Eigen::Index row = 0; row < twist.size(); ++row) {
    const double miss = jacobian.matrix().row(row).dot(rates) - twist(row);
    squares += miss * miss;
  }
  result.residual = std::sqrt(squares);
  return result;
}

JacobianGradient jacobian_gradient(const Model& model, const State& state, const Frame& frame) {
  state.check(model);
  JacobianGradient gradient;
  for (int j = 0; j < model.velocity_size(); ++j) {
    State moving = state;
    const VectorX unit = VectorX::Unit(model.velocity_size(), j);
    moving.v_0 = linear_part(unit);
    moving.omega_0 = angular_part(unit);
    moving.qd = joint_part(unit);
    const FrameJacobians rates = frame_jacobians(model, moving, frame);
    gradient.J_m.push_back(rates.J_m_dot);
    gradient.J_b.push_back(rates.J_b_dot);
    gradient.J_star.push_back(generalized_jacobian_derivative(model, moving, frame));
  }
  return gradient;
}

void reduced_inertia(const InertiaBlocks& blocks, const BaseResponse& response,
                     Eigen::Ref<MatrixX> H_star) {
  SPACEDYN_ASSERT(H_star.rows() == blocks.H_m.rows() && H_star.cols() == blocks.H_m.cols());
  H_star = blocks.H_m;
  // one triangle and its mirror: exactly symmetric
  for (Eigen::Index column = 0; column < H_star.cols(); ++column) {
    for (Eigen::Index row = 0; row <= column; ++row) {
      H_star(row, column) += blocks.H_bm.col(row).dot(response.D.col(column));
      H_star(column, row) = H_star(row, column);
    }
  }
}

MatrixX reduced_inertia(const Model& model, const State& state) {
  const ResponseSnapshot<Snapshot> now(model, state);
  MatrixX H_star(model.joint_count(), model.joint_count());
  reduced_inertia(now.blocks, now.response, H_star);
  return H_star;
}

}  // namespace spacedyn
