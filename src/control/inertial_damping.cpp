#include "spacedyn/control/inertial_damping.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "control/thread_memory.hpp"
#include "dynamics/tree/tree_sums.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/reduced_inertia.hpp"
#include "spacedyn/math/hierarchical_least_squares.hpp"
#include "spacedyn/state/followers.hpp"
#include "state/led_matrix.hpp"

namespace spacedyn {
namespace {

ComputedTorque::Settings without_feedback(const InertialDamping::Settings& settings) {
  ComputedTorque::Settings own;
  static_cast<JointTracking&>(own) = settings;
  const auto count = static_cast<Eigen::Index>(settings.joints.size());
  own.stiffness = own.damping = VectorX::Zero(count);
  own.reference = std::make_shared<ConstantReference>(VectorX::Zero(count));
  own.surroundings = settings.surroundings;
  return own;
}

}  // namespace

/// Of one controller in one thread.
struct InertialDamping::Memory {
  Memory(const InertialDamping& owner, const Model& model)
      : id(owner.id_),
        tree(model),
        H(model.velocity_size(), model.velocity_size()),
        felt(owner.modes_.rest.size(), owner.command_size()),
        A(owner.damping_.size(), owner.command_size()),
        rate(owner.modes_.rest.size()),
        b(owner.damping_.size()),
        solver({owner.command_size(), 0, static_cast<int>(owner.damping_.size())}) {}

  long id;
  TreeWorkspace tree;
  MatrixX H, felt, A;
  VectorX rate, b;
  HierarchicalLeastSquares solver;
};

InertialDamping::InertialDamping(std::string name, const Model& model, const State& start,
                                 Settings settings)
    : ComputedTorque(std::move(name), model, without_feedback(settings)),
      base_floats_(settings.surroundings.base_floats && !model.has_fixed_base()) {
  id_ = next_controller_id();
  const std::string owner = owner_prefix(*this);
  if (!model.robots().empty()) throw DomainError(owner + "it is for models of one robot");
  if (!(settings.damping_ratio > 0.0) || std::isinf(settings.damping_ratio)) {
    throw DomainError(owner + "damping_ratio must be finite and positive");
  }
  modes_ = elastic_modes(owner + "it ", model, base_floats_, start, settings.joints);
  const int elastic = static_cast<int>(modes_.joints.size());
  if (settings.modes < 1 || settings.modes > std::min(elastic, command_size())) {
    throw DomainError(owner + "modes must be at least 1, and at most the number of its joints, " +
                      std::to_string(command_size()) + ", and of other joints with springs, " +
                      std::to_string(elastic));
  }
  modes_.omega_squared.conservativeResize(settings.modes);
  modes_.shapes.conservativeResize(Eigen::NoChange, settings.modes);
  modes_.to_modes.conservativeResize(settings.modes, Eigen::NoChange);
  damping_ = 2.0 * settings.damping_ratio * modes_.omega_squared.cwiseSqrt();
}

void InertialDamping::accelerations(const EvaluationContext& context, VectorRef a) const {
  Memory& memory = thread_memory_of<Memory>(id_, *this, context.model);
  update_tank_masses(memory.tree, context.model);
  composite_rigid_body(context.state, memory.tree, memory.H);
  lead_both_sides(context.model, memory.H);
  const Eigen::LLT<Matrix6> base(memory.H.topLeftCorner<6, 6>());
  for (Eigen::Index j = 0; j < a.size(); ++j) {
    const Eigen::Index driven = tracking().joints[static_cast<std::size_t>(j)] + 5;
    Vector6 answer = Vector6::Zero();
    if (base_floats_) answer = base.solve(memory.H.col(driven).head<6>());
    for (Eigen::Index k = 0; k < memory.rate.size(); ++k) {
      const Eigen::Index own = modes_.joints[static_cast<std::size_t>(k)] + 5;
      memory.felt(k, j) = memory.H(own, driven) - memory.H.col(own).head<6>().dot(answer);
    }
  }
  for (Eigen::Index k = 0; k < memory.rate.size(); ++k) {
    memory.rate(k) = context.state.qd(modes_.joints[static_cast<std::size_t>(k)] - 1);
  }
  memory.A.noalias() = modes_.shapes.transpose().lazyProduct(memory.felt);
  memory.b.noalias() = modes_.to_modes.lazyProduct(memory.rate);
  memory.b.array() *= damping_.array();
  memory.solver.start();
  memory.solver.minimize(memory.A, memory.b);
  a = memory.solver.solution();
}

namespace {

/// The inertia that all joints feel in a configuration: H*, or H_m where the base does not answer;
/// Gᵀ H* G where joints follow others.
MatrixX felt_inertia(const Model& model, bool base_floats, const State& state) {
  LinkFrames frames(model);
  JacobianWorkspace workspace(model);
  InertiaBlocks blocks(model);
  compute_link_frames(model, state, frames);
  compute_inertia_blocks(model, frames, workspace, blocks);
  MatrixX inertia = blocks.H_m;
  BaseResponse response(model);
  if (base_floats && compute_base_response(model, blocks, response) == InertiaStatus::ok) {
    reduced_inertia(blocks, response, inertia);
  }
  lead_both_sides(model, inertia);
  return inertia;
}

/// Springs of joints with a coordinate and of those that follow them: K and K q_rest.
struct JointSprings {
  explicit JointSprings(const Model& model)
      : stiffness(model.joint_count()), pull(model.joint_count()) {
    for (int i = 1; i <= model.joint_count(); ++i) {
      stiffness(i - 1) = model.joint(i).stiffness;
      pull(i - 1) = stiffness(i - 1) * model.joint(i).rest_position;
    }
    for (const Follower& each : model.followers()) {
      double& led = stiffness(each.joint - 1);
      stiffness(each.followed - 1) += each.ratio * each.ratio * led;
      pull(each.followed - 1) += each.ratio * (pull(each.joint - 1) - led * each.offset);
      led = 0.0;
    }
  }

  VectorX stiffness, pull;
};

}  // namespace

ElasticModes elastic_modes(const std::string& owner, const Model& model, bool base_floats,
                           const State& reference, const std::vector<int>& others) {
  ElasticModes modes;
  const JointSprings springs(model);
  for (int i = 1; i <= model.joint_count(); ++i) {
    const bool is_held = std::count(others.begin(), others.end(), i) > 0;
    if (!(springs.stiffness(i - 1) > 0.0) || is_held) continue;
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
    stiffness(k) = springs.stiffness(joint - 1);
    modes.rest(k) = springs.pull(joint - 1) / stiffness(k);
    state.q(joint - 1) = modes.rest(k);
  }
  if (count == 0) return modes;
  follow(model, state);
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
