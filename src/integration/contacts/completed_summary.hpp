/// @file
/// What a contact has done, as the result tells it.
#pragma once

#include "spacedyn/integration/contact_summary.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// @param holds      whether the contact holds at @p time, the end of the run
/// @param integrals  of its normal force and of the power of its friction
inline ContactSummary completed(ContactSummary summary, bool holds, double time,
                                const Eigen::Vector2d& integrals) {
  if (holds) summary.last = time;
  summary.impulse = integrals(0);
  summary.friction_work = integrals(1);
  return summary;
}

}  // namespace spacedyn
