#include <algorithm>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/scenario/vehicle_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "spacedyn/control/joint_pd.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kPeriod{Dimension::time, Range::not_negative};
constexpr Quantity kStiffnessOfTurning{Dimension::angular_stiffness, Range::not_negative};
constexpr Quantity kStiffnessOfSliding{Dimension::linear_stiffness, Range::not_negative};
constexpr Quantity kJointDamping{Dimension::none, Range::not_negative};

/// What the joints of a controller that all turn are rounded to.
const Fields<Digitization>& resolution_fields() {
  static const Fields<Digitization> kFields = {
      {"position", "Of joint positions, rad or m", quantity::kAngle.within(Range::positive),
       [](Digitization& d) -> double& { return d.position_resolution; }},
      {"velocity", "Of joint velocities, rad/s or m/s", quantity::kRate.within(Range::positive),
       [](Digitization& d) -> double& { return d.velocity_resolution; }},
      {"effort", "Of the commands, N*m or N", quantity::kTorque.within(Range::positive),
       [](Digitization& d) -> double& { return d.command_resolution; }}};
  return kFields;
}

/// A gain: one number or one per joint, in units that fit the joints.
VectorX read_gain(MapReader& map, const char* key, const std::vector<int>& joints,
                  const Model& model, const Quantity& of_turning, const Quantity& of_sliding) {
  std::vector<Quantity> quantities;
  for (const int joint : joints) {
    const bool slides = model.joint(joint).type == JointType::prismatic;
    quantities.push_back(slides ? of_sliding : of_turning);
  }
  const VectorX nothing = VectorX::Zero(static_cast<Eigen::Index>(joints.size()));
  const auto value = map.require(key, expectation(quantities.front()) + " or a list");
  return value ? read_each(*value, quantities, map.problems()).value_or(nothing) : nothing;
}

std::string sample_period_schema() {
  return number_schema({kPeriod}, "Time, s; 0 (default) means continuous");
}

std::string joint_pd_schema() {
  MappingSchema quantization("Resolutions: numbers are rounded to their nearest multiples");
  describe_fields(resolution_fields(), quantization);
  MappingSchema schema("τ = K (q_ref − q) + D (q̇_ref − q̇), limited");
  schema.require("type", constant_schema("joint_pd"))
      .allow("name", text_schema())
      .require("joints", names_schema())
      .require("stiffness", each_schema({kStiffnessOfTurning, kStiffnessOfSliding},
                                        "K, N*m/rad or N/m: one number, or one per joint"))
      .require("damping",
               each_schema({kJointDamping}, "D, N m s/rad or N s/m: one number, or one per joint"))
      .allow("effort_limit", each_schema(quantity::positive(quantity::kJointEffort),
                                         "N*m or N: one number, or one per joint"))
      .allow("velocity_limit", each_schema(quantity::positive(quantity::kJointVelocity),
                                           "rad/s or m/s: one number, or one per joint"))
      .allow("sample_period", reference_schema("sample_period"))
      .allow("sensors", reference_schema("taken_sensors"))
      .allow("delay", number_schema({kPeriod}, "Of the commands, s"))
      .allow("quantization", quantization.text())
      .require("reference", reference_schema("reference"));
  return schema.text();
}

std::string controllers_schema() {
  std::vector<std::string> controllers;
  for (const ScenarioReader::ControlType& type : ScenarioReader::control_types()) {
    controllers.push_back(reference_schema(type.definition));
  }
  return series_schema(one_of_schema(controllers));
}

bool is_control_type(const std::string& name) {
  const auto& types = ScenarioReader::control_types();
  return std::any_of(types.begin(), types.end(),
                     [&](const auto& type) { return name == type.name; });
}

}  // namespace

extern const SchemaDefinition kSamplePeriodDefinition{"sample_period", sample_period_schema};
extern const SchemaDefinition kJointPdDefinition{"joint_pd", joint_pd_schema};
extern const SchemaDefinition kControllersDefinition{"controllers", controllers_schema};

