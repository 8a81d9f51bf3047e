/// @file
/// Shapes of MJCF: what they weigh and what they look like.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loading/foreign/foreign_model.hpp"
#include "loading/foreign/mesh_files.hpp"
#include "loading/foreign/mjcf_compiler.hpp"

namespace spacedyn::loading::foreign {

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

/// `#rrggbb` of <… rgba="…">, empty where absent.
std::string read_rgba(const xml::Values& values);

}  // namespace spacedyn::loading::foreign
