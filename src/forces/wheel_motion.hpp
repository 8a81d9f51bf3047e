/// @file
/// Where a wheel stands on the ground and how it moves there.
#pragma once

#include "spacedyn/forces/element.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {

/// A wheel against its terrain, inertial axes.
struct WheelStance {
  Vector3 heading = Vector3::UnitX(), axis = Vector3::UnitY(), up = Vector3::UnitZ();
  Vector3 center = Vector3::Zero(), velocity = Vector3::Zero(), omega = Vector3::Zero();
  double sinkage = 0.0, sinkage_rate = 0.0;  // m, m/s
  double forward = 0.0, sideward = 0.0;      // velocity of the centre along heading and axis
  double rim = 0.0;                          // rω, m/s
  /// Whether a wheel stands upright enough to have a heading.
  bool stands = false;
};

/// @param radius  r, m
WheelStance wheel_stance(const EvaluationContext& context, int link, double radius,
                         const Terrain& terrain);

/// Adds a force at the centre of a wheel and a moment to its link.
void add_at_center(const EvaluationContext& context, int link, const Vector3& center,
                   const Vector3& force, const Vector3& moment, Loads& loads);

/// @throws DomainError unless a link of the model is on a revolute joint
void check_wheel_link(const Element& element, int link, const Model& model);

}  // namespace spacedyn
