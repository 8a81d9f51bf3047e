#include "spacedyn/terrain/profile_terrain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "spacedyn/error.hpp"
#include "spacedyn/math/types.hpp"
#include "terrain/edge_gradient.hpp"

namespace spacedyn {

/// A polyline with a ray at each end; the ground is on its right.
struct ProfileLine {
  using Point = Eigen::Vector2d;

  /// @param before  unit vector of the ray that leaves the first point
  /// @param behind  and the last one
  explicit ProfileLine(std::vector<Point> all, const Point& before = {-1.0, 0.0},
                       const Point& behind = {1.0, 0.0});

  /// Of a segment or a ray: start + s direction, first ≤ s ≤ last.
  struct Segment {
    Point start, direction;
    double first, last;

    Point normal() const { return {-direction.y(), direction.x()}; }
  };
  std::vector<Point> points;
  std::vector<Segment> segments;  ///< in walking order: segment k ends at point k

  /// The nearest point of the line.
  struct Foot {
    Point point, normal;    // unit vector out of the ground
    double distance = 0.0;  // negative in it
    bool is_corner = false;
  };
  Foot nearest(const Point& point) const;

  /// The highest place above or below a coordinate.
  struct Top {
    double height;  // not a number where there is none
    Point normal;
  };
  Top highest(double along) const;

  /// Whether the line turns up at a point, so that the ground is not convex there.
  bool is_valley(std::size_t point) const;
};

/// Convex parts whose union is the ground: cut at the valleys; where one ends its last line goes on
/// inside the ground, half as far as that reaches, then straight down.
std::vector<ProfileLine> convex_parts(const ProfileLine& line);

namespace {

using Point = ProfileLine::Point;

/// m; nearer to a corner than this the normal is that of both its sides.
constexpr double kAtCorner = 1e-12;
/// Sine of a turn that is none.
constexpr double kStraight = 1e-12;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }

using Point = ProfileLine::Point;

/// m; with less ground over it a line counts as at the surface.
constexpr double kBarely = 1e-9;

/// How a part goes on below its neighbour.
struct Extension {
  Point ray;
  bool has_corner = false;
  Point corner = Point::Zero();
};

/// Points of a line as they follow on one another from a valley, to the right or mirrored.
struct Walk {
  const ProfileLine& line;
  std::size_t from;
  bool is_right;

  std::size_t count() const { return is_right ? line.points.size() - from : from + 1; }
  Point mirrored(const Point& p) const { return {is_right ? p.x() : -p.x(), p.y()}; }
  Point at(std::size_t i) const { return mirrored(line.points[is_right ? from + i : from - i]); }
};

/// Where a line of a slope from the first point of a walk leaves the ground, which is level behind
/// the last one; infinite: never.
double reach_below(const Walk& walk, double slope) {
  const Point start = walk.at(0);
  Point last = start;
  double cover = 0.0;  // of ground over the line
  for (std::size_t i = 1; i < walk.count(); ++i) {
    const Point now = walk.at(i);
    const double next = now.y() - start.y() - slope * (now.x() - start.x());
    if (next <= kBarely) {
      return last.x() + cover / (cover - std::min(next, 0.0)) * (now.x() - last.x());
    }
    cover = next;
    last = now;
  }
  return slope > 0.0 ? last.x() + cover / slope : std::numeric_limits<double>::infinity();
}

/// @param direction  of the line that goes on, mirrored like the walk
Extension extension(const Walk& walk, const Point& direction) {
  const Point down(0.0, -1.0);
  if (!(direction.x() > 0.0)) return {down};
  const Point start = walk.at(0);
  const double slope = direction.y() / direction.x();
  const double end = reach_below(walk, slope);
  if (std::isinf(end)) return {walk.mirrored(direction)};
  const double half = 0.5 * (end - start.x());
  return {down, true, walk.mirrored(start + half * Point(1.0, slope))};
}

/// Of the segments from number @p first to @p last.
ProfileLine part_of(const ProfileLine& line, std::size_t first, std::size_t last) {
  std::vector<Point> points;
  Point before(-1.0, 0.0), behind(1.0, 0.0);
  const bool begins = first == 0, ends = last == line.points.size();
  const std::size_t from = begins ? 0 : first - 1, to = ends ? last - 1 : last;
  if (!begins) {
    const Walk left{line, from, false};
    const Extension more = extension(left, left.mirrored(-line.segments[first].direction));
    before = more.ray;
    if (more.has_corner) points.push_back(more.corner);
  }
  for (std::size_t i = from; i <= to; ++i) points.push_back(line.points[i]);
  if (!ends) {
    const Extension more = extension({line, to, true}, line.segments[last].direction);
    behind = more.ray;
    if (more.has_corner) points.push_back(more.corner);
  }
  return ProfileLine(std::move(points), before, behind);
}

using Point = ProfileLine::Point;

void check_points(const std::vector<Point>& points) {
  if (points.size() < 2) {
    throw DomainError(fmt::format("a profile needs at least 2 points, got {}", points.size()));
  }
  const auto require = [](bool condition, std::size_t number, const char* what) {
    if (!condition) throw DomainError(fmt::format("point {} of a profile {}", number, what));
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    require(points[i].allFinite(), i + 1, "is not finite");
    if (i == 0) continue;
    const Point step = points[i] - points[i - 1];
    require(step.x() >= 0.0, i + 1, "goes back: its first coordinate is less than the one before");
    require(step.norm() > 0.0, i + 1, "lies where the one before lies");
    const bool is_spike = i > 1 && step.x() == 0.0 && points[i - 1].x() == points[i - 2].x() &&
                          step.y() * (points[i - 1].y() - points[i - 2].y()) < 0.0;
    require(!is_spike, i + 1, "goes back along the vertical face before it");
  }
}

ProfileLine line_through(const std::vector<Point>& points) {
  check_points(points);
  return ProfileLine(points);
}

}  // namespace

