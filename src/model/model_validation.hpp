/// @file
/// The rules that a model description must keep.
#pragma once

#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// Every problem of a description: first names and structure, then each body, joint and frame.
std::vector<Problem> validate_description(const ModelDescription& description);

/// Problems of the mass properties of one body: the rules of physical validity.
/// @param may_be_part  whether it may be a part of the inertia of a body only: no warning then if
///                     no rigid body has its principal moments
void validate_body(const BodyDescription& body, const std::string& path,
                   std::vector<Problem>& problems, bool may_be_part = false);

/// Problems of the limits and the friction of a reaction wheel.
void validate_wheel_drive(const WheelDrive& drive, const std::string& path,
                          std::vector<Problem>& problems);

/// Problems of one joint: axis, placement, limits, passive terms.
void validate_joint(const JointDescription& joint, const std::string& path,
                    std::vector<Problem>& problems);

/// Problems of couplings and transmissions between joints.
void validate_drive_train(const ModelDescription& description, std::vector<Problem>& problems);

/// Problems of loops and couplings of joints.
void validate_loops(const ModelDescription& description, std::vector<Problem>& problems);

/// Problems of tanks, and of thrusters that draw from them.
void validate_tanks(const ModelDescription& description, std::vector<Problem>& problems);

/// Problems of collision shapes.
void validate_collisions(const ModelDescription& description, std::vector<Problem>& problems);

/// Problems of a placement: finite, and a rotation to 1e-6.
void validate_pose(const Pose& pose, const std::string& path, std::vector<Problem>& problems);

}  // namespace spacedyn
