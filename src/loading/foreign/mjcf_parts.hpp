/// @file
/// What elements of MJCF files are read with: settings, defaults, geoms, copies of parts.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loading/foreign/mesh_files.hpp"
#include "loading/foreign/xml.hpp"
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

/// Mass, centroid and the tensor about it, in the frame of a body.
struct MassProperties {
  double mass = 0.0;
  Vector3 center = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();
  bool counts_twice = false;  ///< MuJoCo finds a larger mass, see `MeshInertia`
  std::string flaw;           ///< why a mesh encloses no volume; empty where it does

  /// Adds a part.
  void add(const MassProperties& part);
};

/// What the mass of a mesh is taken from: its convex hull or the volume that it encloses. `legacy`
/// is the latter here; in MuJoCo it counts what is not convex more than once. Of a surface that
/// encloses none, with holes or with triangles turned round, it is MuJoCo's sum: of the volumes
/// between the triangles and the centroid, all positive. A shell has its mass on its surface.
enum class MeshInertia { convex, exact, legacy, shell };

/// A file of <asset>.
struct MjcfMesh {
  std::string file;
  Vector3 scale = Vector3::Ones();
  Pose reference;  ///< of the frame that the points are seen from, in that of the file
  MeshInertia inertia = MeshInertia::legacy;

  /// A point of the file in the frame of the mesh: first seen from the reference, then scaled.
  Vector3 place(const Vector3& point) const;
  /// Where a file that is only scaled would have to be put; nothing for what is turned and
  /// stretched.
  std::optional<Pose> pose_of_scaled() const;
};

/// The mass, centroid and tensor of a mesh of density 1, per volume or, of a shell, per area.
MassProperties mass_of(const TriangleMesh& triangles, const MjcfMesh& mesh, MeshInertia how);

struct MjcfAssets {
  std::map<std::string, MjcfMesh> meshes;
  std::map<std::string, std::string> colors;  ///< of materials
};

/// What `inertia` of a mesh says.
MeshInertia read_mesh_inertia(const xml::Values& values, const MjcfCompiler& compiler);

/// One <geom>, defaults applied.
class MjcfGeom {
 public:
  MjcfGeom(const xml::Values& values, const MjcfCompiler& compiler, const Pose& around);

  bool is_in_groups(double first, double last) const { return group_ >= first && group_ <= last; }
  /// In the frame of the body.
  MassProperties mass_properties(const MjcfAssets& assets, MeshFiles& meshes,
                                 const xml::Values& values) const;
  /// One shape or several; none for what is not drawn.
  std::vector<ForeignVisual> visuals(const MjcfAssets& assets, MeshFiles& meshes,
                                     const xml::Values& values) const;
  /// With what it touches others; nothing for what contype and conaffinity let pass, and for
  /// planes.
  std::optional<ForeignVisual> collision(const MjcfAssets& assets, MeshFiles& meshes,
                                         const xml::Values& values) const;

 private:
  void read_size(const xml::Values& values);
  void read_shell(const xml::Values& values);
  bool is_mesh() const { return type_ == "mesh" || type_ == "sdf"; }
  /// The shape, a capsule as one; nothing for planes, height fields and meshes that are not here.
  std::optional<ForeignVisual> shape(const MjcfAssets& assets, MeshFiles& meshes,
                                     const xml::Values& values) const;
  MassProperties solid(const MjcfAssets& assets, MeshFiles& meshes,
                       const xml::Values& values) const;
  MassProperties mesh_solid(const MjcfAssets& assets, MeshFiles& meshes,
                            const xml::Values& values) const;
  double volume() const;
  Vector3 moments_per_mass() const;

  std::string type_;
  Pose pose_;
  Vector3 size_ = Vector3::Zero();  ///< radii and half lengths, as MuJoCo has them
  double group_ = 0.0;
  bool touches_ = true;
  bool is_shell_ = false;
  bool is_fitted_ = false;  ///< to a mesh, which is not supported
  std::optional<double> mass_;
  double density_ = 1000.0;
};

/// Puts bodies of other models in the place of each <attach>, in a <frame> of their own, and what
/// refers to them outside of the bodies at the end of the root: defaults, assets, equalities.
///
/// As MuJoCo has it, names get the prefix, and each model is read by the settings of its own
/// <compiler>, whose number is `Element::model`.
/// @param file       of the root, whose folder paths of models start from
/// @param compilers  that of the root; others are added
/// @returns false where one cannot be read, which is reported
bool expand_attachments(xml::Element& root, const std::string& file, const Surroundings& around,
                        std::vector<MjcfCompiler>& compilers);

/// What all <compiler>s of a model say together.
MjcfCompiler read_compiler(const xml::Element& root, ProblemList& problems);

}  // namespace spacedyn::loading::foreign
