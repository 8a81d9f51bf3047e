#include "terrain/obj_file.hpp"

#include <cstdlib>
#include <sstream>

#include <fmt/format.h>

#include "spacedyn/error.hpp"

namespace spacedyn {
namespace {

class ObjReader {
 public:
  TriangleMesh read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      std::istringstream words(line);
      std::string key;
      words >> key;
      if (key == "v") read_point(words);
      if (key == "f") read_face(words);
    }
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw DomainError(fmt::format("line {}: {}", line_, what));
  }

  void read_point(std::istringstream& words) {
    Vector3& point = mesh_.points.emplace_back(0.0, 0.0, 0.0);
    words >> point.x() >> point.y() >> point.z();
    if (words.fail()) fail("expected three coordinates");
  }

  /// Corners count from one or, negative, back from the last point so far: `4`, `4/1`, `4//2`,
  /// `-1`.
  int corner_of(const std::string& word) const {
    char* end = nullptr;
    const long number = std::strtol(word.c_str(), &end, 10);
    const long count = static_cast<long>(mesh_.points.size());
    const long index = number < 0 ? count + number : number - 1;
    const bool is_number = end != word.c_str() && (*end == '\0' || *end == '/');
    if (!is_number || index < 0 || index >= count) {
      fail(fmt::format("expected numbers of the {} vertices before it, got '{}'", count, word));
    }
    return static_cast<int>(index);
  }

  void read_face(std::istringstream& words) {
    std::vector<int> face;
    for (std::string word; words >> word;) face.push_back(corner_of(word));
    if (face.size() < 3) fail("expected at least three corners of a face");
    for (std::size_t k = 2; k < face.size(); ++k) {
      mesh_.triangles.push_back({face[0], face[k - 1], face[k]});
    }
  }

  TriangleMesh mesh_;
  int line_ = 0;
};

}  // namespace

TriangleMesh parse_obj(const std::string& text) { return ObjReader().read(text); }

}  // namespace spacedyn
