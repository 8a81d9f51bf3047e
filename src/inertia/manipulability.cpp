#include "spacedyn/inertia/manipulability.hpp"

#include "inertia/option_checks.hpp"
#include "spacedyn/kinematics/jacobian_derivatives.hpp"

namespace spacedyn {

Manipulability compute_manipulability(const ManipulabilityOptions& options,
                                      SingularValues& jacobian) noexcept {
  MatrixX& J = jacobian.matrix();
  if (J.rows() == 6) J.topRows<3>() /= options.length;
  jacobian.decompose_relative(options.tolerance);
  const VectorX& sigma = jacobian.sigma();
  Manipulability result;
  result.rank = jacobian.rank();
  result.threshold = jacobian.threshold();
  result.is_singular = result.rank < sigma.size();
  if (sigma.size() == 0) return result;
  result.sigma_max = sigma(0);
  result.sigma_min = sigma(sigma.size() - 1);
  if (J.cols() >= J.rows()) result.measure = sigma.prod();
  return result;
}

Manipulability manipulability(const Eigen::Ref<const MatrixX>& J,
                              const ManipulabilityOptions& options) {
  require_positive("length", options.length);
  require_not_negative("tolerance", options.tolerance);
  if (J.rows() == 0) throw DomainError("the Jacobian has no rows, expected at least one");
  if (!J.allFinite()) throw DomainError("the Jacobian is not finite");
  SingularValues jacobian(static_cast<int>(J.rows()), static_cast<int>(J.cols()));
  jacobian.matrix() = J;
  return compute_manipulability(options, jacobian);
}

Manipulability fixed_base_manipulability(const Model& model, const State& state, const Frame& frame,
                                         const ManipulabilityOptions& options) {
  return manipulability(frame_jacobians(model, state, frame).J_m, options);
}

Manipulability free_floating_manipulability(const Model& model, const State& state,
                                            const Frame& frame,
                                            const ManipulabilityOptions& options) {
  return manipulability(generalized_jacobian(model, state, frame), options);
}

}  // namespace spacedyn
