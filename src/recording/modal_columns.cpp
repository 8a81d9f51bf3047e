#include <cmath>

#include <Eigen/Eigenvalues>

#include "constraints/tree_only.hpp"
#include "recording/derived_columns.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"

namespace spacedyn {
namespace {

constexpr double kTwoPi = 6.283185307179586;

std::vector<int> elastic_joints(const Model& model) {
  std::vector<int> joints;
  for (int i = 1; i <= model.joint_count(); ++i) {
    if (!(model.joint(i).stiffness > 0.0)) continue;
    if (model.joint(i).spherical != 0) {
      throw DomainError(
          "channel 'modal_energy' takes springs of joints with positions of their "
          "own, '" +
          model.joint(i).name + "' belongs to a spherical joint");
    }
    joints.push_back(i);
  }
  return joints;
}

/// The inertia that all joints feel in a configuration: H*, or H_m where the base does not answer.
MatrixX felt_inertia(const Model& model, BaseMode base_mode, const State& state) {
  LinkFrames frames(model);
  JacobianWorkspace workspace(model);
  InertiaBlocks blocks(model);
  compute_link_frames(model, state, frames);
  compute_inertia_blocks(model, frames, workspace, blocks);
  if (base_mode != BaseMode::floating) return blocks.H_m;
  BaseResponse response(model);
  if (compute_base_response(model, blocks, response) != InertiaStatus::ok) return blocks.H_m;
  MatrixX H_star(model.joint_count(), model.joint_count());
  reduced_inertia(blocks, response, H_star);
  return H_star;
}

class ModalEnergy final : public DerivedColumns {
 public:
  ModalEnergy(const Model& model, BaseMode base_mode, const State& reference)
      : joints_(elastic_joints(model)) {
    const auto count = static_cast<Eigen::Index>(joints_.size());
    rest_.resize(count);
    displacement_.resize(count);
    rate_.resize(count);
    eta_.resize(count);
    eta_rate_.resize(count);
    State state = reference;
    VectorX stiffness(count);
    std::vector<Column> columns;
    for (Eigen::Index k = 0; k < count; ++k) {
      const Joint& joint = model.joint(joints_[static_cast<std::size_t>(k)]);
      rest_(k) = joint.rest_position;
      stiffness(k) = joint.stiffness;
      state.q(joints_[static_cast<std::size_t>(k)] - 1) = joint.rest_position;
      columns.push_back({"modes_" + std::to_string(k + 1) + "_energy_J", "J"});
    }
    if (count > 0) solve(felt_inertia(model, base_mode, state), stiffness);
    for (Eigen::Index k = 0; k < count; ++k) {
      columns[static_cast<std::size_t>(k)].frequency = std::sqrt(omega_squared_(k)) / kTwoPi;
    }
    add("/modes/energy", "", columns);
  }

  void fill(const SimulationPoint& point, VectorRef values) override {
    if (values.size() == 0) return;
    for (Eigen::Index k = 0; k < rest_.size(); ++k) {
      const int i = joints_[static_cast<std::size_t>(k)] - 1;
      displacement_(k) = point.state.q(i) - rest_(k);
      rate_(k) = point.state.qd(i);
    }
    // η = φᵀ M (q − q_rest), E = ½ (η̇² + ω² η²)
    eta_.noalias() = to_modes_.lazyProduct(displacement_);
    eta_rate_.noalias() = to_modes_.lazyProduct(rate_);
    values = 0.5 * (eta_rate_.array().square() + omega_squared_.array() * eta_.array().square());
  }

 private:
  void solve(const MatrixX& inertia, const VectorX& stiffness) {
    const Eigen::Index count = stiffness.size();
    MatrixX M(count, count);
    for (Eigen::Index row = 0; row < count; ++row) {
      for (Eigen::Index column = 0; column < count; ++column) {
        M(row, column) = inertia(joints_[static_cast<std::size_t>(row)] - 1,
                                 joints_[static_cast<std::size_t>(column)] - 1);
      }
    }
    const MatrixX K = stiffness.asDiagonal();
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixX> solver(K, M);
    if (solver.info() != Eigen::Success) {
      throw DomainError(
          "channel 'modal_energy' needs an inertia that is positive definite where all springs are "
          "at rest; some elastic joint moves no mass there");
    }
    omega_squared_ = solver.eigenvalues();
    to_modes_ = solver.eigenvectors().transpose() * M;
  }

  std::vector<int> joints_;
  VectorX rest_, omega_squared_;
  MatrixX to_modes_;  // Φᵀ M
  VectorX displacement_, rate_, eta_, eta_rate_;
};

}  // namespace

std::unique_ptr<DerivedColumns> modal_energy(const Model& model, BaseMode base_mode,
                                             const State& reference) {
  require_tree(model, "channel 'modal_energy'");
  return std::make_unique<ModalEnergy>(model, base_mode, reference);
}

}  // namespace spacedyn
