/// @file
/// Thrusters of a robot.
#pragma once

#include <limits>
#include <string>

#include "spacedyn/math/types.hpp"
#include "spacedyn/model/drive_train.hpp"

namespace spacedyn {

/// A nozzle that pushes the body it is on.
struct ThrusterDescription {
  std::string name;
  std::string at;                        ///< a frame, a link or `<link>.com`
  Vector3 direction = Vector3::UnitZ();  ///< of the force on the body, in the axes of `at`
  double force = 0.0;                    ///< N, when open
  double specific_impulse = std::numeric_limits<double>::infinity();  ///< s; infinite: no flow
  double minimum_on_time = 0.0;  ///< s; shorter pulses last that long
  double delay = 0.0;            ///< s, from command to force
  Notes notes;
};

}  // namespace spacedyn
