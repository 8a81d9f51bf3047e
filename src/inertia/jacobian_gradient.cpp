#include "spacedyn/inertia/jacobian_gradient.hpp"

#include "spacedyn/kinematics/jacobian_derivatives.hpp"

namespace spacedyn {

JacobianGradient jacobian_gradient(const Model& model, const State& state, const Frame& frame) {
  state.check(model);
  JacobianGradient gradient;
  for (int j = 0; j < model.velocity_size(); ++j) {
    State moving = state;
    const VectorX unit = VectorX::Unit(model.velocity_size(), j);
    moving.v_0 = linear_part(unit);
    moving.omega_0 = angular_part(unit);
    moving.qd = joint_part(unit);
    const FrameJacobians rates = frame_jacobians(model, moving, frame);
    gradient.J_m.push_back(rates.J_m_dot);
    gradient.J_b.push_back(rates.J_b_dot);
    gradient.J_star.push_back(generalized_jacobian_derivative(model, moving, frame));
  }
  return gradient;
}

}  // namespace spacedyn