double ScenarioReader::read_sample_period(MapReader& map) {
  const double period = map.number("sample_period", kPeriod, 0.0);
  if (const auto value = map.find("sample_period")) {
    check_count(*value, scenario_.duration, period, "samples", problems());
  }
  return period;
}

void ScenarioReader::note_controller_names() {
  const auto list = map_.find("control");
  if (!list) return;
  if (!list->node->is_sequence()) knows_controllers_ = false;
  std::size_t position = 0;
  for (const NodePtr& item : list->node->items) {
    const Entry* name = item->find("name");
    const Entry* type = item->find("type");
    if (name != nullptr && name->value->is_scalar()) {
      controller_names_.insert(name->value->text);
    } else if (type != nullptr && name == nullptr && is_control_type(type->value->text)) {
      controller_names_.insert(type->value->text + '_' + std::to_string(position));
    } else {
      knows_controllers_ = false;
    }
    ++position;
  }
}

const std::vector<ScenarioReader::ControlType>& ScenarioReader::control_types() {
  using Reader = ScenarioReader;
  using Name = std::string;
  static const std::vector<ControlType> kTypes = {
      {"joint_pd", "joint_pd",
       [](Reader& reader, MapReader& map, const Name& name, const Value& place) {
         reader.read_joint_pd(map, name, place);
       }},
      {"attitude", "attitude_control",
       [](Reader& reader, MapReader& map, const Name& name, const Value& /*place*/) {
         reader.read_attitude(map, name, false);
       }},
      {"detumble", "detumble",
       [](Reader& reader, MapReader& map, const Name& name, const Value& /*place*/) {
         reader.read_attitude(map, name, true);
       }},
      {"momentum_dumping", "momentum_dumping",
       [](Reader& reader, MapReader& map, const Name& name, const Value& /*place*/) {
         reader.read_momentum_dumping(map, name);
       }},
      {"station_keeping", "station_keeping",
       [](Reader& reader, MapReader& map, const Name& name, const Value& /*place*/) {
         reader.read_station_keeping(map, name);
       }},
      {"drive", "vehicle_drive",
       [](Reader& reader, MapReader& map, const Name& name, const Value& /*place*/) {
         VehicleReader(reader, map).read(name);
       }}};
  return kTypes;
}

void ScenarioReader::read_control() {
  note_controller_names();
  std::vector<std::string> names;
  for (const ControlType& type : control_types()) names.emplace_back(type.name);
  read_elements(
      "control", names,
      [this](MapReader& map, std::size_t type, const std::string& name, const Value& place) {
        control_types()[type].read(*this, map, name, place);
      });
}

Digitization ScenarioReader::read_digitization(MapReader& map, double period,
                                               const std::vector<int>& joints) {
  Digitization digital;
  if (period == 0.0) {
    map.refuse("delay", "control without a sample_period is continuous");
    map.refuse("quantization", "control without a sample_period is continuous");
    return digital;
  }
  digital.delay = map.number("delay", kPeriod, 0.0);
  if (digital.delay > 1000.0 * period) {
    map.error_at("delay", "expected at most 1000 sample periods, got " +
                              format_number(digital.delay) + " s");
  }
  const auto value = map.find("quantization");
  if (!value) return digital;
  MapReader steps(*value, context());
  const bool all_turn = std::all_of(joints.begin(), joints.end(), [this](int joint) {
    return model_->joint(joint).type == JointType::revolute;
  });
  for (const auto& field : resolution_fields()) {
    const Quantity plain = quantity::kNumber.within(field.quantity.range);
    field.member(digital) = steps.number(field.key, all_turn ? field.quantity : plain, 0.0);
  }
  steps.finish();
  return digital;
}

