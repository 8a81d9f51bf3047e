/// @file
/// Several robots as one model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// One robot of an aggregate.
struct RobotPart {
  std::string name;
  std::shared_ptr<const Model> model;
  bool floats = true;  ///< its base moves freely; else it is nailed to the inertial frame
  Pose base;           ///< of a fixed base: centroid and axes in the inertial frame
};

/// Several robots as one tree, [RBDA] (3.10): its base `world` is the inertial frame, without mass;
/// each robot stands on it by a `free` joint or a `fixed` one.
///
/// Names of links, joints, frames, couplings and loops become `<robot>.<name>`; `<robot>.base` is
/// the base by whatever name. The free joint of a robot is `<robot>.base`, or `<robot>.base_joint`
/// where a joint or point has that name. Build the result with ModelBuilder; Model::robots() then
/// lists the parts, robot_state() and set_robot_state() translate between them and the whole.
/// @throws DomainError without parts, without a model, or if a name is empty, has a dot or repeats
SPACEDYN_EXPORT ModelDescription aggregate(const std::string& name,
                                           const std::vector<RobotPart>& parts);

}  // namespace spacedyn
