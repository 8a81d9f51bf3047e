/// @file
/// The ground: planes, slopes and height fields with exact heights, normals and nearest points.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn {

/// The point of a surface that is nearest to another point.
struct SurfacePoint {
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();  ///< unit vector out of the ground
  double distance = 0.0;              ///< of the other point, along the normal; negative below
  /// ∂normal/∂(other point), symmetric.
  Matrix3 normal_gradient = Matrix3::Zero();
};

/// Ground that does not change across a direction.
struct Extrusion {
  double azimuth = 0.0;  ///< of the direction about z, from x, rad
  double width = 0.0;    ///< across, half of it on either side of the origin, m
};

/// A surface below which there is ground, in inertial axes. Immutable.
class SPACEDYN_EXPORT Terrain {
 public:
  virtual ~Terrain();
  /// z of the surface above or below a place, m.
  virtual double height(double x, double y) const = 0;
  /// Unit normal there, out of the ground.
  virtual Vector3 normal(double x, double y) const = 0;
  /// Allocates nothing.
  virtual SurfacePoint nearest(const Vector3& point) const = 0;
  /// Change of `normal_gradient` per unit by which the other point moves along a direction: the
  /// third derivatives of the surface. By central differences of nearest() over 0.1 mm unless a
  /// terrain knows better; those of this library do. Allocates nothing.
  /// @param at  what nearest() has found
  virtual Matrix3 normal_gradient_change(const SurfacePoint& at, const Vector3& direction) const;

  /// Parts of which the ground is the union: a shape may touch each of them, at points of its own.
  virtual int part_count() const { return 1; }
  /// Of a number from 0; a terrain of one part is that itself.
  virtual const Terrain& part(int /*number*/) const { return *this; }
  virtual std::optional<Extrusion> extrusion() const { return std::nullopt; }
  virtual bool is_plane() const { return false; }
  /// Whether it has edges, where normals turn outside and jump inside.
  virtual bool has_edges() const { return false; }
};

/// n · r = height.
class SPACEDYN_EXPORT PlaneTerrain final : public Terrain {
 public:
  /// @param normal  of any length, upwards
  /// @throws DomainError unless the normal has n_z > 0 and all is finite
  PlaneTerrain(const Vector3& normal, double height);
  /// A plane through the origin that rises by an angle towards an azimuth, from x towards y.
  /// @throws DomainError unless the angle is between −90° and 90°
  static PlaneTerrain slope(double angle, double azimuth);

  bool is_plane() const override { return true; }
  double height(double x, double y) const override;
  Vector3 normal(double x, double y) const override;
  SurfacePoint nearest(const Vector3& point) const override;
  Matrix3 normal_gradient_change(const SurfacePoint& at, const Vector3& direction) const override;

 private:
  Vector3 normal_;
  double height_;
};

/// Heights on a rectangular grid, joined by the natural bicubic spline.
///
/// z is twice continuously differentiable everywhere: in the grid it passes through all heights,
/// beyond its edges it goes on straight. The spline converges with the fourth power of the spacing,
/// near the edges with the second.
class SPACEDYN_EXPORT HeightField final : public Terrain {
 public:
  /// @param heights  row i at y = origin.y + i spacing, column j at x = origin.x + j spacing; m
  /// @param origin   of the first height; its z is added to all heights
  /// @throws DimensionError unless there are 2 rows and 2 columns; DomainError if a height is not
  /// finite, a hole, or the spacing not positive, or if heights are steeper than 10⁶
  HeightField(const MatrixX& heights, double spacing, const Vector3& origin);

  double height(double x, double y) const override;
  Vector3 normal(double x, double y) const override;
  /// By Newton's method from the point above or below, whose steps never lead away. Where several
  /// points are nearest, the one that this finds; meant for points nearer than the radius of
  /// curvature.
  SurfacePoint nearest(const Vector3& point) const override;
  Matrix3 normal_gradient_change(const SurfacePoint& at, const Vector3& direction) const override;

  /// z and its derivatives by x and y.
  struct Jet {
    double z, x, y, xx, xy, yy;
  };
  Jet jet(double x, double y) const;
  /// Third derivatives; they jump from cell to cell.
  struct ThirdDerivatives {
    double xxx, xxy, xyy, yyy;
  };
  ThirdDerivatives third_derivatives(double x, double y) const;

 private:
  /// Height and slopes per cell at a node.
  struct Node {
    Eigen::Vector2d value, slope;  // (z, z_y), (z_x, z_xy)
  };

  /// Where a place is between its four nodes, and how they are weighed.
  struct Cell;
  Cell cell(double x, double y) const;

  double spacing_;
  Vector3 origin_;
  Eigen::Index rows_, columns_;
  std::vector<Node> nodes_;  // row after row
};

}  // namespace spacedyn
