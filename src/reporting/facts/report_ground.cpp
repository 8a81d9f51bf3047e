#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reporting/facts/report_motion.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/math/constants.hpp"
#include "spacedyn/reporting/report.hpp"
#include "spacedyn/terrain/terrain.hpp"
#include "spacedyn/terrain/triangle_mesh.hpp"

namespace spacedyn {
namespace {

/// Most heights along the longer side of the relief.
constexpr int kMostHeights = 161;

/// What the forces of a set-up draw along a motion.
class Drawings {
 public:
  Drawings(const std::vector<Declarations>& forces, const SimulationSetup& setup,
           const ResultTable& result, int instants) {
    const Matrix3X zero = Matrix3X::Zero(3, instants);
    for (std::size_t i = 0; i < forces.size(); ++i) {
      const std::string& name = setup.forces[i]->name();
      if (forces[i].track) {
        tracks_.push_back({forces[i].track, {name, zero, zero, VectorX::Zero(instants)}});
      }
      for (const ArrowDrawing& drawing : forces[i].arrows) {
        Arrow arrow{drawing.draw, {drawing.name, drawing.kind, drawing.unit, zero, zero}, {}};
        for (const std::string& suffix : drawing.columns) {
          arrow.columns.push_back(result.find(drawing.channel + '_' + name + suffix));
        }
        if (*std::min_element(arrow.columns.begin(), arrow.columns.end()) < 0) continue;
        arrows_.push_back(std::move(arrow));
      }
    }
  }

  bool is_empty() const { return tracks_.empty() && arrows_.empty(); }

  void write(int instant, const ResultTable& result, int row, const EvaluationContext& context) {
    for (Track& track : tracks_) {
      const TrackPoint point = track.at(context.frames);
      track.drawn.left.col(instant) = point.left;
      track.drawn.right.col(instant) = point.right;
      track.drawn.sinkage(instant) = point.sinkage;
    }
    Vector3 origin, vector;
    for (Arrow& arrow : arrows_) {
      const VectorX values = result.values(row, arrow.columns);
      arrow.at(context, values, origin, vector);
      arrow.drawn.origin.col(instant) = origin;
      arrow.drawn.vector.col(instant) = vector;
    }
  }

  void move_to(ReportData& report) {
    for (Track& track : tracks_) report.tracks.push_back(std::move(track.drawn));
    for (Arrow& arrow : arrows_) report.motion.arrows.push_back(std::move(arrow.drawn));
  }

 private:
  struct Track {
    decltype(Declarations::track) at;
    ReportTrack drawn;
  };
  struct Arrow {
    decltype(ArrowDrawing::draw) at;
    ReportArrow drawn;
    std::vector<int> columns;
  };
  std::vector<Track> tracks_;
  std::vector<Arrow> arrows_;
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
  const auto profile = terrain.extrusion();
  if (!profile) return std::nullopt;
  const double quarters = profile->azimuth / (90.0 * kDegree), whole = std::round(quarters);
  if (std::abs(quarters - whole) > 1e-9) return std::nullopt;
  return AlignedProfile{profile->width, std::fmod(whole, 2.0) == 0.0 ? 0 : 1};
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

/// A cylinder for a wheel whose link has no picture of its own.
void draw_wheel(const WheelMount& wheel, std::vector<ReportShape>& shapes) {
  const auto is_on_wheel = [&](const ReportShape& shape) { return shape.body == wheel.link; };
  if (std::any_of(shapes.begin(), shapes.end(), [&](const ReportShape& shape) {
        return is_on_wheel(shape) && shape.role == ShapeRole::visual;
      })) {
    return;
  }
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(), is_on_wheel), shapes.end());
  ReportShape tread;  // the axis of a joint is z of its link frame
  tread.body = wheel.link;
  tread.kind = ShapeKind::cylinder;
  tread.size = {wheel.radius, wheel.width, 0.0};
  shapes.push_back(tread);
  ReportShape mark = tread;  // shows that it turns
  mark.kind = ShapeKind::box;
  mark.size = {1.9 * wheel.radius, 0.3 * wheel.radius, 1.04 * wheel.width};
  shapes.push_back(mark);
}

}  // namespace

