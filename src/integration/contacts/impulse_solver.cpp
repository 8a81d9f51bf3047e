#include "integration/contacts/impulse_solver.hpp"

#include "spacedyn/dynamics/composite_rigid_body.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {

ImpulseSolver::ImpulseSolver(const Model& model, const State& state, const Mobility& mobility,
                             const std::vector<Loop>& loops, const MatrixX& kept_K_T)
    : motion_(model),
      size_(model.velocity_size()),
      workspace_(model, mobility),
      kept_K_T_(kept_K_T),
      kept_responses_(size_, kept_K_T.cols()) {
  motion_.compute(model, state);
  if (!loops.empty()) {
    loops_ = std::make_unique<IncrementalAssembly>(model, mobility, loops);
    if (loops_->update(motion_.state, motion_.frames) != DynamicsStatus::ok) loops_.reset();
  }
  VectorX own(kept_K_T.cols());
  for (Eigen::Index i = 0; i < kept_K_T.cols(); ++i) {
    kept_responses_.col(i) = response_in_loops(kept_K_T.col(i));
    own(i) = kept_K_T.col(i).dot(free_response(kept_K_T.col(i)));
  }
  if (own.size() > 0) {
    kept_inverse_ = inverse_of_delassus(kept_K_T_.transpose() * kept_responses_, own);
  }
}

VectorX ImpulseSolver::free_response(ConstVectorRef impulse) const {
  VectorX change = VectorX::Zero(size_);
  if (solve_inertia(motion_.state, impulse, workspace_, change) == DynamicsStatus::ok)
    return change;
  throw NumericalError("the inertia matrix is not positive definite at an event", 0.0, 0,
                       "inertia matrix");
}

VectorX ImpulseSolver::response(const VectorX& impulse) const {
  return restrained(response_in_loops(impulse));
}

VectorX ImpulseSolver::response_in_loops(const VectorX& impulse) const {
  if (loops_ == nullptr) return free_response(impulse);
  // impulses of the loops keep K Δu = 0
  VectorX change(size_), multipliers(loops_->equations().rows());
  loops_->solve(impulse, VectorX::Zero(multipliers.size()), change, multipliers);
  return change;
}

ImpulseSolver::Rows ImpulseSolver::rows(MatrixX K_T, bool may_depend) const {
  Rows rows;
  rows.responses = MatrixX::Zero(size_, K_T.cols());
  const bool is_held = loops_ != nullptr || kept_K_T_.cols() > 0;
  const bool needs_own = may_depend || is_held;
  if (needs_own) rows.own = VectorX::Zero(K_T.cols());
  for (Eigen::Index i = 0; i < K_T.cols(); ++i) {
    const VectorX column = K_T.col(i);
    rows.responses.col(i) = response(column);
    if (!needs_own) continue;
    rows.own(i) = column.dot(is_held ? free_response(column) : VectorX(rows.responses.col(i)));
  }
  rows.G = K_T.transpose() * rows.responses;
  rows.K_T = std::move(K_T);
  return rows;
}

VectorX ImpulseSolver::closing(const VectorX& opening) const {
  return restrained(closing_in_loops(opening));
}

VectorX ImpulseSolver::closing_in_loops(const VectorX& opening) const {
  VectorX change = VectorX::Zero(size_);
  if (loops_ != nullptr) loops_->respond(-opening, change);
  return change;
}

VectorX ImpulseSolver::multipliers(const VectorX& impulse, const VectorX& opening) const {
  // the loops take away what was open, and what other impulses would open
  const VectorX kept = kept_multipliers(response_in_loops(impulse) + closing_in_loops(opening));
  VectorX change(size_), multipliers(opening.size());
  loops_->solve(impulse - kept_K_T_ * kept, -opening, change, multipliers);
  loops_->shorten(multipliers);
  return multipliers;
}

VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular) {
  VectorX impulse = VectorX::Zero(model.velocity_size());
  const Vector3 point = frame_position(frames, at);
  impulse.head<3>() = linear;
  impulse.segment<3>(3) = angular + (point - frames.r[0]).cross(linear);
  for (const int joint : model.topology().path(at.body)) {
    const auto i = static_cast<std::size_t>(joint);
    const Vector3& k = frames.k[i];
    impulse(joint + 5) = model.joint(joint).type == JointType::revolute
                             ? k.dot(angular + (point - frames.p[i]).cross(linear))
                             : k.dot(linear);
  }
  return impulse;
}

}  // namespace spacedyn
