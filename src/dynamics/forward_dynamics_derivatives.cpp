#include "dynamics/derivatives_workspace.hpp"
#include "spacedyn/assert.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

using Work = DerivativesWorkspace::Implementation;

}  // namespace

DynamicsStatus forward_dynamics_derivatives(const State& state, const Loads& loads,
                                            const Mobility& mobility,
                                            DerivativesWorkspace& workspace,
                                            ForwardDynamicsDerivatives& derivatives) noexcept {
  Work& work = workspace.implementation();
  SPACEDYN_ASSERT(derivatives.acceleration.size() == work.walk.joint_count() + 6);
  work.move(state, loads);
  if (!solve_articulated_bodies(work.walk, state, work.motions, work.terms.composites, loads,
                                mobility, work.articulated, derivatives.acceleration)) {
    return DynamicsStatus::inertia_not_positive_definite;
  }
  add_inertial_forces(work.motions);
  compute_derivative_terms(work.walk, work.motions, work.terms);
  work.responses.compute(work.walk, work.articulated, work.terms, derivatives.configuration,
                         derivatives.velocity, derivatives.force);
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
