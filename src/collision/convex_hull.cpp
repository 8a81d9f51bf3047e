#include "spacedyn/collision/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "spacedyn/error.hpp"
#include "terrain/triangle_tree.hpp"

namespace spacedyn {
namespace {

constexpr double kOnFace = 1e-10;

/// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with triangles.
class QuickHull {
 public:
  struct Triangle {
    std::array<int, 3> corners;
    std::array<int, 3> neighbors{-1, -1, -1};  // beyond the edge from corner k to k + 1
    Vector3 normal;
    double offset = 0.0;
    std::vector<int> outside;
    bool is_gone = false;
  };

  explicit QuickHull(const std::vector<Vector3>& points) : points_(points) {
    for (const Vector3& point : points) {
      if (!point.allFinite()) throw DomainError("a point of a convex hull is not finite");
    }
    start();
    for (std::size_t face = 0; face < faces_.size(); ++face) {
      while (!faces_[face].is_gone && !faces_[face].outside.empty()) grow(static_cast<int>(face));
    }
  }

  const std::vector<Triangle>& faces() const { return faces_; }
  double tolerance() const { return tolerance_; }

 private:
  const Vector3& point(int i) const { return points_[static_cast<std::size_t>(i)]; }
  Triangle& face(int i) { return faces_[static_cast<std::size_t>(i)]; }
  double height(const Triangle& face, int i) const {
    return face.normal.dot(point(i)) - face.offset;
  }

  template <typename Value>
  int farthest(const Value& value) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(points_.size()); ++i) {
      if (value(point(i)) > value(point(best))) best = i;
    }
    return best;
  }

  /// A tetrahedron of points as far apart as may be.
  void start() {
    const char* flat = "the points of a convex hull lie in a plane";
    if (points_.size() < 4) throw DomainError(flat);
    Vector3 low = points_[0], high = points_[0];
    for (const Vector3& x : points_) {
      low = low.cwiseMin(x);
      high = high.cwiseMax(x);
    }
    tolerance_ = kOnFace * (high - low).norm();
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    const int a = farthest([&](const Vector3& x) { return x(axis); });
    const int b = farthest([&](const Vector3& x) { return (x - point(a)).squaredNorm(); });
    const Vector3 along = (point(b) - point(a)).normalized();
    const int c =
        farthest([&](const Vector3& x) { return along.cross(x - point(a)).squaredNorm(); });
    const Vector3 normal = along.cross(point(c) - point(a)).normalized();
    const int d = farthest([&](const Vector3& x) { return std::abs(normal.dot(x - point(a))); });
    if (!(std::abs(normal.dot(point(d) - point(a))) > 100.0 * tolerance_)) throw DomainError(flat);
    const bool above = normal.dot(point(d) - point(a)) > 0.0;
    const int e = above ? b : c, f = above ? c : b;
    add(a, f, e), add(a, d, f), add(f, d, e), add(e, d, a);
    link({0, 1, 2, 3});
    std::vector<int> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    hand_out(all, 0);
  }

  void add(int a, int b, int c) {
    Triangle face;
    face.corners = {a, b, c};
    face.normal = (point(b) - point(a)).cross(point(c) - point(a)).normalized();
    face.offset = face.normal.dot(point(a) + point(b) + point(c)) / 3.0;
    faces_.push_back(std::move(face));
  }

  /// Joins faces along their common edges.
  void link(const std::vector<int>& list) {
    std::map<std::pair<int, int>, std::pair<int, std::size_t>> open;
    for (const int index : list) {
      for (std::size_t k = 0; k < 3; ++k) {
        if (face(index).neighbors[k] >= 0) continue;
        const int from = face(index).corners[k], to = face(index).corners[(k + 1) % 3];
        const auto other = open.find({to, from});
        if (other == open.end()) {
          open[{from, to}] = {index, k};
          continue;
        }
        face(index).neighbors[k] = other->second.first;
        face(other->second.first).neighbors[other->second.second] = index;
      }
    }
  }

  /// Each point to the first face from a number on that sees it.
  void hand_out(const std::vector<int>& list, std::size_t from) {
    for (const int i : list) {
      for (std::size_t f = from; f < faces_.size(); ++f) {
        if (height(faces_[f], i) <= tolerance_) continue;
        faces_[f].outside.push_back(i);
        break;
      }
    }
  }

  /// Takes in the point that is farthest outside of a face.
  void grow(int start) {
    const std::vector<int>& outside = face(start).outside;
    const int top = *std::max_element(outside.begin(), outside.end(), [&](int a, int b) {
      return height(face(start), a) < height(face(start), b);
    });
    std::vector<int> seen{start}, orphans;
    face(start).is_gone = true;
    struct Rim {
      int from, to, beyond;
    };
    std::vector<Rim> rim;
    for (std::size_t next = 0; next < seen.size(); ++next) {
      for (std::size_t k = 0; k < 3; ++k) {
        const Triangle& here = face(seen[next]);
        const int beyond = here.neighbors[k];
        if (face(beyond).is_gone) continue;
        if (height(face(beyond), top) > tolerance_) {
          face(beyond).is_gone = true;
          seen.push_back(beyond);
        } else {
          rim.push_back({here.corners[k], here.corners[(k + 1) % 3], beyond});
        }
      }
    }
    for (const int gone : seen) {
      orphans.insert(orphans.end(), face(gone).outside.begin(), face(gone).outside.end());
      face(gone).outside = {};
    }
    const std::size_t first = faces_.size();
    std::vector<int> fresh;
    for (const Rim& edge : rim) {
      const int own = static_cast<int>(faces_.size());
      add(edge.from, edge.to, top);
      face(own).neighbors[0] = edge.beyond;
      Triangle& other = face(edge.beyond);
      for (std::size_t k = 0; k < 3; ++k) {
        if (other.corners[k] == edge.to && other.corners[(k + 1) % 3] == edge.from) {
          other.neighbors[k] = own;
        }
      }
      fresh.push_back(own);
    }
    link(fresh);
    orphans.erase(std::remove(orphans.begin(), orphans.end(), top), orphans.end());
    hand_out(orphans, first);
  }

