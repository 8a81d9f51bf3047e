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
#include "spacedyn/terrain/triangle_mesh.hpp"
#include "terrain/mesh_text.hpp"

namespace spacedyn {
namespace {

class ObjReader {
 public:
  TriangleMesh read(std::string_view text) {
    while (!text.empty()) {
      ++line_;
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      Words words(line);
      const std::string_view key = words.next();
      if (key == "v") read_point(words);
      if (key == "f") read_face(words);
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DomainError(fmt::format("line {}: {}", line_, what));
  }

  void read_point(Words& words) {
    Vector3& point = mesh_.points.emplace_back();
    for (double& coordinate : point) {
      const auto number = number_of(words.next());
      if (!number) fail("expected three coordinates");
      coordinate = *number;
    }
  }

  /// Corners count from one or, negative, back from the last point so far: `4`, `4/1`, `4//2`,
  /// `-1`.
  int corner_of(std::string_view word) const {
    const auto given = number_of<long>(word.substr(0, word.find('/')));
    const long number = given.value_or(0);
    const long count = static_cast<long>(mesh_.points.size());
    const long index = number < 0 ? count + number : number - 1;
    if (!given || index < 0 || index >= count) {
      fail(fmt::format("expected numbers of the {} vertices before it, got '{}'", count, word));
    }
    return static_cast<int>(index);
  }

  void read_face(Words& words) {
    std::vector<int> face;
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
      face.push_back(corner_of(word));
    }
    if (face.size() < 3) fail("expected at least three corners of a face");
    for (std::size_t k = 2; k < face.size(); ++k) {
      mesh_.triangles.push_back({face[0], face[k - 1], face[k]});
    }
  }

  TriangleMesh mesh_;
  int line_ = 0;
};

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

TriangleMesh parse_obj(const std::string& text) { return ObjReader().read(text); }

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
