#include <algorithm>

#include "dynamics/derivatives/derivatives_workspace.hpp"
#include "inertia/dense_size.hpp"
#include "kinematics/acceleration_check.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/dynamics/derivatives.hpp"
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

namespace {

/// Row of (linear, angular) that holds element i of (angular, linear).
constexpr int base_row(int i) { return i < 3 ? i + 3 : i - 3; }

/// Writes the derivatives from the terms of all joints.
struct Writer {
  const DerivativesWorkspace::Implementation& work;
  bool has_wrenches;
  InverseDynamicsDerivatives& derivatives;

  JointTerms joint(int here) const { return {work.terms.data(), here}; }
  int row(int here) const { return work.walk[here].link + 5; }

  /// A spherical joint turns in the axes of the link that it carries: its own rows are those of
  /// joints above one another whichever is first, and ∂τ/∂ω has H ω̃ besides.
  void correct_spherical(int first, const VectorX& qd) const {
    const Eigen::Index k = row(first);
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < j; ++i) {
        derivatives.configuration(k + i, k + j) -=
            spherical_excess(joint(first + j), joint(first + i), has_wrenches);
      }
    }
    const Matrix3 turn = tilde(qd.segment<3>(k - 6));
    for (Eigen::Index i = 0; i < derivatives.velocity.rows(); ++i) {
      const Eigen::RowVector3d H = derivatives.acceleration.block<1, 3>(i, k);
      derivatives.velocity.block<1, 3>(i, k) += H * turn;
    }
  }

  /// Elements of the base alone.
  void write_base() const {
    MatrixX& H = derivatives.acceleration;
    derivatives.configuration.leftCols<3>().setZero();
    derivatives.velocity.leftCols<3>().setZero();
    H.topLeftCorner<3, 3>() = work.memory.tree.links[0].carried_mass * Matrix3::Identity();
    for (int axis = 0; axis < 3; ++axis) {
      const JointTerms turn(work.turns.data(), axis);
      for (int i = 0; i < 6; ++i) {
        derivatives.configuration(base_row(i), 3 + axis) = turn[kTermLoad + i];
        derivatives.velocity(base_row(i), 3 + axis) = turn[kTermRateLoad + i];
        // H_b (19)
        H(base_row(i), 3 + axis) = H(3 + axis, base_row(i)) = turn[kTermResponse + i];
      }
    }
  }
};

}  // namespace

void inverse_dynamics_derivatives(const State& state, ConstVectorRef acceleration,
                                  const Loads& loads, DerivativesWorkspace& workspace,
                                  InverseDynamicsDerivatives& derivatives) noexcept {
  DerivativesWorkspace::Implementation& work = workspace.implementation();
  TreeWorkspace::Memory& memory = work.memory;
  SPACEDYN_ASSERT(acceleration.size() == work.walk.joint_count() + 6);
  SPACEDYN_ASSERT(derivatives.configuration.rows() == work.walk.joint_count() + 6);
  // nothing is free: all accelerations are given
  memory.kernels.move(memory.tree, memory.zeros.data(), memory.kernel_state(state),
                      acceleration.data(), memory.scratch);
  const bool has_wrenches = memory.kernels.given_terms(
      memory.tree, kernel_loads(loads), memory.scratch, work.terms.data(), work.turns.data());
  BaseArrays& base = work.responses.base();
  base.terms = work.terms.data();
  base.turns = work.turns.data();
  base.has_wrenches = has_wrenches;
  work.responses.compute_forces(work.walk, derivatives.configuration, derivatives.velocity,
                                derivatives.acceleration);
  const Writer writer{work, has_wrenches, derivatives};
  writer.write_base();
  for (int here = 1; here <= work.walk.joint_count(); ++here) {
    const int k = writer.row(here);
    derivatives.acceleration(k, k) += memory.tree.links[here].armature;
  }
  for (int k = 0; k < memory.tree.spherical_count; ++k) {
    writer.correct_spherical(memory.tree.spherical[k], state.qd);
  }
}

InverseDynamicsDerivatives inverse_dynamics_derivatives(const Model& model, const State& state,
                                                        ConstVectorRef acceleration,
                                                        const Loads& loads) {
  state.check(model);
  loads.check(model);
  check_acceleration(model, acceleration);
  InverseDynamicsDerivatives derivatives(model);
  DerivativesWorkspace workspace(model);
  inverse_dynamics_derivatives(state, acceleration, loads, workspace, derivatives);
  return derivatives;
}

namespace {

/// 6 + n, if matrices of that size may be formed.
Eigen::Index derivative_size(const Model& model) {
  return 6 + dense_size(model, "derivatives of dynamics");
}

}  // namespace

InverseDynamicsDerivatives::InverseDynamicsDerivatives(const Model& model)
    : configuration(MatrixX::Zero(derivative_size(model), model.velocity_size())),
      velocity(configuration),
      acceleration(configuration) {}

ForwardDynamicsDerivatives::ForwardDynamicsDerivatives(const Model& model)
    : acceleration(VectorX::Zero(derivative_size(model))),
      configuration(MatrixX::Zero(model.velocity_size(), model.velocity_size())),
      velocity(configuration),
      force(configuration) {}

DerivativesWorkspace::DerivativesWorkspace(const Model& model) {
  derivative_size(model);
  implementation_ = std::make_unique<Implementation>(model);
}

DerivativesWorkspace::~DerivativesWorkspace() = default;
DerivativesWorkspace::DerivativesWorkspace(DerivativesWorkspace&&) noexcept = default;
DerivativesWorkspace& DerivativesWorkspace::operator=(DerivativesWorkspace&&) noexcept = default;

}  // namespace spacedyn
