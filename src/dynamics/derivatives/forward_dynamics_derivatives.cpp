#include <algorithm>

#include "dynamics/derivatives/derivatives_workspace.hpp"
#include "inertia/dense_size.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn {
namespace {

using Work = DerivativesWorkspace::Implementation;

void set_mobility(const Mobility& mobility, Work& work) {
  TreeWorkspace::Memory& memory = work.memory;
  work.responses.base().is_held = !mobility.base_free();
  std::fill(memory.free.begin(), memory.free.end(), 1.0);
  for (const int row : mobility.prescribed()) {
    const int body = row < 6 ? 0 : row - 5;
    memory
        .free[static_cast<std::size_t>(memory.constants.entry()[static_cast<std::size_t>(body)])] =
        0.0;
  }
}

/// The kernels see three axes that turn one after the other; ∂τ/∂ω has H ω̃ besides.
void correct_spherical_joints(const State& state, const Work& work, bool has_wrenches,
                              ForwardDynamicsDerivatives& derivatives) {
  const Tree& tree = work.memory.tree;
  for (int k = 0; k < tree.spherical_count; ++k) {
    const int entry = tree.spherical[k];
    const Eigen::Index joint = tree.body[entry] - 1, row = 6 + joint;
    if (work.memory.free[static_cast<std::size_t>(entry)] == 0.0) continue;
    const auto terms = [&](int place) { return JointTerms(work.terms.data(), entry + place); };
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < j; ++i) {
        derivatives.configuration.col(row + j) +=
            spherical_excess(terms(j), terms(i), has_wrenches) * derivatives.force.col(row + i);
      }
    }
    derivatives.velocity.block<3, 3>(row, row) -= tilde(state.qd.segment<3>(joint));
  }
}

}  // namespace

DynamicsStatus forward_dynamics_derivatives(const State& state, const Loads& loads,
                                            const Mobility& mobility,
                                            DerivativesWorkspace& workspace,
                                            ForwardDynamicsDerivatives& derivatives) noexcept {
  Work& work = workspace.implementation();
  TreeWorkspace::Memory& memory = work.memory;
  VectorX& acceleration = derivatives.acceleration;
  SPACEDYN_ASSERT(acceleration.size() == work.walk.joint_count() + 6);
  set_mobility(mobility, work);
  BaseArrays& base = work.responses.base();
  memory.kernels.move(memory.tree, memory.free.data(), memory.kernel_state(state),
                      acceleration.data(), memory.scratch);
  const DynamicsStatus status = solve_articulated_bodies(
      memory, kernel_loads(loads), acceleration.data(), work.ignored.data(), base.inverse);
  if (status != DynamicsStatus::ok) return status;
  base.terms = work.terms.data();
  base.turns = work.turns.data();
  base.has_wrenches = memory.kernels.solved_terms(memory.tree, kernel_loads(loads), memory.scratch,
                                                  work.terms.data(), work.turns.data());
  base.scratch = memory.scratch;
  work.responses.compute(work.walk, derivatives.configuration, derivatives.velocity,
                         derivatives.force);
  correct_spherical_joints(state, work, base.has_wrenches, derivatives);
  return DynamicsStatus::ok;
}

DynamicsStatus inverse_inertia(const State& state, const Mobility& mobility,
                               DerivativesWorkspace& workspace,
                               Eigen::Ref<MatrixX> H_inverse) noexcept {
  Work& work = workspace.implementation();
  TreeWorkspace::Memory& memory = work.memory;
  SPACEDYN_ASSERT(H_inverse.rows() == work.walk.joint_count() + 6);
  SPACEDYN_ASSERT(H_inverse.cols() == H_inverse.rows());
  set_mobility(mobility, work);
  BaseArrays& base = work.responses.base();
  memory.kernels.update_positions(memory.tree, memory.kernel_state(state), memory.scratch);
  const double smallest =
      memory.kernels.articulated_inertias(memory.tree, {memory.free.data()}, memory.zeros.data(),
                                          memory.scratch, base.inverse, work.turns.data());
  const DynamicsStatus status = judge_pivots(memory, smallest);
  if (status != DynamicsStatus::ok) return status;
  base.turns = work.turns.data();
  base.scratch = memory.scratch;
  work.responses.invert(work.walk, H_inverse);
  return DynamicsStatus::ok;
}

MatrixX inverse_inertia(const Model& model, const State& state) {
  state.check(model);
  DerivativesWorkspace workspace(model);
  MatrixX H_inverse(model.velocity_size(), model.velocity_size());
  if (inverse_inertia(state, Mobility(model), workspace, H_inverse) != DynamicsStatus::ok) {
    throw singularity_error(model, state);
  }
  return H_inverse;
}

ForwardDynamicsDerivatives forward_dynamics_derivatives(const Model& model, const State& state,
                                                        const Loads& loads) {
  state.check(model);
  loads.check(model);
  ForwardDynamicsDerivatives derivatives(model);
  DerivativesWorkspace workspace(model);
  if (forward_dynamics_derivatives(state, loads, Mobility(model), workspace, derivatives) !=
      DynamicsStatus::ok) {
    throw singularity_error(model, state);
  }
  return derivatives;
}

}  // namespace spacedyn
