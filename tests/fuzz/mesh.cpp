// Any bytes as an STL, OBJ or Collada mesh, by the first one, and the ground that it makes.
#include "fuzz_input.hpp"
#include "ground_checks.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/terrain/mesh_terrain.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kMostTriangles = 2000;
constexpr double kLarge = 1.0e6;  // m; beyond, distances squared lose all digits of small triangles
constexpr double kSmall = 1.0e-6;  // m

bool is_moderate(const TriangleMesh& mesh) {
  for (const Vector3& point : mesh.points) {
    if (!point.allFinite()) __builtin_trap();
    if (point.cwiseAbs().maxCoeff() > kLarge) return false;
  }
  for (const auto& corners : mesh.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = [&](std::size_t j) { return static_cast<std::size_t>(corners.at(j)); };
      const Vector3 edge = mesh.points.at(at(i)) - mesh.points.at(at((i + 1) % 3));
      if (edge.norm() < kSmall) return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace spacedyn

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spacedyn;
  if (size == 0) return 0;
  const char* const files[] = {"mesh.stl", "mesh.obj", "mesh.dae"};
  try {
    const TriangleMesh mesh = parse_triangle_mesh(files[data[0] % std::size(files)],
                                                  fuzz::text(data + 1, size - 1), kMostTriangles);
    if (is_moderate(mesh)) fuzz::check_ground(MeshTerrain(mesh, Vector3::Zero()));
  } catch (const Error&) {
  }
  return 0;
}
