#include <algorithm>
#include <cmath>

#include "control/mounting.hpp"
#include "loading/keys/fields.hpp"
#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/axis_gains.hpp"
#include "loading/scenario/feed_forward_reader.hpp"
#include "loading/scenario/gyro_reader.hpp"
#include "loading/scenario/magnetic_reader.hpp"
#include "loading/scenario/null_space_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/kinematics/link_frames.hpp"
#include "spacedyn/math/rotations.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kAngularStiffness{Dimension::angular_stiffness, Range::not_negative};
constexpr Quantity kAngularDamping{Dimension::none, Range::not_negative, false, "N m s/rad"};

constexpr Quantity kDeadBand{Dimension::angle, Range::not_negative};

bool has_orientation(const MapReader& map) {
  const auto& keys = orientation_keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const OrientationKey& key) { return map.has(key.name); });
}

std::string attitude_reference_schema() {
  MappingSchema constant("One attitude");
  constant.allow("type", constant_schema("constant"));
  describe_orientation(constant, true);
  return any_of_schema(
      {constant.text(), reference_schema("turn"), reference_schema("reference")},
      "An attitude: constant, a turn about an inertial axis, or roll, pitch and yaw in time");
}

MappingSchema damping_schema(const char* type, std::string_view title) {
  MappingSchema schema(title);
  schema.require("type", constant_schema(type))
      .allow("name", text_schema())
      .require("actuators",
               names_schema("Reaction wheels, gyros, thrusters or torquers, on one body"))
      .require("damping", axis_gains_schema(kAngularDamping,
                                            "D about the axes of the body, N m s/rad: one, or 3"))
      .allow("sample_period", reference_schema("sample_period"))
      .allow("sensors", reference_schema("taken_sensors"))
      .allow("inhibit", names_schema("Thrusters among them that are not opened"))
      .allow("modulation", reference_schema("modulation"));
  describe_gyro_steering(schema);
  return schema;
}

std::string attitude_control_schema() {
  MappingSchema schema = damping_schema("attitude", "Quaternion feedback on wheels or thrusters");
  schema
      .require("stiffness", axis_gains_schema(kAngularStiffness,
                                              "K about the axes of the body, N*m/rad: one, or 3"))
      .allow("dead_band", number_schema({kDeadBand}, "Part of the error that nothing answers, rad"))
      .allow(
          "feed_forward",
          names_schema("Controllers joint_pd listed before, or prescribed joints, whose momentum "
                       "the actuators take up"))
      .allow("reference", reference_schema("attitude_reference"));
  describe_null_space(schema);
  return schema.text();
}

std::string detumble_schema() {
  return damping_schema("detumble", "Damping of the rotation of a body by wheels or thrusters")
      .text();
}

}  // namespace

extern const SchemaDefinition kAttitudeReferenceDefinition{"attitude_reference",
                                                           attitude_reference_schema};
extern const SchemaDefinition kAttitudeControlDefinition{"attitude_control",
                                                         attitude_control_schema};
extern const SchemaDefinition kDetumbleDefinition{"detumble", detumble_schema};

std::optional<std::vector<int>> ScenarioReader::read_wheels(MapReader& map, const char* key) {
  const auto list = map.require(key, "a list of names of reaction wheels");
  if (!list) return std::nullopt;
  std::vector<int> joints;
  std::vector<std::string> known;
  for (int i = 1; model_ && i <= model_->joint_count(); ++i) {
    if (model_->wheel(i) != nullptr) known.push_back(model_->joint(i).name);
  }
  bool complete = list->node->is_sequence() && model_;
  const auto refuse = [&](const Value& item, const std::string& what, const std::string& hint) {
    problems().error(item.node->mark, item.path, what, hint);
    complete = false;
  };
  for_each_item(*list, problems(), [&](const Value& item) {
    const auto name = read_text(item, problems());
    if (!name || !model_) {
      complete = false;
      return;
    }
    const auto joint = model_->find_joint(*name);
    if (!joint || model_->wheel(*joint) == nullptr) {
      const std::string nearest = nearest_name(*name, known);
      refuse(item, "expected the name of a reaction wheel, got " + quote(*name),
             nearest.empty() ? "" : "did you mean '" + nearest + "'?");
    } else if (!model_->topology().is_terminal(*joint)) {
      refuse(item, "expected a reaction wheel, got " + quote(*name) + ", the gimbal of a gyro", "");
    } else if (std::find(joints.begin(), joints.end(), *joint) != joints.end()) {
      refuse(item, "expected each wheel once, got " + quote(*name) + " again", "");
    } else if (is_prescribed(*joint)) {
      refuse(item,
             "expected a wheel that turns freely, got " + quote(*name) +
                 ", whose motion is prescribed",
             "");
    } else if (const auto& tree = model_->topology();
               !joints.empty() && tree.connection(*joint) != tree.connection(joints.front())) {
      refuse(item,
             "expected wheels on one body, got " + quote(*name) + " on '" +
                 model_->body(tree.connection(*joint)).name + "'",
             "");
    } else {
      joints.push_back(*joint);
    }
  });
  if (complete && joints.empty()) {
    map.error_at(key, "expected at least one reaction wheel, got an empty list");
    return std::nullopt;
  }
  if (!complete) return std::nullopt;
  return joints;
}

