/// @file
/// What elements declare about themselves to those who record, draw and account for them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/forces/element.hpp"
#include "spacedyn/forces/reference_orbit.hpp"

namespace spacedyn {

class AccelerationField;
class ContactForce;
class JointPd;
class MotionConstraint;
class RigidContact;
class Terrain;
struct Torquer;

/// A number that a channel of the result holds.
struct OutputQuantity {
  const char* dataset;  ///< of files that hold arrays, for instance `sinkage`
  const char* suffix;   ///< of its column, for instance `_sinkage_m`
  const char* unit;     ///< empty of pure numbers
};

/// Columns of a channel, under the name of the element.
struct OutputColumns {
  std::string channel;  ///< for instance `wheels`
  std::vector<OutputQuantity> quantities;
  /// Their values at an instant. Must not allocate.
  std::function<void(const EvaluationContext& context, VectorRef values)> read;
};

/// A number about an actuator, as an element of a system knows it: a column of the channel
/// `actuators`. What several elements say about one quantity of one actuator adds up.
struct ActuatorOutput {
  std::string actuator;
  OutputQuantity quantity;
  /// Must not allocate. @param command  of a controller that acts: the one in force; else empty
  std::function<double(const EvaluationContext&, ConstVectorRef command)> value;
  bool counts_when_off = false;  ///< whether it is there, too, while the element does not act
};

/// Force of a thruster.
inline constexpr OutputQuantity kThrustQuantity{"force", "_force_N", "N"};

/// A vector that pictures show while the system moves, from the motion and recorded columns.
struct ArrowDrawing {
  std::string name;
  std::string kind;                  ///< `force` or `moment`
  std::string unit;                  ///< of its length
  std::string channel;               ///< that must have been recorded
  std::vector<std::string> columns;  ///< suffixes of its columns that are looked at
  std::function<void(const EvaluationContext& context, ConstVectorRef values, Vector3& origin,
                     Vector3& vector)>
      draw;
};

/// What a wheel leaves on the ground.
struct TrackPoint {
  Vector3 left, right;   ///< edges of the track, inertial, m
  double sinkage = 0.0;  ///< m; not positive where the wheel is in the air
};

/// A wheel on its ground.
struct WheelMount {
  int link = 0;                      ///< on a revolute joint
  double radius = 0.0, width = 0.0;  ///< m
  std::shared_ptr<const Terrain> terrain;
};

/// A planet, moon or asteroid that attracts the system.
struct CelestialBody {
  std::string name;
  Vector3 position = Vector3::Zero();  ///< of the origin of its axes at all times, m
  double mu = 0.0;                     ///< m³/s²
  double radius = 0.0;                 ///< m; 0 where the set-up does not state one
  std::vector<float> triangles = {};  ///< of an asteroid: corners in its axes, nine numbers each, m
  Matrix3 attitude = Matrix3::Identity();      ///< of its axes at t = 0
  Vector3 angular_velocity = Vector3::Zero();  ///< inertial, constant, rad/s
};

/// What attracts and lights the system from a distance.
struct CelestialScene {
  std::vector<CelestialBody> bodies;
  ReferenceOrbit orbit = {};   ///< about the first body, whose local frame is that of coordinates
  std::optional<Vector3> sun;  ///< direction of the sun at t = 0, unit vector
};

/// A sphere that an element takes a celestial body for.
struct PlanetRadius {
  Vector3 center = Vector3::Zero();  ///< m
  double radius = 0.0;               ///< m; 0: none
};

/// Ends of a joint's travel, beyond which an element pushes it back.
struct JointRange {
  int joint = 0;  ///< 1…n
  double lower = 0.0, upper = 0.0;
};

/// A thruster that events open.
struct PulsedThruster {
  std::size_t slot = 0;  ///< of EventTimes::pulses
  const Thruster* thruster = nullptr;
};

/// Everything that an element declares; what it has nothing of stays empty.
struct Declarations {
  std::vector<OutputColumns> outputs;
  std::vector<ActuatorOutput> actuators;
  const Torquer* torquer = nullptr;  ///< whose dipole it gives, or a controller may give
  /// The tank from which each component of z draws, which counts the propellant used, kg; an empty
  /// name where that leaves no tank. Empty if z is something else.
  std::vector<std::string> tanks;
  const AccelerationField* field = nullptr;  ///< gravity, or what a turning frame adds
  std::vector<int> driven_joints;            ///< on which it acts by a schedule, 1…n
  std::optional<WheelMount> wheel;           ///< that it acts on

  /// @name What a run does with it beyond its loads
  /// @{
  const ContactForce* contact = nullptr;     ///< whose account it keeps
  const RigidContact* rigid = nullptr;       ///< contact that does not yield, whose forces it finds
  const MotionConstraint* motion = nullptr;  ///< whose rows it satisfies
  std::optional<JointRange> stop;
  std::optional<PulsedThruster> pulsed;
  bool awaits_commands = false;        ///< whether a program commands it at each sample
  const JointPd* batch_law = nullptr;  ///< that flights of many states at once can evaluate
  /// What limits keep it from; nothing if they do not, else details, which may be empty.
  std::function<std::optional<std::string>(const EvaluationContext&)> shortfall;
  /// @}

  std::vector<Frame> line;  ///< points that it joins by straight lines, in their order
  std::vector<ArrowDrawing> arrows;
  std::function<TrackPoint(const LinkFrames& frames)> track;
  const Terrain* ground = nullptr;
  CelestialScene scene;
  PlanetRadius planet;

  /// What gives reason to doubt a run, in one sentence; empty if nothing does.
  std::function<std::string(const EvaluationContext& start, const EvaluationContext& end,
                            const std::function<bool(const std::string&)>& has_happened)>
      doubt;
};

/// What an element declares; allocates.
SPACEDYN_EXPORT Declarations declarations_of(const Element& element);

}  // namespace spacedyn
