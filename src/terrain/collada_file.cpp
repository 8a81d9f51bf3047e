#include "terrain/mesh_text.hpp"

#include "spacedyn/error.hpp"

#ifdef SPACEDYN_HAS_TINYXML2

#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <tinyxml2.h>
#include <Eigen/Geometry>

#include "math/number_words.hpp"

namespace spacedyn {
namespace {

using tinyxml2::XMLElement;

constexpr double kDegree = 3.14159265358979323846 / 180.0;
constexpr int kMostDepth = 64, kMostNodes = 100000;  // instances may contain one another
/// What all instances may read, of which a few bytes make many: seconds of work.
constexpr std::size_t kMostNumbers = 100000000;

[[noreturn]] void fail(const XMLElement& at, const std::string& what) {
  throw DomainError(fmt::format("line {}: {}", at.GetLineNum(), what));
}

bool is_named(const XMLElement& element, const char* name) {
  return std::strcmp(element.Name(), name) == 0;
}

std::string attribute(const XMLElement& element, const char* name) {
  const char* value = element.Attribute(name);
  return value == nullptr ? "" : value;
}

/// The numbers of an element's text.
template <typename Number>
std::vector<Number> numbers(const XMLElement& element) {
  Words words(element.GetText() == nullptr ? "" : element.GetText());
  std::vector<Number> result;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const auto number = number_of<Number>(word);
    if (!number) {
      fail(element, fmt::format("expected numbers in <{}>, got '{}'", element.Name(), word));
    }
    result.push_back(*number);
  }
  return result;
}

std::vector<double> numbers(const XMLElement& element, std::size_t count) {
  std::vector<double> values = numbers<double>(element);
  if (values.size() == count) return values;
  fail(element,
       fmt::format("expected {} numbers in <{}>, got {}", count, element.Name(), values.size()));
}

class ColladaReader {
 public:
  ColladaReader(const XMLElement& root, std::size_t most) : root_(root), most_(most) {
    index(root);
    const XMLElement* asset = root.FirstChildElement("asset");
    const XMLElement* unit = asset == nullptr ? nullptr : asset->FirstChildElement("unit");
    if (unit == nullptr || unit->Attribute("meter") == nullptr) return;
    metre_ = number_of(unit->Attribute("meter")).value_or(0.0);
    if (!(metre_ > 0.0) || !std::isfinite(metre_)) {
      fail(*unit, "expected a positive number of metres, got '" + attribute(*unit, "meter") + '\'');
    }
  }

  std::vector<Vector3> read() {
    const Eigen::Affine3d metres(Eigen::Scaling(metre_));
    const XMLElement* scene = root_.FirstChildElement("scene");
    const XMLElement* instance =
        scene == nullptr ? nullptr : scene->FirstChildElement("instance_visual_scene");
    if (instance != nullptr) {
      add_nodes(find(*instance, "url", "visual_scene"), metres, 0);
    } else {
      for (const auto& [id, element] : by_id_) {
        if (is_named(*element, "geometry")) add_geometry(*element, metres);
      }
    }
    return std::move(corners_);
  }

 private:
  /// All elements that have a name of their own; the first of a name counts.
  void index(const XMLElement& element) {
    const std::string id = attribute(element, "id");
    if (!id.empty()) by_id_.emplace(id, &element);
    for (auto* child = element.FirstChildElement(); child; child = child->NextSiblingElement()) {
      index(*child);
    }
  }

  const XMLElement& find(const XMLElement& from, const char* name, const char* kind) const {
    const std::string link = attribute(from, name);
    const auto found = link.empty() || link[0] != '#' ? by_id_.end() : by_id_.find(link.substr(1));
    if (found != by_id_.end() && is_named(*found->second, kind)) return *found->second;
    fail(from, fmt::format("expected the id of a <{}>, got '{}'", kind, link));
  }

  static Eigen::Affine3d transform_of(const XMLElement& node) {
    Eigen::Affine3d pose = Eigen::Affine3d::Identity();
    for (auto* at = node.FirstChildElement(); at; at = at->NextSiblingElement()) {
      if (is_named(*at, "translate")) {
        pose.translate(Vector3(numbers(*at, 3).data()));
      } else if (is_named(*at, "scale")) {
        pose.scale(Vector3(numbers(*at, 3).data()));
      } else if (is_named(*at, "rotate")) {
        const std::vector<double> turn = numbers(*at, 4);
        const Vector3 axis(turn.data());
        if (axis.isZero(0.0)) fail(*at, "expected an axis other than zero");
        pose.rotate(Eigen::AngleAxisd(kDegree * turn[3], axis.normalized()));
      } else if (is_named(*at, "matrix")) {
        const std::vector<double> rows = numbers(*at, 16);
        pose =
            pose * Eigen::Affine3d(
                       Eigen::Map<const Eigen::Matrix<double, 4, 4, Eigen::RowMajor>>(rows.data()));
      } else if (is_named(*at, "skew") || is_named(*at, "lookat")) {
        fail(*at, fmt::format("<{}> is not supported", at->Name()));
      }
    }
    return pose;
  }

