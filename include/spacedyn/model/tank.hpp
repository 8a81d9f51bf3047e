/// @file
/// Tanks of propellant.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/drive_train.hpp"

namespace spacedyn {

struct ModelDescription;

/// Propellant that fills a sphere evenly, whatever is left of it: inertia 2/5 m r².
struct TankShape {
  double radius = 0.0;  ///< r, m; 0: a point
};

/// A tank of a Model; its propellant is a part of the mass of its body.
struct Tank {
  std::string name;
  int body = 0;
  Vector3 position = Vector3::Zero();  ///< of its centre, from the frame origin of the body, m
  double propellant = 0.0;             ///< kg, when it is full
  double radius = 0.0;                 ///< m

  /// 2/5 r², of a kilogram about the centre, m².
  double specific_inertia() const { return 0.4 * radius * radius; }
};

/// What a user says about a tank.
struct TankDescription {
  std::string name;
  std::string body;
  Vector3 position = Vector3::Zero();  ///< of its centre, in the body's user frame, m
  double propellant = 0.0;             ///< kg, besides the mass of the body
  double radius = 0.0;                 ///< m
  Notes notes;
};

/// Every problem of a tank, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_tank(const TankDescription& tank,
                                                   const std::string& path);

/// Adds a full tank to a robot: link `<name>`, a sphere on a fixed joint.
/// @throws ModelError if it has problems
SPACEDYN_EXPORT void add_tank(ModelDescription& robot, const TankDescription& tank);

}  // namespace spacedyn