void ScenarioReader::read_joint_pd(MapReader& map, const std::string& name, const Value& place) {
  double period = read_sample_period(map);
  const auto joints = read_joints(map);
  const auto sensors = read_sensor_names(
      map, "an encoder of one of its joints",
      [&](const Sensor& sensor) {
        return sensor.type == SensorType::encoder &&
               (!joints || std::count(joints->begin(), joints->end(), sensor.joint) > 0);
      },
      period);
  if (!joints) {
    map.find("delay");
    map.find("quantization");
    // sizes and units of the others depend on the joints
    for (const char* key :
         {"stiffness", "damping", "effort_limit", "velocity_limit", "reference"}) {
      map.find(key);
    }
    return;
  }
  JointPd::Settings settings;
  settings.joints = *joints;
  settings.sample_period = period;
  settings.digitization = read_digitization(map, period, *joints);
  settings.stiffness =
      read_gain(map, "stiffness", *joints, *model_, kStiffnessOfTurning, kStiffnessOfSliding);
  settings.damping = read_gain(map, "damping", *joints, *model_, kJointDamping, kJointDamping);
  settings.effort_limit = own_effort_limits(*joints);
  ReferenceFrame frame;
  frame.start.resize(static_cast<Eigen::Index>(joints->size()));
  std::vector<Quantity> efforts, velocities;
  for (std::size_t i = 0; i < joints->size(); ++i) {
    const JointType type = model_->joint((*joints)[i]).type;
    frame.add_joint(type);
    frame.start(static_cast<Eigen::Index>(i)) = start_of((*joints)[i]);
    velocities.push_back(velocity_quantity(type).within(Range::positive).or_infinite());
    efforts.push_back(effort_quantity(type).within(Range::positive).or_infinite());
  }
  if (const auto limit = map.find("effort_limit")) {
    const auto limits = read_each(*limit, efforts, problems());
    if (limits) settings.effort_limit = *limits;
  }
  if (const auto limit = map.find("velocity_limit")) {
    const auto limits = read_each(*limit, velocities, problems());
    if (limits) settings.velocity_limit = *limits;
  }
  const auto reference = map.require("reference", "a reference");
  if (reference) settings.reference = read_reference(*reference, frame, context());
  if (!settings.reference || problems().has_error_near(place.node->mark.source, place.path)) return;
  const auto controller = std::make_shared<JointPd>(name, std::move(settings));
  controller->take_sensors(sensors);
  scenario_.setup.controllers.push_back(controller);
}

std::optional<std::vector<int>> ScenarioReader::read_joints(MapReader& map) {
  const auto list = map.require("joints", "a list of names of joints");
  if (!list) return std::nullopt;
  std::vector<int> joints;
  bool complete = list->node->is_sequence();
  for_each_item(*list, problems(), [&](const Value& item) {
    const auto joint = read_joint_name(item);
    complete = complete && joint.has_value();
    if (!joint) return;
    const std::string got = describe(*item.node);
    if (std::find(joints.begin(), joints.end(), *joint) != joints.end()) {
      problems().error(item.node->mark, item.path,
                       "expected each joint once, got " + got + " again");
      complete = false;
    } else if (is_prescribed(*joint)) {
      problems().error(
          item.node->mark, item.path,
          "expected a joint that moves freely, got " + got + ", whose motion is prescribed");
    }
    joints.push_back(*joint);
    controlled_joints_.insert(*joint);
  });
  if (complete && joints.empty()) {
    map.error_at("joints", "expected at least one joint, got an empty list");
    return std::nullopt;
  }
  if (!complete) return std::nullopt;
  return joints;
}

VectorX ScenarioReader::own_effort_limits(const std::vector<int>& joints) const {
  VectorX limits(static_cast<Eigen::Index>(joints.size()));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    limits(static_cast<Eigen::Index>(i)) = model_->joint(joints[i]).effort_limit;
  }
  return limits;
}

}  // namespace spacedyn::loading
