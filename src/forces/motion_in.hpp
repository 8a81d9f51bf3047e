/// @file
/// Which elements are motion constraints. Private.
#pragma once

#include "spacedyn/forces/motion_constraint.hpp"

namespace spacedyn {

/// The motion constraint that an element is; null of any other, and of none.
inline const MotionConstraint* motion_in(const ForceElement* element) {
  return dynamic_cast<const MotionConstraint*>(element);
}

}  // namespace spacedyn
