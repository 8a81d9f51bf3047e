/// @file
/// What a contact has done so far, as the result tells it. Private.
#pragma once

#include <algorithm>

#include "integration/equations/archive.hpp"
#include "spacedyn/integration/simulator.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

struct ContactAccount {
  ContactSummary told;  ///< but for its integrals
  bool holds = false;

  void begin(double time) {
    if (told.count++ == 0) told.first = time;
  }
  void press(double force) { told.largest_force = std::max(told.largest_force, force); }
  void leave(double residual) { told.residual = std::max(told.residual, residual); }
  /// @param time       the end of the run
  /// @param integrals  of its normal force and of the power of its friction
  ContactSummary completed(double time, const Eigen::Vector2d& integrals) const {
    ContactSummary summary = told;
    if (holds) summary.last = time;
    summary.impulse = integrals(0);
    summary.friction_work = integrals(1);
    return summary;
  }
  void transfer(Archive& archive) {
    archive(holds, told.count, told.first, told.last, told.largest_force, told.energy_lost,
            told.residual);
  }
};

}  // namespace spacedyn
