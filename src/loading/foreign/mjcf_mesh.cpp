#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include <Eigen/Geometry>

#include "loading/foreign/mjcf_parts.hpp"
#include "loading/foreign/mjcf_reader.hpp"
#include "loading/keys/session.hpp"
#include "spacedyn/collision/convex_hull.hpp"
#include "spacedyn/error.hpp"

namespace spacedyn::loading::foreign {
namespace {

using Triangle = std::array<Vector3, 3>;

constexpr double kSameVolume = 1e-6;  // relative; meshes are kept in single precision

std::vector<Triangle> triangles_of(const TriangleMesh& mesh, const MjcfMesh& placement) {
  std::vector<Triangle> triangles;
  const auto point = [&](int number) {
    return placement.place(mesh.points[static_cast<std::size_t>(number)]);
  };
  for (const auto& corners : mesh.triangles) {
    triangles.push_back({point(corners[0]), point(corners[1]), point(corners[2])});
  }
  return triangles;
}

std::vector<Triangle> triangles_of(const ConvexHull& hull) {
  std::vector<Triangle> triangles;
  const auto point = [&](int number) { return hull.corners()[static_cast<std::size_t>(number)]; };
  for (const ConvexHull::Face& face : hull.faces()) {
    for (std::size_t k = 2; k < face.corners.size(); ++k) {
      triangles.push_back(
          {point(face.corners[0]), point(face.corners[k - 1]), point(face.corners[k])});
    }
  }
  return triangles;
}

/// Area, centroid and tensor of the triangles as a shell of density 1.
MassProperties shell_of(const std::vector<Triangle>& triangles) {
  MassProperties shell;
  Vector3 first = Vector3::Zero();
  for (const auto& [a, b, c] : triangles) {
    const double area = 0.5 * (b - a).cross(c - a).norm();
    first += area * (a + b + c) / 3.0;
    shell.mass += area;
  }
  if (!(shell.mass > 0.0)) return {};
  shell.center = first / shell.mass;
  Matrix3 second = Matrix3::Zero();  // ∫ x xᵀ of a triangle is exact at the middles of its sides
  for (const Triangle& triangle : triangles) {
    const Vector3 a = triangle[0] - shell.center, b = triangle[1] - shell.center,
                  c = triangle[2] - shell.center;
    const Vector3 ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    second += (b - a).cross(c - a).norm() / 6.0 *
              (ab * ab.transpose() + bc * bc.transpose() + ca * ca.transpose());
  }
  shell.inertia = second.trace() * Matrix3::Identity() - second;
  return shell;
}

/// Why a mesh encloses no volume; empty where it does. Points closer than a millionth of its size
/// count as one, as files in single precision have them.
std::string flaw_of(const TriangleMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Vector3& point : mesh.points) box.extend(point);
  const double grid = kSameVolume * box.diagonal().norm();
  std::vector<Vector3> corners;
  for (const auto& triangle : mesh.triangles) {
    for (const int corner : triangle) {
      const Vector3 point = mesh.points[static_cast<std::size_t>(corner)] - box.min();
      corners.push_back(grid > 0.0 ? Vector3(grid * (point / grid).array().round().matrix())
                                   : point);
    }
  }
  TriangleMesh joined = join_corners(corners);
  auto& triangles = joined.triangles;
  triangles.erase(std::remove_if(triangles.begin(), triangles.end(),
                                 [](const std::array<int, 3>& t) {
                                   return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
                                 }),
                  triangles.end());
  try {
    require_closed(joined);
    return {};
  } catch (const DomainError& error) {
    return error.what();
  }
}

/// Volume, centroid and ∫ x xᵀ about a point of the tetrahedra between it and the triangles.
struct Integrals {
  double volume = 0.0, volume_without_signs = 0.0;
  Vector3 first = Vector3::Zero();
  Matrix3 second = Matrix3::Zero();

