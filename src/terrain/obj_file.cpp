#include "terrain/obj_file.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "math/number_words.hpp"
#include "spacedyn/error.hpp"

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

}  // namespace

TriangleMesh parse_obj(const std::string& text) { return ObjReader().read(text); }

}  // namespace spacedyn
