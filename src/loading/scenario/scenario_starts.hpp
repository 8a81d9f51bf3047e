/// @file
/// What a scenario says about starts, kept until all that they depend on has been read.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "spacedyn/control/base_pd.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/loading/scenario.hpp"

namespace spacedyn::loading {

/// What the file says about the start of one joint.
struct JointStart {
  std::optional<Value> position;
  std::optional<Value> velocity;
};

/// What the file says about the start of the base.
struct BaseStart {
  std::optional<Value> position, orientation, velocity, angular_velocity;
  /// From the point that the file places to the centroid, inertial, and how fast that grows.
  Vector3 arm = Vector3::Zero(), arm_rate = Vector3::Zero();
};

/// What the file says about one of several robots.
struct RobotStart {
  std::string name;
  Value value;  ///< the item of the list
  std::shared_ptr<const Model> model;
  bool floats = true;
  std::optional<PrescribedBase> motion;    ///< imposed on the base
  std::optional<BasePd::Settings> flight;  ///< control of a flying base
  State initial;
  std::vector<PrescribedJoint> prescribed;
  std::vector<int> locked;
  std::map<int, JointStart> joint_starts;
  bool assemble = false;
  std::optional<Value> assembly_place;
  std::optional<std::vector<int>> held;  ///< where the file says so
  bool holds_base = false;               ///< likewise
  bool has_base_pose = false;
};

/// A contact and where the file speaks of it.
struct ContactPlace {
  std::shared_ptr<const ContactForce> contact;  ///< or
  std::shared_ptr<const RigidContact> rigid;
  Value between, stiffness;  ///< of a rigid one the second means nothing
  bool may_penetrate = false;

  const std::string& name() const { return contact ? contact->name() : rigid->name(); }
  const std::vector<ContactPair>& pairs() const {
    return contact ? contact->settings().pairs : rigid->settings().pairs;
  }
  const Terrain* terrain() const {
    return contact ? contact->settings().terrain.get() : rigid->settings().terrain.get();
  }
};

}  // namespace spacedyn::loading
