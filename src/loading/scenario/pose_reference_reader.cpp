#include "loading/scenario/sections.hpp"

#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"
#include "spacedyn/control/harmonic_reference.hpp"
#include "spacedyn/control/resting_table.hpp"
#include "spacedyn/control/rotation_reference.hpp"
#include "spacedyn/math/so3.hpp"

namespace spacedyn::loading {
namespace {

/// What follows a pose: a frame, or a joint that only turns.
enum class PoseUse { frame, turning };

/// Where a leg of a path ends: `position` and one of the orientation keys.
bool read_place(MapReader& map, PoseUse use, PosePath::Stop& stop) {
  if (use == PoseUse::turning) {
    map.refuse("position", "a spherical joint only turns");
  } else if (const auto position = map.find("position")) {
    const auto p = read_numbers(*position, quantity::kLength, 3, map.problems());
    if (!p) return false;
    stop.position = Vector3(*p);
  }
  const std::size_t before = map.problems().error_count();
  stop.rotation = read_orientation(map);
  return map.problems().error_count() == before;
}

bool require_place(MapReader& map, PoseUse use, PosePath::Stop& stop) {
  if (!read_place(map, use, stop)) return false;
  if (stop.position || stop.rotation) return true;
  if (use == PoseUse::turning) {
    if (!map.has("position")) map.error_at("rpy", "expected an orientation, got none");
  } else {
    map.error_at("position", "expected a position, an orientation or both, got neither");
  }
  return false;
}

MappingSchema place_schema(const char* title) {
  MappingSchema schema(title);
  schema.allow("position", vector_schema(quantity::kLength, "m; what is left out stays"));
  describe_orientation(schema);
  return schema;
}

std::shared_ptr<const PoseReference> read_path(MapReader& map, PoseUse use, const Pose& start) {
  const std::size_t before = map.problems().error_count();
  std::optional<Pose> from;
  const bool waits = map.has("start");
  if (waits) map.refuse("from_time", "'start' is given as well");
  const int event = read_start_event(map);
  const double from_time = map.number("from_time", quantity::kTime, 0.0);
  if (const auto value = map.find("from")) {
    MapReader keys(*value, map.context());
    PosePath::Stop place;
    require_place(keys, use, place);
    keys.finish();
    from = Pose{place.position.value_or(start.position), place.rotation.value_or(start.rotation)};
  } else if (from_time == 0.0 && !waits) {
    from = start;
  }
  std::vector<PosePath::Stop> stops;
  const double duration = map.required_number("duration", kTravelTime);
  if (const auto via = map.find("via")) {
    for_each_item(*via, map.problems(), [&](const Value& item) {
      MapReader keys(item, map.context());
      PosePath::Stop stop;
      stop.at = keys.required_number("at", kTravelTime);
      require_place(keys, use, stop);
      const double last = stops.empty() ? 0.0 : stops.back().at;
      if (stop.at > 0.0 && !(stop.at > last && stop.at < duration)) {
        keys.error_at("at", "expected a time after the pose before it and before the end at " +
                                format_number(duration) + " s, got " + format_number(stop.at) +
                                " s");
      }
      keys.finish();
      stops.push_back(stop);
    });
  }
  PosePath::Stop end;
  end.at = duration;
  if (const auto to = map.require("to", "a pose")) {
    MapReader keys(*to, map.context());
    require_place(keys, use, end);
    keys.finish();
  }
  if (!(duration > 0.0) || map.problems().error_count() > before) return nullptr;
  if (!end.position && !end.rotation) return nullptr;
  stops.push_back(end);
  return std::make_shared<PosePath>(from, stops, from_time, event);
}

MappingSchema held_schema() {
  MappingSchema held = place_schema("A pose that is held; what is left out is that of the start");
  held.allow("type", constant_schema("constant"));
  return held;
}

MappingSchema pose_path_schema() {
  MappingSchema via = place_schema("An intermediate pose");
  via.require("at", number_schema({kTravelTime}, "s after the start"));
  MappingSchema path("From rest to rest, from one pose to the next");
  path.require("type", constant_schema("pose_path"))
      .require("to", place_schema("Where it ends"))
      .require("duration", number_schema({kTravelTime}, "Of the motion, s"))
      .allow("from", place_schema("Where it begins; by default where the frame is"))
      .allow("from_time", number_schema({quantity::kTime}, "When it begins, s, default 0"))
      .allow("start", reference_schema("start_event"))
      .allow("via", series_schema(via, 0, "Intermediate poses, from rest to rest"));
  return path;
}

Json pose_reference_schema() {
  return any_of_schema({held_schema(), pose_path_schema(), reference_schema("reference")},
                       "A pose that is held, a path of poses, or x, y and z in time");
}

Json joint_reference_schema() {
  MappingSchema table("A spline through attitudes, in the axes of the joint frame");
  table.require("type", constant_schema("table"))
      .require("time", reference_schema("times"))
      .require("quaternion", series_schema(quaternion_schema(), 2, "One per time"))
      .allow("ends", choice_schema({"natural", "rest"},
                                   "Without angular acceleration (default) or at rest"))
      .allow("start", reference_schema("start_event"));
  return any_of_schema(
      {reference_schema("reference"), held_schema(), pose_path_schema(), table},
      "Of a joint with one coordinate a position in time; of a spherical joint a path of "
      "orientations, a table of quaternions or a rotation vector in time, of a free joint a pose");
}

/// A table with the key `quaternion`, as a reference of rotation vectors from its first attitude.
std::shared_ptr<const PoseReference> read_attitudes(MapReader& map) {
  const std::size_t before = map.problems().error_count();
  const auto times = map.require("time", "a list of times (s)");
  const auto instants = times ? read_times(*times, map.problems()) : std::nullopt;
  std::vector<Matrix3> attitudes;
  const auto rows = map.require("quaternion", "a list of quaternions [w, x, y, z]");
  for_each_item(*rows, map.problems(), [&](const Value& row) {
    if (const auto attitude = read_quaternion(row, map.problems())) attitudes.push_back(*attitude);
  });
  const auto ends = map.find("ends");
  const auto choice = ends ? read_choice(*ends, {"natural", "rest"}, map.problems()) : std::nullopt;
  const int event = read_start_event(map);
  if (!instants || map.problems().error_count() > before) return nullptr;
  if (attitudes.size() != instants->size()) {
    map.error_at("quaternion", "expected " + std::to_string(instants->size()) +
                                   " quaternions, one for each time, got " +
                                   std::to_string(attitudes.size()));
    return nullptr;
  }
  const MatrixX vectors = rotation_vectors(attitudes);
  std::shared_ptr<const Reference> table;
  if (choice == 1u) {
    table = std::make_shared<RestingTable>(*instants, vectors);
  } else {
    table =
        std::make_shared<TableReference>(*instants, vectors, TableReference::Interpolation::cubic);
  }
  if (event >= 0) table = std::make_shared<EventReference>(table, event);
  return std::make_shared<RotationPath>(table, attitudes.front());
}

/// A pose that is held, or a path of poses.
bool is_pose(const MapReader& map) {
  return map.says("type", "pose_path") || !map.has("type") || map.says("type", "constant");
}

std::shared_ptr<const PoseReference> read_pose(const Value& value, MapReader& map, PoseUse use,
                                               const Pose& start) {
  const bool is_path = map.says("type", "pose_path");
  map.find("type");
  std::shared_ptr<const PoseReference> result;
  if (is_path) {
    guard(value, map.problems(), [&] { result = read_path(map, use, start); });
  } else if (PosePath::Stop place; read_place(map, use, place)) {
    result = std::make_shared<HeldPose>(
        Pose{place.position.value_or(start.position), place.rotation.value_or(start.rotation)});
  }
  map.finish();
  return result;
}

std::shared_ptr<const PoseReference> read_point_path(const Value& value, const Pose& start,
                                                     bool must_be_smooth, ReadContext& context) {
  ReferenceFrame frame;
  frame.motions.assign(3, JointType::prismatic);
  frame.start = start.position;
  frame.must_be_smooth = must_be_smooth;
  const auto path = read_reference(value, frame, context);
  return path ? std::make_shared<PointPath>(path, start.rotation) : nullptr;
}

}  // namespace

extern const SchemaDefinition kPoseReferenceDefinition{"pose_reference", pose_reference_schema};
extern const SchemaDefinition kJointReferenceDefinition{"joint_reference", joint_reference_schema};

std::shared_ptr<const PoseReference> read_pose_reference(const Value& value, const Pose& start,
                                                         ReadContext& context) {
  MapReader map(value, context);
  if (!map.is_mapping()) return nullptr;
  if (is_pose(map)) return read_pose(value, map, PoseUse::frame, start);
  return read_point_path(value, start, false, context);
}

std::shared_ptr<const PoseReference> read_joint_pose(const Value& value, const CompoundJoint& joint,
                                                     const Pose& start, ReadContext& context) {
  MapReader map(value, context);
  if (!map.is_mapping()) return nullptr;
  if (joint.type == JointType::free) {
    if (is_pose(map)) return read_pose(value, map, PoseUse::frame, start);
    return read_point_path(value, start, true, context);
  }
  if (map.says("type", "table") && map.has("quaternion")) {
    map.find("type");
    std::shared_ptr<const PoseReference> result;
    guard(value, context.problems, [&] { result = read_attitudes(map); });
    map.finish();
    return result;
  }
  // a position is that of a reference: the components of a rotation vector
  if (is_pose(map) && !map.has("position")) return read_pose(value, map, PoseUse::turning, start);
  ReferenceFrame frame;
  frame.motions.assign(3, JointType::revolute);
  frame.start = log_so3(start.rotation);
  frame.must_be_smooth = true;
  const auto vector = read_reference(value, frame, context);
  return vector ? std::make_shared<RotationPath>(vector) : nullptr;
}

}  // namespace spacedyn::loading
