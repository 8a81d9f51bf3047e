#include "spacedyn/control/computed_torque.hpp"

#include <limits>

#include "control/thread_memory.hpp"
#include "dynamics/tree/tree_sums.hpp"
#include "forces/element_checks.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/dynamics/tree_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {
namespace {

std::vector<int> counterparts(const std::string& owner, const Model& model, const Model& believed) {
  if (model.has_fixed_base() != believed.has_fixed_base() ||
      model.joint_count() != believed.joint_count()) {
    throw DomainError(owner + "the model that it believes in must have as many joints as '" +
                      model.name() + "' and the same kind of base");
  }
  std::vector<int> counterpart{0};
  for (int i = 1; i <= model.joint_count(); ++i) {
    const Joint& joint = model.joint(i);
    const auto other = believed.find_joint(joint.name);
    if (!other || believed.joint(*other).type != joint.type) {
      throw DomainError(owner + "the model that it believes in has no joint '" + joint.name +
                        "' of the same type");
    }
    counterpart.push_back(*other);
  }
  for (const Follower& each : model.followers()) {
    const auto at = [&](int joint) { return counterpart[static_cast<std::size_t>(joint)]; };
    const Follower* other = believed.follower(at(each.joint));
    if (other != nullptr && other->followed == at(each.followed)) continue;
    throw DomainError(owner + "in the model that it believes in joint '" +
                      model.joint(each.joint).name + "' does not follow '" +
                      model.joint(each.followed).name + "'");
  }
  if (believed.followers().size() != model.followers().size()) {
    throw DomainError(owner + "in the model that it believes in more joints follow others");
  }
  return counterpart;
}

}  // namespace

/// Of one controller in one thread.
struct ComputedTorque::Memory {
  Memory(long owner, const Model& model, bool base_free, std::vector<bool> joint_free,
         Eigen::Index driven)
      : id(owner),
        free(std::move(joint_free)),
        base_floats(base_free),
        tree(model, Mobility(base_free, free)),
        state(model),
        acceleration(VectorX::Zero(model.velocity_size())),
        wanted(VectorX::Zero(driven)),
        forces(acceleration),
        loads(model),
        frames(model),
        velocities(model) {}

  long id;
  std::vector<bool> free;
  bool base_floats;
  TreeWorkspace tree;
  State state;
  VectorX acceleration, wanted, forces;
  Loads loads;
  LinkFrames frames;
  LinkVelocities velocities;
};

ComputedTorque::ComputedTorque(std::string name, const Model& model, Settings settings)
    : JointController(std::move(name)), settings_(std::move(settings)), id_(next_controller_id()) {
  const std::string owner = owner_prefix(*this);
  check_tracking();
  check(model);
  counterpart_ = counterparts(owner, model, settings_.believed ? *settings_.believed : model);
  starts_free_.assign(counterpart_.size(), true);
  is_driven_.assign(counterpart_.size(), false);
  for (const int joint : settings_.joints) is_driven_[static_cast<std::size_t>(joint)] = true;
  for (const int joint : settings_.surroundings.locked) {
    starts_free_[static_cast<std::size_t>(joint)] = false;
  }
  for (const PrescribedJoint& other : settings_.surroundings.prescribed) {
    const auto joint = static_cast<std::size_t>(other.joint);
    starts_free_[joint] = false;
    if (!is_driven_[joint]) continue;
    throw DomainError(owner + "joint '" + model.joint(other.joint).name + "' is prescribed");
  }
  for (const Follower& each : model.followers()) {
    // it accelerates as what it follows, which must be known
    is_driven_[static_cast<std::size_t>(each.joint)] = true;
    const auto followed = static_cast<std::size_t>(each.followed);
    if (is_driven_[followed] || !starts_free_[followed]) continue;
    throw DomainError(owner + "joint '" + model.joint(each.followed).name + "', which joint '" +
                      model.joint(each.joint).name + "' follows, must be among its joints");
  }
}

void ComputedTorque::check(const Model& model) const {
  JointController::check(model);
  if (counterpart_.empty() || static_cast<int>(counterpart_.size()) == model.joint_count() + 1) {
    return;
  }
  throw DomainError(owner_prefix(*this) + "it was made for a model of " +
                    std::to_string(counterpart_.size() - 1) + " joints");
}

bool ComputedTorque::moves(const EvaluationContext& context, std::size_t joint) const {
  return context.mobility == nullptr ? starts_free_[joint]
                                     : context.mobility->joint_free(static_cast<int>(joint));
}

bool ComputedTorque::is_free(const EvaluationContext& context, std::size_t joint) const {
  return !is_driven_[joint] && moves(context, joint);
}

