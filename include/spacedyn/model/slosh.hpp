/// @file
/// Propellant that sloshes, as a mass on springs or a pendulum.
#pragma once

#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

enum class SloshType { spring_mass, pendulum };

/// The part of a liquid that moves against its tank.
struct SloshDescription {
  std::string name;
  std::string body;
  SloshType type = SloshType::spring_mass;
  Vector3 position = Vector3::Zero();   ///< mass at rest, or pivot, in the body's user frame, m
  double mass = 0.0;                    ///< kg, besides that of the body
  Vector3 stiffness = Vector3::Zero();  ///< of springs along x, y, z, N/m; infinite: does not move
  double length = 0.0;                  ///< of a pendulum, m
  double damping = 0.0;  ///< N s/m along each axis, of a pendulum N m s/rad about each
  Notes notes;
};

/// Every problem of a slosh model, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_slosh(const SloshDescription& slosh,
                                                    const std::string& path);

/// Adds a slosh model to a robot: a point mass, link `<name>`, on joints `<name>_x`, … with links
/// without mass between them.
///
/// Of springs one prismatic joint for each axis of the body with a finite stiffness. The mass of a
/// pendulum hangs at −length along z below the pivot: prismatic joints along all axes move it, and
/// a loop `<name>_rod` keeps its distance from the frame `<name>_pivot`. Two angles would be
/// singular where the rod lies along the axis of the first. Small motions under an acceleration a
/// along z have ω² = k/m and a/length.
/// @throws ModelError if it has problems
SPACEDYN_EXPORT void add_slosh(ModelDescription& robot, const SloshDescription& slosh);

}  // namespace spacedyn
