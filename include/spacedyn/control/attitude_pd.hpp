/// @file
/// Control of the attitude of a body by reaction wheels, gyros, thrusters or magnetic torquers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/control/gyro_steering.hpp"
#include "spacedyn/control/momentum_feed_forward.hpp"
#include "spacedyn/control/reference.hpp"
#include "spacedyn/control/thruster_allocation.hpp"
#include "spacedyn/control/torquer_allocation.hpp"
#include "spacedyn/control/wheel_null_space.hpp"
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
  void evaluate(double time, Matrix3& A, Vector3& omega) const;
};

/// N = K e + D (ω_ref − ω) in the axes of the link that carries the wheels, with e = 2 sign(η) ε of
/// the quaternion (η, ε) from the body to the reference; e is the rotation vector for small errors.
///
/// The wheels, with axes a_i in the body, get the torques of least squares τ = −A⁺ N, A = [a_i]:
/// the body receives N, and none spins up in the null space of A, where WheelNullSpace may hold
/// wanted speeds. The axes are those of the link that the first actuator names, also where a fixed
/// joint makes it a part of another body. Limits are those of the wheels, see ReactionWheels. With
/// K = 0 it damps rotation and knows no attitude.
///
/// Thrusters share N as ThrusterAllocation says, their openings between 0 and 1 or modulated; what
/// they consume are auxiliary states. Torquers have the part of N across the field, see
/// TorquerAllocation; they damp rotation, K = 0, for along the field they cannot turn. Gyros are
/// steered as GyroSteering says; the command are the rates of their gimbals.
class SPACEDYN_EXPORT AttitudePd final : public Controller {
 public:
  struct Settings {
    std::vector<int> wheels;              ///< joints of reaction wheels, all on one body
    std::vector<Thruster> thrusters;      ///< in place of wheels, all on one body
    ThrusterModulation modulation;        ///< of thrusters; its period stands for sample_period
    std::vector<Torquer> torquers;        ///< in place of both, with K = 0
    GyroSteering::Settings gyros;         ///< in place of all, if it has gimbals
    WheelNullSpace::Settings null_space;  ///< of wheels, if it has a gain
    Vector3 stiffness = Vector3::Zero();  ///< K about the body's axes, N m/rad
    Vector3 damping = Vector3::Zero();    ///< D, N m s/rad
    double dead_band = 0.0;               ///< each component of e is less by it, or zero, rad
    AttitudeReference reference;
    std::vector<JointMotion> feed_forward;  ///< of an arm, whose MomentumFeedForward is added to N
    double sample_period = 0.0;             ///< s; 0: continuous
  };

  /// @throws DomainError if a gain is negative or not finite or all are zero, a joint has no wheel,
  /// wheels are named twice or on several bodies, or do not command an axis that has a gain, or if
  /// WheelNullSpace throws or there is one without wheels;
  /// DimensionError if a reference has the wrong number of components
  AttitudePd(std::string name, const Model& model, Settings settings);

  const Settings& settings() const { return settings_; }
  /// The thrusters whose openings are its command; null of wheels.
  const ThrusterAllocation* nozzles() const override { return nozzles_.get(); }
  /// The torquers whose dipoles are its command; null of others.
  const TorquerAllocation* torquers() const { return torquers_.get(); }
  /// The steering of gyros; null of others.
  const GyroSteering* gyros() const { return gyros_.get(); }
  /// The body that carries the actuators.
  int body() const { return body_; }
  double sample_period() const override { return settings_.sample_period; }
  int command_size() const override;
  int auxiliary_size() const override { return nozzles_ ? nozzles_->size() : 0; }
  void auxiliary_rate(const EvaluationContext& context, VectorRef zd) const override;
  /// @throws DomainError if the joints have no wheels on this model
  void check(const Model& model) const override;
  void command(const EvaluationContext& context, VectorRef command) const override;
  void apply(const EvaluationContext& context, ConstVectorRef command, Loads& loads) const override;
  void append_discontinuities(std::vector<double>& times) const override;

 private:
  void take_actuators(const Model& model);
  void take_thrusters(const Model& model);
  void take_torquers(const Model& model);
  void take_gyros(const Model& model);
  /// @throws DomainError if there are actuators of other kinds than this one
  void require_only(const char* kind) const;
  /// @throws DomainError if an axis with a gain is among these
  void require_torque(const char* kind, const std::vector<int>& missing, const Model& model) const;
  /// N, in the axes of the body, and these axes.
  Vector3 torque(const EvaluationContext& context, Matrix3& A) const;

  Settings settings_;
  std::unique_ptr<const ThrusterAllocation> nozzles_;
  std::unique_ptr<const TorquerAllocation> torquers_;
  std::unique_ptr<const GyroSteering> gyros_;
  std::unique_ptr<const MomentumFeedForward> feed_forward_;
  std::unique_ptr<const WheelNullSpace> null_space_;
  int body_ = 0;
  Matrix3 user_axes_;    // of the link that carries the actuators, in the frame of its body
  Matrix3X allocation_;  // −(A⁺)ᵀ, a column for each wheel
};

/// Axes of the body, 0…2, that wheels with these axes (columns, in the body) cannot turn it about.
SPACEDYN_EXPORT std::vector<int> axes_without_command(const Matrix3X& wheel_axes);

/// Axes of wheels on one body in the user frame of the link that carries the first of them.
SPACEDYN_EXPORT Matrix3X wheel_axes(const Model& model, const std::vector<int>& joints);

}  // namespace spacedyn
