#include "spacedyn/batch/batch_states.hpp"

#include <cmath>
#include <string>

#include "batch/single_states.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {

using Layout = batch::StateRows;
static_assert(Layout::r_0 == BatchStates::kPosition && Layout::A_0 == BatchStates::kAttitude &&
                  Layout::theta == BatchStates::kRotationVector &&
                  Layout::A_ref == BatchStates::kReference &&
                  Layout::v_0 == BatchStates::kVelocity &&
                  Layout::omega_0 == BatchStates::kAngularVelocity &&
                  Layout::q == BatchStates::kJoints && batch::kTile == TiledVectors::kTile,
              "the kernels read the rows that users write");

BatchStates::BatchStates(const Model& model, int count)
    : joints_(model.joint_count()),
      spherical_joints_(model.spherical_joints()),
      rows_(Layout::count(joints_) + Layout::kChart * static_cast<int>(spherical_joints_.size()),
            count) {
  // the lanes that no state fills are at rest, too: they must not slow the others down
  for (int k = 0; k < rows_.tile_count() * TiledVectors::kTile; ++k) {
    for (const int diagonal : {0, 4, 8}) {
      rows_(kAttitude + diagonal, k) = 1.0;
      rows_(kReference + diagonal, k) = 1.0;
    }
    begin_charts(k);
  }
}

void BatchStates::set(int k, const State& state) {
  check(k);
  if (state.q.size() != joints_ || state.qd.size() != joints_ || state.z.size() != 0) {
    throw DimensionError("states of this batch have " + std::to_string(joints_) +
                         " joints and no auxiliary states, got " + std::to_string(state.q.size()) +
                         " positions, " + std::to_string(state.qd.size()) + " velocities and " +
                         std::to_string(state.z.size()) + " auxiliary states");
  }
  VectorX column = VectorX::Zero(rows_.components());
  const Matrix3 A = nearest_rotation(state.A_0);
  column.head(Layout::count(joints_)) << state.r_0, A.reshaped(), Vector3::Zero(), A.reshaped(),
      state.v_0, state.omega_0, state.q, state.qd;
  if (!column.allFinite() || orthogonality_error(state.A_0) > 1e-6) {
    throw DomainError("state " + std::to_string(k) +
                      " of a batch must be finite and its A_0 a rotation to 1e-6");
  }
  rows_.set(k, column);
  begin_charts(k);
}

void BatchStates::begin_charts(int k) {
  constexpr int kTile = TiledVectors::kTile;
  batch::begin_charts(spherical_joints_, joints_, rows_.tile(k / kTile) + k % kTile);
}

State BatchStates::get(int k) const {
  check(k);
  const VectorX column = rows_.get(k);
  State state;
  state.r_0 = column.segment<3>(kPosition);
  state.A_0 = column.segment<9>(kAttitude).reshaped(3, 3);
  state.v_0 = column.segment<3>(kVelocity);
  state.omega_0 = column.segment<3>(kAngularVelocity);
  state.q = column.segment(kJoints, joints_);
  state.qd = column.segment(kJoints + joints_, joints_);
  return state;
}

bool BatchStates::is_finite(int k) const {
  check(k);
  for (int i = 0; i < rows_.components(); ++i) {
    if (!std::isfinite(rows_(i, k))) return false;
  }
  return true;
}

void BatchStates::check(int k) const {
  if (k >= 0 && k < count()) return;
  throw DimensionError("a batch of " + std::to_string(count()) + " states has no state " +
                       std::to_string(k));
}

}  // namespace spacedyn
