/// @file
/// Which of several robots a body belongs to. Private.
#pragma once

#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// The robot of a body, or of the coordinate that carries it; null for the inertial frame, and in a
/// model that is a single robot.
inline const Robot* robot_of(const Model& model, int body) {
  for (const Robot& robot : model.robots()) {
    if (body >= robot.first && body < robot.end) return &robot;
  }
  return nullptr;
}

}  // namespace spacedyn
