/// @file
/// What an MJCF file says about itself: units, conventions, defaults; and poses read by them.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "loading/foreign/xml_values.hpp"
#include "spacedyn/model/description.hpp"

namespace spacedyn::loading::foreign {

/// Attributes of <compiler>, with their defaults.
struct MjcfCompiler {
  bool in_degrees = true;
  bool autolimits = true;
  std::array<char, 3> euler_sequence{'x', 'y', 'z'};
  enum class FromGeoms { never, where_missing, always };
  FromGeoms inertia_from_geoms = FromGeoms::where_missing;
  double first_group = 0.0, last_group = 5.0;  ///< of geoms that have mass
  std::string folder;  ///< of the file of an attached model, which those of meshes start from
  std::string mesh_folder;
  bool strips_paths = false;  ///< of files, which are looked for in the folder alone
  double least_mass = 0.0;
  double least_inertia = 0.0;
  double total_mass = -1.0;  ///< what all masses are scaled to; negative: as they are
  bool exact_mesh_inertia = false;
  bool balance_inertia = false;  ///< mend tensors that break the triangle inequality

  void read(const xml::Element& element, ProblemList& problems);
  double angle(double value) const;  ///< rad
  /// Where the file of a mesh is; empty for none.
  std::string mesh_path(const std::string& file) const;
};

/// Attributes that elements have without saying so, by class.
class MjcfDefaults {
 public:
  explicit MjcfDefaults(ProblemList& problems) : problems_(problems) { classes_["main"]; }
  /// Reads a <default> of the outermost level; that of an attached model says in `main` which class
  /// its elements are of.
  void read(const xml::Element& element);
  /// An element with the attributes of its class, or of the class around it.
  xml::Element apply(const xml::Element& element, const std::string& surrounding_class) const;

 private:
  using Attributes = std::vector<xml::Attribute>;
  void read_class(const xml::Element& element, const std::string& name);

  ProblemList& problems_;
  std::map<std::string, std::map<std::string, Attributes>> classes_;  // by class, by element
};

/// The pose that pos and one of quat, axisangle, euler, xyaxes and zaxis give.
Pose read_mjcf_pose(const xml::Values& values, const MjcfCompiler& compiler);

/// A quaternion w x y z; what has no length is reported.
Matrix3 read_quaternion(const xml::Values& values, const char* attribute);

/// b in the frame of a.
Pose operator*(const Pose& a, const Pose& b);

/// A rotation that takes the z axis to a vector, which is not zero.
Matrix3 rotation_to(const Vector3& z_axis);

}  // namespace spacedyn::loading::foreign
