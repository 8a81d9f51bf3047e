#include "spacedyn/inertia/reconfiguration.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "inertia/rigid_parts.hpp"
#include "model/short_number.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/kinematics/link_motion.hpp"
#include "spacedyn/model/attachment.hpp"
#include "spacedyn/model/model_builder.hpp"
#include "spacedyn/model/rerooting.hpp"
#include "spacedyn/model/submodel.hpp"

namespace spacedyn {
namespace {

constexpr double kPlaceTolerance = 1e-6;
constexpr double kMatchTolerance = 1e-9;

/// Base of `to`, placed and moving as the body of that name in `from`; joints they share by name.
State shared_state(const Model& from, const State& state, const Model& to) {
  LinkFrames frames(from);
  LinkVelocities velocities(from);
  compute_link_frames(from, state, frames);
  compute_link_velocities(from, state, frames, velocities);
  Frame base = from.frame(to.body(0).name);
  base.position += base.rotation * to.body(0).center_of_mass;
  State result(to);
  result.r_0 = frame_position(frames, base);
  result.A_0 = frame_orientation(frames, base);
  const Vector6 twist = frame_velocity(frames, velocities, base);
  result.v_0 = twist.head<3>();
  result.omega_0 = twist.tail<3>();
  for (int joint = 1; joint <= to.joint_count(); ++joint) {
    if (const auto source = from.find_joint(to.joint(joint).name)) {
      result.q(joint - 1) = state.q(*source - 1);
      result.qd(joint - 1) = state.qd(*source - 1);
    }
  }
  result.z = state.z;
  return result;
}

ModelState rebuilt(const Model& from, const State& state, const ModelDescription& description) {
  Model model = ModelBuilder(description).build();
  State mapped = shared_state(from, state, model);
  return {std::move(model), std::move(mapped)};
}

/// Whether the joints of `locked` are held at these positions of the original's.
void require_held_at(const ModelDescription& locked, const ModelDescription& original,
                     const JointPositions& positions) {
  const ModelDescription expected = lock_joints(original, positions);
  for (const LinkDescription& link : expected.links) {
    const std::string& name = link.joint.name.empty() ? link.name : link.joint.name;
    if (positions.count(name) == 0) continue;
    const auto held =
        std::find_if(locked.links.begin(), locked.links.end(),
                     [&](const LinkDescription& candidate) { return candidate.name == link.name; });
    const Pose& there = held->joint.origin;
    const Pose& here = link.joint.origin;
    if ((there.position - here.position).norm() <= kPlaceTolerance &&
        (there.rotation - here.rotation).norm() <= kPlaceTolerance) {
      continue;
    }
    throw DomainError("joint '" + name + "' is not held at " + short_number(positions.at(name)) +
                      " in the locked model");
  }
}

/// User frame of a body in the inertial frame.
Pose user_frame(const Model& model, const State& state, const std::string& name) {
  LinkFrames frames(model);
  compute_link_frames(model, state, frames);
  const Frame frame = model.frame(name);
  return {frame_position(frames, frame), frame_orientation(frames, frame)};
}

void require_matching(const Model& joined, const State& state, const MovingParts& parts) {
  double v = 1.0, omega = 1.0;
  for (const RigidPart& part : parts.bodies) {
    v = std::max(v, part.v.norm());
    omega = std::max(omega, part.omega.norm());
  }
  const VelocityJump jump = largest_jump(joined, state, parts);
  if (jump.linear <= kMatchTolerance * v && jump.angular <= kMatchTolerance * omega) return;
  throw DomainError(
      fmt::format("the velocities do not match: a body would jump by {:.3g} m/s and {:.3g} rad/s; "
                  "match them first, or join with JoinVelocity::plastic",
                  jump.linear, jump.angular));
}

}  // namespace

ModelState lock_joints(const Model& model, const State& state,
                       const std::vector<std::string>& joints) {
  state.check(model);
  JointPositions positions;
  for (const std::string& name : joints) {
    const auto joint = model.find_joint(name);
    // an unknown or fixed joint is refused below, whatever its position
    positions[name] = joint ? state.q(*joint - 1) : 0.0;
  }
  ModelState result = rebuilt(model, state, lock_joints(model.description(), positions));
  const bool moving = std::any_of(joints.begin(), joints.end(), [&](const std::string& name) {
    return state.qd(*model.find_joint(name) - 1) != 0.0;
  });
  if (!moving) return result;
  MovingParts parts(result.model);
  add_parts(model, state, result.model, "", parts);
  set_plastic_velocity(result.model, parts, result.state);
  return result;
}

ModelState unlock_joints(const Model& locked, const State& state, const Model& original,
                         const JointPositions& positions) {
  state.check(locked);
  std::vector<std::string> joints;
  for (const auto& entry : positions) joints.push_back(entry.first);
  const ModelDescription free = unlock_joints(locked.description(), original.description(), joints);
  require_held_at(locked.description(), original.description(), positions);
  ModelState result = rebuilt(locked, state, free);
  for (const auto& [name, position] : positions) {
    result.state.q(*result.model.find_joint(name) - 1) = position;
  }
  return result;
}

ModelState rerooted(const Model& model, const State& state, const std::string& new_base) {
  state.check(model);
  return rebuilt(model, state, rerooted(model.description(), new_base));
}

ModelState submodel(const Model& model, const State& state, const std::string& link) {
  state.check(model);
  return rebuilt(model, state, submodel(model.description(), link));
}

DetachedModels detach(const Model& model, const State& state, const std::string& link) {
  state.check(model);
  const DetachedDescriptions parts = detach(model.description(), link);
  DetachedModels result{rebuilt(model, state, parts.remaining),
                        rebuilt(model, state, parts.detached)};
  if (!parts.idle_motor.empty()) {
    const int cut = *model.find_body(link);  // joint i carries body i
    const int motor = *result.remaining.model.find_joint(parts.idle_motor);
    result.remaining.state.q(motor - 1) = state.q(cut - 1);
    result.remaining.state.qd(motor - 1) = state.qd(cut - 1);
  }
  return result;
}

ModelState attach(const Model& robot, const State& robot_state, const Model& attached,
                  const State& attached_state, const Grasp& grasp) {
  robot_state.check(robot);
  attached_state.check(attached);
  Attachment attachment;
  attachment.parent = grasp.link;
  attachment.prefix = grasp.prefix;
  const Pose hand = user_frame(robot, robot_state, grasp.link);
  const Pose held = user_frame(attached, attached_state, attached.body(0).name);
  attachment.joint.origin.position = hand.rotation.transpose() * (held.position - hand.position);
  attachment.joint.origin.rotation = hand.rotation.transpose() * held.rotation;

  ModelState result =
      rebuilt(robot, robot_state, attach(robot.description(), attached.description(), attachment));
  for (int joint = 1; joint <= attached.joint_count(); ++joint) {
    const int index = *result.model.find_joint(grasp.prefix + attached.joint(joint).name);
    result.state.q(index - 1) = attached_state.q(joint - 1);
    result.state.qd(index - 1) = attached_state.qd(joint - 1);
  }
  MovingParts parts(result.model);
  add_parts(robot, robot_state, result.model, "", parts);
  add_parts(attached, attached_state, result.model, grasp.prefix, parts);
  if (grasp.velocity == JoinVelocity::matching) {
    require_matching(result.model, result.state, parts);
  } else {
    set_plastic_velocity(result.model, parts, result.state);
  }
  return result;
}

}  // namespace spacedyn
