#include "loading/foreign/mjcf_parts.hpp"

#include <algorithm>
#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::foreign {
namespace {

constexpr double kCircle = 3.14159265358979323846;
const std::vector<std::string> kGeomTypes = {"sphere", "capsule", "ellipsoid", "cylinder", "box",
                                             "mesh",   "plane",   "hfield",    "sdf"};

/// Numbers of `size` that a type needs, and with `fromto`.
int size_count(const std::string& type, bool has_ends) {
  if (type == "sphere" || has_ends) return 1;
  if (type == "capsule" || type == "cylinder") return 2;
  return type == "ellipsoid" || type == "box" ? 3 : 0;
}

Matrix3 parallel_axis(double mass, const Vector3& offset) {
  return mass * (offset.squaredNorm() * Matrix3::Identity() - offset * offset.transpose());
}

/// What a geom names; reports what is not there.
const MjcfMesh* find_mesh(const MjcfAssets& assets, const xml::Values& values) {
  const auto mesh = assets.meshes.find(values.element().text("mesh"));
  if (mesh != assets.meshes.end()) return &mesh->second;
  values.error("mesh", "expected a mesh of <asset>, got " + quote(values.element().text("mesh")));
  return nullptr;
}

}  // namespace

void MassProperties::add(const MassProperties& part) {
  if (part.mass == 0.0 && part.inertia.isZero(0.0)) return;
  const double total = mass + part.mass;
  const Vector3 middle =
      total > 0.0 ? Vector3((mass * center + part.mass * part.center) / total) : center;
  inertia += part.inertia + parallel_axis(mass, center - middle) +
             parallel_axis(part.mass, part.center - middle);
  center = middle;
  mass = total;
}

MjcfGeom::MjcfGeom(const xml::Values& values, const MjcfCompiler& compiler, const Pose& around)
    : type_(values.element().text("type")), pose_(around * read_mjcf_pose(values, compiler)) {
  if (type_.empty()) type_ = values.has("mesh") ? "mesh" : "sphere";
  if (std::find(kGeomTypes.begin(), kGeomTypes.end(), type_) == kGeomTypes.end()) {
    values.error("type", "expected the type of a geom, got " + quote(type_) +
                             did_you_mean(type_, kGeomTypes));
    type_ = "plane";
  }
  group_ = values.number("group", 0.0);
  touches_ = values.number("contype", 1.0) != 0.0 || values.number("conaffinity", 1.0) != 0.0;
  density_ = values.not_negative("density", 1000.0);
  if (values.has("mass")) mass_ = values.not_negative("mass", 0.0);
  if (const auto ends = values.numbers("fromto", 6, 6)) {
    const Vector3 span = ends->tail<3>() - ends->head<3>();
    if (span.norm() > 0.0) {
      pose_ = around * Pose{0.5 * (ends->head<3>() + ends->tail<3>()), rotation_to(span)};
      size_.z() = 0.5 * span.norm();
    } else {
      values.error("fromto",
                   "expected two different points, got " + quote(values.element().text("fromto")));
    }
  }
  read_shell(values);
  if (type_ == "mesh" || type_ == "sdf" || type_ == "plane" || type_ == "hfield") return;
  is_fitted_ = values.has("mesh") && !values.has("size");
  if (is_fitted_) {
    values.warning("mesh", "a " + type_ + " fitted to a mesh is left out", "give its size");
  } else {
    read_size(values);
  }
}

void MjcfGeom::read_shell(const xml::Values& values) {
  if (values.element().text("shellinertia") != "true") return;
  is_shell_ = type_ == "mesh";
  if (is_shell_) return;
  values.error("shellinertia", "a " + type_ + " as a shell is not supported; meshes are",
               "give the body an <inertial>");
}

