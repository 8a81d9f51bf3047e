#include "spacedyn/inertia/coupling.hpp"

#include "inertia/snapshot.hpp"
#include "spacedyn/assert.hpp"

namespace spacedyn {
namespace {

Vector3 three_values(const VectorX& sigma) {
  Vector3 values = Vector3::Zero();
  values.head(sigma.size()) = sigma;
  return values;
}

}  // namespace

CouplingWorkspace::CouplingWorkspace(const Model& model)
    : linear(3, model.joint_count()),
      angular(3, model.joint_count()),
      all(6, model.joint_count()) {}

CouplingMeasures compute_coupling_measures(const BaseResponse& response,
                                           CouplingWorkspace& workspace) noexcept {
  SPACEDYN_ASSERT(workspace.all.matrix().cols() == response.D.cols());
  workspace.linear.matrix() = response.D.topRows<3>();
  workspace.angular.matrix() = response.D.bottomRows<3>();
  workspace.linear.decompose(0.0);
  workspace.angular.decompose(0.0);

  CouplingMeasures measures;
  measures.linear = three_values(workspace.linear.sigma());
  measures.angular = three_values(workspace.angular.sigma());
  if (response.D.cols() >= 6) {
    workspace.all.matrix() = response.D;
    workspace.all.decompose(0.0);
    measures.volume = workspace.all.sigma().prod();
  }
  return measures;
}

CouplingMeasures coupling_measures(const Model& model, const State& state) {
  const ResponseSnapshot<Snapshot> now(model, state);
  CouplingWorkspace workspace(model);
  return compute_coupling_measures(now.response, workspace);
}

}  // namespace spacedyn
