/// @file
/// The profile of ground in its plane. Private.
#pragma once

#include <vector>

#include "spacedyn/math/types.hpp"

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

}  // namespace spacedyn