void MjcfGeom::read_size(const xml::Values& values) {
  const bool has_ends = size_.z() > 0.0;
  const double half_length = size_.z();
  const int count = size_count(type_, has_ends);
  const auto given = values.numbers("size", count, 3);
  if (!given || given->head(count).minCoeff() <= 0.0) {
    if (!values.has("size") || given) {
      values.error("size", "expected " + std::to_string(count) + " positive numbers for a " +
                               type_ + ", got " +
                               (given ? quote(values.element().text("size")) : "nothing"));
    }
    size_ = Vector3::Ones();
    return;
  }
  size_.head(count) = given->head(count);
  if (!has_ends) return;
  // along z between the ends; boxes and ellipsoids have a square or round section
  size_ = type_ == "capsule" || type_ == "cylinder" ? Vector3(size_.x(), half_length, 0.0)
                                                    : Vector3(size_.x(), size_.x(), half_length);
}

double MjcfGeom::volume() const {
  const double r = size_.x();
  if (type_ == "sphere") return 4.0 / 3.0 * kCircle * r * r * r;
  if (type_ == "capsule") return kCircle * r * r * (2.0 * size_.y() + 4.0 / 3.0 * r);
  if (type_ == "cylinder") return kCircle * r * r * 2.0 * size_.y();
  if (type_ == "ellipsoid") return 4.0 / 3.0 * kCircle * size_.prod();
  return type_ == "box" ? 8.0 * size_.prod() : 0.0;
}

/// Principal moments of a body of mass 1.
Vector3 MjcfGeom::moments_per_mass() const {
  const double r = size_.x(), h = size_.y();
  const Vector3 squares = size_.cwiseAbs2();
  const Vector3 pairs(squares.y() + squares.z(), squares.x() + squares.z(),
                      squares.x() + squares.y());
  if (type_ == "sphere") return Vector3::Constant(0.4 * r * r);
  if (type_ == "ellipsoid") return pairs / 5.0;
  if (type_ == "box") return pairs / 3.0;
  const double cylinder_across = r * r / 4.0 + h * h / 3.0;
  const double cylinder_along = r * r / 2.0;
  if (type_ == "cylinder") return {cylinder_across, cylinder_across, cylinder_along};
  // a capsule: two halves of a sphere at the ends of a cylinder
  const double share = 2.0 * h / (2.0 * h + 4.0 / 3.0 * r);
  const double ends_across = 0.4 * r * r + h * h + 0.75 * h * r;
  const double across = share * cylinder_across + (1.0 - share) * ends_across;
  return {across, across, share * cylinder_along + (1.0 - share) * 0.4 * r * r};
}

/// Of density 1, in its own axes.
MassProperties MjcfGeom::solid(const MjcfAssets& assets, MeshFiles& meshes,
                               const xml::Values& values) const {
  if (is_mesh()) return mesh_solid(assets, meshes, values);
  if (is_fitted_) {
    values.error("mesh", "expected the size of a " + type_ + ", because it gives the body its mass",
                 "fitting to meshes is not supported");
    return {};
  }
  MassProperties solid;
  solid.mass = volume();
  if (solid.mass > 0.0) solid.inertia = (solid.mass * moments_per_mass()).asDiagonal();
  return solid;
}

MassProperties MjcfGeom::mesh_solid(const MjcfAssets& assets, MeshFiles& meshes,
                                    const xml::Values& values) const {
  const MjcfMesh* mesh = find_mesh(assets, values);
  if (mesh == nullptr) return {};
  const char* hint = "give the body an <inertial>, or the geom a density of 0";
  const std::string file =
      mesh->file.empty() ? "" : meshes.find(mesh->file, values.element().mark, values.path());
  if (file.empty()) {
    values.error("mesh", "expected a mesh that is here, because it gives the body its mass", hint);
    return {};
  }
  try {
    const MassProperties solid =
        mass_of(meshes.open(file), *mesh, is_shell_ ? MeshInertia::shell : mesh->inertia);
    if (!(solid.mass > 0.0)) values.error("mesh", "expected a mesh that encloses a volume", hint);
    if (!solid.flaw.empty() && mesh->inertia == MeshInertia::exact) {
      values.error("mesh", "expected a mesh that encloses a volume: " + solid.flaw, hint);
    } else if (!solid.flaw.empty()) {
      values.warning("mesh",
                     "mass and inertia are MuJoCo's sums over the triangles, because the mesh "
                     "encloses no volume: " +
                         solid.flaw,
                     hint);
    }
    if (solid.counts_twice) {
      values.warning("mesh",
                     "the mass is that of the volume which the mesh encloses; MuJoCo counts parts "
                     "of it more than once, because it is not convex",
                     "inertia=\"exact\" of the mesh says so to both");
    }
    return solid;
  } catch (const Error& error) {
    values.error("mesh", error.what(), hint);
    return {};
  }
}

