#include "spacedyn/control/inertial_damping.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "control/thread_memory.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/hierarchical_least_squares.hpp"

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
  require_no_followers(*this, model);
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
  composite_rigid_body(context.state, memory.tree, memory.H);
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

}  // namespace spacedyn
