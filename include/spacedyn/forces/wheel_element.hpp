/// @file
/// What wheels on soil and tyres on hard ground have in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {

struct WheelStance;

/// Slip beyond which a wheel counts as stalled.
inline constexpr double kStallSlip = 0.95;

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

/// An element that acts on a wheel: what the channel `wheels` records. A run is warned of a wheel
/// that has never touched the ground, and of one that in the end turns on the spot, with a slip
/// beyond kStallSlip.
///
/// The centre of the wheel is the origin of its link's frame, its spin axis a that of the joint.
/// With the nearest point of the terrain at a distance ζ along its normal n, and cos γ = |n −
/// (n·a)a| of the inclination, heading x = a × n / cos γ, up z = x × a and sinkage h = r − ζ/cos γ.
/// The velocity of the centre is (v_x, v_y) along x and a, rω counts the whole angular velocity
/// along a.
class SPACEDYN_EXPORT WheelElement : public ForceElement {
 public:
  using Mount = WheelMount;

  WheelElement(std::string name, Mount mount);

  const Mount& mount() const { return mount_; }
  /// @throws DomainError unless the link is on a revolute joint of the model
  void check(const Model& model) const override;
  void declare(Declarations& declared) const override;
  /// The wheel touches and leaves the ground: `<name> ground`.
  void append_events(std::vector<ElementEvent>& events) const override;
  std::string ground_event() const { return name() + " ground"; }
  virtual WheelReading reading(const EvaluationContext& context) const = 0;

 protected:
  WheelStance stance(const EvaluationContext& context) const;

 private:
  Mount mount_;
};

}  // namespace spacedyn
