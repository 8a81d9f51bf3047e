#include <algorithm>
#include <cmath>
#include <limits>

#include "loading/model/body_reader.hpp"
#include "loading/scenario/control_keys.hpp"
#include "spacedyn/control/vehicle_drive.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kMotions = {"arc", "crab", "spot", "path"};

using Drive = VehicleDrive::Settings;

constexpr Quantity kCurvature{Dimension::none, Range::any, false, "1/m"};
constexpr double kNoBound = std::numeric_limits<double>::infinity();

Mapping<Drive> drive_keys() {
  using namespace kind;
  Mapping<Drive> keys;
  keys.require("damping", &Drive::damping, positive(in("N m s/rad")), "Of the drives, N m s/rad");
  keys.allow("from", &Drive::from, not_negative(kTime), "When it begins, s, default 0");
  keys.allow("ramp", &Drive::ramp, positive(kTime),
             "Until the motion is as it should be, s, default 1");
  keys.allow("slip_limit", &Drive::slip_limit, positive(kNumber),
             "Slip that the drives do not pass, below 1; default none", {-kNoBound, kNoBound, 1.0});
  return keys;
}

/// Of a vehicle that steers.
Mapping<Drive> steering_keys() {
  using namespace kind;
  Mapping<Drive> keys;
  keys.require("steering_stiffness", &Drive::steering_stiffness, positive(kAngularStiffness),
               "Of the steering, N*m/rad");
  keys.require("steering_damping", &Drive::steering_damping, not_negative(in("N m s/rad")),
               "Of the steering, N m s/rad");
  return keys;
}

Mapping<GuidePath> path_keys() {
  using namespace kind;
  Mapping<GuidePath> keys;
  keys.require("lookahead", &GuidePath::lookahead, positive(kLength),
               "Distance of the point of the path that it steers to, m");
  return keys;
}

MappingSchema planar_motion_schema(std::size_t type, std::string_view title) {
  MappingSchema schema(title);
  return schema.require("type", constant_schema(kMotions[type]));
}

Json vehicle_motion_schema() {
  const Json speed = number_schema({quantity::kVelocity}, "Speed, m/s");
  MappingSchema arc = planar_motion_schema(0, "Along a circle");
  arc.require("speed", speed)
      .allow("curvature", number_schema({kCurvature}, "1/m, positive to the left; default 0"));
  MappingSchema crab = planar_motion_schema(1, "Straight on, without turning");
  crab.require("speed", speed)
      .require("angle", number_schema({quantity::kAngle}, "From straight ahead, to the left, rad"));
  MappingSchema spot = planar_motion_schema(2, "On the spot");
  spot.require("rate", number_schema({quantity::kRate}, "Angular velocity, rad/s"));
  MappingSchema path = planar_motion_schema(3, "Along a path");
  path.require("speed", speed);
  once<path_keys>().describe(path);
  const Json point = list_schema(number_schema({quantity::kLength}), 2);
  path.require("points", series_schema(point, 2, "[x, y], m, joined by straight lines"));
  return one_of_schema({arc, crab, spot, path}, "What a vehicle should do");
}

Json vehicle_drive_schema() {
  MappingSchema schema("Drives and steers the wheels of a vehicle");
  schema.require("type", constant_schema("drive"))
      .allow("name", text_schema())
      .require("wheels", names_schema("Wheels or tyres of 'forces'"))
      .allow("steering", series_schema(text_schema(), 0, "Joints that carry wheels"))
      .allow("at", text_schema("Frame of the vehicle, x ahead, z up; default the base"))
      .require("motion", vehicle_motion_schema());
  once<drive_keys>().describe(schema);
  once<steering_keys>().describe(schema, Presence::optional);
  schema.allow("sample_period", reference_schema("sample_period"))
      .add_rule(
          {{"dependentRequired", {{"steering", {"steering_stiffness", "steering_damping"}}}}});
  return schema;
}

void read_wheel_names(ScenarioContext& scenario, MapReader& map, Drive& drive) {
  const auto list = map.require("wheels", "a list of names of wheels or tyres of 'forces'");
  if (!list) return;
  read_names(map, "wheels", *list, "wheel", [&](const std::string& name) -> Refusal {
    const auto wheel = find_wheel(scenario, name);
    if (!wheel) {
      return {"expected the name of a wheel or tyre of 'forces', got " + quote(name)};
    }
    for (const auto& known : drive.wheels) {
      if (known.link == wheel->link) return named_twice("wheel", name);
    }
    if (is_prescribed(scenario, wheel->link)) return moved_already("a wheel that turns", name);
    drive.wheels.push_back({wheel->link, wheel->radius, 0});
    return {};
  });
}