  const std::vector<Vector3>& points_;
  std::vector<Triangle> faces_;
  double tolerance_ = 0.0;
};

/// Joins the triangles of one plane to polygons.
class FaceJoiner {
 public:
  FaceJoiner(const QuickHull& hull, const std::vector<Vector3>& points)
      : triangles_(hull.faces()),
        points_(points),
        tolerance_(10.0 * hull.tolerance()),
        group_(triangles_.size(), -1) {
    for (std::size_t i = 0; i < triangles_.size(); ++i) {
      if (!triangles_[i].is_gone && group_[i] < 0) collect(static_cast<int>(i));
    }
  }

  std::vector<ConvexHull::Face> faces;
  /// Directed edges of the rims and their faces.
  std::map<std::pair<int, int>, int> rims;

 private:
  void collect(int start) {
    const int own = static_cast<int>(faces.size());
    const auto& first = triangles_[static_cast<std::size_t>(start)];
    std::vector<int> members{start};
    group_[static_cast<std::size_t>(start)] = own;
    Vector3 normal = Vector3::Zero();
    for (std::size_t next = 0; next < members.size(); ++next) {
      const auto& here = triangles_[static_cast<std::size_t>(members[next])];
      const auto corner = [&](std::size_t k) {
        return points_[static_cast<std::size_t>(here.corners[k])];
      };
      normal += (corner(1) - corner(0)).cross(corner(2) - corner(0));
      for (const int neighbor : here.neighbors) {
        const auto at = static_cast<std::size_t>(neighbor);
        if (group_[at] >= 0 || !is_in_plane(first, triangles_[at])) continue;
        group_[at] = own;
        members.push_back(neighbor);
      }
    }
    std::map<int, int> next;
    for (const int member : members) {
      const auto& here = triangles_[static_cast<std::size_t>(member)];
      for (std::size_t k = 0; k < 3; ++k) {
        if (group_[static_cast<std::size_t>(here.neighbors[k])] == own) continue;
        next[here.corners[k]] = here.corners[(k + 1) % 3];
        rims[{here.corners[k], here.corners[(k + 1) % 3]}] = own;
      }
    }
    ConvexHull::Face face;
    face.normal = normal.normalized();
    int corner = next.begin()->first;
    do {
      face.corners.push_back(corner);
      corner = next.at(corner);
    } while (corner != face.corners.front() && face.corners.size() <= next.size());
    faces.push_back(std::move(face));
  }

  bool is_in_plane(const QuickHull::Triangle& plane, const QuickHull::Triangle& other) const {
    if (plane.normal.dot(other.normal) < 0.99) return false;
    return std::all_of(other.corners.begin(), other.corners.end(), [&](int i) {
      const double height = plane.normal.dot(points_[static_cast<std::size_t>(i)]) - plane.offset;
      return std::abs(height) <= tolerance_;
    });
  }

  const std::vector<QuickHull::Triangle>& triangles_;
  const std::vector<Vector3>& points_;
  double tolerance_;
  std::vector<int> group_;
};

}  // namespace

ConvexHull::ConvexHull(const std::vector<Vector3>& points) {
  const QuickHull hull(points);
  FaceJoiner joiner(hull, points);
  faces_ = std::move(joiner.faces);
  std::map<int, int> number;
  for (const Face& face : faces_) {
    for (const int corner : face.corners) number.emplace(corner, 0);
  }
  for (auto& [point, own] : number) {
    own = static_cast<int>(corners_.size());
    corners_.push_back(points[static_cast<std::size_t>(point)]);
    center_ += corners_.back();
    radius_ = std::max(radius_, corners_.back().norm());
  }
  center_ /= static_cast<double>(corners_.size());
  for (Face& face : faces_) {
    for (int& corner : face.corners) corner = number.at(corner);
  }
  for (const auto& [edge, left] : joiner.rims) {
    if (edge.first > edge.second) continue;
    const auto back = joiner.rims.find({edge.second, edge.first});
    if (back == joiner.rims.end()) continue;
    edges_.push_back({number.at(edge.first), number.at(edge.second), left, back->second});
  }
}

double ConvexHull::distance(const Vector3& point, Vector3& normal) const {
  const auto corner = [this](int i) -> const Vector3& {
    return corners_[static_cast<std::size_t>(i)];
  };
  double inside = -std::numeric_limits<double>::infinity();
  double outside = std::numeric_limits<double>::infinity();
  Vector3 away = Vector3::Zero();
  for (const Face& face : faces_) {
    const double height = face.normal.dot(point - corner(face.corners.front()));
    if (height > inside) {
      inside = height;
      normal = face.normal;
    }
    if (!(height > 0.0) || height > outside) continue;
    for (std::size_t k = 2; k < face.corners.size(); ++k) {
      const NearestOnTriangle at = nearest_on_triangle(
          point, corner(face.corners[0]), corner(face.corners[k - 1]), corner(face.corners[k]));
      const double distance = (point - at.point).norm();
      if (distance >= outside) continue;
      outside = distance;
      away = at.part == TrianglePart::face ? face.normal : Vector3(point - at.point);
    }
  }
  if (!(inside > 0.0)) return inside;
  if (away.squaredNorm() > 0.0) normal = away.normalized();
  return outside;
}

}  // namespace spacedyn
