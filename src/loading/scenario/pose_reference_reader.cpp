#include "loading/scenario/reference_reader.hpp"

#include <algorithm>

#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"

namespace spacedyn::loading {
namespace {

/// Where a leg of a path ends: `position` and one of the orientation keys.
bool read_place(MapReader& map, PosePath::Stop& stop) {
  if (const auto position = map.find("position")) {
    const auto p = read_numbers(*position, quantity::kLength, 3, map.problems());
    if (!p) return false;
    stop.position = Vector3(*p);
  }
  const std::size_t before = map.problems().error_count();
  stop.rotation = read_orientation(map);
  return map.problems().error_count() == before;
}

bool require_place(MapReader& map, PosePath::Stop& stop) {
  if (!read_place(map, stop)) return false;
  if (stop.position || stop.rotation) return true;
  map.error_at("position", "expected a position, an orientation or both, got neither");
  return false;
}

MappingSchema place_schema(const char* title) {
  MappingSchema schema(title);
  schema.allow("position", vector_schema(quantity::kLength, "m; what is left out stays"));
  describe_orientation(schema);
  return schema;
}

std::shared_ptr<const PoseReference> read_path(MapReader& map, const Pose& start) {
  const std::size_t before = map.problems().error_count();
  std::optional<Pose> from;
  const bool waits = map.has("start");
  if (waits) map.refuse("from_time", "'start' is given as well");
  const int event = map.start_event();
  const double from_time = map.number("from_time", quantity::kTime, 0.0);
  if (const auto value = map.find("from")) {
    MapReader keys(*value, map.context());
    PosePath::Stop place;
    require_place(keys, place);
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
      require_place(keys, stop);
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
    require_place(keys, end);
    keys.finish();
  }
  if (!(duration > 0.0) || map.problems().error_count() > before) return nullptr;
  if (!end.position && !end.rotation) return nullptr;
  stops.push_back(end);
  return std::make_shared<PosePath>(from, stops, from_time, event);
}

Json pose_reference_schema() {
  MappingSchema constant =
      place_schema("A pose that is held; what is left out is that of the start");
  constant.allow("type", constant_schema("constant"));
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
  return any_of_schema({constant, path, reference_schema("reference")},
                       "A pose that is held, a path of poses, or x, y and z in time");
}

}  // namespace

extern const SchemaDefinition kPoseReferenceDefinition{"pose_reference", pose_reference_schema};

std::shared_ptr<const PoseReference> read_pose_reference(const Value& value, const Pose& start,
                                                         ReadContext& context) {
  MapReader map(value, context);
  if (!map.is_mapping()) return nullptr;
  const bool is_held = !map.has("type") || map.says("type", "constant");
  if (!is_held && !map.says("type", "pose_path")) {
    ReferenceFrame frame;
    frame.motions.assign(3, JointType::prismatic);
    frame.start = start.position;
    const auto path = read_reference(value, frame, context);
    return path ? std::make_shared<PointPath>(path, start.rotation) : nullptr;
  }
  map.find("type");
  std::shared_ptr<const PoseReference> result;
  if (is_held) {
    PosePath::Stop place;
    if (read_place(map, place)) {
      result = std::make_shared<HeldPose>(
          Pose{place.position.value_or(start.position), place.rotation.value_or(start.rotation)});
    }
  } else {
    guard(value, context.problems, [&] { result = read_path(map, start); });
  }
  map.finish();
  return result;
}

}  // namespace spacedyn::loading