  Integrals(const std::vector<Triangle>& triangles, const Vector3& apex, bool all_positive) {
    for (const Triangle& triangle : triangles) {
      const Vector3 a = triangle[0] - apex, b = triangle[1] - apex, c = triangle[2] - apex;
      const double with_sign = a.dot(b.cross(c)) / 6.0;
      const double part = all_positive ? std::abs(with_sign) : with_sign;
      const Vector3 sum = a + b + c;
      volume += part;
      volume_without_signs += std::abs(part);
      first += part * sum / 4.0;
      second += part / 20.0 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
    if (volume >= 0.0) return;
    volume = -volume;  // its triangles point inwards
    first = -first;
    second = -second;
  }
};

}  // namespace

MeshInertia read_mesh_inertia(const xml::Values& values, const MjcfCompiler& compiler) {
  const std::string text = values.element().text("inertia");
  if (text.empty()) return compiler.exact_mesh_inertia ? MeshInertia::exact : MeshInertia::legacy;
  if (text == "convex") return MeshInertia::convex;
  if (text == "exact") return MeshInertia::exact;
  if (text == "shell") return MeshInertia::shell;
  if (text != "legacy") {
    values.error("inertia", "expected convex, exact, legacy or shell, got " + quote(text));
  }
  return MeshInertia::legacy;
}

Vector3 MjcfMesh::place(const Vector3& point) const {
  return scale.cwiseProduct(reference.rotation.transpose() * (point - reference.position));
}

std::optional<Pose> MjcfMesh::pose_of_scaled() const {
  const bool is_turned = reference.rotation != Matrix3::Identity();
  if (is_turned && scale != Vector3::Constant(scale.x())) return std::nullopt;
  return Pose{place(Vector3::Zero()), reference.rotation.transpose()};
}

MassProperties mass_of(const TriangleMesh& mesh, const MjcfMesh& placement, MeshInertia how) {
  std::vector<Triangle> triangles = triangles_of(mesh, placement);
  if (how == MeshInertia::shell) return shell_of(triangles);
  if (how == MeshInertia::convex) {
    std::vector<Vector3> points;
    for (const Triangle& triangle : triangles) {
      points.insert(points.end(), triangle.begin(), triangle.end());
    }
    triangles = triangles_of(ConvexHull(points));
  }
  const Vector3 apex = shell_of(triangles).center;
  MassProperties solid;
  if (how != MeshInertia::convex) solid.flaw = flaw_of(mesh);
  const bool all_positive = !solid.flaw.empty();
  const Integrals about_apex(triangles, apex, all_positive);
  solid.mass = about_apex.volume;
  if (!(solid.mass > 0.0)) return {};
  solid.center = apex + about_apex.first / solid.mass;
  const Integrals about_center(triangles, solid.center, all_positive);
  if (all_positive) solid.mass = about_center.volume;
  const Matrix3& second = about_center.second;
  solid.inertia = second.trace() * Matrix3::Identity() - second;
  solid.counts_twice = how == MeshInertia::legacy && !all_positive &&
                       about_apex.volume_without_signs > (1.0 + kSameVolume) * solid.mass;
  return solid;
}

namespace {

constexpr int kMostIncludes = 1000;
constexpr std::size_t kDeepestInclude = 16;

class Includer {
 public:
  Includer(const Source& source, const Surroundings& around)
      : folder_(folder_of(source.name())), around_(around) {
    open_.push_back(canonical_path(source.name()));
  }

  bool expand(xml::Element& element) {
    std::vector<xml::Element> children;
    for (xml::Element& child : element.children) {
      if (child.name != "include") {
        if (!expand(child)) return false;
        children.push_back(std::move(child));
        continue;
      }
      if (!include(child, children)) return false;
    }
    element.children = std::move(children);
    return true;
  }

 private:
  /// As MuJoCo has it, paths start from the folder of the outermost file.
  bool include(const xml::Element& element, std::vector<xml::Element>& into) {
    ProblemList& problems = around_.problems;
    const xml::Values values(element, "include", problems);
    const std::string name = values.required_text("file");
    if (name.empty()) return false;
    const std::string path = resolve_path(folder_, with_slashes(name));
    const std::string key = canonical_path(path);
    if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
      values.error("file", "expected a file that does not include itself, got " + quote(name));
      return false;
    }
    if (++count_ > kMostIncludes || open_.size() > kDeepestInclude) {
      values.error("file", "expected at most " + std::to_string(kMostIncludes) +
                               " included files, " + std::to_string(kDeepestInclude) +
                               " of them in one another, got more");
      return false;
    }
    try {
      auto root = xml::parse(around_.open(path), problems);
      if (!root) return false;
      if (root->name != "mujoco" && root->name != "mujocoinclude") {
        problems.error(root->mark, "include",
                       "expected <mujocoinclude> or <mujoco>, got " + quote(root->name));
        return false;
      }
      open_.push_back(key);
      const bool done = expand(*root);
      open_.pop_back();
      std::move(root->children.begin(), root->children.end(), std::back_inserter(into));
      return done;
    } catch (const IoError& error) {
      values.error("file", std::string("expected a file that can be read, got ") + error.what());
      return false;
    }
  }

