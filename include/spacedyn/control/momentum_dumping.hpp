/// @file
/// Laws that fire thrusters: out of reaction wheels momentum is taken, and a place is kept.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/wrench_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// Asks for the torque N = −k h, h = Σ J Ω a being the spin momentum of wheels; who holds the
/// attitude by these wheels then lets them run down as e^{−kt}.
///
/// Torquers give the part of N across the magnetic field: the momentum along the field stays until
/// the field has turned. Other wheels or gyros take the momentum over.
class SPACEDYN_EXPORT MomentumDumping final : public WrenchController {
 public:
  struct Settings {
    std::vector<int> wheels;  ///< joints of reaction wheels, whose momentum is taken out
    double gain = 0.0;        ///< k, 1/s
  };

  /// @throws DomainError if the gain is not positive and finite, a joint has no wheel, or wheels
  /// are named twice
  MomentumDumping(std::string name, const Model& model, Settings settings,
                  std::shared_ptr<const Allocation> allocation);

  const Settings& settings() const { return settings_; }
  void check(const Model& model) const override;
  WrenchDemand demand(const EvaluationContext& context) const override;

 private:
  Settings settings_;
};

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
