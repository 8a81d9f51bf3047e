#include "spacedyn/inertia/effective_mass.hpp"

#include <limits>
#include <numeric>

#include <Eigen/Cholesky>

#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/jacobians.hpp"
#include "spacedyn/kinematics/points.hpp"

namespace spacedyn {
namespace {

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

ImpactEffect effect_of(const Model& model, const State& state, const VectorX& row,
                       const std::vector<int>& free) {
  ImpactEffect effect;
  effect.effective_mass = std::numeric_limits<double>::infinity();
  effect.velocity_change = VectorX::Zero(model.velocity_size());
  if (free.empty()) return effect;
  const MatrixX H = inertia_matrix(model, state)(free, free);
  const Eigen::LLT<MatrixX> factorization(H);
  if (factorization.info() != Eigen::Success) {
    throw NumericalError("the inertia of the coordinates that move freely is singular", 0.0, 0,
                         "inertia");
  }
  const VectorX own = row(free);
  const VectorX change = factorization.solve(own);
  effect.velocity_change(free) = change;
  const double inverse = own.dot(change);
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

}  // namespace spacedyn
