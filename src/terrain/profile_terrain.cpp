#include "spacedyn/terrain/profile_terrain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "spacedyn/error.hpp"
#include "terrain/edge_gradient.hpp"
#include "terrain/profile_line.hpp"

namespace spacedyn {
namespace {

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
