/// @file
/// The point of a base that a start places.
#pragma once

#include <array>
#include <string_view>

#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn {

/// The point of a base that a start without further words places: `State(model)` puts it at the
/// origin of the inertial frame, and positions and velocities of `initial.base` in scenarios are
/// its own. State itself always holds those of the centroid.
///
/// SpaceDyn and models written for this library mean the centroid. Files of other programs mean
/// the origin of the frame of the base, so that what is fixed stands where they put it.
enum class BasePoint { centroid, frame };

/// Names of BasePoint in files, in its order.
constexpr std::array<std::string_view, 2> kBasePointNames = {"centroid", "frame"};

/// The point by which a model is placed; the centroid unless set_base_point() said otherwise.
SPACEDYN_EXPORT BasePoint base_point(const ModelDescription& model);

/// Chooses it. It is kept with the notes of the base, under `placed_by`.
SPACEDYN_EXPORT void set_base_point(ModelDescription& model, BasePoint point);

}  // namespace spacedyn