  std::string folder_;
  const Surroundings& around_;
  std::vector<std::string> open_;
  int count_ = 0;
};

constexpr int kMostCopies = 1000;  // frames as deep as that are made
constexpr std::size_t kMostElements = 200000;

std::size_t element_count(const std::vector<xml::Element>& elements) {
  std::size_t count = elements.size();
  for (const xml::Element& element : elements) count += element_count(element.children);
  return count;
}

void add_suffix(const std::string& suffix, std::vector<xml::Element>& elements) {
  for (xml::Element& element : elements) {
    for (xml::Attribute& attribute : element.attributes) {
      if (attribute.name == "name") attribute.value += suffix;
    }
    add_suffix(suffix, element.children);
  }
}

class Replicator {
 public:
  explicit Replicator(ProblemList& problems) : problems_(problems) {}

  void expand(xml::Element& element) {
    std::vector<xml::Element> children;
    for (xml::Element& child : element.children) {
      expand(child);
      if (child.name == "replicate") {
        replicate(std::move(child), children);
      } else {
        children.push_back(std::move(child));
      }
    }
    element.children = std::move(children);
  }

 private:
  /// As MuJoCo has it: copy 0 is where the element is, each further one an offset and a turn on
  /// from the one before, and names end in its number with as many digits as the count has.
  void replicate(xml::Element given, std::vector<xml::Element>& into) {
    const int copies = read_count(given);
    if (copies < 1) return;
    const std::size_t digits = std::to_string(copies).size();
    xml::Element frame;
    frame.name = "frame";
    frame.mark = given.mark;
    frame.model = given.model;  // whose units and order of angles hold
    for (xml::Attribute attribute : given.attributes) {
      if (attribute.name == "offset") attribute.name = "pos";
      const bool places = attribute.name == "pos" || attribute.name == "euler";
      if (places) frame.attributes.push_back(std::move(attribute));
    }
    // from the last one, which stands in the innermost frame
    std::vector<xml::Element> inner;
    for (int i = copies - 1; i >= 0; --i) {
      std::vector<xml::Element> copy = given.children;
      const std::string number = std::to_string(i);
      add_suffix(given.text("sep") + std::string(digits - number.size(), '0') + number, copy);
      if (!inner.empty()) {
        copy.push_back(frame);
        copy.back().children = std::move(inner);
      }
      inner = std::move(copy);
    }
    for (xml::Element& element : inner) into.push_back(std::move(element));
  }

  /// How many copies are wanted; 0 where that is wrong, which is reported.
  int read_count(const xml::Element& given) {
    const xml::Values values(given, "replicate", problems_);
    values.check_spelling({"count", "offset", "euler", "sep"});
    const std::size_t errors = problems_.error_count();
    const double count = values.required_number("count");
    if (problems_.error_count() > errors) return 0;
    const int copies = count >= 1.0 && count <= kMostCopies ? static_cast<int>(count) : 0;
    if (copies < 1 || copies != count) {
      values.error("count", "expected a whole number from 1 to " + std::to_string(kMostCopies) +
                                ", got " + quote(given.text("count")));
      return 0;
    }
    made_ += (element_count(given.children) + 1) * static_cast<std::size_t>(copies);
    if (made_ <= kMostElements) return copies;
    values.error("count", "expected copies of at most " + std::to_string(kMostElements) +
                              " elements in all, got more");
    return 0;
  }

  ProblemList& problems_;
  std::size_t made_ = 0;  ///< elements of all copies
};

}  // namespace

bool expand_includes(xml::Element& root, const Source& source, const Surroundings& around) {
  return Includer(source, around).expand(root) && xml::check_nesting(root, around.problems);
}
bool expand_replicates(xml::Element& root, ProblemList& problems) {
  Replicator(problems).expand(root);
  return xml::check_nesting(root, problems);
}

}  // namespace spacedyn::loading::foreign
