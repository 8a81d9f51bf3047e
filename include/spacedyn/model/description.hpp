/// @file
/// What a user says about a robot: plain data, in any order, not yet validated.
/// ModelBuilder turns it into a Model; the loaders fill it from files.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"
#include "spacedyn/model/drive_train.hpp"
#include "spacedyn/model/loop.hpp"
#include "spacedyn/model/thruster.hpp"

namespace spacedyn {

struct ModelDescription;

/// Propellant that fills a sphere evenly, whatever is left of it: inertia 2/5 m r².
struct TankShape {
  double radius = 0.0;  ///< r, m; 0: a point
};

/// A tank of a Model; its propellant is a part of the mass of its body.
struct Tank {
  std::string name;
  int body = 0;
  Vector3 position = Vector3::Zero();  ///< of its centre, from the frame origin of the body, m
  double propellant = 0.0;             ///< kg, when it is full
  double radius = 0.0;                 ///< m

  /// 2/5 r², of a kilogram about the centre, m².
  double specific_inertia() const { return 0.4 * radius * radius; }
};

/// What a user says about a tank.
struct TankDescription {
  std::string name;
  std::string body;
  Vector3 position = Vector3::Zero();  ///< of its centre, in the body's user frame, m
  double propellant = 0.0;             ///< kg, besides the mass of the body
  double radius = 0.0;                 ///< m
  Notes notes;
};

/// Every problem of a tank, each under @p path. Names are left to ModelBuilder.
SPACEDYN_EXPORT std::vector<Problem> validate_tank(const TankDescription& tank,
                                                   const std::string& path);

/// Adds a full tank to a robot: link `<name>`, a sphere on a fixed joint.
/// @throws ModelError if it has problems
SPACEDYN_EXPORT void add_tank(ModelDescription& robot, const TankDescription& tank);

/// Limits and friction of the joint of a reaction wheel or of the rotor of a gyro; see
/// ReactionWheels.
struct WheelDrive {
  double spin_inertia = 0.0;                                        ///< J about the axis, kg m²
  double torque_limit = std::numeric_limits<double>::infinity();    ///< of all torque put in, N m
  double momentum_limit = std::numeric_limits<double>::infinity();  ///< of J q̇, N m s
  double viscous = 0.0;                                             ///< friction, N m s/rad
  double coulomb = 0.0;                                             ///< friction, N m
  double rotor_speed = 0.0;  ///< rad/s, at the start of a scenario unless it says otherwise
};

/// Position and orientation of one frame in another.
struct Pose {
  Vector3 position = Vector3::Zero();      ///< m
  Matrix3 rotation = Matrix3::Identity();  ///< takes coordinates of the placed frame to the other
};

/// What a joint lets move; see joint_traits() for the coordinates of each.
enum class JointType {
  revolute,     ///< turns about `axis`
  prismatic,    ///< slides along `axis`
  screw,        ///< turns about `axis` and slides along it by `pitch` per turn
  fixed,        ///< does not move
  spherical,    ///< turns freely
  universal,    ///< turns about `axis`, fixed below, and about `second_axis`, fixed above
  cylindrical,  ///< turns about `axis` and slides along it
  planar,       ///< slides across `axis` in both directions and turns about it
  free          ///< slides and turns freely
};

/// A picture of a body; it has no effect on the dynamics.
struct Visual {
  std::string shape;  ///< box | cylinder | sphere | mesh | ellipsoid
  /// box: edges, m; cylinder: radius, length; sphere: radius; ellipsoid: semi-axes
  Vector3 size = Vector3::Zero();
  std::string mesh;   ///< file of a mesh
  Pose origin;        ///< in the body's user frame
  std::string color;  ///< \#rrggbb, may be empty
};

enum class CollisionType {
  sphere,
  box,
  cylinder,
  capsule,  ///< a cylinder with half spheres on both ends
  mesh,     ///< the convex hull of a mesh
  ellipsoid
};

class ConvexHull;

/// What a body touches others with; without a contact that names it, it has no effect.
struct CollisionShape {
  std::string name;
  CollisionType type = CollisionType::sphere;
  /// sphere: radius, m; box: edges; cylinder: radius, length along its z; capsule: radius, length
  /// between the centres of its ends along its z; ellipsoid: semi-axes; mesh: the scale of its file
  Vector3 size = Vector3::Zero();
  Pose origin;                             ///< of its centre, in the body's user frame
  std::string mesh;                        ///< file of a mesh
  std::shared_ptr<const ConvexHull> hull;  ///< of a mesh, scaled
};

/// Mass properties of a body in its user frame.
struct BodyDescription {
  std::string name;
  double mass = 0.0;                         ///< kg
  Vector3 center_of_mass = Vector3::Zero();  ///< m
  Matrix3 inertia = Matrix3::Zero();         ///< kg m², about the centroid, tensor elements
  bool unphysical_inertia = false;           ///< accept an indefinite tensor as it is
  /// What is left beside the modes of its appendages, see add_modal_appendage(): together with them
  /// it is a body; by itself its mass and inertia may have any sign.
  bool carries_modes = false;
  std::vector<Visual> visuals;
  std::vector<CollisionShape> collisions;
  Notes notes;
};

/// The base, link 0.
struct BaseDescription : BodyDescription {
  bool fixed = false;  ///< nailed to the inertial frame unless a scenario says otherwise
};

/// A joint that follows another one: q = ratio · q_joint + offset.
struct MimicDescription {
  std::string joint;  ///< revolute, prismatic or screw, anywhere in the tree; follows none itself
  double ratio = 1.0;
  double offset = 0.0;  ///< rad or m
};

/// A joint: where it sits, how it moves, and the limits and passive terms it has.
///
/// Of a joint with several coordinates these terms are in `coordinates`.
struct JointDescription {
  std::string name;  ///< empty: the name of the link
  JointType type = JointType::revolute;
  Pose origin;                             ///< joint frame in the parent's user frame
  Vector3 axis = Vector3::UnitZ();         ///< in the joint frame; normalized by the builder
  Vector3 second_axis = Vector3::UnitY();  ///< of a universal joint, perpendicular to the first
  double pitch = 0.0;  ///< of a screw: travel along the axis per turn, m; negative: left-handed
  double position_lower = -std::numeric_limits<double>::infinity();  ///< rad or m
  double position_upper = std::numeric_limits<double>::infinity();
  double velocity_limit = std::numeric_limits<double>::infinity();  ///< rad/s or m/s
  double effort_limit = std::numeric_limits<double>::infinity();    ///< N m or N
  double stiffness = 0.0;                                           ///< K, N m/rad or N/m
  double damping = 0.0;                                             ///< D, N m s/rad or N s/m
  double rest_position = 0.0;                                       ///< q_rest
  double rotor_inertia = 0.0;  ///< of the motor about its axis, which is the joint's, kg m²
  double gear_ratio = 1.0;  ///< turns of the rotor per turn (rad/m) of the joint; negative: counter
  RotorCoupling rotor_coupling = RotorCoupling::reflected;
  JointFriction friction;
  Notes notes;
  /// Limits, passive terms and rotor of each coordinate of a joint that has several, in the order
  /// of joint_traits(); name, type, origin and axes of these do not count. Empty: it has none.
  std::vector<JointDescription> coordinates;
  /// Of a reaction wheel: the joint is revolute, and its inertia may be about its axis alone.
  std::optional<WheelDrive> wheel;
  /// Of a joint with one coordinate, which then is none of the robot: springs, dampers, friction
  /// and rotor act on the joint that it follows, which has the limits.
  std::optional<MimicDescription> mimic;
  /// Of a spherical joint: largest angle of its rotation vector, rad.
  double angle_limit = std::numeric_limits<double>::infinity();
};

/// A link and the joint that carries it.
struct LinkDescription : BodyDescription {
  std::string parent;  ///< name of the base or of another link
  JointDescription joint;
  std::optional<TankShape> tank;  ///< its mass is propellant; then the joint is fixed
};

/// A named frame on the base or a link: an endpoint or another point of interest.
struct FrameDescription {
  std::string name;
  std::string link;
  Pose origin;  ///< in the link's user frame
  Notes notes;
  std::optional<ThrusterDrive> thruster = std::nullopt;  ///< that pushes at this frame
};

/// One of several robots in a description; aggregate() fills these.
struct RobotDescription {
  std::string name;                         ///< names of its parts begin with it and a dot
  std::string base;                         ///< the link that is its base
  Vector3 base_centroid = Vector3::Zero();  ///< of the base with what is fixed on it, in the
                                            ///< link's user frame, m
  double base_mass = 0.0;                   ///< likewise, kg
  bool is_carried = false;                  ///< as Robot::is_carried
};

/// A whole robot as its user describes it, or several.
struct ModelDescription {
  std::string name;
  Notes notes;
  BaseDescription base;
  std::vector<LinkDescription> links;
  std::vector<FrameDescription> frames;
  std::vector<JointCouplingDescription> couplings;
  std::vector<TransmissionDescription> transmissions;
  std::vector<LoopDescription> loops;
  std::vector<RobotDescription> robots;  ///< empty for a single robot, the usual case
};

}  // namespace spacedyn
