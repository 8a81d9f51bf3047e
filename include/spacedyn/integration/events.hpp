/// @file
/// Events: instants at which a function of the context crosses zero, and what happens then.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "spacedyn/control/controller.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/integration/quantities.hpp"

namespace spacedyn {

/// Points that a connection joins may be so far apart without being snapped, m or rad; times the
/// size of the model where that is larger than 1 m.
inline constexpr double kConnectionTolerance = 1e-6;

/// @name What an event may do, at the instant itself
/// @{
/// Ends the run.
struct StopAction {};
/// Stops a joint at once, momentum preserved, and holds it; a locked joint stays as it is.
struct LockAction {
  int joint;
};
/// Lets a locked joint move again.
struct ReleaseAction {
  int joint;
};
/// The joint's velocity becomes −e times what it was, momentum preserved: an impulsive stop.
///
/// Where @ref rests is true, the joint comes to rest on the stop once it is pressed against it and
/// would lift by less than its tolerance, and stays there until the stop would have to pull; then
/// it is let go. Methods that cannot lock joints do not do this.
struct BounceAction {
  int joint;
  double restitution;  ///< e, from 0 to 1
  bool rests = false;  ///< only with joint_position_event() of this joint and a direction: rising
                       ///< for an upper limit, falling for a lower one
};
/// An impulse of the environment through the origin of a frame, inertial axes.
struct ImpulseAction {
  Frame at;
  Vector3 linear = Vector3::Zero();   ///< N s
  Vector3 angular = Vector3::Zero();  ///< N m s
};
/// Turns a controller on or off; it commands nothing while it is off.
struct SwitchAction {
  std::string controller;
  bool on;
};
/// Makes a connection: an impulse takes the relative velocity away, momentum preserved.
struct ConnectAction {
  std::size_t connection;  ///< in ForcedSystem::connections, from 0
  bool snap = false;  ///< keeps the relative position of this instant, of a weld the attitude, too;
                      ///< otherwise points must be within kConnectionTolerance
};
/// Ends a connection; velocities stay.
struct DisconnectAction {
  std::size_t connection;
};
/// Puts another controller in the place of one: the same with other numbers. A sampled controller
/// holds its command until its next sample.
struct SetAction {
  std::string controller;
  /// The controller to be, from that in force: of the same name, sizes, period and delay, with the
  /// same discontinuities or references of its own. Equal arguments must give equal controllers.
  std::function<std::shared_ptr<const Controller>(const Controller& now)> change;
  std::string what = {};  ///< `damping = 3`, for reports
};
/// Commands a ThrusterForce open that events open; its minimum on-time and its delay hold.
struct PulseAction {
  std::size_t slot;  ///< of the force
  double duration;   ///< s
};
using EventAction =
    std::variant<StopAction, LockAction, ReleaseAction, BounceAction, ImpulseAction, SwitchAction,
                 ConnectAction, DisconnectAction, SetAction, PulseAction>;
/// @}

/// What must hold just before the instant of an event, so that it happens.
struct EventCondition {
  EventQuantity quantity;
  double above = -std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
};

/// A root function with the crossings that count and the actions that they cause, in this order.
struct Event {
  std::string name;
  std::function<double(const EvaluationContext&)> value;  ///< continuous in time along the motion
  CrossingDirection direction = CrossingDirection::both;
  std::vector<EventAction> actions;  ///< none: the instant is only noted
  /// @name As those of an ElementEvent
  /// @{
  std::function<double(const EvaluationContext&)> rate = {};
  bool is_noted = true;
  std::function<void(const EvaluationContext&, VectorRef z)> reset = {};
  const Element* owner = nullptr;  ///< whose states are reset
  bool resets_when_due = false;
  /// @}
  std::string unit = {};  ///< of value, for reports of how near the event came; may be empty
  /// Event that arms this one, after its actions: no crossing counts before, but a jump that these
  /// make of the value does. Empty: it is armed from the start.
  std::string after = {};
  std::vector<EventCondition> conditions = {};  ///< all must hold
  /// The value, where it is no function of the motion alone; see quantity_event(). A jump over the
  /// level counts, at its instant.
  std::optional<EventQuantity> quantity = {};
  double level = 0.0;  ///< of the quantity
  /// s after each time that the event `after` happens; value is not looked at then.
  std::optional<double> delay = {};
};

/// An event where a quantity crosses a level; a jump over it counts.
SPACEDYN_EXPORT Event quantity_event(std::string name, EventQuantity quantity, double level,
                                     CrossingDirection direction = CrossingDirection::both);
/// An event some time after each time that another has happened. @throws DomainError if the delay
/// is negative or not finite
SPACEDYN_EXPORT Event delayed_event(std::string name, std::string after, double delay);

/// @name Root functions
/// @{
/// t − @p time.
SPACEDYN_EXPORT std::function<double(const EvaluationContext&)> time_event(double time);
/// q_i − @p position of joint i.
SPACEDYN_EXPORT std::function<double(const EvaluationContext&)> joint_position_event(
    int joint, double position);
/// q̇_i − @p velocity of joint i.
SPACEDYN_EXPORT std::function<double(const EvaluationContext&)> joint_velocity_event(
    int joint, double velocity);
/// |r_a − r_b| − @p distance between the origins of two frames.
SPACEDYN_EXPORT std::function<double(const EvaluationContext&)> frame_distance_event(
    const Frame& a, const Frame& b, double distance);
/// n·r − @p height of a frame's origin over a plane through the inertial origin with unit normal n:
/// contact with a resting wall.
SPACEDYN_EXPORT std::function<double(const EvaluationContext&)> plane_event(const Frame& frame,
                                                                            const Vector3& normal,
                                                                            double height);
/// @}

/// An event that has happened.
struct EventRecord {
  double time = 0.0;  ///< s
  std::string name;
  bool is_warning = false;  ///< a joint has passed a position limit, which nothing kept it from
};

/// A connection that an event has made.
struct ConnectionRecord {
  std::string name;
  double time = 0.0;             ///< s
  double impulse = 0.0;          ///< magnitude, N s; of gear and linear that of their multiplier
  double angular_impulse = 0.0;  ///< magnitude, about the first point, N m s
  double energy_lost = 0.0;      ///< J
};

}  // namespace spacedyn
