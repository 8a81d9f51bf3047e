/// @file
/// Steps, kerbs and ditches: ground with a profile of straight lines.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "spacedyn/export.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {

struct ProfileLine;

/// The ground below a polyline that is extruded across: faces, also vertical ones, edges and
/// corners are exact.
///
/// Before the first point and behind the last one it is level. At the foot of a face a wheel
/// touches twice, so the ground has parts: between corners that open upwards it is convex, and each
/// of these convex parts goes on below its neighbours. Distances from a part, and outside of it
/// normals, are continuous; of all parts together the nearest counts.
class SPACEDYN_EXPORT ProfileTerrain final : public Terrain {
 public:
  /// @param points   (s, z), s along the azimuth, which never decreases; m
  /// @param azimuth  of s about z, from x, rad
  /// @param width    across, half of it on either side of the line of s, m; beside it there is
  ///                 nothing. Infinite: it goes on without end
  /// @throws DomainError if there are fewer than two points, one is not finite, lies where the one
  /// before lies or goes back, or the width is not positive
  explicit ProfileTerrain(const std::vector<Eigen::Vector2d>& points, double azimuth = 0.0,
                          double width = std::numeric_limits<double>::infinity());
  ~ProfileTerrain() override;

  /// Of the highest place, at a vertical face its top; not a number beside the width.
  double height(double x, double y) const override;
  /// There; z beside the width.
  Vector3 normal(double x, double y) const override;
  SurfacePoint nearest(const Vector3& point) const override;
  Matrix3 normal_gradient_change(const SurfacePoint& at, const Vector3& direction) const override;
  int part_count() const override;
  const Terrain& part(int number) const override;
  std::optional<Extrusion> extrusion() const override { return Extrusion{azimuth_, width_}; }
  bool has_edges() const override { return true; }

 private:
  ProfileTerrain(ProfileLine line, double azimuth, double width);

  double azimuth_, width_;
  Vector3 along_, across_;  // unit vectors
  std::unique_ptr<const ProfileLine> line_;
  std::vector<std::unique_ptr<const ProfileTerrain>> parts_;  // none of ground that is convex
};

}  // namespace spacedyn