void add_ground(ReportData& report, const ResultTable& result, const SimulationSetup& setup) {
  const Model& model = *setup.model;
  const ResultStates states(result, model);
  if (!states.complete() || report.motion.times.empty()) return;
  std::vector<Declarations> forces;
  for (const auto& force : setup.forces) forces.push_back(declarations_of(*force));
  const auto on_ground = std::find_if(forces.begin(), forces.end(), [](const Declarations& force) {
    return force.ground != nullptr;
  });
  if (on_ground == forces.end()) return;
  report.relief = relief_below(*on_ground->ground, report);
  for (const Declarations& force : forces) {
    if (force.wheel) draw_wheel(*force.wheel, report.shapes);
  }
  const std::vector<int> rows = motion_rows(states, model);
  Drawings drawings(forces, setup, result, static_cast<int>(rows.size()));
  if (drawings.is_empty()) return;
  for_each_instant(result, states, model, rows, [&](const ShownInstant& now) {
    drawings.write(now.number, result, now.row, now.seen);
  });
  drawings.move_to(report);
}

/// Most triangles of one mesh in a page.
inline constexpr std::size_t kMostTriangles = 100000;

/// Corners of the triangles of a file, nine numbers for each, in its axes and unit, taken as
/// metres.
///
/// STL, binary or text, and the faces of Wavefront OBJ, told apart by the ending of the name.
/// @throws IoError if the file cannot be read, is neither, is damaged or has too many triangles
std::vector<float> read_mesh(const std::string& path);

namespace {

namespace fs = std::filesystem;

/// The mesh as seen from the first folder that has it.
std::string find_mesh(const std::string& name, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const fs::path path = fs::path(folder) / name;
    if (fs::is_regular_file(path)) return path.string();
  }
  return name;
}

/// Corners are triples of coordinates; a mirror image turns its triangles inside out again.
void scale(std::vector<float>& corners, const Vector3& factors) {
  for (std::size_t i = 0; i < corners.size(); ++i) {
    corners[i] *= static_cast<float>(factors(static_cast<int>(i % 3)));
  }
  if (factors.prod() > 0.0) return;
  for (std::size_t i = 0; i + 9 <= corners.size(); i += 9) {
    std::swap_ranges(&corners[i + 3], &corners[i + 6], &corners[i + 6]);
  }
}

using ReadMeshes = std::map<std::string, std::vector<float>>;

/// @param meshes  that have been read, by path
ReportShape mesh_shape(const Visual& visual, const Frame& user_frame,
                       const std::vector<std::string>& folders, ReadMeshes& meshes) {
  ReportShape shape;
  shape.body = user_frame.body;
  shape.kind = ShapeKind::mesh;
  const std::string path = find_mesh(visual.mesh, folders);
  const auto known = meshes.find(path);
  shape.triangles =
      known != meshes.end() ? known->second : meshes.emplace(path, read_mesh(path)).first->second;
  if (!visual.size.isZero(0.0)) scale(shape.triangles, visual.size);
  shape.pose = {user_frame.position + user_frame.rotation * visual.origin.position,
                user_frame.rotation * visual.origin.rotation};
  shape.color = visual.color;
  return shape;
}

/// Removes what was drawn in the place of a body's own looks.
void remove_stand_ins(std::vector<ReportShape>& shapes, int body) {
  const auto stands_in = [&](const ReportShape& shape) {
    return shape.body == body && shape.role != ShapeRole::visual;
  };
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(), stands_in), shapes.end());
}

}  // namespace

std::vector<float> read_mesh(const std::string& path) {
  return corner_coordinates(read_triangle_mesh(path, kMostTriangles));
}

void add_meshes(ReportData& report, const Model& model, const std::vector<std::string>& folders) {
  if (report.bodies.empty()) return;
  ReadMeshes meshes;
  const auto add = [&](const BodyDescription& body) {
    const Frame user_frame = model.frame(body.name);
    for (const Visual& visual : body.visuals) {
      if (visual.shape != "mesh") continue;
      try {
        report.shapes.push_back(mesh_shape(visual, user_frame, folders, meshes));
        remove_stand_ins(report.shapes, user_frame.body);
      } catch (const IoError& error) {
        report.warnings.push_back("a part of '" + body.name + "' is not drawn: " + error.what());
      }
    }
  };
  add(model.description().base);
  for (const LinkDescription& link : model.description().links) add(link);
}

}  // namespace spacedyn
