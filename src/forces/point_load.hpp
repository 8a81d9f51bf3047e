/// @file
/// Loads at points of bodies.
#pragma once

#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// From the centroid of its body to a point, inertial axes. It follows from the body alone: far
/// from the origin the difference of two places is rounding.
inline Vector3 arm_of(const Model& model, const LinkFrames& frames, const Frame& point) {
  return frames.A[static_cast<std::size_t>(point.body)] *
         (point.position - model.body(point.body).center_of_mass);
}

/// Adds a force and a moment at a point of a body.
inline void add_at(const Frame& point, const EvaluationContext& context, const Vector3& force,
                   const Vector3& moment, Loads& loads) {
  loads.add_wrench(point.body, Vector3::Zero(), arm_of(context.model, context.frames, point), force,
                   moment);
}

}  // namespace spacedyn
