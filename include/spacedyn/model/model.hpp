/// @file
/// The immutable, validated robot that every computation takes.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spacedyn/diagnostics.hpp"
#include "spacedyn/export.hpp"
#include "spacedyn/model/description.hpp"
#include "spacedyn/model/topology.hpp"

namespace spacedyn {

/// Mass properties of one body in its link frame (z along the joint axis; the base: its own axes).
struct Body {
  std::string name;
  double mass = 0.0;                         ///< m_i, kg
  Vector3 center_of_mass = Vector3::Zero();  ///< −c_ii, from the frame origin, m
  /// I_i about the centroid, link axes, kg m²; fully coupled rotors move a part of it from the
  /// carrying to the carried link (see add_rotor() in the assembly of models).
  Matrix3 inertia_L = Matrix3::Zero();
  Matrix3 user_axes = Matrix3::Identity();  ///< user-frame axes in the link frame, R_aᵀ
};

/// Joint i: one degree of freedom between link B_i and link i.
struct Joint {
  std::string name;
  JointType type = JointType::revolute;  ///< revolute, prismatic or screw
  double turn = 1.0;   ///< about the axis per unit of q, rad: 1; of a prismatic joint 0
  double slide = 0.0;  ///< along the axis per unit of q, m: 0; prismatic 1; screw pitch / 2π
  Vector3 origin = Vector3::Zero();  ///< ℓ_{B_i i}, from the frame origin of link B_i, its axes
  Matrix3 rotation = Matrix3::Identity();  ///< link frame at q = 0 in the frame of link B_i, Q_i
  double position_lower = 0.0;
  double position_upper = 0.0;
  double velocity_limit = 0.0;
  double effort_limit = 0.0;
  double stiffness = 0.0;      ///< K_i
  double damping = 0.0;        ///< D_i
  double rest_position = 0.0;  ///< q_i,rest
  double armature = 0.0;       ///< constant part of H_ii that no body has: that of a geared rotor
  JointFriction friction;
  /// Which of the three coordinates of a spherical joint this is, 1…3; 0 for all others. Together
  /// their positions are the rotation vector of the joint, their velocities the angular velocity
  /// of the carried link against the carrying one, in the axes of the carried one.
  int spherical = 0;
};

/// A joint with several coordinates, which are the joints `first` … `first + size − 1` of a Model.
/// The links between them have no mass.
struct CompoundJoint {
  std::string name;
  JointType type = JointType::spherical;
  int first = 0;
  int size = 0;
  double angle_limit = std::numeric_limits<double>::infinity();  ///< of a spherical joint, rad
};

/// A MimicDescription with joints by number: q_joint = ratio · q_followed + offset.
struct Follower {
  int joint = 0, followed = 0;  ///< 1…n
  double ratio = 1.0;
  double offset = 0.0;  ///< rad or m
};

/// A named point with axes on a body, given in that body's link frame.
struct Frame {
  std::string name;
  int body = 0;
  Vector3 position = Vector3::Zero();      ///< ℓ_ie, from the frame origin of the body, m
  Matrix3 rotation = Matrix3::Identity();  ///< frame axes in the link frame
};

/// A LoopDescription with points and joints by number.
struct Loop {
  std::string name;
  LoopType type = LoopType::weld;
  Frame from, to;
  Vector3 axis = Vector3::UnitZ();         ///< unit vector in the axes of `from`, and of `to`
  Vector3 second_axis = Vector3::UnitY();  ///< of a universal joint, unit vector in those of `to`
  double length = 0.0;                     ///< distance of the points, m
  std::vector<int> joints;                 ///< 1…n, of gear, linear and function
  VectorX coefficients;                    ///< c of Σ c_k q_k = offset, of gear and linear
  double offset = 0.0;                     ///< rad or m
  std::shared_ptr<const ConstraintFunction> function;  ///< φ of type function, null otherwise
  bool is_mimic = false;  ///< a gear that lets a joint follow another, which no file lists

  int rows() const { return loop_traits(type).rows(); }
};

/// A thruster and the frame of its name that it is at.
struct Thruster {
  std::string name;
  Frame at;
  ThrusterDrive drive;  ///< its direction a unit vector
};

/// One of several robots in a model whose base is the inertial frame.
///
/// Its bodies, and the coordinates that carry them, are `first` … `end − 1`; the first six of a
/// robot that floats are those of its free joint, the rest are its own joints.
struct Robot {
  std::string name;
  Frame base;  ///< centroid of its base, with the base's axes
  int first = 0, end = 0;
  bool floats = true;       ///< its first coordinates are those of a free joint
  bool is_carried = false;  ///< they are slides along x, y, z and a turn, to be imposed
  double base_mass = 0.0;   ///< kg

  /// Else its base is a part of body 0.
  bool moves() const { return floats || is_carried; }
  int first_joint() const { return first + (floats ? 6 : is_carried ? 4 : 0); }
  int joint_count() const { return end - first_joint(); }
};

class ModelBuilder;

/// A tree of rigid bodies joined by revolute, prismatic and screw joints to a base.
///
/// Body indices run from 0 (base) to n; joint i carries link i (1 ≤ i ≤ n) and has element i−1 in
/// joint vectors. A joint with several coordinates is a chain of such joints with links between
/// them that have no mass; its name leads to them by find_compound_joint(). A Model never changes
/// after construction, so any number of threads may share it.
class SPACEDYN_EXPORT Model {
 public:
  const std::string& name() const { return description_.name; }
  const Topology& topology() const { return topology_; }

