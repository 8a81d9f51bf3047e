/// @file
/// A wheel on loose soil as a force element.
#pragma once

#include <memory>
#include <string>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/wheel_element.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

namespace spacedyn {

/// The forces of WheelSoilModel on a link that turns about its joint.
///
/// Heading, sinkage h and velocities are those of WheelElement. σ is multiplied by f + √(1 + f²), f
/// = sinkage_damping · ḣ: more pressure while the wheel sinks, less while it rises, never suction.
///
/// Slip and slip angle are those of WheelSoilModel where speeds exceed 2 v_ε, v_ε = slip_velocity.
/// Below, speeds in denominators are bounded by v_ε, and where the travel turns round the forces of
/// both directions are blended over 2 v_ε, so everything is continuously differentiable through
/// standstill; a wheel at rest yields to tangential forces by some v_ε. A wheel that turns against
/// its travel brakes with s < −1. It stores WheelSoilModel::pressing_work(); all else is lost.
class SPACEDYN_EXPORT WheelForce final : public WheelElement {
 public:
  struct Settings {
    int link = 0;  ///< on a revolute joint
    SoilWheel wheel;
    Soil soil;
    std::shared_ptr<const Terrain> terrain;
    double gravity = kStandardGravity;  ///< m/s²
    double sinkage_damping = 5.0;       ///< s/m
    double slip_velocity = 1e-3;        ///< v_ε, m/s
  };

  /// @throws DomainError if a number has no meaning or there is no terrain
  WheelForce(std::string name, const Settings& settings);
  ~WheelForce() override;

  const Settings& settings() const { return settings_; }
  void apply(const EvaluationContext& context, Loads& loads) const override;
  WheelReading reading(const EvaluationContext& context) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;

 private:
  struct Contact;
  Contact contact(const WheelStance& stance) const;

  Settings settings_;
  WheelSoilModel model_;
};

}  // namespace spacedyn