ProfileLine::ProfileLine(std::vector<Point> all, const Point& before, const Point& behind)
    : points(std::move(all)) {
  segments.push_back({points.front(), -before, -kInfinity, 0.0});
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point step = points[i + 1] - points[i];
    const double length = step.norm();
    segments.push_back({points[i], step / length, 0.0, length});
  }
  segments.push_back({points.back(), behind, 0.0, kInfinity});
}

bool ProfileLine::is_valley(std::size_t point) const {
  return cross(segments[point].direction, segments[point + 1].direction) > kStraight;
}

ProfileLine::Foot ProfileLine::nearest(const Point& point) const {
  double least = kInfinity;
  std::size_t nearest = 0;
  double place = 0.0;
  int end = 0;  // −1: at the first point of the segment, 1: at the last one
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const Segment& own = segments[k];
    const double along = own.direction.dot(point - own.start);
    const double s = std::min(std::max(along, own.first), own.last);
    const double distance = (point - own.start - s * own.direction).squaredNorm();
    if (!(distance < least)) continue;
    least = distance;
    nearest = k;
    place = s;
    end = along < own.first ? -1 : along > own.last ? 1 : 0;
  }
  Foot foot;
  if (end == 0) {
    const Segment& own = segments[nearest];
    foot.normal = own.normal();
    foot.distance = foot.normal.dot(point - own.start);
    foot.point = own.start + place * own.direction;
    return foot;
  }
  const std::size_t corner = end < 0 ? nearest - 1 : nearest;
  const Point own = (segments[corner].normal() + segments[corner + 1].normal()).normalized();
  foot.point = points[corner];
  const Point away = point - foot.point;
  const double side = own.dot(away) < 0.0 ? -1.0 : 1.0, distance = away.norm();
  foot.distance = side * distance;
  foot.is_corner = distance > kAtCorner;
  foot.normal = foot.is_corner ? Point(side / distance * away) : own;
  return foot;
}

ProfileLine::Top ProfileLine::highest(double along) const {
  Top top{std::numeric_limits<double>::quiet_NaN(), Point::UnitY()};
  for (std::size_t k = 0; k < segments.size(); ++k) {
    const Point &start = segments[k].start, &t = segments[k].direction;
    const bool is_face = !(t.x() > 0.0);
    const double first = k > 0 || is_face ? start.x() : -kInfinity;
    const double last = k < points.size() ? points[k].x() : is_face ? start.x() : kInfinity;
    if (along < first || along > last) continue;
    // of a face the neighbour at its top tells the normal
    const double height = is_face ? start.y() : start.y() + (along - start.x()) / t.x() * t.y();
    if (top.height >= height) continue;
    top = {height, is_face ? top.normal : segments[k].normal()};
  }
  return top;
}