  /// n, the number of joints and of links besides the base.
  int joint_count() const { return topology_.link_count(); }
  /// Size 6 + n of generalized velocities and forces.
  int velocity_size() const { return 6 + joint_count(); }
  /// n + 1: the base and the links.
  int body_count() const { return joint_count() + 1; }

  /// Body i, 0 ≤ i ≤ n.
  const Body& body(int i) const { return bodies_[static_cast<std::size_t>(i)]; }
  /// Joint i, 1 ≤ i ≤ n.
  const Joint& joint(int i) const { return joints_[static_cast<std::size_t>(i - 1)]; }
  /// The joints with several coordinates, base first.
  const std::vector<CompoundJoint>& compound_joints() const { return compound_joints_; }
  /// First coordinate of each spherical joint, ascending; free joints end in one.
  const std::vector<int>& spherical_joints() const { return spherical_joints_; }
  /// The body in which the axis of joint i is fixed: body i, or what its spherical joint carries.
  int axis_body(int i) const { return joint(i).spherical == 0 ? i : i + 3 - joint(i).spherical; }
  /// Whether body i only stands between two coordinates of a compound joint.
  bool is_carrier(int i) const { return carriers_[static_cast<std::size_t>(i)]; }
  /// The frames named by the user, then those of merged fixed bodies, in file order.
  const std::vector<Frame>& frames() const { return frames_; }

  const std::vector<JointCoupling>& couplings() const { return couplings_; }
  const std::vector<Transmission>& transmissions() const { return transmissions_; }
  /// What closes the tree, in file order, then a gear for each of followers(); empty for a tree.
  const std::vector<Loop>& loops() const { return loops_; }
  /// Whether any loop is not that of a joint that follows another.
  bool has_loops() const { return loops_.size() > followers_.size(); }
  /// The joints that follow others, ascending. Vectors of joints have entries of theirs; files,
  /// results and commands leave them out.
  const std::vector<Follower>& followers() const { return followers_; }
  /// The joints that follow no other, ascending: the coordinates that files and results list.
  const std::vector<int>& coordinates() const { return coordinates_; }
  /// Null unless joint i follows another. O(log n).
  const Follower* follower(int i) const;
  /// The thrusters, in the order of their frames.
  const std::vector<Thruster>& thrusters() const { return thrusters_; }
  /// The tanks, in file order; bodies have the mass of full ones.
  const std::vector<Tank>& tanks() const { return tanks_; }
  /// The reaction wheel on joint i, 1 ≤ i ≤ n; null if there is none. O(log n).
  const WheelDrive* wheel(int i) const;

  /// The robots of a model that aggregate() has made, in file order; empty for a single one.
  const std::vector<Robot>& robots() const { return robots_; }
  /// Null where the name is unknown.
  const Robot* find_robot(std::string_view name) const;

  bool has_fixed_base() const { return description_.base.fixed; }
  /// w = m_0 + Σ m_i, kg.
  double total_mass() const { return total_mass_; }

  /// @name Look-up by name; the find_… functions return nothing where the name is unknown
  /// @{
  std::optional<int> find_body(std::string_view name) const;   ///< 0…n
  std::optional<int> find_joint(std::string_view name) const;  ///< 1…n
  std::optional<CompoundJoint> find_compound_joint(std::string_view name) const;
  /// Any point a user may name: a frame, a link (its user frame) or `<link>.com` (its centroid,
  /// user axes).
  std::optional<Frame> find_frame(std::string_view name) const;
  /// As find_frame(). @throws DomainError naming the nearest known name.
  Frame frame(std::string_view name) const;
  /// @}

  /// @name Link vectors of the paper, in the axes of the link named first, m
  /// @{
  Vector3 c(int i, int j) const;          ///< c_ij: centroid of link i to joint j, B_j = i or j = i
  Vector3 l(int i, int j) const;          ///< ℓ_ij = c_ij − c_ii (6)
  Vector3 c_0(int j) const;               ///< c_0j: base centroid to joint j; zero unless B_j = 0
  Vector3 c_e(const Frame& frame) const;  ///< c_ie: centroid to an endpoint
  Vector3 l_e(const Frame& frame) const;  ///< ℓ_ie = c_ie − c_ii (7)
  /// @}

  /// What the user said, in a form that gives this very Model again.
  const ModelDescription& description() const { return description_; }
  /// Warnings found while building: nothing wrong, but worth a look.
  const std::vector<Problem>& warnings() const { return warnings_; }

 private:
  friend class ModelBuilder;
  friend class WetModel;
  Model() = default;
  void index_names();
  void find_robots();
  void find_followers();

  ModelDescription description_;
  Topology topology_;
  std::vector<Body> bodies_;
  std::vector<Joint> joints_;
  std::vector<Frame> frames_;
  std::vector<CompoundJoint> compound_joints_;
  std::vector<int> spherical_joints_;
  std::vector<bool> carriers_;  // per body
  std::vector<JointCoupling> couplings_;
  std::vector<Transmission> transmissions_;
  std::vector<Loop> loops_;
  std::vector<Follower> followers_;
  std::vector<int> coordinates_;
  std::vector<Robot> robots_;
  std::map<std::string, Frame, std::less<>> merged_centroid_;  // of bodies on fixed joints
  std::map<std::string, int, std::less<>> body_by_name_, joint_by_name_, frame_by_name_;
  std::vector<Problem> warnings_;
  double total_mass_ = 0.0;
  std::vector<Thruster> thrusters_;
  std::vector<Tank> tanks_;
  std::map<int, WheelDrive> wheels_;  // by joint
};

}  // namespace spacedyn