AttitudeReference ScenarioReader::read_attitude_reference(const Value& value,
                                                          const Matrix3& start) {
  AttitudeReference reference;
  reference.start = start;
  MapReader peek(value, context());
  if (!peek.is_mapping()) return reference;
  if (peek.has("axis") || peek.has("angle")) {
    PrescribedBase motion;
    read_rotation(value, false, motion);
    reference.axis = motion.axis;
    reference.angle = motion.angle;
  } else if (has_orientation(peek)) {
    if (const auto type = peek.find("type")) read_choice(*type, {"constant"}, problems());
    reference.start = read_orientation(peek).value_or(start);
    peek.finish();
  } else {
    ReferenceFrame frame;
    for (int i = 0; i < 3; ++i) frame.add_joint(JointType::revolute);
    frame.start = rpy_from_matrix(start);
    reference.rpy = read_reference(value, frame, context());
  }
  return reference;
}

/// @param axes  of the link that carries the actuators, in those of its body; not read without one
AttitudePd::Settings ScenarioReader::read_attitude_settings(MapReader& map, int body,
                                                            const Matrix3& axes, bool damps_only) {
  AttitudePd::Settings settings;
  if (!damps_only) {
    settings.stiffness = read_axis_gains(map, "stiffness", kAngularStiffness);
    settings.dead_band = map.number("dead_band", kDeadBand, 0.0);
    settings.feed_forward = read_feed_forward(map, scenario_.setup);
  }
  settings.damping = read_axis_gains(map, "damping", kAngularDamping);
  const auto given = damps_only ? std::nullopt : map.find("reference");
  Matrix3 start = Matrix3::Identity();
  if (body >= 0) {
    LinkFrames frames(*model_);
    compute_link_frames(*model_, scenario_.initial, frames);
    start = frames.A[static_cast<std::size_t>(body)] * axes;
  }
  settings.reference.start = start;
  if (given) settings.reference = read_attitude_reference(*given, start);
  return settings;
}

/// Gyroscopes and star trackers on a body; on any body where it is negative.
std::vector<std::string> ScenarioReader::read_attitude_sensors(MapReader& map, int body,
                                                               bool damps_only,
                                                               double& sample_period) {
  return read_sensor_names(
      map, damps_only ? "a gyroscope on the body" : "a gyroscope or a star_tracker on the body",
      [&](const Sensor& sensor) {
        const bool fits = sensor.type == SensorType::gyroscope ||
                          (sensor.type == SensorType::star_tracker && !damps_only);
        return fits && (body < 0 || sensor.at.body == body);
      },
      sample_period);
}

void ScenarioReader::read_attitude(MapReader& map, const std::string& name, bool damps_only) {
  if (names_thrusters(map, model_.get())) {
    if (!damps_only) refuse_null_space(map);
    return read_attitude_thrusters(map, name, damps_only);
  }
  map.refuse("modulation", "only thrusters are modulated");
  map.refuse("inhibit", "only thrusters are inhibited");
  MagneticReader magnetic(*this);
  GyroReader gyros(*this);
  if (gyros.names_gyros(map)) {
    if (!damps_only) refuse_null_space(map);
    return gyros.read_attitude(map, name, damps_only);
  }
  if (damps_only && magnetic.names_torquers(map)) return magnetic.read_detumble(map, name);
  const std::size_t errors_before = problems().error_count();
  refuse_gyro_steering(map);
  const auto wheels = read_wheels(map, "actuators");
  const int carrier = wheels ? model_->topology().connection(wheels->front()) : -1;
  const Matrix3 axes =
      wheels ? axes_of_carrier(*model_, wheels->front()) : Matrix3(Matrix3::Identity());
  AttitudePd::Settings settings = read_attitude_settings(map, carrier, axes, damps_only);
  if (!damps_only) settings.null_space = read_null_space(map, model_.get(), wheels);
  settings.sample_period = read_sample_period(map);
  const auto sensors = read_attitude_sensors(map, carrier, damps_only, settings.sample_period);
  if (!wheels || problems().error_count() > errors_before) return;
  settings.wheels = *wheels;
  const Vector3 gains = settings.stiffness + settings.damping;
  if (gains.isZero(0.0)) {
    map.error_at("damping", "expected a gain that is not zero, got none: nothing would act");
    return;
  }
  for (const int axis : axes_without_command(wheel_axes(*model_, *wheels))) {
    if (gains(axis) == 0.0) continue;
    const int body = model_->topology().connection(wheels->front());
    map.error_at("actuators", std::string("expected wheels with torque about the ") + "xyz"[axis] +
                                  " axis of '" + model_->body(body).name +
                                  "', which has a gain, got none");
  }
  if (problems().error_count() > errors_before) return;
  const auto controller = std::make_shared<AttitudePd>(name, *model_, std::move(settings));
  controller->take_sensors(sensors);
  scenario_.setup.controllers.push_back(controller);
}

}  // namespace spacedyn::loading
