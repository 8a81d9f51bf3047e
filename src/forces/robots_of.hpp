/// @file
/// Which bodies fly together. Private.
#pragma once

#include <vector>

#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Which robot each body belongs to, from 0: a free joint begins a new one.
/// @param count  in: 1; out: their number
std::vector<int> robots_of(const Model& model, int& count);

/// Centroid of the robot to which a body belongs, and its mass. O(n), allocates nothing.
/// @param robots  robots_of()
struct RobotCentroid {
  RobotCentroid(const EvaluationContext& context, const std::vector<int>& robots, int robot);

  double mass = 0.0;
  Vector3 position = Vector3::Zero();  ///< zero without mass
};

}  // namespace spacedyn
