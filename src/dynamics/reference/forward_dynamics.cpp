#include "spacedyn/dynamics/forward_dynamics.hpp"

#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

/// What (18) still asks of the generalized forces at the accelerations in `acceleration`.
void compute_required_forces(const Model& model, const State& state, const Loads& loads,
                             const VectorRef& acceleration, DynamicsWorkspace& workspace) {
  compute_link_accelerations(model, state, workspace.frames, workspace.velocities, acceleration,
                             workspace.accelerations);
  inverse_dynamics(model, workspace.frames, workspace.velocities, workspace.accelerations, loads,
                   workspace.reactions, workspace.bias);
}

double given_force(const Loads& loads, int row) {
  return row < 6 ? loads.F_b(row) : loads.tau(row - 6);
}

/// The free coordinate of a row of H_free: tips first, as the articulated-body algorithm eliminates
/// them, so that both meet the same pivots.
int coordinate(const Mobility& mobility, Eigen::Index row) {
  return *(mobility.free().rbegin() + row);
}

void gather_free(const Mobility& mobility, const MatrixX& H, MatrixX& H_free) {
  for (Eigen::Index column = 0; column < H_free.cols(); ++column) {
    for (Eigen::Index row = 0; row < H_free.rows(); ++row) {
      H_free(row, column) = H(coordinate(mobility, row), coordinate(mobility, column));
    }
  }
}

bool has_sound_pivots(const DynamicsWorkspace& workspace) {
  if (workspace.factorization.info() != Eigen::Success) return false;
  const auto pivots = workspace.factorization.matrixLLT().diagonal().array().square();
  // written so that NaN fails
  return (pivots > kLeastPivot * workspace.H_free.diagonal().array()).all();
}

/// Accelerations of the free coordinates; those in `acceleration` must be zero on entry.
DynamicsStatus solve_free(const Loads& loads, const Mobility& mobility,
                          DynamicsWorkspace& workspace, VectorRef acceleration) {
  VectorX& right_side = workspace.right_side;
  if (right_side.size() == 0) return DynamicsStatus::ok;
  gather_free(mobility, workspace.H, workspace.H_free);
  for (Eigen::Index row = 0; row < right_side.size(); ++row) {
    const int i = coordinate(mobility, row);
    right_side(row) = given_force(loads, i) - workspace.bias(i);
  }
  // (29)
  workspace.factorization.compute(workspace.H_free);
  if (!has_sound_pivots(workspace)) return DynamicsStatus::inertia_not_positive_definite;
  workspace.factorization.solveInPlace(right_side);
  for (Eigen::Index row = 0; row < right_side.size(); ++row) {
    acceleration(coordinate(mobility, row)) = right_side(row);
  }
  return DynamicsStatus::ok;
}

}  // namespace

DynamicsWorkspace::DynamicsWorkspace(const Model& model, const Mobility& mobility)
    : frames(model),
      velocities(model),
      accelerations(model),
      reactions(model),
      jacobians(model),
      inertia(model),
      H(MatrixX::Zero(model.velocity_size(), model.velocity_size())),
      bias(VectorX::Zero(model.velocity_size())) {
  const auto free = static_cast<Eigen::Index>(mobility.free().size());
  H_free = MatrixX::Zero(free, free);
  right_side = VectorX::Zero(free);
  // of a matrix, since one that has never been computed cannot be copied
  factorization.compute(MatrixX::Identity(free, free));
}

void update_kinematics(const Model& model, const State& state, DynamicsWorkspace& workspace) {
  compute_link_frames(model, state, workspace.frames);
  compute_link_velocities(model, state, workspace.frames, workspace.velocities);
}

DynamicsStatus hybrid_dynamics(const Model& model, const State& state, const Loads& loads,
                               const Mobility& mobility, DynamicsWorkspace& workspace,
                               VectorRef acceleration, VectorRef forces) noexcept {
  SPACEDYN_ASSERT(acceleration.size() == model.velocity_size());
  SPACEDYN_ASSERT(forces.size() == model.velocity_size());
  compute_inertia_blocks(model, workspace.frames, workspace.jacobians, workspace.inertia);
  assemble_inertia_matrix(workspace.inertia, workspace.H);

  // c, with the wrenches and the prescribed accelerations moved to the same side
  for (const int row : mobility.free()) acceleration(row) = 0.0;
  compute_required_forces(model, state, loads, acceleration, workspace);
  const DynamicsStatus status = solve_free(loads, mobility, workspace, acceleration);
  if (status != DynamicsStatus::ok) return status;

  for (const int row : mobility.free()) forces(row) = given_force(loads, row);
  for (const int row : mobility.prescribed()) {
    double required = workspace.bias(row);
    for (const int column : mobility.free()) {
      required += workspace.H(row, column) * acceleration(column);
    }
    forces(row) = required - given_force(loads, row);
  }
  return status;
}

}  // namespace spacedyn
