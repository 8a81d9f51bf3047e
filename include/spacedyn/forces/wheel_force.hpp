/// @file
/// A wheel on loose soil as a force element.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/wheel_element.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

namespace spacedyn {

class RutTrace;
template <int N>
struct Dual;
template <typename T>
struct SoilLayers;

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
///
/// A wheel that follows others rolls on what they have pressed: their sinkages along their paths
/// are states of this element, and where it stands in a rut, the part of its width that does meets
/// soil that was pressed to that depth, the deepest first. A rut is remembered over `rut_length` of
/// the leading wheel's path; where it has passed twice, the mean of its depths counts.
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
    std::vector<Mount> follows;         ///< wheels whose ruts it may roll in, kMostLeaders at most
    double rut_length = 0.0;            ///< m; 0: 24 radii
  };

  static constexpr int kMostLeaders = 4;

  /// @throws DomainError if a number has no meaning, there is no terrain, or it follows others over
  /// soil without an unloading modulus
  WheelForce(std::string name, const Settings& settings);
  ~WheelForce() override;

  const Settings& settings() const { return settings_; }
  void declare(Declarations& declared) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  int auxiliary_size() const override;
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  WheelReading reading(const EvaluationContext& context) const override;
  double stored_energy(const EvaluationContext& context) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;
  EnergyRates act(const EvaluationContext& context, Loads& loads, VectorRef rate) const override;
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;

 private:
  struct Contact;
  Contact contact(const WheelStance& stance, const SoilLayers<double>& layers) const;
  double pressing_rate(const WheelStance& stance, const SoilLayers<Dual<1>>& layers) const;
  EnergyRates energy_rates(const WheelStance& stance, const Contact& now,
                           const SoilLayers<Dual<1>>& layers) const;

  Settings settings_;
  WheelSoilModel model_;
  std::vector<RutTrace> traces_;
};

}  // namespace spacedyn
