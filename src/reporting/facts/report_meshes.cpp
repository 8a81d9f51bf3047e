#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spacedyn/error.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {

/// Most triangles of one mesh in a page.
inline constexpr std::size_t kMostTriangles = 100000;

/// Corners of the triangles of a file, nine numbers for each, in its axes and unit, taken as
/// metres.
///
/// STL, binary or text, and the faces of Wavefront OBJ, told apart by the ending of the name.
/// @throws IoError if the file cannot be read, is neither, is damaged or has too many triangles
std::vector<float> read_mesh(const std::string& path);

namespace {

namespace fs = std::filesystem;

/// The mesh as seen from the first folder that has it.
std::string find_mesh(const std::string& name, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const fs::path path = fs::path(folder) / name;
    if (fs::is_regular_file(path)) return path.string();
  }
  return name;
}

/// Corners are triples of coordinates; a mirror image turns its triangles inside out again.
void scale(std::vector<float>& corners, const Vector3& factors) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    corners[i] *= static_cast<float>(factors(static_cast<int>(i % 3)));
  }
  if (factors.prod() > 0.0) return;
  for (std::size_t i = 0; i + 9 <= corners.size(); i += 9) {
    std::swap_ranges(&corners[i + 3], &corners[i + 6], &corners[i + 6]);
  }
}

using ReadMeshes = std::map<std::string, std::vector<float>>;

/// @param meshes  that have been read, by path
ReportShape mesh_shape(const Visual& visual, const Frame& user_frame,
                       const std::vector<std::string>& folders, ReadMeshes& meshes) {
  ReportShape shape;
  shape.body = user_frame.body;
  shape.kind = ShapeKind::mesh;
  const std::string path = find_mesh(visual.mesh, folders);
  const auto known = meshes.find(path);
  shape.triangles =
      known != meshes.end() ? known->second : meshes.emplace(path, read_mesh(path)).first->second;
  if (!visual.size.isZero(0.0)) scale(shape.triangles, visual.size);
  shape.pose = {user_frame.position + user_frame.rotation * visual.origin.position,
                user_frame.rotation * visual.origin.rotation};
  shape.color = visual.color;
  return shape;
}

/// Removes what was drawn in the place of a body's own looks.
void remove_stand_ins(std::vector<ReportShape>& shapes, int body) {
  const auto stands_in = [&](const ReportShape& shape) {
    return shape.body == body && shape.role != ShapeRole::visual;
  };
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(), stands_in), shapes.end());
}

}  // namespace

std::vector<float> read_mesh(const std::string& path) {
  return corner_coordinates(read_triangle_mesh(path, kMostTriangles));
}

void add_meshes(ReportData& report, const Model& model, const std::vector<std::string>& folders) {
  if (report.bodies.empty()) return;
  ReadMeshes meshes;
  const auto add = [&](const BodyDescription& body) {
    const Frame user_frame = model.frame(body.name);
    for (const Visual& visual : body.visuals) {
      if (visual.shape != "mesh") continue;
      try {
        report.shapes.push_back(mesh_shape(visual, user_frame, folders, meshes));
        remove_stand_ins(report.shapes, user_frame.body);
      } catch (const IoError& error) {
        report.warnings.push_back("a part of '" + body.name + "' is not drawn: " + error.what());
      }
    }
  };
  add(model.description().base);
  for (const LinkDescription& link : model.description().links) add(link);
}

}  // namespace spacedyn
