#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "forces/wheel_motion.hpp"
#include "reporting/facts/report_motion.hpp"
#include "spacedyn/forces/contact_force.hpp"
#include "spacedyn/forces/rigid_contact.hpp"
#include "spacedyn/forces/tyre_force.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/terrain/profile_terrain.hpp"

namespace spacedyn {
namespace {

/// Most heights along the longer side of the relief.
constexpr int kMostHeights = 161;

/// The wheels of a set-up and what becomes of them along a motion.
class WheelTracks {
 public:
  WheelTracks(const SimulationSetup& setup, const ResultTable& result, int instants) {
    for (const auto& force : setup.forces) {
      const auto* wheel = dynamic_cast<const WheelElement*>(force.get());
      if (wheel == nullptr) continue;
      const Matrix3X zero = Matrix3X::Zero(3, instants);
      wheels_.push_back({wheel, {wheel->name(), zero, zero, VectorX::Zero(instants)}, {}, {}});
      if (dynamic_cast<const TyreForce*>(wheel) != nullptr) add_arrow(wheels_.back(), result, zero);
    }
  }

  bool is_empty() const { return wheels_.empty(); }

  void write(int instant, const ResultTable& result, int row, const LinkFrames& frames,
             const LinkVelocities& velocities) {
    for (Wheel& wheel : wheels_) {
      const WheelElement::Mount& mount = wheel.element->mount();
      const WheelPose pose = wheel_pose(mount, frames);
      // across the track, along the ground
      const Vector3 across = 0.5 * mount.width * pose.ground.normal.cross(pose.heading);
      wheel.track.left.col(instant) = pose.ground.point + across;
      wheel.track.right.col(instant) = pose.ground.point - across;
      wheel.track.sinkage(instant) = pose.stands ? pose.sinkage : 0.0;
      if (wheel.columns.empty()) continue;
      const auto link = static_cast<std::size_t>(mount.link);
      const Vector3& omega = velocities.omega[link];
      const Vector3 velocity = velocities.v[link] + omega.cross(pose.center - frames.r[link]);
      const double travel = pose.heading.dot(velocity) + mount.radius * pose.axis.dot(omega);
      write_arrow(wheel, instant, result, row, pose, travel < 0.0 ? -1.0 : 1.0);
    }
  }

  void move_to(ReportData& report) {
    for (Wheel& wheel : wheels_) {
      // hard ground keeps no track
      const bool is_tyre = dynamic_cast<const TyreForce*>(wheel.element) != nullptr;
      if (!is_tyre) report.tracks.push_back(std::move(wheel.track));
      if (!wheel.columns.empty()) report.motion.arrows.push_back(std::move(wheel.arrow));
    }
  }

 private:
  struct Wheel {
    const WheelElement* element;
    ReportTrack track;
    std::vector<int> columns;  // drawbar pull, side force, vertical force; none without arrow
    ReportArrow arrow;
  };

  static void add_arrow(Wheel& wheel, const ResultTable& result, const Matrix3X& zero) {
    std::vector<int> columns;
    for (const char* quantity : {"_drawbar_pull_N", "_side_force_N", "_vertical_force_N"}) {
      columns.push_back(result.find("wheels_" + wheel.element->name() + quantity));
      if (columns.back() < 0) return;
    }
    wheel.columns = std::move(columns);
    wheel.arrow = {"Force on " + wheel.element->name(), "force", "N", zero, zero};
  }

  /// @param direction  of travel: 1 along the heading, -1 against it
  static void write_arrow(Wheel& wheel, int instant, const ResultTable& result, int row,
                          const WheelPose& pose, double direction) {
    const auto value = [&](std::size_t i) { return result.values(row, wheel.columns[i]); };
    wheel.arrow.origin.col(instant) = pose.ground.point;
    wheel.arrow.vector.col(instant) =
        direction * (value(0) * pose.heading - value(1) * pose.axis) + value(2) * pose.up;
  }

