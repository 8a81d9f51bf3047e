/// @file
/// Limits and friction of reaction wheels.
#pragma once

#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"

namespace spacedyn {

/// Limits the torque on the joint of every reaction wheel of a model and adds friction.
///
/// Acts after all other elements: what they put on the joint, whoever they are, is limited to
/// ±torque_limit; where it drives the spin momentum h = J q̇ towards ±momentum_limit it fades out
/// linearly over the last thousandth of the limit, and is zero beyond. Then friction
/// −D q̇ − F_c tanh(q̇/v_ε) is added, v_ε = 1e-3 rad/s: no bristle, whose rate at the speed of a
/// wheel would be that of nothing else in a spacecraft. What the limits cut off counts as work
/// taken out by this element.
class SPACEDYN_EXPORT ReactionWheels final : public ForceElement {
 public:
  explicit ReactionWheels(const Model& model);

  /// Joints of the wheels, 1…n.
  const std::vector<int>& joints() const { return joints_; }
  bool uses_links() const override { return false; }
  void check(const Model& model) const override;
  /// @param loads  of all other elements
  void apply(const EvaluationContext& context, Loads& loads) const override;
  /// Derivatives of what others put on the joints of wheels, as limits let it through. Wrenches on
  /// the links of wheels whose torque is limited are not told apart and count as torque.
  /// @param loads        of all other elements
  /// @param derivatives  of these; out: limited
  void limit(const EvaluationContext& context, const Loads& loads,
             LoadDerivatives& derivatives) const;
  /// Of the friction.
  bool differentiate(const EvaluationContext& context, LoadDerivatives& derivatives) const override;
  EnergyRates energy_rates(const EvaluationContext& context) const override;

 private:
  std::vector<int> joints_;
  std::vector<WheelDrive> drives_;
};

/// The torque that gets through to a wheel which turns at a speed, of one that is asked for, N m.
SPACEDYN_EXPORT double limited_torque(const WheelDrive& drive, double torque, double speed);
/// Torque of the friction of a wheel, against its speed, N m.
SPACEDYN_EXPORT double friction_torque(const WheelDrive& drive, double speed);
/// The joints of a model that have a reaction wheel, 1…n.
SPACEDYN_EXPORT std::vector<int> wheel_joints(const Model& model);

}  // namespace spacedyn
