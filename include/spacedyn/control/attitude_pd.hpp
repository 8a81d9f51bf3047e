/// @file
/// Control of the attitude of a body.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/momentum_feed_forward.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/wrench_controller.hpp"
#include "spacedyn/export.hpp"

namespace spacedyn {

/// An attitude as a function of time: roll, pitch and yaw, or a turn about a fixed inertial axis
/// from `start`, or `start` itself.
struct SPACEDYN_EXPORT AttitudeReference {
  Matrix3 start = Matrix3::Identity();
  std::shared_ptr<const Reference> rpy;    ///< 3 components, rad: A = R_z(y) R_y(p) R_x(r)
  std::shared_ptr<const Reference> angle;  ///< 1 component, rad: A = exp(angle axis~) start
  Vector3 axis = Vector3::UnitZ();         ///< unit vector, inertial

  /// Attitude and angular velocity, inertial. Allocates nothing.
  void evaluate(const Instant& now, Matrix3& A, Vector3& omega) const;
};

/// N = K e + D (ω_ref − ω) in the axes of the link that the first actuator names, also where a
/// fixed joint makes it a part of another body, with e = 2 sign(η) ε of the quaternion (η, ε) from
/// the body to the reference; e is the rotation vector for small errors. With K = 0 it damps
/// rotation and knows no attitude; with neither K nor D its feed-forward is all that it asks for.
///
/// Torquers have the part of N across the magnetic field alone: an attitude that they hold settles
/// over a turn of the field.
class SPACEDYN_EXPORT AttitudePd final : public WrenchController {
 public:
  struct Settings : AxisGains {  ///< about the axes of the body
    AttitudeReference reference;
    std::vector<JointMotion> feed_forward;  ///< of an arm, whose MomentumFeedForward is added to N
    double sample_period = 0.0;             ///< s; 0: continuous; a modulation has its own
  };

  /// @throws DomainError if gains have no meaning, see AxisGains, the actuators have no torque
  /// about an axis that has a gain, or MomentumFeedForward throws; DimensionError if a reference
  /// has the wrong number of components
  AttitudePd(std::string name, const Model& model, Settings settings,
             std::shared_ptr<const Allocation> allocation);

  const Settings& settings() const { return settings_; }
  WrenchDemand demand(const EvaluationContext& context) const override;
  std::vector<const Schedule*> schedules() const override {
    return {feed_forward_.get(), settings_.reference.rpy.get(), settings_.reference.angle.get()};
  }

 private:
  Settings settings_;
  std::unique_ptr<const MomentumFeedForward> feed_forward_;
};

}  // namespace spacedyn