/// A joint that turns wheels.
void read_steering_joint(ScenarioContext& scenario, const Value& value, Drive& drive) {
  const auto joint = read_joint_name(scenario, value);
  if (!joint || !scenario.model) return;
  const Model& model = *scenario.model;
  const auto refuse = [&](const std::string& what) { scenario.problems().error(value, what); };
  const std::string got = describe(*value.node);
  if (is_prescribed(scenario, *joint)) {
    return refuse("expected a joint that moves freely, got " + got +
                  ", whose motion is prescribed");
  }
  bool carries = false;
  for (auto& wheel : drive.wheels) {
    if (wheel.link == *joint || !model.topology().is_ancestor(*joint, wheel.link)) continue;
    if (wheel.steering != 0) {
      return refuse("expected one joint for each wheel, got " + got + " too");
    }
    wheel.steering = *joint;
    carries = true;
  }
  if (model.joint(*joint).type != JointType::revolute) {
    refuse("expected a revolute joint, got " + got);
  } else if (!carries && !drive.wheels.empty()) {
    refuse("expected a joint that carries one of the wheels, got " + got);
  }
}

void read_steering(ScenarioContext& scenario, MapReader& map, Drive& drive) {
  const auto list = map.find("steering");
  if (!list) {
    for (const std::string& key : once<steering_keys>().names()) {
      map.refuse(key, "a drive without 'steering' turns no wheel");
    }
    return;
  }
  once<steering_keys>().read(map, drive);
  for_each_item(*list, map.problems(),
                [&](const Value& item) { read_steering_joint(scenario, item, drive); });
}

void read_frame(ScenarioContext& scenario, MapReader& map, Drive& drive) {
  std::optional<Frame> frame;
  if (map.has("at")) {
    frame = read_point(scenario, map);
  } else if (scenario.model) {
    frame = scenario.model->find_frame(scenario.model->body(0).name);
  }
  if (frame) drive.at = *frame;
}

void read_path(MapReader& motion, GuidePath& path) {
  const auto length = quantity::kLength;
  once<path_keys>().read(motion, path);
  const auto points = motion.require("points", "a list of points [x, y], m");
  if (!points) return;
  for_each_item(*points, motion.problems(), [&](const Value& item) {
    const auto point = read_list(item, {length, length}, motion.problems());
    if (!point) return;
    path.x.push_back((*point)(0));
    path.y.push_back((*point)(1));
    const std::size_t n = path.x.size();
    if (n > 1 && path.x[n - 1] == path.x[n - 2] && path.y[n - 1] == path.y[n - 2]) {
      motion.problems().error(item, "expected another point than the one before, got it again");
    }
  });
  if (points->node->is_sequence() && points->node->items.size() < 2) {
    motion.error_at(
        "points", "expected at least 2 points, got " + std::to_string(points->node->items.size()));
  }
}

void read_planar_motion(const Value& value, ReadContext& context, Drive& drive) {
  MapReader motion(value, context);
  const auto choice = require_choice(motion, "type", kMotions);
  if (!choice) return motion.report_missing();
  PlanarMotion& planar = drive.motion;
  if (*choice == 2) {
    planar = {0.0, 0.0, 1.0, motion.required_number("rate", quantity::kRate)};
    return motion.finish();
  }
  planar.speed = motion.required_number("speed", quantity::kVelocity);
  if (*choice == 0) {
    planar.rotation = motion.number("curvature", kCurvature, 0.0);
  } else if (*choice == 1) {
    const double angle = motion.required_number("angle", quantity::kAngle);
    planar.direction_x = std::cos(angle);
    planar.direction_y = std::sin(angle);
  } else {
    read_path(motion, drive.path);
  }
  motion.finish();
}

void read_drive(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  const ErrorMark errors(map.problems());
  Drive drive;
  read_wheel_names(scenario, map, drive);
  read_steering(scenario, map, drive);
  read_frame(scenario, map, drive);
  if (const auto motion = map.require("motion", "a mapping with a 'type'")) {
    read_planar_motion(*motion, map.context(), drive);
  }
  once<drive_keys>().read(map, drive);
  drive.sample_period = read_sample_period(scenario, map);
  const auto has = [&](const char* key) { return map.has(key); };
  const bool steers = !has("steering") || (has("steering_stiffness") && has("steering_damping"));
  // what is missing is reported at the end
  const bool is_complete = has("wheels") && has("motion") && has("damping") && steers;
  if (!is_complete || !scenario.model || errors.found()) return;
  const GuidePath& path = drive.path;
  if (path.lookahead > 0.0 ? path.x.size() < 2 : !path.x.empty()) return;
  scenario.add_controller(std::make_shared<VehicleDrive>(name, std::move(drive)), {});
}

}  // namespace

extern const SchemaDefinition kVehicleDriveDefinition{"vehicle_drive", vehicle_drive_schema};
extern const ControlType kDriveType{"drive", read_drive,
                                    [] { return reference_schema("vehicle_drive"); }};

}  // namespace spacedyn::loading