ComputedTorque::Memory& ComputedTorque::memory_for(const EvaluationContext& context) const {
  const auto place = [&](std::size_t joint) {
    return static_cast<std::size_t>(counterpart_[joint] - 1);
  };
  return thread_memory<Memory>(
      id_,
      [&](const Memory& known) {
        for (std::size_t i = 1; i < counterpart_.size(); ++i) {
          if (known.free[place(i)] != is_free(context, i)) return false;
        }
        return true;
      },
      [&] {
        std::vector<bool> free(counterpart_.size() - 1);
        for (std::size_t i = 1; i < counterpart_.size(); ++i) free[place(i)] = is_free(context, i);
        return std::make_unique<Memory>(id_, believed(context), settings_.surroundings.base_floats,
                                        std::move(free), command_size());
      });
}

void ComputedTorque::take_state(const EvaluationContext& context, Memory& memory) const {
  const State& now = context.state;
  State& state = memory.state;
  state.r_0 = now.r_0;
  state.A_0 = now.A_0;
  state.v_0 = now.v_0;
  state.omega_0 = now.omega_0;
  for (Eigen::Index i = 0; i < now.q.size(); ++i) {
    const Eigen::Index other = counterpart_[static_cast<std::size_t>(i) + 1] - 1;
    state.q(other) = now.q(i);
    state.qd(other) = now.qd(i);
  }
}

void ComputedTorque::take_accelerations(const EvaluationContext& context, Memory& memory) const {
  const auto row = [&](int joint) { return counterpart_[static_cast<std::size_t>(joint)] + 5; };
  memory.acceleration.setZero();
  if (!memory.base_floats && settings_.surroundings.base) {
    Vector6 acceleration;
    settings_.surroundings.base->evaluate(context.instant(), memory.state, acceleration);
    // of the centroid that the believed base has
    const Vector3 arm = memory.state.A_0 * (believed(context).body(0).center_of_mass -
                                            context.model.body(0).center_of_mass);
    const Vector3 omega = memory.state.omega_0, alpha = acceleration.tail<3>();
    acceleration.head<3>() += alpha.cross(arm) + omega.cross(omega.cross(arm));
    memory.acceleration.head<6>() = acceleration;
  }
  for (const PrescribedJoint& other : settings_.surroundings.prescribed) {
    memory.acceleration(row(other.joint)) = other.reference->at(0, context.instant()).acceleration;
  }
  accelerations(context, memory.wanted);
  for (std::size_t i = 0; i < settings_.joints.size(); ++i) {
    const int joint = settings_.joints[i];
    const auto k = static_cast<Eigen::Index>(i);
    if (!moves(context, static_cast<std::size_t>(joint))) continue;
    memory.acceleration(row(joint)) = memory.wanted(k);
  }
  follow(believed(context), memory.acceleration);
}

void ComputedTorque::accelerations(const EvaluationContext& context, VectorRef a) const {
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    const int joint = settings_.joints[static_cast<std::size_t>(k)];
    const ReferenceValue wanted = settings_.reference->at(static_cast<int>(k), context.instant());
    a(k) = wanted.acceleration +
           settings_.damping(k) * (wanted.velocity - context.state.qd(joint - 1)) +
           settings_.stiffness(k) * (wanted.position - context.state.q(joint - 1));
  }
}

void ComputedTorque::command(const EvaluationContext& context, VectorRef command) const {
  Memory& memory = memory_for(context);
  const Model& model = believed(context);
  take_state(context, memory);
  take_accelerations(context, memory);
  if (!settings_.believed) update_tank_masses(memory.tree, model);
  update_motion(memory.state, memory.acceleration, memory.tree);
  const auto& fields = settings_.surroundings.fields;
  if (!fields.empty()) {
    export_motion(memory.state, memory.tree, memory.frames, memory.velocities);
  }
  const EvaluationContext seen{context.time,      model,         memory.state, memory.frames,
                               memory.velocities, memory.state.z};
  memory.loads.clear();
  memory.loads.gravity = settings_.surroundings.gravity;
  passive_.apply(seen, memory.loads);
  for (const auto& field : fields) field->apply(seen, memory.loads);
  const DynamicsStatus status =
      forward_dynamics(memory.loads, memory.tree, memory.acceleration, memory.forces);
  for (Eigen::Index i = 0; i < command.size(); ++i) {
    const int joint = settings_.joints[static_cast<std::size_t>(i)];
    // a model without inertia somewhere: the run says that a torque is not finite
    command(i) = status == DynamicsStatus::ok
                     ? own_force(model, memory.forces.tail(model.joint_count()),
                                 counterpart_[static_cast<std::size_t>(joint)])
                     : std::numeric_limits<double>::quiet_NaN();
  }
  limit(context.model, command);
}

}  // namespace spacedyn
