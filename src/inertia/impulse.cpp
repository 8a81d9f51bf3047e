#include "spacedyn/inertia/impulse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "inertia/base_inverse.hpp"
#include "inertia/dense_size.hpp"
#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/base_response.hpp"
#include "spacedyn/inertia/generalized_jacobian.hpp"
#include "spacedyn/inertia/impact_index.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/state/followers.hpp"
#include "state/led_matrix.hpp"

namespace spacedyn {
namespace {

/// Factorizes H* and compares its pivots with H_m, from which it was subtracted.
bool factorize(const MatrixX& H_m, ImpulseResponse& response) {
  if (H_m.rows() == 0) return true;
  response.factorization.compute(response.H_star);
  if (response.factorization.info() != Eigen::Success) return false;
  const auto pivots = response.factorization.matrixLLT().diagonal().array().square();
  return (pivots > kLeastPivot * H_m.diagonal().array()).all();
}

/// Row n·J of a point, size 6 + n.
VectorX row_of(const Model& model, const LinkFrames& frames, const Frame& at,
               const Vector3& direction) {
  check_frame(model, at);
  Matrix6X J_m(6, model.joint_count());
  frame_jacobian(model, frames, at, J_m);
  VectorX row(model.velocity_size());
  row.head<6>() = base_jacobian(frames, at).topRows<3>().transpose() * direction;
  row.tail(model.joint_count()) = J_m.topRows<3>().transpose() * direction;
  return row;
}

std::vector<int> free_rows(const Model& model, const std::optional<std::vector<int>>& given) {
  if (given) {
    for (const int row : *given) {
      if (row < 0 || row >= model.velocity_size()) throw DomainError("a free row is none of u");
    }
    return *given;
  }
  const int first = model.has_fixed_base() ? 6 : 0;
  std::vector<int> rows(static_cast<std::size_t>(model.velocity_size() - first));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

/// H⁻¹ Kᵀ of rows K for u, and G (Gᵀ H G)⁻¹ Gᵀ Kᵀ where joints follow others.
/// @param free  coordinates that move
MatrixX answer(const Model& model, const State& state, MatrixX K, std::vector<int> free) {
  MatrixX H = inertia_matrix(model, state);
  lead_both_sides(model, H);
  lead(model, K);
  const auto follows = [&](int row) { return row > 5 && model.follower(row - 5) != nullptr; };
  free.erase(std::remove_if(free.begin(), free.end(), follows), free.end());
  MatrixX change = MatrixX::Zero(model.velocity_size(), K.rows());
  if (free.empty()) return change;
  const Eigen::LLT<MatrixX> factorization(H(free, free));
  if (factorization.info() != Eigen::Success) {
    throw NumericalError("the inertia of the coordinates that move freely is singular", 0.0, 0,
                         "inertia");
  }
  const MatrixX own = K(Eigen::all, free).transpose();
  const MatrixX found = factorization.solve(own);
  change(free, Eigen::all) = found;
  for (Eigen::Index k = 0; k < change.cols(); ++k) follow(model, change.col(k));
  return change;
}

ImpactEffect effect_of(const Model& model, const State& state, const VectorX& row,
                       const std::vector<int>& free) {
  ImpactEffect effect;
  effect.effective_mass = std::numeric_limits<double>::infinity();
  effect.velocity_change = VectorX::Zero(model.velocity_size());
  if (free.empty()) return effect;
  effect.velocity_change = answer(model, state, row.transpose(), free);
  const double inverse = row.dot(effect.velocity_change);
  if (inverse > 0.0) effect.effective_mass = 1.0 / inverse;
  return effect;
}

Vector3 unit(const Vector3& direction) {
  const double length = direction.norm();
  if (!direction.allFinite() || length == 0.0) {
    throw DomainError("the direction of an impulse must be finite and not zero");
  }
  return direction / length;
}

LinkFrames frames_at(const Model& model, const State& state) {
  state.check(model);
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  return frames;
}

}  // namespace

bool factorize_base_inertia(const Matrix6& H_b, Eigen::LLT<Matrix6>& factors) {
  factors.compute(H_b);
  if (factors.info() != Eigen::Success) return false;
  const auto pivots = factors.matrixLLT().diagonal().array().square();
  // written so that NaN fails
  return (pivots > kLeastPivot * H_b.diagonal().array()).all();
}

InertiaStatus invert_base_inertia(const Matrix6& H_b, Matrix6& inverse) {
  inverse.setZero();
  Eigen::LLT<Matrix6> factors;
  if (!factorize_base_inertia(H_b, factors)) return InertiaStatus::singular_base_inertia;
  inverse = factors.solve(Matrix6::Identity());
  return InertiaStatus::ok;
}

BaseResponse::BaseResponse(const Model& model) : D(Matrix6X::Zero(6, model.joint_count())) {}

InertiaStatus compute_base_response(const Model& model, const InertiaBlocks& blocks,
                                    BaseResponse& response) noexcept {
  SPACEDYN_ASSERT(response.D.cols() == blocks.H_bm.cols());
  response.H_b_inverse.setZero();
  response.D.setZero();
  if (model.has_fixed_base()) return InertiaStatus::ok;
  Eigen::LLT<Matrix6> factors;
  if (!factorize_base_inertia(blocks.H_b, factors)) return InertiaStatus::singular_base_inertia;
  response.H_b_inverse = factors.solve(Matrix6::Identity());
  // column by column, because Eigen may allocate for a block of them
  for (Eigen::Index j = 0; j < response.D.cols(); ++j) {
    response.D.col(j) = -factors.solve(blocks.H_bm.col(j));
  }
  return InertiaStatus::ok;
}

void compute_base_response_rate(const BaseResponse& response, const InertiaRates& rates,
                                Eigen::Ref<Matrix6X> D_dot) {
  SPACEDYN_ASSERT(D_dot.cols() == response.D.cols());
  // column by column, so that the right side needs no memory
  for (Eigen::Index j = 0; j < D_dot.cols(); ++j) {
    const Vector6 momentum_rate = rates.H_bm_dot.col(j) + rates.H_b_dot * response.D.col(j);
    D_dot.col(j).noalias() = -response.H_b_inverse * momentum_rate;
  }
}

Vector6 base_twist(const BaseResponse& response, ConstVectorRef qd, const Vector6& momentum) {
  SPACEDYN_ASSERT(qd.size() == response.D.cols());
  Vector6 twist = response.H_b_inverse * momentum;
  twist.noalias() += response.D * qd;
  return twist;
}

Vector6 momentum_about_base(const Vector6& momentum, MomentumPoint point, const Vector3& r_0,
                            const InertiaBlocks& blocks) {
  const Vector3 P = momentum.head<3>();
  Vector6 result = momentum;
  if (point == MomentumPoint::inertial_origin) result.tail<3>() -= r_0.cross(P);
  if (point == MomentumPoint::system_centroid) result.tail<3>() += blocks.r_0g.cross(P);
  return result;
}

BaseResponse base_response(const Model& model, const State& state) {
  return ResponseSnapshot<Snapshot>(model, state).response;
}

ImpulseResponse::ImpulseResponse(const Model& model)
    : H_star(MatrixX::Zero(dense_size(model, "impulse response"), model.joint_count())),
      J_star(Matrix6X::Zero(6, model.joint_count())),
      factorization(model.joint_count()),
      velocity_per_impulse(MatrixX::Zero(model.velocity_size(), 6)) {}

InertiaStatus compute_impulse_response(const InertiaBlocks& blocks, const BaseResponse& base,
                                       const Eigen::Ref<const Matrix6X>& J_m, const Matrix6& J_b,
                                       ImpulseResponse& response) noexcept {
  const Eigen::Index n = blocks.H_m.rows();
  SPACEDYN_ASSERT(J_m.cols() == n && response.velocity_per_impulse.rows() == 6 + n);
  response.velocity_per_impulse.setZero();
  response.inverse_inertia.setZero();
  reduced_inertia(blocks, base, response.H_star);
  generalized_jacobian(J_m, J_b, base, response.J_star);
  if (!factorize(blocks.H_m, response)) return InertiaStatus::singular_joint_inertia;

  // Δq̇ = H*⁻¹ J*ᵀ p, one unit impulse at a time
  auto joints = response.velocity_per_impulse.bottomRows(n);
  for (Eigen::Index impulse = 0; impulse < 6 && n > 0; ++impulse) {
    joints.col(impulse) = response.J_star.row(impulse).transpose();
    auto column = joints.col(impulse);
    response.factorization.solveInPlace(column);
  }
  // Δx_b = H_b⁻¹ J_bᵀ p + D Δq̇
  auto twist = response.velocity_per_impulse.topRows<6>();
  twist = base.H_b_inverse.lazyProduct(J_b.transpose());
  const Matrix6 by_base = J_b * twist;
  twist.noalias() += base.D.lazyProduct(joints);
  // J H⁻¹ Jᵀ, symmetrized against rounding
  const Matrix6 inverse = response.J_star.lazyProduct(joints) + by_base;
  response.inverse_inertia = 0.5 * (inverse + inverse.transpose());
  return InertiaStatus::ok;
}

ImpulseResponse impulse_response(const Model& model, const State& state, const Frame& frame) {
  const FrameJacobians J = frame_jacobians(model, state, frame);
  const ResponseSnapshot<Snapshot> now(model, state);
  ImpulseResponse result(model);
  const InertiaStatus status =
      compute_impulse_response(now.blocks, now.response, J.J_m, J.J_b, result);
  if (model.followers().empty()) {
    require(status);
    return result;
  }
  MatrixX rows(6, model.velocity_size());
  rows << J.J_b, J.J_m;
  result.velocity_per_impulse = answer(model, state, rows, free_rows(model, std::nullopt));
  const Matrix6 inverse = rows * result.velocity_per_impulse;
  result.inverse_inertia = 0.5 * (inverse + inverse.transpose());
  return result;
}

ImpactEffect impact_effect(const Model& model, const State& state, const Frame& at,
                           const Vector3& direction, const std::optional<std::vector<int>>& free) {
  const LinkFrames frames = frames_at(model, state);
  return effect_of(model, state, row_of(model, frames, at, unit(direction)),
                   free_rows(model, free));
}

ImpactEffect impact_effect(const Model& model, const State& state, const Frame& first,
                           const Frame& second, const Vector3& direction,
                           const std::optional<std::vector<int>>& free) {
  const LinkFrames frames = frames_at(model, state);
  const Vector3 n = unit(direction);
  return effect_of(model, state, row_of(model, frames, first, n) - row_of(model, frames, second, n),
                   free_rows(model, free));
}

namespace {

/// @param natural  the size of an answer, next to which roundings are nothing
ImpactDisturbance disturbance(const MatrixX& map, double natural, double tolerance) {
  ImpactDisturbance found;
  found.map = map;
  const Eigen::JacobiSVD<MatrixX> svd(map, Eigen::ComputeFullV);
  found.singular_values = svd.singularValues();
  found.directions = svd.matrixV();
  const double least = tolerance * std::max(natural, found.singular_values(0));
  found.rank = static_cast<int>((found.singular_values.array() > least).count());
  return found;
}

/// H⁻¹ Jᵀ of linear impulses on a tree.
MatrixX answer_of_tree(const ResponseSnapshot<Snapshot>& now, const Model& model,
                       const FrameJacobians& J, ImpactJoints joints) {
  ImpulseResponse response(model);
  if (joints == ImpactJoints::free) {
    require(compute_impulse_response(now.blocks, now.response, J.J_m, J.J_b, response));
  } else {
    response.velocity_per_impulse.topRows<6>() = now.response.H_b_inverse * J.J_b.transpose();
  }
  return response.velocity_per_impulse.leftCols<3>();
}

void require_positions(const Model& model, const ImpactMapAxis& axis) {
  if (axis.joint < 1 || axis.joint > model.joint_count()) {
    throw DomainError("joint " + std::to_string(axis.joint) +
                      " of a map of impacts, expected 1 to " + std::to_string(model.joint_count()));
  }
  if (const Follower* follower = model.follower(axis.joint)) {
    throw DomainError("joint '" + model.joint(axis.joint).name + "' of a map of impacts follows '" +
                      model.joint(follower->followed).name + "': name that");
  }
  if (axis.positions.size() == 0 || !axis.positions.allFinite()) {
    throw DomainError("a map of impacts needs positions of its joints, all of them finite");
  }
}

/// The largest eigenvalue, whose inverse is the least virtual mass.
double largest(const Matrix3& inverse_mass) {
  const Eigen::SelfAdjointEigenSolver<Matrix3> solver(inverse_mass, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()(2);
}

}  // namespace

ImpactIndex impact_index(const Model& model, const State& state, const Frame& frame,
                         ImpactJoints joints, double tolerance) {
  if (model.has_loops()) {
    throw DomainError("an impulse index is that of a tree, but the model has closed loops");
  }
  if (!(tolerance >= 0.0) || !std::isfinite(tolerance)) {
    throw DomainError("the tolerance of an impulse index must not be negative");
  }
  check_frame(model, frame);
  const ResponseSnapshot<Snapshot> now(model, state);
  const FrameJacobians J = frame_jacobians(model, state, frame);
  ImpactIndex index;
  const bool follows = joints == ImpactJoints::free && !model.followers().empty();
  index.velocity_per_impulse =
      follows ? MatrixX(impulse_response(model, state, frame).velocity_per_impulse.leftCols<3>())
              : answer_of_tree(now, model, J, joints);
  const MatrixX& all = index.velocity_per_impulse;
  index.inverse_mass = J.J_b.topRows<3>() * all.topRows<6>() +
                       J.J_m.topRows<3>() * all.bottomRows(model.joint_count());
  index.inverse_mass = 0.5 * (index.inverse_mass + index.inverse_mass.transpose()).eval();
  const double mass = now.blocks.w;
  index.length = std::sqrt(now.blocks.H_omega.trace() / (3.0 * mass));
  index.turning = disturbance(all.middleRows<3>(3), 1.0 / (mass * index.length), tolerance);
  index.shifting = disturbance(all.topRows<3>(), 1.0 / mass, tolerance);
  MatrixX base = all.topRows<6>();
  base.bottomRows<3>() *= index.length;
  index.base = disturbance(base, 1.0 / mass, tolerance);
  return index;
}

ImpactMap impact_map(const Model& model, const State& state, const Frame& frame,
                     const ImpactMapAxis& first, const ImpactMapAxis& second,
                     const std::optional<Vector3>& direction, ImpactJoints joints) {
  state.check(model);
  require_positions(model, first);
  require_positions(model, second);
  if (first.joint == second.joint) throw DomainError("a map of impacts needs two joints");
  if (direction && (!direction->allFinite() || direction->isZero(0.0))) {
    throw DomainError("the direction of an impulse must be finite and not zero");
  }
  ImpactMap map;
  map.turning.resize(first.positions.size(), second.positions.size());
  map.shifting = map.virtual_mass = map.turning;
  State now = state;
  for (Eigen::Index i = 0; i < first.positions.size(); ++i) {
    now.q(first.joint - 1) = first.positions(i);
    for (Eigen::Index k = 0; k < second.positions.size(); ++k) {
      now.q(second.joint - 1) = second.positions(k);
      follow(model, now);
      const ImpactIndex index = impact_index(model, now, frame, joints);
      double inverse = 0.0;
      if (direction) {
        const Vector3 n = direction->normalized();
        map.turning(i, k) = (index.turning.map * n).norm();
        map.shifting(i, k) = (index.shifting.map * n).norm();
        inverse = n.dot(index.inverse_mass * n);
      } else {
        map.turning(i, k) = index.turning.index();
        map.shifting(i, k) = index.shifting.index();
        inverse = largest(index.inverse_mass);
      }
      map.virtual_mass(i, k) =
          inverse > 0.0 ? 1.0 / inverse : std::numeric_limits<double>::infinity();
    }
  }
  return map;
}

}  // namespace spacedyn
