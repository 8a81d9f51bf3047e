#include "dynamics/derivatives_workspace.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

using Work = DerivativesWorkspace::Implementation;

/// Row of (linear, angular) that holds element i of (angular, linear).
constexpr int base_row(int i) { return i < 3 ? i + 3 : i - 3; }

/// A column of joint accelerations of a branch with the base held, in the order of the walk.
struct BranchColumn {
  int branch;
  const double* values;
};

/// U x: what the joint accelerations of a branch ask of the base, U = ∂F_0/∂q̈.
Vector6 base_force(const BranchArrays& branch, const double* x) {
  Vector6 force = Vector6::Zero();
  for (int i = 0; i < branch.size; ++i) {
    for (int r = 0; r < 6; ++r) force(r) += branch.terms[i].response[r] * x[i];
  }
  return force;
}

/// Writes the accelerations that follow from that of the base: T a_0 for all joints.
void follow_base(const Work& work, const Vector6& a_0, Eigen::Ref<VectorX> column) {
  for (int i = 0; i < 6; ++i) column(base_row(i)) = a_0(i);
  for (int b = 0; b < work.responses.count(); ++b) {
    const BranchArrays& branch = work.responses[b];
    const WalkBody* bodies = &work.walk[work.walk.branches[static_cast<std::size_t>(b)].begin];
    for (int i = 0; i < branch.size; ++i) {
      double sum = 0.0;
      for (int r = 0; r < 6; ++r) sum += branch.coupling[r * branch.stride + i] * a_0(r);
      column(bodies[i].link + 5) = sum;
    }
  }
}

void add_branch(const Work& work, int b, const double* x, Eigen::Ref<VectorX> column) {
  const WalkRange& range = work.walk.branches[static_cast<std::size_t>(b)];
  for (int i = 0; i < range.size(); ++i) column(work.walk[range.begin + i].link + 5) += x[i];
}

/// Columns of a turn of the base and of its angular velocity.
void write_base_turns(const Work& work, ForwardDynamicsDerivatives& derivatives) {
  for (int axis = 0; axis < 3; ++axis) {
    const JointTerms& turn = work.terms.base[static_cast<std::size_t>(axis)];
    Vector6 force = Eigen::Map<const Vector6>(turn.load);
    Vector6 rate_force = Eigen::Map<const Vector6>(turn.rate_load);
    for (int b = 0; b < work.responses.count(); ++b) {
      const BranchArrays& branch = work.responses[b];
      force += base_force(branch, branch.base_configuration + axis * branch.stride);
      rate_force += base_force(branch, branch.base_velocity + axis * branch.stride);
    }
    follow_base(work, -(work.articulated.base_inverse * force),
                derivatives.configuration.col(3 + axis));
    follow_base(work, -(work.articulated.base_inverse * rate_force),
                derivatives.velocity.col(3 + axis));
    for (int b = 0; b < work.responses.count(); ++b) {
      const BranchArrays& branch = work.responses[b];
      add_branch(work, b, branch.base_configuration + axis * branch.stride,
                 derivatives.configuration.col(3 + axis));
      add_branch(work, b, branch.base_velocity + axis * branch.stride,
                 derivatives.velocity.col(3 + axis));
    }
  }
}

/// Columns of the joints of a branch.
void write_branch(const Work& work, int b, ForwardDynamicsDerivatives& derivatives) {
  const BranchArrays& branch = work.responses[b];
  const WalkRange& range = work.walk.branches[static_cast<std::size_t>(b)];
  const Matrix6& base_inverse = work.articulated.base_inverse;
  for (int j = 0; j < branch.size; ++j) {
    const int k = work.walk[range.begin + j].link + 5;
    const JointTerms& terms = branch.terms[j];
    const double* turned = branch.configuration + j * branch.stride;
    const double* moved = branch.velocity + j * branch.stride;

    const Vector6 force = Eigen::Map<const Vector6>(terms.load) + base_force(branch, turned);
    follow_base(work, -(base_inverse * force), derivatives.configuration.col(k));
    add_branch(work, b, turned, derivatives.configuration.col(k));

    const Vector6 rate_force =
        Eigen::Map<const Vector6>(terms.rate_load) + base_force(branch, moved);
    follow_base(work, -(base_inverse * rate_force), derivatives.velocity.col(k));
    add_branch(work, b, moved, derivatives.velocity.col(k));

    Vector6 coupling;
    for (int r = 0; r < 6; ++r) coupling(r) = branch.coupling[r * branch.stride + j];
    follow_base(work, base_inverse * coupling, derivatives.force.col(k));
    add_branch(work, b, branch.inverse + j * branch.stride, derivatives.force.col(k));
  }
}

}  // namespace

DynamicsStatus forward_dynamics_derivatives(const State& state, const Loads& loads,
                                            const Mobility& mobility,
                                            DerivativesWorkspace& workspace,
                                            ForwardDynamicsDerivatives& derivatives) noexcept {
  Work& work = workspace.implementation();
  SPACEDYN_ASSERT(derivatives.acceleration.size() == work.walk.joint_count() + 6);
  compute_body_motions(work.walk, state, loads, work.motions);
  compute_composites(work.walk, work.motions, loads, work.terms);
  if (!solve_articulated_bodies(work.walk, state, work.motions, work.terms.composites, loads,
                                mobility, work.articulated, derivatives.acceleration)) {
    return DynamicsStatus::inertia_not_positive_definite;
  }
  add_inertial_forces(work.motions);
  compute_derivative_terms(work.walk, work.motions, work.terms);
  work.responses.compute(work.walk, work.articulated, work.terms);

  derivatives.configuration.leftCols<3>().setZero();
  derivatives.velocity.leftCols<3>().setZero();
  write_base_turns(work, derivatives);
  for (int i = 0; i < 6; ++i) {
    follow_base(work, work.articulated.base_inverse.col(i), derivatives.force.col(base_row(i)));
  }
  for (int b = 0; b < work.responses.count(); ++b) write_branch(work, b, derivatives);
  return DynamicsStatus::ok;
}

ForwardDynamicsDerivatives forward_dynamics_derivatives(const Model& model, const State& state,
                                                        const Loads& loads) {
  state.check(model);
  loads.check(model);
  ForwardDynamicsDerivatives derivatives(model);
  DerivativesWorkspace workspace(model);
  if (forward_dynamics_derivatives(state, loads, Mobility(model), workspace, derivatives) !=
      DynamicsStatus::ok) {
    throw NumericalError("the inertia matrix is not positive definite at this state", 0.0, 0,
                         "inertia matrix");
  }
  return derivatives;
}

}  // namespace spacedyn