  std::vector<Wheel> wheels_;
};

/// Radius of a sphere about the pose of a shape that holds all of it, m.
double radius_of(const ReportShape& shape) {
  switch (shape.kind) {
    case ShapeKind::box:
      return 0.5 * shape.size.norm();
    case ShapeKind::cylinder:
      return std::hypot(shape.size.x(), 0.5 * shape.size.y());
    case ShapeKind::sphere:
      return shape.size.x();
    case ShapeKind::ellipsoid:
      return shape.size.maxCoeff();
    case ShapeKind::mesh:
      break;
  }
  float square = 0.0F;
  for (std::size_t i = 0; i + 2 < shape.triangles.size(); i += 3) {
    square = std::max(square, Eigen::Map<const Eigen::Vector3f>(&shape.triangles[i]).squaredNorm());
  }
  return std::sqrt(static_cast<double>(square));
}

/// How far the shapes of each body reach from the origin of its link frame, m.
std::vector<double> reaches(const ReportData& report) {
  std::vector<double> reach(static_cast<std::size_t>(report.motion.poses.rows() / 7), 0.0);
  for (const ReportShape& shape : report.shapes) {
    double& longest = reach[static_cast<std::size_t>(shape.body)];
    longest = std::max(longest, shape.pose.position.norm() + radius_of(shape));
  }
  return reach;
}

/// A profile along an axis of the relief.
struct AlignedProfile {
  double width;
  Eigen::Index along;  // 0: x, 1: y
};

std::optional<AlignedProfile> aligned_profile(const Terrain& terrain) {
  const auto* profile = dynamic_cast<const ProfileTerrain*>(&terrain);
  if (profile == nullptr) return std::nullopt;
  const double quarters = profile->azimuth() / (90.0 * kDegree), whole = std::round(quarters);
  if (std::abs(quarters - whole) > 1e-9) return std::nullopt;
  return AlignedProfile{profile->width(), std::fmod(whole, 2.0) == 0.0 ? 0 : 1};
}

/// Heights along x and y. Almost all of those of a profile go along it, so that its faces look
/// vertical.
std::array<Eigen::Index, 2> height_counts(const Eigen::Vector2d& size,
                                          const std::optional<AlignedProfile>& profile) {
  if (profile) {
    constexpr Eigen::Index kLong = kMostHeights * kMostHeights / 2;
    return profile->along == 0 ? std::array{kLong, Eigen::Index{2}}
                               : std::array{Eigen::Index{2}, kLong};
  }
  const double step = size.maxCoeff() / (kMostHeights - 1);
  const auto count = [&](double length) {
    return std::max<Eigen::Index>(2, static_cast<Eigen::Index>(std::lround(length / step)) + 1);
  };
  return {count(size.x()), count(size.y())};
}

/// The ground below a motion, with a margin as wide as the system.
ReportRelief relief_below(const Terrain& terrain, const ReportData& report) {
  const MatrixX& poses = report.motion.poses;
  const std::vector<double> reach = reaches(report);
  Eigen::AlignedBox2d area, system;
  for (Eigen::Index k = 0; k < poses.cols(); ++k) {
    for (std::size_t body = 0; body < reach.size(); ++body) {
      const Eigen::Vector2d place = poses.block<2, 1>(7 * static_cast<Eigen::Index>(body), k);
      const Eigen::Vector2d around = Eigen::Vector2d::Constant(reach[body]);
      const Eigen::AlignedBox2d box(place - around, place + around);
      area.extend(box);
      if (k == 0) system.extend(box);
    }
  }
  ReportRelief relief;
  if (area.isEmpty() || !area.min().allFinite() || !area.max().allFinite()) return relief;
  const double margin = std::max(1.2 * system.diagonal().norm(), 0.15 * area.diagonal().norm());
  if (!(margin > 0.0)) return relief;
  Eigen::Vector2d low = area.min().array() - margin, high = area.max().array() + margin;
  const auto profile = aligned_profile(terrain);
  if (profile) {
    const double half = (0.5 - 1e-9) * profile->width;  // inside in spite of roundings
    low(1 - profile->along) = std::max(low(1 - profile->along), -half);
    high(1 - profile->along) = std::min(high(1 - profile->along), half);
  }
  const Eigen::Vector2d size = high - low;
  const auto [columns, rows] = height_counts(size, profile);
  relief.origin = low;
  relief.spacing = {size.x() / static_cast<double>(columns - 1),
                    size.y() / static_cast<double>(rows - 1)};
  relief.heights.resize(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) {
    for (Eigen::Index j = 0; j < columns; ++j) {
      relief.heights(i, j) = terrain.height(low.x() + static_cast<double>(j) * relief.spacing.x(),
                                            low.y() + static_cast<double>(i) * relief.spacing.y());
    }
  }
  if (!relief.heights.allFinite()) relief.heights.resize(0, 0);
  return relief;
}

/// A cylinder for each wheel whose link has no picture of its own.
void draw_wheels(ReportData& report, const SimulationSetup& setup) {
  for (const auto& force : setup.forces) {
    const auto* wheel = dynamic_cast<const WheelElement*>(force.get());
    if (wheel == nullptr) continue;
    const WheelElement::Mount& mount = wheel->mount();
    auto& shapes = report.shapes;
    const auto is_on_wheel = [&](const ReportShape& shape) { return shape.body == mount.link; };
    if (std::any_of(shapes.begin(), shapes.end(), [&](const ReportShape& shape) {
          return is_on_wheel(shape) && shape.role == ShapeRole::visual;
        })) {
      continue;
    }
    shapes.erase(std::remove_if(shapes.begin(), shapes.end(), is_on_wheel), shapes.end());
    ReportShape tread;  // the axis of a joint is z of its link frame
    tread.body = mount.link;
    tread.kind = ShapeKind::cylinder;
    tread.size = {mount.radius, mount.width, 0.0};
    shapes.push_back(tread);
    ReportShape mark = tread;  // shows that it turns
    mark.kind = ShapeKind::box;
    mark.size = {1.9 * mount.radius, 0.3 * mount.radius, 1.04 * mount.width};
    shapes.push_back(mark);
  }
}

/// The terrain of the first wheel, or shape, that is on it; null without.
const Terrain* ground_of(const SimulationSetup& setup) {
  for (const auto& force : setup.forces) {
    if (const auto* wheel = dynamic_cast<const WheelElement*>(force.get())) {
      return wheel->mount().terrain.get();
    }
    const auto* contact = dynamic_cast<const ContactForce*>(force.get());
    if (contact != nullptr && contact->settings().terrain) {
      return contact->settings().terrain.get();
    }
    const auto* rigid = dynamic_cast<const RigidContact*>(force.get());
    if (rigid != nullptr && rigid->settings().terrain) return rigid->settings().terrain.get();
  }
  return nullptr;
}

}  // namespace

void add_ground(ReportData& report, const ResultTable& result, const SimulationSetup& setup) {
  const Model& model = *setup.model;
  const ResultStates states(result, model);
  if (!states.complete() || report.motion.times.empty()) return;
  const std::vector<int> rows = motion_rows(states, model);
  const Terrain* ground = ground_of(setup);
  if (ground == nullptr) return;
  report.relief = relief_below(*ground, report);
  WheelTracks tracks(setup, result, static_cast<int>(rows.size()));
  if (tracks.is_empty()) return;
  draw_wheels(report, setup);
  State state(model);
  LinkFrames frames(model);
  LinkVelocities velocities(model);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    states.read(rows[k], state);
    compute_link_frames(model, state, frames);
    compute_link_velocities(model, state, frames, velocities);
    tracks.write(static_cast<int>(k), result, rows[k], frames, velocities);
  }
  tracks.move_to(report);
}

}  // namespace spacedyn
