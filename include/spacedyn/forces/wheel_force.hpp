/// @file
/// A wheel on loose soil as a force element.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "spacedyn/terramechanics/wheel_soil.hpp"

namespace spacedyn {

/// What a wheel feels, in the frame of its travel: x along its heading, z in its plane upwards.
struct WheelReading {
  double sinkage = 0.0;            ///< m; negative: above the ground
  double slip = 0.0;               ///< (rω − v)/(rω) driving, (rω − v)/v braking
  double slip_angle = 0.0;         ///< atan(v_y/|v_x|), rad
  double drawbar_pull = 0.0;       ///< N
  double side_force = 0.0;         ///< against the slip to the side, N
  double vertical_force = 0.0;     ///< N
  double resistance_torque = 0.0;  ///< against the rotation, N m
};

/// An element that acts on a wheel: what the channel `wheels` records.
class SPACEDYN_EXPORT WheelElement : public ForceElement {
 public:
  using ForceElement::ForceElement;
  virtual WheelReading reading(const EvaluationContext& context) const = 0;
};

/// The forces of WheelSoilModel on a link that turns about its joint.
///
/// The centre of the wheel is the origin of the link's frame, its spin axis a that of the joint.
/// With the nearest point of the terrain at a distance ζ along its normal n, and cos γ = |n −
/// (n·a)a| of the inclination, heading x = a × n / cos γ, up z = x × a and sinkage h = r − ζ/cos γ.
/// The velocity of the centre is (v_x, v_y) along x and a, rω counts the whole angular velocity
/// along a. σ is multiplied by f + √(1 + f²), f = sinkage_damping · ḣ: more pressure while the
/// wheel sinks, less while it rises, never suction.
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
  /// @throws DomainError unless the link is on a revolute joint of the model
  void check(const Model& model) const override;
  void apply(const EvaluationContext& context, Loads& loads) const override;
  WheelReading reading(const EvaluationContext& context) const override;
  /// The wheel touches and leaves the ground: `<name> ground`.
  void append_events(std::vector<ElementEvent>& events) const override;
  double stored_energy(const EvaluationContext& context) const override;
  double stored_power(const EvaluationContext& context) const override;
  double dissipated_power(const EvaluationContext& context) const override;

 private:
  struct Motion;
  struct Contact;
  Contact contact(const Motion& motion) const;

  Settings settings_;
  WheelSoilModel model_;
};

}  // namespace spacedyn