std::vector<ProfileLine> convex_parts(const ProfileLine& line) {
  std::vector<ProfileLine> parts;
  std::size_t first = 0;
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    if (!line.is_valley(i)) continue;
    parts.push_back(part_of(line, first, i));
    first = i + 1;
  }
  parts.push_back(part_of(line, first, line.points.size()));
  return parts;
}

ProfileTerrain::ProfileTerrain(ProfileLine line, double azimuth, double width)
    : azimuth_(azimuth),
      width_(width),
      along_(std::cos(azimuth), std::sin(azimuth), 0.0),
      across_(-along_.y(), along_.x(), 0.0),
      line_(std::make_unique<const ProfileLine>(std::move(line))) {}

ProfileTerrain::ProfileTerrain(const std::vector<Point>& points, double azimuth, double width)
    : ProfileTerrain(line_through(points), azimuth, width) {
  if (!std::isfinite(azimuth)) throw DomainError("the azimuth of a profile must be finite");
  if (!(width > 0.0)) throw DomainError("the width of a profile must be positive");
  std::vector<ProfileLine> parts = convex_parts(*line_);
  if (parts.size() == 1) return;
  for (ProfileLine& part : parts) {
    parts_.push_back(
        std::unique_ptr<const ProfileTerrain>(new ProfileTerrain(std::move(part), azimuth, width)));
  }
}

ProfileTerrain::~ProfileTerrain() = default;

int ProfileTerrain::part_count() const {
  return parts_.empty() ? 1 : static_cast<int>(parts_.size());
}

const Terrain& ProfileTerrain::part(int number) const {
  return parts_.empty() ? *this : *parts_[static_cast<std::size_t>(number)];
}

double ProfileTerrain::height(double x, double y) const {
  const Vector3 place(x, y, 0.0);
  if (std::abs(across_.dot(place)) > 0.5 * width_) return std::numeric_limits<double>::quiet_NaN();
  return line_->highest(along_.dot(place)).height;
}

Vector3 ProfileTerrain::normal(double x, double y) const {
  const Vector3 place(x, y, 0.0);
  if (std::abs(across_.dot(place)) > 0.5 * width_) return Vector3::UnitZ();
  const Point normal = line_->highest(along_.dot(place)).normal;
  return normal.x() * along_ + normal.y() * Vector3::UnitZ();
}

SurfacePoint ProfileTerrain::nearest(const Vector3& point) const {
  const auto in_space = [&](const Point& p) -> Vector3 {
    return p.x() * along_ + p.y() * Vector3::UnitZ();
  };
  const double across = across_.dot(point), beside = std::abs(across) - 0.5 * width_;
  const Vector3 side = std::copysign(1.0, across) * across_;
  const ProfileLine::Foot foot = line_->nearest({along_.dot(point), point.z()});
  SurfacePoint surface;
  if (foot.distance <= 0.0 && beside > foot.distance) {  // a side is nearer than the profile
    surface.normal = side;
    surface.distance = beside;
    surface.point = point - beside * side;
    return surface;
  }
  surface.point = in_space(foot.point) + across * across_;
  surface.normal = in_space(foot.normal);
  surface.distance = foot.distance;
  // directions in which the nearest point stays
  Matrix3 fixed = surface.normal * surface.normal.transpose();
  if (foot.is_corner) fixed = Matrix3::Identity() - across_ * across_.transpose();
  const bool is_beside = beside > 0.0;
  if (is_beside) {
    const Vector3 away = foot.distance * surface.normal + beside * side;
    surface.point -= beside * side;
    surface.distance = away.norm();
    surface.normal = away / surface.distance;
    fixed += across_ * across_.transpose();
  }
  if (!foot.is_corner && !is_beside) return surface;
  surface.normal_gradient =
      (fixed - surface.normal * surface.normal.transpose()) / surface.distance;
  return surface;
}

Matrix3 ProfileTerrain::normal_gradient_change(const SurfacePoint& at,
                                               const Vector3& direction) const {
  return edge_gradient_change(at, direction);
}

}  // namespace spacedyn
