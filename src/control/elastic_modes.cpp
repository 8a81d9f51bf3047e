#include "spacedyn/control/elastic_modes.hpp"

#include <algorithm>

#include <Eigen/Eigenvalues>

#include "spacedyn/error.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"

namespace spacedyn {
namespace {

/// The inertia that all joints feel in a configuration: H*, or H_m where the base does not answer.
MatrixX felt_inertia(const Model& model, bool base_floats, const State& state) {
  LinkFrames frames(model);
  JacobianWorkspace workspace(model);
  InertiaBlocks blocks(model);
  compute_link_frames(model, state, frames);
  compute_inertia_blocks(model, frames, workspace, blocks);
  if (!base_floats) return blocks.H_m;
  BaseResponse response(model);
  if (compute_base_response(model, blocks, response) != InertiaStatus::ok) return blocks.H_m;
  MatrixX H_star(model.joint_count(), model.joint_count());
  reduced_inertia(blocks, response, H_star);
  return H_star;
}

}  // namespace

ElasticModes elastic_modes(const std::string& owner, const Model& model, bool base_floats,
                           const State& reference, const std::vector<int>& others) {
  ElasticModes modes;
  for (int i = 1; i <= model.joint_count(); ++i) {
    const bool is_held = std::count(others.begin(), others.end(), i) > 0;
    if (!(model.joint(i).stiffness > 0.0) || is_held) continue;
    if (model.joint(i).spherical != 0) {
      throw DomainError(owner + "takes springs of joints with positions of their own, '" +
                        model.joint(i).name + "' belongs to a spherical joint");
    }
    modes.joints.push_back(i);
  }
  const auto count = static_cast<Eigen::Index>(modes.joints.size());
  modes.rest.resize(count);
  VectorX stiffness(count);
  State state = reference;
  for (Eigen::Index k = 0; k < count; ++k) {
    const int joint = modes.joints[static_cast<std::size_t>(k)];
    modes.rest(k) = model.joint(joint).rest_position;
    stiffness(k) = model.joint(joint).stiffness;
    state.q(joint - 1) = modes.rest(k);
  }
  if (count == 0) return modes;
  const MatrixX inertia = felt_inertia(model, base_floats, state);
  MatrixX M(count, count);
  for (Eigen::Index row = 0; row < count; ++row) {
    for (Eigen::Index column = 0; column < count; ++column) {
      M(row, column) = inertia(modes.joints[static_cast<std::size_t>(row)] - 1,
                               modes.joints[static_cast<std::size_t>(column)] - 1);
    }
  }
  const MatrixX K = stiffness.asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(K, M);
  if (solver.info() != Eigen::Success) {
    throw DomainError(owner +
                      "needs an inertia that is positive definite where all springs are at rest; "
                      "some elastic joint moves no mass there");
  }
  modes.omega_squared = solver.eigenvalues();
  modes.shapes = solver.eigenvectors();
  modes.to_modes = modes.shapes.transpose() * M;
  return modes;
}

}  // namespace spacedyn
