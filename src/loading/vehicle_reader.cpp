#include "loading/vehicle_reader.hpp"

#include <algorithm>
#include <cmath>

#include "loading/body_reader.hpp"
#include "loading/numbers.hpp"
#include "loading/time_series.hpp"
#include "spacedyn/forces/wheel_element.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kMotions = {"arc", "crab", "spot", "path"};

constexpr Quantity kWheelDamping{Dimension::none, Range::positive, false, "N m s/rad"};
constexpr Quantity kSteeringDamping{Dimension::none, Range::not_negative, false, "N m s/rad"};
constexpr Quantity kSteeringStiffness{Dimension::angular_stiffness, Range::positive};
constexpr Quantity kCurvature{Dimension::none, Range::any, false, "1/m"};

}  // namespace

void VehicleReader::read_wheels() {
  const auto list = map_.require("wheels", "a list of names of wheels or tyres of 'forces'");
  if (!list) return;
  for_each_item(*list, map_.problems(), [&](const Value& item) {
    const auto name = read_text(item, map_.problems());
    if (!name) return;
    const auto refuse = [&](const std::string& what) {
      map_.problems().error(item.node->mark, item.path, what);
    };
    const auto* wheel = dynamic_cast<const WheelElement*>(scenario_.find_force(*name));
    if (wheel == nullptr) {
      return refuse("expected the name of a wheel or tyre of 'forces', got " + quote(*name));
    }
    const WheelElement::Mount& mount = wheel->mount();
    for (const auto& known : settings_.wheels) {
      if (known.link == mount.link) {
        return refuse("expected each wheel once, got " + quote(*name) + " again");
      }
    }
    if (scenario_.is_prescribed(mount.link)) {
      return refuse("expected a wheel that turns freely, got " + quote(*name) +
                    ", whose motion is prescribed");
    }
    settings_.wheels.push_back({mount.link, mount.radius, 0});
  });
  if (list->node->is_sequence() && list->node->items.empty()) {
    map_.error_at("wheels", "expected at least one wheel, got an empty list");
  }
}

void VehicleReader::read_steering() {
  const auto list = map_.find("steering");
  if (!list) {
    for (const char* key : {"steering_stiffness", "steering_damping"}) {
      map_.refuse(key, "a drive without 'steering' turns no wheel");
    }
    return;
  }
  settings_.steering_stiffness = map_.required_number("steering_stiffness", kSteeringStiffness);
  settings_.steering_damping = map_.required_number("steering_damping", kSteeringDamping);
  for_each_item(*list, map_.problems(), [&](const Value& item) {
    const auto joint = scenario_.read_joint_name(item);
    if (!joint || !scenario_.model()) return;
    const Model& model = *scenario_.model();
    const auto refuse = [&](const std::string& what) {
      map_.problems().error(item.node->mark, item.path, what);
    };
    const std::string got = describe(*item.node);
    if (scenario_.is_prescribed(*joint)) {
      return refuse("expected a joint that moves freely, got " + got +
                    ", whose motion is prescribed");
    }
    bool carries = false;
    for (auto& wheel : settings_.wheels) {
      if (wheel.link == *joint || !model.topology().is_ancestor(*joint, wheel.link)) continue;
      if (wheel.steering != 0)
        return refuse("expected one joint for each wheel, got " + got + " too");
      wheel.steering = *joint;
      carries = true;
    }
    if (model.joint(*joint).type != JointType::revolute) {
      refuse("expected a revolute joint, got " + got);
    } else if (!carries && !settings_.wheels.empty()) {
      refuse("expected a joint that carries one of the wheels, got " + got);
    }
  });
}

void VehicleReader::read_frame() {
  if (map_.has("at")) {
    if (const auto point = scenario_.read_point(map_)) settings_.at = *point;
  } else if (const auto& model = scenario_.model()) {
    if (const auto base = model->find_frame(model->body(0).name)) settings_.at = *base;
  }
}

void VehicleReader::read_path(MapReader& motion) {
  const auto length = quantity::kLength;
  settings_.path.lookahead = motion.required_number("lookahead", length.within(Range::positive));
  const auto points = motion.require("points", "a list of points [x, y], m");
  if (!points) return;
  GuidePath& path = settings_.path;
  for_each_item(*points, map_.problems(), [&](const Value& item) {
    const auto point = read_list(item, {length, length}, map_.problems());
    if (!point) return;
    path.x.push_back((*point)(0));
    path.y.push_back((*point)(1));
    const std::size_t n = path.x.size();
    if (n > 1 && path.x[n - 1] == path.x[n - 2] && path.y[n - 1] == path.y[n - 2]) {
      map_.problems().error(item.node->mark, item.path,
                            "expected another point than the one before, got it again");
    }
  });
  if (points->node->is_sequence() && points->node->items.size() < 2) {
    motion.error_at(
        "points", "expected at least 2 points, got " + std::to_string(points->node->items.size()));
  }
}

void VehicleReader::read_motion(const Value& value) {
  MapReader motion(value, map_.context());
  const auto type = motion.require("type", list_choices(kMotions));
  const auto choice = type ? read_choice(*type, kMotions, {}, map_.problems()) : std::nullopt;
  if (!choice) return motion.report_missing();
  PlanarMotion& planar = settings_.motion;
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
    read_path(motion);
  }
  motion.finish();
}

void VehicleReader::read(const std::string& name) {
  const std::size_t errors_before = map_.problems().error_count();
  bool complete = map_.has("wheels") && map_.has("motion") && map_.has("damping");
  read_wheels();
  read_steering();
  read_frame();
  if (const auto motion = map_.require("motion", "a mapping with a 'type'")) read_motion(*motion);
  settings_.damping = map_.required_number("damping", kWheelDamping);
  settings_.from = map_.number("from", quantity::kTime.within(Range::not_negative), 0.0);
  settings_.ramp = map_.number("ramp", quantity::kTime.within(Range::positive), settings_.ramp);
  settings_.sample_period =
      map_.number("sample_period", quantity::kTime.within(Range::not_negative), 0.0);
  if (map_.has("slip_limit")) {
    settings_.slip_limit =
        map_.number("slip_limit", quantity::kNumber.within(Range::positive), 0.5);
    if (settings_.slip_limit >= 1.0) {
      map_.error_at("slip_limit",
                    "expected a number below 1, got " + format_number(settings_.slip_limit));
    }
  }
  if (const auto value = map_.find("sample_period")) {
    check_count(*value, scenario_.scenario_.duration, settings_.sample_period, "samples",
                map_.problems());
  }
  complete = complete && (!map_.has("steering") ||
                          (map_.has("steering_stiffness") && map_.has("steering_damping")));
  if (!complete || !scenario_.model() || map_.problems().error_count() > errors_before) return;
  if (settings_.path.lookahead > 0.0 && settings_.path.x.size() < 2) return;  // reported at the end
  if (settings_.path.lookahead == 0.0 && !settings_.path.x.empty()) return;
  scenario_.scenario_.setup.controllers.push_back(
      std::make_shared<VehicleDrive>(name, std::move(settings_)));
}

}  // namespace spacedyn::loading