  void add_nodes(const XMLElement& parent, const Eigen::Affine3d& around, int depth) {
    for (auto* at = parent.FirstChildElement(); at; at = at->NextSiblingElement()) {
      if (is_named(*at, "node")) add_node(*at, around, depth);
    }
  }

  void add_node(const XMLElement& node, const Eigen::Affine3d& around, int depth) {
    if (depth > kMostDepth || ++node_count_ > kMostNodes) {
      fail(node, "nodes contain one another, or there are too many");
    }
    const Eigen::Affine3d pose = around * transform_of(node);
    for (auto* at = node.FirstChildElement(); at; at = at->NextSiblingElement()) {
      if (is_named(*at, "instance_geometry")) add_geometry(find(*at, "url", "geometry"), pose);
      if (is_named(*at, "instance_node")) add_node(find(*at, "url", "node"), pose, depth + 1);
      if (is_named(*at, "instance_controller")) fail(*at, "skins and morphs are not supported");
    }
    add_nodes(node, pose, depth + 1);
  }

  void add_geometry(const XMLElement& geometry, const Eigen::Affine3d& pose) {
    const XMLElement* mesh = geometry.FirstChildElement("mesh");
    if (mesh == nullptr) return;  // of splines
    is_mirrored_ = pose.linear().determinant() < 0.0;
    for (auto* at = mesh->FirstChildElement(); at; at = at->NextSiblingElement()) {
      const bool has_strips = is_named(*at, "tristrips"), has_fans = is_named(*at, "trifans");
      if (has_strips || has_fans || is_named(*at, "triangles") || is_named(*at, "polylist") ||
          is_named(*at, "polygons")) {
        add_faces(*at, pose);
      }
    }
  }

  /// The numbers of an element that instances repeat.
  template <typename Number>
  std::vector<Number> repeated_numbers(const XMLElement& element) {
    std::vector<Number> values = numbers<Number>(element);
    numbers_read_ += values.size() + 1;
    if (numbers_read_ <= kMostNumbers) return values;
    fail(element, fmt::format("expected instances of at most {} numbers in all", kMostNumbers));
  }

  /// Positions of <source>, by its accessor.
  std::vector<Vector3> points_of(const XMLElement& source, const Eigen::Affine3d& pose) {
    const XMLElement* array = source.FirstChildElement("float_array");
    if (array == nullptr) fail(source, "expected a <float_array> in <source>, got none");
    const std::vector<double> values = repeated_numbers<double>(*array);
    const XMLElement* common = source.FirstChildElement("technique_common");
    const XMLElement* accessor =
        common == nullptr ? nullptr : common->FirstChildElement("accessor");
    const int stride = accessor == nullptr ? 3 : accessor->IntAttribute("stride", 1);
    const int offset = accessor == nullptr ? 0 : accessor->IntAttribute("offset", 0);
    if (stride < 3 || offset < 0) fail(source, "expected positions of three numbers");
    std::vector<Vector3> points;
    for (auto at = static_cast<std::size_t>(offset); at + 3 <= values.size();
         at += static_cast<std::size_t>(stride)) {
      points.emplace_back(pose * Vector3(values.data() + at));
    }
    return points;
  }

  /// Where indices of positions stand among those of a corner.
  struct Layout {
    const XMLElement* positions = nullptr;
    std::size_t offset = 0, stride = 1;
  };

  Layout layout_of(const XMLElement& faces) const {
    Layout layout;
    for (auto* at = faces.FirstChildElement("input"); at; at = at->NextSiblingElement("input")) {
      const int offset = at->IntAttribute("offset", 0);
      if (offset < 0 || offset > 64) fail(*at, "expected an offset from 0 on");
      layout.stride = std::max(layout.stride, static_cast<std::size_t>(offset) + 1);
      if (attribute(*at, "semantic") != "VERTEX") continue;
      layout.offset = static_cast<std::size_t>(offset);
      const XMLElement& vertices = find(*at, "source", "vertices");
      for (auto* in = vertices.FirstChildElement("input"); in;
           in = in->NextSiblingElement("input")) {
        if (attribute(*in, "semantic") == "POSITION")
          layout.positions = &find(*in, "source", "source");
      }
    }
    if (layout.positions == nullptr) fail(faces, "expected an <input> of vertices, got none");
    return layout;
  }

