/// @file
/// Several robots as one model.
#pragma once

#include <memory>
#include <optional>
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
  /// Of a base that does not float: centroid and axes in the inertial frame; of a carried one,
  /// which slides, the axes before it turns.
  Pose base;
  /// Unit vector, inertial: the base is carried by slides of its centroid along x, y, z and a turn
  /// about this axis, whose motion is to be imposed. Not with `floats`.
  std::optional<Vector3> turn_axis{};
};

/// Several robots as one tree, [RBDA] (3.10): its base `world` is the inertial frame, without mass;
/// each robot stands on it by a `free` joint, a `fixed` one or what carries it.
///
/// Names of links, joints, frames, couplings and loops become `<robot>.<name>`; `<robot>.base` is
/// the base by whatever name. The free joint of a robot is `<robot>.base`, or `<robot>.base_joint`
/// where a joint or point has that name; coordinates that carry one are `<robot>.base_x`, `_y`,
/// `_z` and `_angle`. Build the result with ModelBuilder; Model::robots() then lists the parts,
/// robot_state() and set_robot_state() translate between them and the whole.
/// @throws DomainError without parts, without a model, if a name is empty, has a dot or repeats, or
/// if a floating base is to be carried
SPACEDYN_EXPORT ModelDescription aggregate(const std::string& name,
                                           const std::vector<RobotPart>& parts);

}  // namespace spacedyn
