#include "spacedyn/inertia/impact_index.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include "inertia/snapshot.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/points.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {
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