  void add_faces(const XMLElement& faces, const Eigen::Affine3d& pose) {
    const Layout layout = layout_of(faces);
    const std::vector<Vector3> points = points_of(*layout.positions, pose);
    const XMLElement* counts = faces.FirstChildElement("vcount");
    std::vector<long> sizes;
    if (is_named(faces, "polylist")) {
      if (counts == nullptr) fail(faces, "expected <vcount> in <polylist>, got none");
      sizes = repeated_numbers<long>(*counts);
    }
    for (auto* p = faces.FirstChildElement("p"); p; p = p->NextSiblingElement("p")) {
      add_list(*p, faces, corners_of(*p, layout, points), sizes);
    }
    if (faces.FirstChildElement("ph") != nullptr)
      fail(faces, "polygons with holes are not supported");
  }

  std::vector<Vector3> corners_of(const XMLElement& p, const Layout& layout,
                                  const std::vector<Vector3>& points) {
    const std::vector<long> indices = repeated_numbers<long>(p);
    if (indices.size() % layout.stride != 0) {
      fail(p, fmt::format("expected {} indices for each corner", layout.stride));
    }
    std::vector<Vector3> corners;
    for (std::size_t at = layout.offset; at < indices.size(); at += layout.stride) {
      if (indices[at] < 0 || indices[at] >= static_cast<long>(points.size())) {
        fail(p,
             fmt::format("expected indices of {} positions, got {}", points.size(), indices[at]));
      }
      corners.push_back(points[static_cast<std::size_t>(indices[at])]);
    }
    return corners;
  }

  void add_list(const XMLElement& p, const XMLElement& faces, const std::vector<Vector3>& corners,
                const std::vector<long>& sizes) {
    const std::size_t count = corners.size();
    if (is_named(faces, "polygons") || is_named(faces, "trifans")) {
      add_fan(p, corners, 0, count);
    } else if (is_named(faces, "tristrips")) {
      for (std::size_t k = 2; k < count; ++k) {
        add_triangle(p, corners[k - 2], corners[k % 2 == 0 ? k - 1 : k],
                     corners[k % 2 == 0 ? k : k - 1]);
      }
    } else if (is_named(faces, "polylist")) {
      std::size_t begin = 0;
      for (const long size : sizes) {
        if (size < 0 || static_cast<std::size_t>(size) > count - begin) {
          fail(p, "expected as many corners as <vcount> says");
        }
        add_fan(p, corners, begin, static_cast<std::size_t>(size));
        begin += static_cast<std::size_t>(size);
      }
    } else {
      if (count % 3 != 0) fail(p, "expected three corners for each triangle");
      for (std::size_t k = 0; k < count; k += 3) add_fan(p, corners, k, 3);
    }
  }

  void add_fan(const XMLElement& at, const std::vector<Vector3>& corners, std::size_t begin,
               std::size_t count) {
    for (std::size_t k = begin + 2; k < begin + count; ++k) {
      add_triangle(at, corners[begin], corners[k - 1], corners[k]);
    }
  }

  void add_triangle(const XMLElement& at, const Vector3& a, const Vector3& b, const Vector3& c) {
    if (corners_.size() >= 3 * most_) {
      fail(at, fmt::format("expected at most {} triangles", most_));
    }
    if (is_mirrored_) {
      corners_.insert(corners_.end(), {a, c, b});
    } else {
      corners_.insert(corners_.end(), {a, b, c});
    }
  }

  const XMLElement& root_;
  std::size_t most_;
  double metre_ = 1.0;
  int node_count_ = 0;
  std::size_t numbers_read_ = 0;
  bool is_mirrored_ = false;
  std::map<std::string, const XMLElement*> by_id_;
  std::vector<Vector3> corners_;
};

}  // namespace

std::vector<Vector3> parse_collada(const std::string& text, std::size_t most_triangles) {
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) {
    throw DomainError(fmt::format("line {}: it is no XML", document.ErrorLineNum()));
  }
  const XMLElement* root = document.RootElement();
  if (root == nullptr) throw DomainError("line 1: expected <COLLADA>, got nothing");
  if (!is_named(*root, "COLLADA")) {
    fail(*root, fmt::format("expected <COLLADA>, got <{}>", root->Name()));
  }
  return ColladaReader(*root, most_triangles).read();
}

}  // namespace spacedyn

#else

namespace spacedyn {

std::vector<Vector3> parse_collada(const std::string&, std::size_t) {
  throw DomainError("Collada needs the package libtinyxml2-dev when spacedyn is built");
}

}  // namespace spacedyn

#endif
