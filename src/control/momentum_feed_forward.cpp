#include "spacedyn/control/momentum_feed_forward.hpp"

#include <algorithm>

#include "control/reference_checks.hpp"
#include "model/robot_of.hpp"
#include "spacedyn/dynamics/inverse_dynamics.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn {
namespace {

/// Sized by one model.
struct Memory {
  explicit Memory(const Model& model)
      : state(model),
        acceleration(VectorX::Zero(model.velocity_size())),
        forces(model.velocity_size()),
        frames(model),
        velocities(model),
        accelerations(model),
        loads(model),
        reactions(model) {}

  State state;
  VectorX acceleration, forces;
  LinkFrames frames;
  LinkVelocities velocities;
  LinkAccelerations accelerations;
  Loads loads;
  JointReactions reactions;
};

/// That of the thread for models of one size.
Memory& memory_of(const Model& model) {
  thread_local std::vector<std::unique_ptr<Memory>> memories;
  for (const auto& memory : memories) {
    if (memory->state.q.size() == model.joint_count()) return *memory;
  }
  return *memories.emplace_back(std::make_unique<Memory>(model));
}

/// Centroid of the robot that has a body.
Vector3 robot_centroid(const Model& model, int body, const Memory& memory) {
  const Robot* own = robot_of(model, body);
  if (own == nullptr) return center_of_mass(model, memory.frames);
  return robot_sums(model, *own, memory.frames, memory.velocities).r_g;
}

}  // namespace

MomentumFeedForward::MomentumFeedForward(const std::string& owner, const Model& model, int body,
                                         std::vector<JointMotion> motions)
    : body_(body), motions_(std::move(motions)) {
  std::vector<int> all;
  for (const JointMotion& motion : motions_) {
    if (!motion.reference) throw DomainError(owner + "a reference of its feed-forward is missing");
    check_same_size(owner + "a reference of its feed-forward", motion.reference->size(),
                    static_cast<int>(motion.joints.size()));
    for (const int joint : motion.joints) {
      if (joint < 1 || joint > model.joint_count()) {
        throw DomainError(owner + "its feed-forward has joint " + std::to_string(joint) +
                          ", which the model has not");
      }
      if (std::count(all.begin(), all.end(), joint) > 0) {
        throw DomainError(owner + "its feed-forward has '" + model.joint(joint).name + "' twice");
      }
      all.push_back(joint);
    }
  }
}

Vector3 MomentumFeedForward::rate(const EvaluationContext& context) const {
  const Model& model = context.model;
  Memory& memory = memory_of(model);
  State& state = memory.state;
  state.r_0 = context.state.r_0;
  state.A_0 = context.state.A_0;
  state.q = context.state.q;
  state.qd.setZero();
  memory.acceleration.setZero();
  for (const JointMotion& motion : motions_) {
    for (std::size_t i = 0; i < motion.joints.size(); ++i) {
      const ReferenceValue value = motion.reference->at(static_cast<int>(i), context.instant());
      const Eigen::Index joint = motion.joints[i] - 1;
      state.q(joint) = value.position;
      state.qd(joint) = value.velocity;
      memory.acceleration(6 + joint) = value.acceleration;
    }
  }
  follow(model, state);
  follow(model, memory.acceleration);
  compute_link_frames(model, state, memory.frames);
  compute_link_velocities(model, state, memory.frames, memory.velocities);
  compute_link_accelerations(model, state, memory.frames, memory.velocities, memory.acceleration,
                             memory.accelerations);
  inverse_dynamics(model, memory.frames, memory.velocities, memory.accelerations, memory.loads,
                   memory.reactions, memory.forces);
  // what holds the base is the rate of momentum, moved from the base to the centroid
  const Vector3 arm = memory.frames.r[0] - robot_centroid(model, body_, memory);
  return memory.forces.segment<3>(3) + arm.cross(Vector3(memory.forces.head<3>()));
}

std::vector<const Schedule*> MomentumFeedForward::schedules() const {
  std::vector<const Schedule*> references;
  for (const JointMotion& motion : motions_) references.push_back(motion.reference.get());
  return references;
}

}  // namespace spacedyn
