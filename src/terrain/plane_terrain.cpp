#include <cmath>

#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/terrain/terrain.hpp"

namespace spacedyn {

Terrain::~Terrain() = default;

Matrix3 Terrain::normal_gradient_change(const SurfacePoint& at, const Vector3& direction) const {
  constexpr double kReach = 1e-4;  // m
  const double length = direction.norm();
  if (length == 0.0) return Matrix3::Zero();
  const Vector3 other = at.point + at.distance * at.normal, reach = kReach / length * direction;
  return 0.5 * length / kReach *
         (nearest(other + reach).normal_gradient - nearest(other - reach).normal_gradient);
}

PlaneTerrain::PlaneTerrain(const Vector3& normal, double height)
    : normal_(normal.normalized()), height_(height) {
  if (!(normal.allFinite() && std::isfinite(height) && normal.z() > 0.0)) {
    throw DomainError("the normal of a plane must be finite and point upwards (z > 0)");
  }
}

PlaneTerrain PlaneTerrain::slope(double angle, double azimuth) {
  if (!(std::abs(angle) < 0.5 * kPi && std::isfinite(azimuth))) {
    throw DomainError("the angle of a slope must be between -90° and 90°");
  }
  const double s = std::sin(angle);
  return {Vector3(-s * std::cos(azimuth), -s * std::sin(azimuth), std::cos(angle)), 0.0};
}

double PlaneTerrain::height(double x, double y) const {
  return (height_ - normal_.x() * x - normal_.y() * y) / normal_.z();
}

Vector3 PlaneTerrain::normal(double, double) const { return normal_; }

SurfacePoint PlaneTerrain::nearest(const Vector3& point) const {
  SurfacePoint surface;
  surface.distance = normal_.dot(point) - height_;
  surface.normal = normal_;
  surface.point = point - surface.distance * normal_;
  return surface;
}

Matrix3 PlaneTerrain::normal_gradient_change(const SurfacePoint&, const Vector3&) const {
  return Matrix3::Zero();
}

}  // namespace spacedyn
