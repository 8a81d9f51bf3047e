#include "spacedyn/dynamics/derivatives.hpp"

#include "dynamics/derivatives/derivatives_workspace.hpp"
#include "inertia/dense_size.hpp"

namespace spacedyn {
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
