#include "collision/surface_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "spacedyn/math/constants.hpp"

namespace spacedyn {
namespace {

/// Faces whose normals make a smaller cosine with the normal of the contact are seen edge-on.
constexpr double kEdgeOn = 1e-6;
/// Corners that stand for a rim.
constexpr int kRimCorners = 16;
/// Cosines between the axis and the normal from which the end of a cylinder begins to count, and
/// from which it alone does.
constexpr double kSideOnly = 0.5, kEndOnly = 0.87;

/// 0 up to 0, 1 from 1, smooth between.
double smooth_step(double value) {
  const double t = std::clamp(value, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

}  // namespace

Surfaces::Surfaces(const ShapePose& shape, const Matrix3& axes, double outwards, double slab) {
  if (Polyhedron::is_one(shape.type)) {
    add_faces(Polyhedron(shape), axes, outwards, slab);
  } else if (shape.type == CollisionType::capsule) {
    add_line(shape, axes, outwards, 1.0);
  } else {
    const double along = std::abs(shape.rotation.col(2).dot(axes.col(2)));
    const double end = smooth_step((along - kSideOnly) / (kEndOnly - kSideOnly));
    if (end > 0.0) add_end(shape, axes, outwards, end);
    if (end < 1.0) add_line(shape, axes, outwards, 1.0 - end);
  }
}

void Surfaces::add_faces(const Polyhedron& body, const Matrix3& axes, double outwards,
                         double slab) {
  Surface& surface = add();
  const Vector3 out = outwards * axes.col(2);
  const double top = out.dot(body.corner(body.farthest(out)));
  for (int number = 0; number < body.face_count(); ++number) {
    const Vector3 normal = body.normal(number);
    if (!(normal.dot(out) > kEdgeOn) || surface.count == Surface::kMostPieces) continue;
    const auto& corners = body.face(number).corners;
    double reach = -std::numeric_limits<double>::infinity();
    for (const int corner : corners) reach = std::max(reach, out.dot(body.corner(corner)));
    if (reach < top - slab) continue;
    SurfacePiece& piece = surface.add();
    // of a face with more corners some stand for all
    const std::size_t step =
        (corners.size() + SurfacePiece::kMostCorners - 1) / SurfacePiece::kMostCorners;
    for (std::size_t i = 0; i < corners.size(); i += step) {
      piece.add(axes.transpose() * body.corner(corners[i]));
    }
    piece.lay_plane(axes.transpose() * normal);
  }
}

void Surfaces::add_end(const ShapePose& cylinder, const Matrix3& axes, double outwards,
                       double share) {
  Surface& surface = add();
  surface.share = share;
  SurfacePiece& piece = surface.add();
  const Vector3 out = outwards * axes.col(2), axis = cylinder.rotation.col(2);
  const double side = axis.dot(out) < 0.0 ? -1.0 : 1.0;
  const Vector3 center = cylinder.position + side * 0.5 * cylinder.size.y() * axis;
  // one corner is the farthest point of the rim
  const Vector3 first = farthest_point(cylinder, out) - center;
  const Vector3 second = axis.cross(first);
  for (int i = 0; i < kRimCorners; ++i) {
    const double angle = 2.0 * kPi * i / kRimCorners;
    piece.add(axes.transpose() * (center + std::cos(angle) * first + std::sin(angle) * second));
  }
  piece.lay_plane(axes.transpose() * (side * axis));
  piece.is_round = true;
  piece.end.center = (axes.transpose() * center).head<2>();
  for (int k = 0; k < 2; ++k) {
    const Vector3 own = cylinder.size.x() * cylinder.rotation.col(k);
    piece.end.rim.col(k) = (axes.transpose() * own).head<2>();
  }
  if (piece.end.rim.determinant() < 0.0) piece.end.rim.col(1) *= -1.0;
}

void Surfaces::add_line(const ShapePose& shape, const Matrix3& axes, double outwards,
                        double share) {
  Surface& surface = add();
  surface.share = share;
  surface.is_line = true;
  surface.is_capsule = shape.type == CollisionType::capsule;
  surface.radius = shape.size.x();
  SurfacePiece& piece = surface.add();
  const Vector3 out = outwards * axes.col(2), axis = shape.rotation.col(2);
  Vector3 reach = shape.size.x() * out;
  if (shape.type == CollisionType::cylinder) {
    const Vector3 end = std::copysign(0.5 * shape.size.y(), axis.dot(out)) * axis;
    reach = farthest_point(shape, out) - shape.position - end;
  }
  for (const double side : {-0.5, 0.5}) {
    piece.add(axes.transpose() * (shape.position + side * shape.size.y() * axis + reach));
  }
}

}  // namespace spacedyn
