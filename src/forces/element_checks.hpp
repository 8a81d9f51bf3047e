/// @file
/// Checks that elements share when they meet their model, and which robots they act on.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// What messages about the settings of an element begin with: `'name': `.
std::string owner_prefix(const Element& element);
/// @throws DomainError unless 1 ≤ joint ≤ n.
void check_joint(const Element& element, int joint, const Model& model);

/// The same for an element that needs a coordinate with a position of its own.
void check_scalar_joint(const Element& element, int joint, const Model& model);

/// The same for one that is moved by commands, which a joint that follows another is not.
void check_own_joint(const Element& element, int joint, const Model& model);

/// @name For those who impose motion on coordinates
/// @{
/// @throws DomainError if the coordinate belongs to a spherical joint; `who` begins the message
void require_scalar_joint(const Model& model, int joint, const std::string& who);
/// @throws DomainError if some coordinates of a spherical joint are among these and others are not
void require_whole_spherical_joints(const Model& model, const std::vector<int>& joints,
                                    const std::string& who);
/// @}
/// @throws DomainError unless 0 ≤ body ≤ n.
void check_body(const Element& element, int body, const Model& model);

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
