/// @file
/// Reaction wheels: rotors whose spin is a coordinate of the robot.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// A rotor on a body, driven by a motor about a fixed axis.
struct ReactionWheelDescription {
  std::string name;
  std::string body;
  Vector3 axis = Vector3::UnitZ();     ///< in the body's user frame; normalized
  Vector3 position = Vector3::Zero();  ///< of the rotor's centre in the body's user frame, m
  double mass = 0.0;                   ///< kg; 0: it belongs to the body already
  double transverse_inertia = 0.0;     ///< kg m²; 0: it belongs to the body already
  double static_imbalance = 0.0;       ///< mass × offset of its centroid from the axis, kg m
  double dynamic_imbalance = 0.0;      ///< product of inertia of axis and a transverse one, kg m²
  WheelDrive drive;                    ///< the spin inertia among others
  Notes notes;
};

/// Every problem of a wheel, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_reaction_wheel(const ReactionWheelDescription& wheel,
                                                             const std::string& path);

/// Adds a wheel to a robot: link `<name>` on a revolute joint of the same name.
///
/// Its spin inertia J always comes on top of what the body has. With no mass and no transverse
/// inertia the link is J a aᵀ alone: the body has the rest, and H stays positive definite. With
/// the joint at zero, the centroid of an unbalanced wheel is static_imbalance / mass off the axis
/// along the x axis of the wheel's frame (z along the spin axis); I_xz is the dynamic imbalance.
/// @throws ModelError if the wheel has problems
SPACEDYN_EXPORT void add_reaction_wheel(ModelDescription& robot,
                                        const ReactionWheelDescription& wheel);

}  // namespace spacedyn
