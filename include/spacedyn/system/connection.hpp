/// @file
/// What holds two points of a system together for some time.
#pragma once

#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"

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

}  // namespace spacedyn
