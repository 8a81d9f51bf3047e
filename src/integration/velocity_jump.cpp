#include "integration/velocity_jump.hpp"

#include <cmath>

#include "spacedyn/error.hpp"

namespace spacedyn {

VelocityJump::VelocityJump(const Model& model, const LinkFrames& frames, const Mobility& mobility)
    : mobility_(mobility), H_(model.velocity_size(), model.velocity_size()) {
  JacobianWorkspace jacobians(model);
  InertiaBlocks blocks(model);
  compute_inertia_blocks(model, frames, jacobians, blocks);
  assemble_inertia_matrix(blocks, H_);
  const std::vector<int>& free = mobility_.free();
  factorization_.compute(MatrixX(H_(free, free)));
  if (factorization_.info() != Eigen::Success) {
    throw NumericalError("the inertia matrix is not positive definite at an event", 0.0, 0,
                         "inertia matrix");
  }
}

VectorX VelocityJump::of_impulse(const VectorX& impulse) const {
  VectorX jump = VectorX::Zero(impulse.size());
  const std::vector<int>& free = mobility_.free();
  const VectorX right_side = impulse(free);
  const VectorX solution = factorization_.solve(right_side);
  jump(free) = solution;
  return jump;
}

VectorX VelocityJump::of_joint(int joint, double change) const {
  const int size = static_cast<int>(mobility_.free().size() + mobility_.prescribed().size());
  const VectorX response = of_impulse(VectorX::Unit(size, joint + 5));
  return response * (change / response(joint + 5));
}

std::pair<double, double> VelocityJump::reaction(int joint, const VectorX& jump,
                                                 const VectorX& impulse) const {
  const VectorX terms = H_.row(joint + 5).transpose().cwiseProduct(jump);
  return {terms.sum() - impulse(joint + 5), terms.lpNorm<1>() + std::abs(impulse(joint + 5))};
}

VectorX generalized_impulse(const Model& model, const LinkFrames& frames, const Frame& at,
                            const Vector3& linear, const Vector3& angular) {
  VectorX impulse = VectorX::Zero(model.velocity_size());
  const Vector3 point = frame_position(frames, at);
  impulse.head<3>() = linear;
  impulse.segment<3>(3) = angular + (point - frames.r[0]).cross(linear);
  for (const int joint : model.topology().path(at.body)) {
    const auto i = static_cast<std::size_t>(joint);
    const Vector3& k = frames.k[i];
    impulse(joint + 5) = model.joint(joint).type == JointType::revolute
                             ? k.dot(angular + (point - frames.p[i]).cross(linear))
                             : k.dot(linear);
  }
  return impulse;
}

}  // namespace spacedyn
