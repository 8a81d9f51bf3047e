/// @file
/// The surface of a shape as seen along the normal of a contact, and depths along the line of a
/// cylinder or a capsule. Private.
#pragma once

#include <algorithm>
#include <array>

#include "collision/polyhedron.hpp"

namespace spacedyn {

using Vector2 = Eigen::Vector2d;

/// The end of a cylinder: center + rim · (cos φ, sin φ), with axes that the cylinder carries; the
/// determinant of the rim is positive.
struct RoundEnd {
  Vector2 center = Vector2::Zero();
  Eigen::Matrix2d rim = Eigen::Matrix2d::Zero();
};

/// Axes whose third is the direction.
inline Matrix3 axes_along(const Vector3& direction) {
  Matrix3 axes;
  axes.col(2) = direction;
  axes.col(0) = direction.unitOrthogonal();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

/// A face, or the line along which a round shape is farthest, in axes of which the third is the
/// normal.
struct SurfacePiece {
  static constexpr int kMostCorners = 24;

  std::array<Vector3, kMostCorners> corners;
  int count = 0;  // 2: a line
  /// Height over a place of a face: height + slope · place.
  Vector2 slope = Vector2::Zero();
  double height = 0.0;
  bool is_round = false;  // then corners stand for a rim
  RoundEnd end;

  void add(const Vector3& corner) {
    if (count < kMostCorners) corners[static_cast<std::size_t>(count++)] = corner;
  }
  Vector2 place(int i) const { return corners[static_cast<std::size_t>(i % count)].head<2>(); }
  /// The plane of the corners.
  void lay_plane(const Vector3& normal) {
    slope = -normal.head<2>() / normal.z();
    height = corners[0].z() - slope.dot(corners[0].head<2>());
  }
};

/// All faces of a polyhedron, the end of a cylinder, or the line along a cylinder or a capsule.
struct Surface {
  static constexpr int kMostPieces = 24;

  std::array<SurfacePiece, kMostPieces> pieces;
  int count = 0;
  bool is_line = false;
  bool is_capsule = false;  ///< whose line it is
  double radius = 0.0;      ///< across a line, m
  double share = 1.0;       ///< of the force that it stands for

  SurfacePiece& add() { return pieces[static_cast<std::size_t>(count++)]; }
};

/// What a shape consists of: between its end and its side a cylinder is both in part.
struct Surfaces {
  std::array<Surface, 2> parts;
  int count = 0;

  /// @param axes      the third is the normal
  /// @param outwards  1 or −1: along the normal or against it
  /// @param slab      faces that do not reach as near to the farthest point are left out, m
  Surfaces(const ShapePose& shape, const Matrix3& axes, double outwards, double slab);

 private:
  Surface& add() { return parts[static_cast<std::size_t>(count++)]; }
  void add_faces(const Polyhedron& body, const Matrix3& axes, double outwards, double slab);
  void add_end(const ShapePose& cylinder, const Matrix3& axes, double outwards, double share);
  void add_line(const ShapePose& shape, const Matrix3& axes, double outwards, double share);
};

/// Part of a line, from 0 to 1.
struct Interval {
  double low = 0.0, high = 1.0;

  /// Keeps where offset + slope s is not negative.
  void cut(double offset, double slope) {
    if (slope > 0.0) {
      low = std::max(low, -offset / slope);
    } else if (slope < 0.0) {
      high = std::min(high, -offset / slope);
    } else if (offset < 0.0) {
      high = -1.0;
    }
  }
  /// Keeps where offset + slope s − bend s², bend ≥ 0, is not negative.
  void cut(double offset, double slope, double bend);
  bool is_empty() const { return !(high >= low); }
};

/// The depth along a line: depth + slope s − bend s² where it lies over the other surface.
struct LineProfile {
  Vector3 from = Vector3::Zero(), along = Vector3::Zero();
  double depth = 0.0, slope = 0.0, bend = 0.0;
  /// To the middle between both surfaces.
  Vector2 across = Vector2::Zero(), across_change = Vector2::Zero();
  double side = 1.0;  ///< 1: the line belongs to the first shape, −1: to the second
  Interval over;

  double at(double s) const { return depth + s * (slope - bend * s); }
  Vector3 place(double s) const;
  /// Where it is deepest.
  double deepest() const;
  /// Where the depth is not negative.
  Interval inside() const;
};

LineProfile over_face(const SurfacePiece& line, const SurfacePiece& face, double side);
/// Over another line the depth falls with the square of the distance between both: beside it, and
/// beyond its two ends. A cylinder goes on there with the slope of its end, a capsule is round.
std::array<LineProfile, 3> over_line(const Surface& line, const Surface& other, double side);

}  // namespace spacedyn