MassProperties MjcfGeom::mass_properties(const MjcfAssets& assets, MeshFiles& meshes,
                                         const xml::Values& values) const {
  const bool has_mass = mass_ ? *mass_ > 0.0 : density_ > 0.0;
  MassProperties result = has_mass ? solid(assets, meshes, values) : MassProperties();
  if (!(result.mass > 0.0)) return {};
  const double density = mass_ ? *mass_ / result.mass : density_;
  result.mass = mass_.value_or(density_ * result.mass);
  result.center = pose_.position + pose_.rotation * result.center;
  const Matrix3 tensor = density * (pose_.rotation * result.inertia * pose_.rotation.transpose());
  result.inertia = 0.5 * (tensor + tensor.transpose());
  return result;
}

std::optional<ForeignVisual> MjcfGeom::shape(const MjcfAssets& assets, MeshFiles& meshes,
                                             const xml::Values& values) const {
  ForeignVisual shape;
  shape.mark = values.element().mark;
  shape.shape = type_;
  shape.origin = Placement::from_matrix(pose_.position, pose_.rotation);
  shape.size = type_ == "box" ? Vector3(2.0 * size_) : size_;
  if (type_ == "cylinder" || type_ == "capsule") shape.size.y() = 2.0 * size_.y();
  if (type_ == "plane" || type_ == "hfield" || type_ == "sdf" || is_fitted_) return std::nullopt;
  if (type_ != "mesh") return shape;
  const MjcfMesh* mesh = find_mesh(assets, values);
  if (mesh == nullptr || mesh->file.empty()) return std::nullopt;
  const auto scaled = mesh->pose_of_scaled();
  if (!scaled) {
    values.warning("mesh", "a mesh that is turned by 'refquat' and stretched is left out");
    return std::nullopt;
  }
  const Pose pose = pose_ * *scaled;
  shape.origin = Placement::from_matrix(pose.position, pose.rotation);
  shape.size = mesh->scale;
  shape.mesh = meshes.find(mesh->file, shape.mark, values.path());
  return shape.mesh.empty() ? std::nullopt : std::make_optional(shape);
}

std::optional<ForeignVisual> MjcfGeom::collision(const MjcfAssets& assets, MeshFiles& meshes,
                                                 const xml::Values& values) const {
  if (!touches_) return std::nullopt;
  auto found = shape(assets, meshes, values);
  const bool is_hull = found && found->shape == "mesh";
  if (is_hull && !meshes.has_hull(found->mesh, found->mark, values.path())) return std::nullopt;
  return found;
}

std::vector<ForeignVisual> MjcfGeom::visuals(const MjcfAssets& assets, MeshFiles& meshes,
                                             const xml::Values& values) const {
  const auto found = shape(assets, meshes, values);
  if (!found) return {};
  ForeignVisual visual = *found;
  visual.color = values.color("rgba");
  const auto material = assets.colors.find(values.element().text("material"));
  if (visual.color.empty() && material != assets.colors.end()) visual.color = material->second;
  if (type_ != "capsule") return {visual};
  visual.shape = "cylinder";
  ForeignVisual end = visual;
  end.shape = "sphere";
  std::vector<ForeignVisual> parts{visual};
  for (const double side : {-1.0, 1.0}) {
    const Pose place = pose_ * Pose{side * size_.y() * Vector3::UnitZ(), Matrix3::Identity()};
    end.origin = Placement::from_matrix(place.position, place.rotation);
    parts.push_back(end);
  }
  return parts;
}

}  // namespace spacedyn::loading::foreign
