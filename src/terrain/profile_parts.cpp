#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "terrain/profile_line.hpp"

namespace spacedyn {
namespace {

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

}  // namespace

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

}  // namespace spacedyn
