/// @file
/// Polygons across the normal of a contact. Private.
#pragma once

#include <algorithm>
#include <array>

#include "collision/surface_pieces.hpp"

namespace spacedyn {

inline double cross(const Vector2& a, const Vector2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// A polygon across the normal, counterclockwise.
struct Polygon {
  /// Those of two polygons, their crossings, and those where the depth ends.
  static constexpr int kMost = 2 * SurfacePiece::kMostCorners + 2;

  std::array<Vector2, kMost> corners;
  int count = 0;

  void add(const Vector2& corner) {
    if (count < kMost) corners[static_cast<std::size_t>(count++)] = corner;
  }
  const Vector2& at(int i) const { return corners[static_cast<std::size_t>(i % count)]; }
  double area() const {
    double twice = 0.0;
    for (int i = 1; i + 1 < count; ++i) twice += cross(at(i) - at(0), at(i + 1) - at(0));
    return 0.5 * twice;
  }
  /// Keeps where offset + gradient · place is not negative.
  void cut(double offset, const Vector2& gradient) {
    Polygon left;
    for (int i = 0; i < count; ++i) {
      const Vector2 &a = at(i), &b = at(i + 1);
      const double at_a = offset + gradient.dot(a), at_b = offset + gradient.dot(b);
      if (at_a >= 0.0) left.add(a);
      if ((at_a < 0.0) != (at_b < 0.0)) left.add(a + at_a / (at_a - at_b) * (b - a));
    }
    *this = left;
  }
};

inline Polygon polygon_of(const SurfacePiece& piece) {
  Polygon polygon;
  for (int i = 0; i < piece.count; ++i) polygon.add(piece.place(i));
  if (polygon.area() < 0.0) {
    std::reverse(polygon.corners.begin(), polygon.corners.begin() + polygon.count);
  }
  return polygon;
}

/// Left of an edge: offset + gradient · place ≥ 0. Of the same edge from the other side both are
/// opposite to the last digit, so that no place between two faces is outside of both.
struct HalfPlane {
  Vector2 gradient;
  double offset;
  HalfPlane(const Vector2& from, const Vector2& to)
      : gradient(from.y() - to.y(), to.x() - from.x()),
        offset(-gradient.dot(is_first(from, to) ? from : to)) {}

 private:
  static bool is_first(const Vector2& a, const Vector2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  }
};

/// Where two faces overlap, as seen along the normal.
inline Polygon overlap(const SurfacePiece& a, const SurfacePiece& b) {
  Polygon polygon = polygon_of(a);
  const Polygon rim = polygon_of(b);
  for (int i = 0; i < rim.count && polygon.count > 0; ++i) {
    const HalfPlane inside(rim.at(i), rim.at(i + 1));
    polygon.cut(inside.offset, inside.gradient);
  }
  return polygon;
}

}  // namespace spacedyn
