/// @file
/// A model with everything that acts on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/prescribed_motion.hpp"
#include "spacedyn/dynamics/mobility.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/model/model.hpp"
#include "spacedyn/sensing/sensor.hpp"

namespace spacedyn {

/// A loop, or a bushing, that holds or does not.
struct Connection {
  Loop loop;           ///< name and points; its type is that of a rigid connection
  bool active = true;  ///< at the start
  int force = -1;      ///< of a compliant connection its bushing in ForcedSystem::forces, from 0

  const std::string& name() const { return loop.name; }
  bool is_rigid() const { return force < 0; }
};

/// A rigid connection between points of a model.
/// @throws ModelError if the description does not fit; paths of its problems begin with `loops.0`
SPACEDYN_EXPORT Connection make_connection(const Model& model, const LoopDescription& description,
                                           bool active = true);

enum class BaseMode { floating, fixed, prescribed };

/// A model, how its base and joints may move, and the forces and controllers that act on it. The
/// springs, dampers and dry friction of its joints always act.
struct ForcedSystem {
  std::shared_ptr<const Model> model;
  BaseMode base_mode = BaseMode::floating;
  std::optional<PrescribedBase> prescribed_base;  ///< with BaseMode::prescribed
  std::vector<PrescribedJoint> prescribed_joints;
  std::vector<int> locked_joints;     ///< held at rest from the start until an event releases them
  Vector3 gravity = Vector3::Zero();  ///< m/s²
  std::vector<std::shared_ptr<const ForceElement>> forces;
  std::vector<std::shared_ptr<const Controller>> controllers;
  std::vector<Connection> connections;  ///< loops and bushings that come and go
  std::vector<Sensor> sensors;
  std::uint64_t seed = 0;            ///< of the noise of sensors
  std::vector<std::string> awaited;  ///< names of events at which references and forces begin
};

/// The coordinates that move freely at the start: neither prescribed nor locked.
/// @pre joints are in 1…n
SPACEDYN_EXPORT Mobility start_mobility(const ForcedSystem& system);

/// Whether no base is held or moved, be it the only one or that of one of several robots: then
/// nothing but loads changes the momentum.
SPACEDYN_EXPORT bool is_unsupported(const ForcedSystem& system);

}  // namespace spacedyn
