#include "terrain/profile_line.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace spacedyn {
namespace {

using Point = ProfileLine::Point;

/// m; nearer to a corner than this the normal is that of both its sides.
constexpr double kAtCorner = 1e-12;
/// Sine of a turn that is none.
constexpr double kStraight = 1e-12;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double cross(const Point& a, const Point& b) { return a.x() * b.y() - a.y() * b.x(); }

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

}  // namespace spacedyn
