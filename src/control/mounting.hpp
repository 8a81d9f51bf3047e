/// @file
/// Axes of links as users name them. Private.
#pragma once

#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// Axes of the link that carries a joint, by the parent that its description names, in those of the
/// body into which fixed joints merge that link.
Matrix3 axes_of_carrier(const Model& model, int joint);
/// The same of the link to which a named point belongs.
Matrix3 axes_of_owner(const Model& model, const Frame& point);

}  // namespace spacedyn
