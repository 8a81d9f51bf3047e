/// @file
/// Holds a spacecraft at a place, or leads it along a path.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/wrench_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// F = K e + D (v_ref − v), e = r_ref − r without the part within the dead band, each component by
/// itself in the axes of the run, those of Hill's frame in an orbit. r is the centroid of the body
/// that carries the actuators; these give F without torque.
///
/// Who holds the attitude is another controller.
class SPACEDYN_EXPORT StationKeeping final : public WrenchController {
 public:
  struct Settings : AxisGains {                  ///< along the axes of the run
    std::shared_ptr<const Reference> reference;  ///< r_ref, 3 components
    double sample_period = 0.0;                  ///< s; 0: continuous; a modulation has its own
  };

  /// @throws DomainError if gains have no meaning, see AxisGains, the actuators have no force or
  /// there is no reference; DimensionError if the reference has not 3 components
  StationKeeping(std::string name, Settings settings, std::shared_ptr<const Allocation> allocation);

  const Settings& settings() const { return settings_; }
  WrenchDemand demand(const EvaluationContext& context) const override;
  std::vector<const Schedule*> schedules() const override { return {settings_.reference.get()}; }

 private:
  Settings settings_;
};

}  // namespace spacedyn
