#include "spacedyn/terrain/triangle_mesh.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "math/number_words.hpp"
#include "spacedyn/error.hpp"
#include "terrain/collada_file.hpp"
#include "terrain/mesh_text.hpp"
#include "terrain/obj_file.hpp"

namespace spacedyn {
namespace {

constexpr std::size_t kStlHeader = 84;    // 80 bytes of text, the number of triangles
constexpr std::size_t kStlTriangle = 50;  // normal, three corners, 16 bits
constexpr std::size_t kMostBytes = std::size_t{256} * 1024 * 1024;

using Corners = std::vector<Vector3>;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw IoError("the mesh '" + path + "' " + why);
}

std::string read_bytes(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || !std::filesystem::is_regular_file(path)) refuse(path, "cannot be read");
  if (size > kMostBytes) refuse(path, "is larger than 256 MiB");
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Triangles of a binary STL file, whose length tells their number once more.
Corners read_binary_stl(const std::string& bytes) {
  Corners corners;
  for (std::size_t at = kStlHeader; at + kStlTriangle <= bytes.size(); at += kStlTriangle) {
    std::array<float, 9> triangle{};
    std::memcpy(triangle.data(), bytes.data() + at + 3 * sizeof(float), sizeof(triangle));
    for (std::size_t k = 0; k < 9; k += 3) {
      corners.emplace_back(triangle[k], triangle[k + 1], triangle[k + 2]);
    }
  }
  return corners;
}

bool is_binary_stl(const std::string& bytes) {
  if (bytes.size() < kStlHeader) return false;
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kStlHeader - sizeof(count), sizeof(count));
  return bytes.size() == kStlHeader + kStlTriangle * count;
}

/// The corners that follow the word `vertex`.
Corners read_text_stl(std::string_view text) {
  Corners corners;
  Words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "vertex") continue;
    Vector3& corner = corners.emplace_back();
    for (double& coordinate : corner) {
      const auto number = number_of(words.next());
      if (!number) return {};
      coordinate = *number;
    }
  }
  return corners;
}

/// Three corners for each triangle of an OBJ or Collada file.
Corners read_text_mesh(const std::string& ending, const std::string& text, std::size_t most) {
  if (ending == ".dae") return parse_collada(text, most);
  const TriangleMesh mesh = parse_obj(text);
  Corners corners;
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : triangle) {
      corners.push_back(mesh.points[static_cast<std::size_t>(corner)]);
    }
  }
  return corners;
}

/// The ending of the name of a file that can be read.
std::string require_known(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending != ".stl" && ending != ".obj" && ending != ".dae") {
    refuse(path, "is no .stl, .obj or .dae file");
  }
  return ending;
}

}  // namespace

void require_mesh_name(const std::string& path) { require_known(path); }

std::string mesh_text(std::string bytes) {
  if (!is_binary_stl(bytes)) return bytes;
  std::string text = "solid\n";
  const Corners corners = read_binary_stl(bytes);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (i % 3 == 0) text += "facet normal 0 0 0\nouter loop\n";
    const Vector3& corner = corners[i];
    fmt::format_to(std::back_inserter(text), "vertex {} {} {}\n", corner.x(), corner.y(),
                   corner.z());
    if (i % 3 == 2) text += "endloop\nendfacet\n";
  }
  return text + "endsolid\n";
}

TriangleMesh read_triangle_mesh(const std::string& path, std::size_t most) {
  require_known(path);
  return parse_triangle_mesh(path, read_bytes(path), most);
}

TriangleMesh parse_triangle_mesh(const std::string& path, const std::string& bytes,
                                 std::size_t most) {
  const std::string ending = require_known(path);
  Corners corners;
  try {
    corners = ending != ".stl"       ? read_text_mesh(ending, bytes, most)
              : is_binary_stl(bytes) ? read_binary_stl(bytes)
                                     : read_text_stl(bytes);
  } catch (const DomainError& error) {
    refuse(path, std::string("is damaged: ") + error.what());
  }
  if (corners.empty() || corners.size() % 3 != 0 ||
      !std::all_of(corners.begin(), corners.end(),
                   [](const Vector3& x) { return x.allFinite(); })) {
    refuse(path, "is damaged: it has no triangles, or half of one");
  }
  if (corners.size() > 3 * most) {
    refuse(path, "has more than " + std::to_string(most) + " triangles");
  }
  return join_corners(corners);
}

}  // namespace spacedyn
