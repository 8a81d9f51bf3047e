/// @file
/// Thrusters of a robot.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

struct ModelDescription;

/// What a nozzle at a frame does; see ThrusterForce.
struct ThrusterDrive {
  Vector3 direction = Vector3::UnitZ();  ///< of the force on the body, in the axes of the frame
  double force = 0.0;                    ///< N, when open
  double specific_impulse = std::numeric_limits<double>::infinity();  ///< s; infinite: no flow
  double minimum_on_time = 0.0;  ///< s; shorter pulses last that long
  double delay = 0.0;            ///< s, from command to valve
  double rise_time = 0.0;        ///< s, from no force to all of it once the valve is open; linear
  double fall_time = 0.0;        ///< s, from all of the force to none once the valve is shut
  std::string tank = {};         ///< that it draws from; empty: mass stays what it is

  /// Whether its force follows its valve at a finite rate.
  bool ramps() const { return rise_time > 0.0 || fall_time > 0.0; }
};

/// Every problem of a thruster, each under @p path.
SPACEDYN_EXPORT std::vector<Problem> validate_thruster(const ThrusterDrive& thruster,
                                                       const std::string& path);

/// Adds a thruster to a robot: frame `<name>` where the point @p at is, with its axes.
/// @param at  a frame, a link or `<link>.com`
/// @throws ModelError if the thruster has problems; DomainError if there is no such point
SPACEDYN_EXPORT void add_thruster(ModelDescription& robot, const std::string& name,
                                  const std::string& at, const ThrusterDrive& thruster);

}  // namespace spacedyn
