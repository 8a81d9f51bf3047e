#include "loading/scenario/profile_reader.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "spacedyn/terrain/profile_terrain.hpp"

namespace spacedyn::loading {
namespace {

using Points = std::vector<Eigen::Vector2d>;

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// What is wrong with the last point; empty: nothing.
std::string fault_of_last(const Points& points) {
  const std::size_t n = points.size();
  if (n < 2) return "";
  const Eigen::Vector2d step = points[n - 1] - points[n - 2];
  if (step.x() < 0.0) {
    return fmt::format(
        "expected a first coordinate of at least that of the point before, {:g} m, "
        "got {:g} m",
        points[n - 2].x(), points[n - 1].x());
  }
  if (step.isZero(0.0)) return "expected another point than the one before, got it again";
  if (n < 3 || step.x() > 0.0 || points[n - 2].x() > points[n - 3].x()) return "";
  if (step.y() * (points[n - 2].y() - points[n - 3].y()) > 0.0) return "";
  return "expected a point that leaves the vertical face before it, got one that goes back along "
         "it";
}

}  // namespace

std::shared_ptr<const Terrain> read_profile(MapReader& map) {
  const std::size_t errors_before = map.problems().error_count();
  const auto list = map.require("points", "a list of points [s, z], m");
  const double azimuth = map.number("azimuth", quantity::kAngle, 0.0);
  const double width = map.number("width", quantity::kLength.within(Range::positive), kEndless);
  if (!list) return nullptr;
  Points points;
  for_each_item(*list, map.problems(), [&](const Value& item) {
    const auto point = read_list(item, {quantity::kLength, quantity::kLength}, map.problems());
    if (!point) return;
    points.emplace_back((*point)(0), (*point)(1));
    const std::string fault = fault_of_last(points);
    if (fault.empty()) return;
    map.problems().error(item.node->mark, item.path, fault);
    points.pop_back();
  });
  if (list->node->is_sequence() && list->node->items.size() < 2) {
    map.error_at("points",
                 fmt::format("expected at least 2 points, got {}", list->node->items.size()));
  }
  if (map.problems().error_count() > errors_before) return nullptr;
  return std::make_shared<ProfileTerrain>(points, azimuth, width);
}

void describe_profile(MappingSchema& schema) {
  const std::string point = list_schema(number_schema({quantity::kLength}), 2);
  schema.require("points", series_schema(point, 2, "[s, z], m, s along the azimuth"))
      .allow("azimuth", number_schema({quantity::kAngle}, "Of s about z, from x, rad, default 0"))
      .allow("width", number_schema({quantity::kLength.within(Range::positive)},
                                    "Across, m; default: without end"));
}

}  // namespace spacedyn::loading
