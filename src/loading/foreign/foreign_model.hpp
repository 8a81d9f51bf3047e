/// @file
/// A robot as a foreign file describes it, in our terms but with the places of its numbers; what
/// the readers of all foreign formats fill, and what becomes a tree of the YAML format.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loading/yaml/node.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn::loading::foreign {

/// A placement whose orientation keeps the form that the file has it in, where YAML knows that.
struct Placement {
  Vector3 position = Vector3::Zero();
  std::string form;  ///< rpy | twist | quaternion; empty: see rotation
  VectorX numbers;   ///< of that form
  Matrix3 rotation = Matrix3::Identity();
  bool in_degrees = false;  ///< whether the numbers are degrees

  static Placement from_rpy(const Vector3& position, const Vector3& rpy);
  /// The paper's Q_i, in degrees.
  static Placement from_twist_degrees(const Vector3& position, const Vector3& twist);
  static Placement from_matrix(const Vector3& position, const Matrix3& rotation);
};

struct ForeignVisual {
  Mark mark;
  std::string shape;               ///< box | cylinder | sphere | mesh
  Vector3 size = Vector3::Zero();  ///< as Visual has it; of a mesh: scale
  std::string mesh;                ///< file, as it was found
  Placement origin;
  std::string color;
};

struct ForeignBody {
  std::string name;
  Mark mark;
  std::string source;  ///< where it stands, for readers of what is written
  double mass = 0.0;
  Vector3 center_of_mass = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();  ///< about the centroid, in the axes of the body
  Mark inertia_mark;
  std::vector<ForeignVisual> visuals;
  std::vector<ForeignVisual> collisions;  ///< box | cylinder | sphere | capsule, without color

  bool is_massless() const { return mass == 0.0 && inertia.isZero(0.0); }
};

/// What a joint follows: q = ratio · q_joint + offset.
struct ForeignMimic {
  Mark mark;
  std::string joint;
  double ratio = 1.0, offset = 0.0;
};

struct ForeignJoint {
  std::string name;
  Mark mark;
  std::string type = "fixed";  ///< revolute | prismatic | fixed | spherical | planar | free
  Placement origin;
  Vector3 axis = Vector3::UnitZ();
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double velocity_limit = std::numeric_limits<double>::infinity();
  double effort_limit = std::numeric_limits<double>::infinity();
  double stiffness = 0.0;
  double damping = 0.0;
  double rest_position = 0.0;
  double rotor_inertia = 0.0;
  double friction = 0.0;  ///< Coulomb
  std::optional<ForeignMimic> mimic = std::nullopt;

  bool is_fixed() const { return type == "fixed"; }
  /// Of its terms a spherical joint has stiffness, damping and in `upper` the limit of its angle, a
  /// planar one its axis, a free one none.
  bool has_one_coordinate() const { return type == "revolute" || type == "prismatic"; }
};

struct ForeignLink : ForeignBody {
  std::string parent;
  ForeignJoint joint;
  bool is_auxiliary = false;  ///< made by a reader to stand between two joints
};

struct ForeignFrame {
  std::string name;
  Mark mark;
  std::string source;
  std::string link;
  Placement origin;
};

/// A joint that follows another one: q = ratio · q_followed + offset; what let_follow() leaves is a
/// loop.
struct ForeignGear {
  std::string name;
  Mark mark;
  std::string followed, follower;
  double ratio = 1.0, offset = 0.0;
};

/// A joint that closes a loop between two points.
struct ForeignLoop {
  std::string name;
  Mark mark;
  std::string type;  ///< weld | spherical
  std::string from, to;
};

struct ForeignModel {
  std::string name;
  Mark mark;
  std::string source;
  ForeignBody base;
  bool fixed = false;
  bool placed_by_frame = true;  ///< else by the centroid of the base
  std::vector<ForeignLink> links;
  std::vector<ForeignFrame> frames;
  std::vector<ForeignGear> gears;
  std::vector<ForeignLoop> loops;
};

/// A name with `_` for what names must not have.
std::string fit_name(std::string name);

/// The names of one name space, made fit for ours: without dots, each one once.
class Names {
 public:
  explicit Names(ProblemList& problems) : problems_(problems) {}
  /// The name that takes the place of one; a warning says so where they differ.
  std::string add(const std::string& name, const Mark& mark, const std::string& what);

 private:
  ProblemList& problems_;
  std::map<std::string, int> used_;  ///< with the number that the last one of this name got
};

/// Treats bodies without mass as the common tools do, with a warning each: those on fixed joints
/// are frames; joints that carry nothing with mass are held, unless all are such; a base without
/// mass does not float.
void condition(ForeignModel& model, ProblemList& problems);

/// Lets joints follow others as gears say, through chains of them as well, the limits of all being
/// those of the joint that they follow. Gears that a joint follows a second time remain.
void let_follow(ForeignModel& model, ProblemList& problems);

/// The tree of a YAML document that says the same, its nodes at the places in the foreign file.
NodePtr compose_model(const ForeignModel& model);

/// Whether a symmetric tensor has a clearly negative eigenvalue, as the builder judges it.
bool is_unphysical(const Matrix3& inertia);

}  // namespace spacedyn::loading::foreign
