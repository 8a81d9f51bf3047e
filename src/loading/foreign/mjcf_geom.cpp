#include "loading/foreign/mjcf_geom.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "loading/yaml/node.hpp"
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

int color_byte(double value) {
  return static_cast<int>(std::lround(255.0 * std::clamp(value, 0.0, 1.0)));
}

}  // namespace

std::string read_rgba(const xml::Values& values) {
  const auto rgba = values.numbers("rgba", 3, 4);
  if (!rgba) return "";
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", color_byte((*rgba)(0)),
                color_byte((*rgba)(1)), color_byte((*rgba)(2)));
  return text.data();
}

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
  if (type_ == "mesh" || type_ == "sdf" || type_ == "plane" || type_ == "hfield") return;
  read_size(values);
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

bool MjcfGeom::has_mass_of_mesh() const {
  const bool is_mesh = type_ == "mesh" || type_ == "sdf";
  return is_mesh && (mass_ ? *mass_ > 0.0 : density_ > 0.0);
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

MassProperties MjcfGeom::mass_properties() const {
  const double solid = volume();
  if (solid == 0.0) return {};
  MassProperties result;
  result.mass = mass_.value_or(density_ * solid);
  result.center = pose_.position;
  const Vector3 moments = result.mass * moments_per_mass();
  const Matrix3 tensor = pose_.rotation * moments.asDiagonal() * pose_.rotation.transpose();
  result.inertia = 0.5 * (tensor + tensor.transpose());
  return result;
}

std::vector<ForeignVisual> MjcfGeom::visuals(const MjcfAssets& assets, MeshFiles& meshes,
                                             const xml::Values& values) const {
  ForeignVisual visual;
  visual.mark = values.element().mark;
  visual.color = read_rgba(values);
  const auto material = assets.colors.find(values.element().text("material"));
  if (visual.color.empty() && material != assets.colors.end()) visual.color = material->second;
  visual.shape = type_;
  const auto at = [&](const Vector3& offset) {
    const Pose place = pose_ * Pose{offset, Matrix3::Identity()};
    return Placement::from_matrix(place.position, place.rotation);
  };
  visual.origin = at(Vector3::Zero());
  visual.size = size_;
  if (type_ == "box") visual.size = 2.0 * size_;
  if (type_ == "cylinder" || type_ == "capsule") visual.size.y() = 2.0 * size_.y();
  const bool is_single =
      type_ == "sphere" || type_ == "box" || type_ == "cylinder" || type_ == "ellipsoid";
  if (is_single) return {visual};
  if (type_ == "capsule") {
    visual.shape = "cylinder";
    ForeignVisual end = visual;
    end.shape = "sphere";
    std::vector<ForeignVisual> parts{visual};
    for (const double side : {-1.0, 1.0}) {
      end.origin = at(side * size_.y() * Vector3::UnitZ());
      parts.push_back(end);
    }
    return parts;
  }
  if (type_ != "mesh") return {};
  const auto mesh = assets.meshes.find(values.element().text("mesh"));
  if (mesh == assets.meshes.end()) {
    values.error("mesh", "expected a mesh of <asset>, got " + quote(values.element().text("mesh")));
    return {};
  }
  visual.size = mesh->second.scale;
  if (mesh->second.file.empty()) return {};
  visual.mesh = meshes.find(mesh->second.file, visual.mark, values.path());
  if (visual.mesh.empty()) return {};
  return {visual};
}

}  // namespace spacedyn::loading::foreign
