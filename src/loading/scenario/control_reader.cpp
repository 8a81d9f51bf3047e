#include <algorithm>
#include <array>

#include "loading/keys/mapping.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/reference_reader.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/control/joint_pd.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kPeriod{Dimension::time, Range::not_negative};
constexpr Quantity kStiffnessOfTurning{Dimension::angular_stiffness, Range::not_negative};
constexpr Quantity kStiffnessOfSliding{Dimension::linear_stiffness, Range::not_negative};
constexpr Quantity kJointDamping{Dimension::none, Range::not_negative};

/// What the joints of a controller that all turn are rounded to.
/// @param all_turn  whether units are those of joints that turn; plain numbers for others
Mapping<Digitization> resolution_keys(bool all_turn) {
  using namespace kind;
  const auto step = [all_turn](const Quantity& turning, const char* title) {
    Kind<double> kind = number(positive(turning), title);
    if (!all_turn) kind.read = number(positive(kNumber)).read;
    return kind;
  };
  Mapping<Digitization> keys;
  keys.allow("position", &Digitization::position_resolution,
             step(kAngle, "Of joint positions, rad or m"));
  keys.allow("velocity", &Digitization::velocity_resolution,
             step(kRate, "Of joint velocities, rad/s or m/s"));
  keys.allow("effort", &Digitization::command_resolution,
             step(kTorque, "Of the commands, N*m or N"));
  return keys;
}

/// A gain: one number or one per joint.
VectorX read_gain(MapReader& map, const char* key, const std::vector<Quantity>& quantities) {
  const VectorX nothing = VectorX::Zero(static_cast<Eigen::Index>(quantities.size()));
  const auto value = map.require(key, expectation(quantities.front()) + " or a list");
  return value ? read_each(*value, quantities, map.problems()).value_or(nothing) : nothing;
}

/// A limit of each joint; `own` where the key is absent.
VectorX read_limit(MapReader& map, const char* key, std::vector<Quantity> quantities,
                   const VectorX& own) {
  for (Quantity& each : quantities) each = each.within(Range::positive).or_infinite();
  const auto value = map.find(key);
  return value ? read_each(*value, quantities, map.problems()).value_or(own) : own;
}

std::string sample_period_schema() {
  return number_schema({kPeriod}, "Time, s; 0 (default) means continuous");
}

std::string joint_pd_schema() {
  MappingSchema quantization("Resolutions: numbers are rounded to their nearest multiples");
  resolution_keys(true).describe(quantization);
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

/// A type of controller, with its definition in the schema.
struct ControlType {
  const char* name;
  const char* definition;
  void (*read)(ScenarioContext& scenario, MapReader& map, const std::string& name);
};

constexpr std::array<ControlType, 6> kControlTypes = {{
    {"joint_pd", "joint_pd", read_joint_pd},
    {"attitude", "attitude_control", read_attitude},
    {"detumble", "detumble", read_detumble},
    {"momentum_dumping", "momentum_dumping", read_momentum_dumping},
    {"station_keeping", "station_keeping", read_station_keeping},
    {"drive", "vehicle_drive", read_drive},
}};

std::string controllers_schema() {
  std::vector<std::string> controllers;
  for (const ControlType& type : kControlTypes) {
    controllers.push_back(reference_schema(type.definition));
  }
  return series_schema(one_of_schema(controllers));
}

bool is_control_type(const std::string& name) {
  return std::any_of(kControlTypes.begin(), kControlTypes.end(),
                     [&](const ControlType& type) { return name == type.name; });
}

/// Remembers the names of all controllers, those that turn out to be wrong included.
void note_controller_names(ScenarioContext& scenario) {
  const auto list = scenario.map.find("control");
  if (!list) return;
  if (!list->node->is_sequence()) scenario.names.knows_controllers = false;
  std::size_t position = 0;
  for (const NodePtr& item : list->node->items) {
    const Entry* name = item->find("name");
    const Entry* type = item->find("type");
    if (name != nullptr && name->value->is_scalar()) {
      scenario.names.controllers.insert(name->value->text);
    } else if (type != nullptr && name == nullptr && is_control_type(type->value->text)) {
      scenario.names.controllers.insert(type->value->text + '_' + std::to_string(position));
    } else {
      scenario.names.knows_controllers = false;
    }
    ++position;
  }
}

Digitization read_digitization(ScenarioContext& scenario, MapReader& map, double period,
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
  if (const auto value = map.find("quantization")) {
    const bool all_turn = std::all_of(joints.begin(), joints.end(), [&](int joint) {
      return scenario.model->joint(joint).type == JointType::revolute;
    });
    resolution_keys(all_turn).read_whole(*value, scenario.context(), digital);
  }
  return digital;
}

std::optional<std::vector<int>> read_joints(ScenarioContext& scenario, MapReader& map) {
  const auto list = map.require("joints", "a list of names of joints");
  if (!list) return std::nullopt;
  std::vector<int> joints;
  bool complete = list->node->is_sequence();
  for_each_item(*list, map.problems(), [&](const Value& item) {
    const auto joint = read_joint_name(scenario, item);
    complete = complete && joint.has_value();
    if (!joint) return;
    const std::string got = describe(*item.node);
    if (std::find(joints.begin(), joints.end(), *joint) != joints.end()) {
      map.problems().error(item, "expected each joint once, got " + got + " again");
      complete = false;
    } else if (is_prescribed(scenario, *joint)) {
      map.problems().error(
          item, "expected a joint that moves freely, got " + got + ", whose motion is prescribed");
    }
    joints.push_back(*joint);
    scenario.names.controlled_joints.insert(*joint);
  });
  if (complete && joints.empty()) {
    map.error_at("joints", "expected at least one joint, got an empty list");
    return std::nullopt;
  }
  if (!complete) return std::nullopt;
  return joints;
}

/// The motion that a name stands for; nothing if for none.
std::optional<JointMotion> motion_named(const std::string& name, const SimulationSetup& system) {
  for (const auto& controller : system.controllers) {
    const auto* pd = dynamic_cast<const JointPd*>(controller.get());
    if (pd != nullptr && pd->name() == name) {
      return JointMotion{pd->settings().joints, pd->settings().reference};
    }
  }
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    if (system.model->joint(prescribed.joint).name != name) continue;
    return JointMotion{{prescribed.joint}, prescribed.reference};
  }
  return std::nullopt;
}

std::vector<std::string> known_motions(const SimulationSetup& system) {
  std::vector<std::string> known;
  for (const auto& controller : system.controllers) {
    if (dynamic_cast<const JointPd*>(controller.get()) != nullptr) {
      known.push_back(controller->name());
    }
  }
  for (const PrescribedJoint& prescribed : system.prescribed_joints) {
    known.push_back(system.model->joint(prescribed.joint).name);
  }
  return known;
}

/// The first joint that two motions share; 0 if none.
int shared_joint(const std::vector<JointMotion>& motions, const JointMotion& other) {
  for (const JointMotion& motion : motions) {
    for (const int joint : motion.joints) {
      if (std::count(other.joints.begin(), other.joints.end(), joint) > 0) return joint;
    }
  }
  return 0;
}

}  // namespace

extern const SchemaDefinition kSamplePeriodDefinition{"sample_period", sample_period_schema};
extern const SchemaDefinition kJointPdDefinition{"joint_pd", joint_pd_schema};
extern const SchemaDefinition kControllersDefinition{"controllers", controllers_schema};

double read_sample_period(ScenarioContext& scenario, MapReader& map) {
  const double period = map.number("sample_period", kPeriod, 0.0);
  check_step(scenario, map, "sample_period", period, "samples");
  return period;
}

double read_sample_period(ScenarioContext& scenario, MapReader& map,
                          const ThrusterModulation& modulation) {
  if (!modulation.acts()) return read_sample_period(scenario, map);
  map.refuse("sample_period", "its modulation has a period");
  return modulation.period;
}

std::vector<JointMotion> read_feed_forward(const SimulationSetup& system, MapReader& map) {
  std::vector<JointMotion> motions;
  const auto list = map.find("feed_forward");
  if (!list) return motions;
  read_names(map, "feed_forward", *list, "name", [&](const std::string& name) -> Refusal {
    if (!system.model) return {};
    const auto motion = motion_named(name, system);
    if (!motion) {
      return unknown_name("the name of a joint_pd listed before or of a prescribed joint", name,
                          known_motions(system));
    }
    if (const int joint = shared_joint(motions, *motion); joint != 0) {
      return named_twice("joint", system.model->joint(joint).name);
    }
    motions.push_back(*motion);
    return {};
  });
  return motions;
}

Vector3 read_axis_gains(MapReader& map, const char* key, const Quantity& quantity) {
  const auto value = map.require(key, expectation(quantity) + " or a list of 3");
  if (!value) return Vector3::Zero();
  const auto gains = read_each(*value, {quantity, quantity, quantity}, map.problems());
  return gains ? Vector3(*gains) : Vector3(Vector3::Zero());
}

std::string axis_gains_schema(const Quantity& quantity, std::string_view title) {
  const std::string gain = number_schema({quantity});
  return any_of_schema({gain, list_schema(gain, 3)}, title);
}

void read_joint_pd(ScenarioContext& scenario, MapReader& map, const std::string& name) {
  JointPd::Settings settings;
  settings.sample_period = read_sample_period(scenario, map);
  const auto joints = read_joints(scenario, map);
  const auto sensors = read_sensor_names(
      scenario, map, "an encoder of one of its joints",
      [&](const Sensor& sensor) {
        return sensor.type == SensorType::encoder &&
               (!joints || std::count(joints->begin(), joints->end(), sensor.joint) > 0);
      },
      settings.sample_period);
  if (!joints) {
    // sizes and units depend on the joints
    for (const char* key : {"delay", "quantization", "stiffness", "damping", "effort_limit",
                            "velocity_limit", "reference"}) {
      map.find(key);
    }
    return;
  }
  ReferenceFrame frame;
  const auto count = static_cast<Eigen::Index>(joints->size());
  VectorX effort_limits(count);
  frame.start.resize(count);
  std::vector<Quantity> efforts, stiffnesses;
  for (Eigen::Index i = 0; i < count; ++i) {
    const int index = (*joints)[static_cast<std::size_t>(i)];
    const Joint& joint = scenario.model->joint(index);
    frame.add_joint(joint.type);
    frame.start(i) = scenario.initial().q(index - 1);
    effort_limits(i) = joint.effort_limit;
    efforts.push_back(effort_quantity(joint.type));
    const bool slides = joint.type == JointType::prismatic;
    stiffnesses.push_back(slides ? kStiffnessOfSliding : kStiffnessOfTurning);
  }
  settings.joints = *joints;
  settings.digitization = read_digitization(scenario, map, settings.sample_period, *joints);
  settings.stiffness = read_gain(map, "stiffness", stiffnesses);
  settings.damping =
      read_gain(map, "damping", std::vector<Quantity>(joints->size(), kJointDamping));
  settings.effort_limit = read_limit(map, "effort_limit", efforts, effort_limits);
  settings.velocity_limit = read_limit(map, "velocity_limit", frame.velocity, {});
  const auto reference = map.require("reference", "a reference");
  if (reference) settings.reference = read_reference(*reference, frame, scenario.context());
  const bool is_wrong = map.problems().has_error_near(map.mark().source, map.path());
  if (!settings.reference || is_wrong) return;
  scenario.add_controller(std::make_shared<JointPd>(name, std::move(settings)), sensors);
}

void read_control(ScenarioContext& scenario) {
  note_controller_names(scenario);
  std::vector<std::string> names;
  for (const ControlType& type : kControlTypes) names.emplace_back(type.name);
  read_elements(scenario, "control", names,
                [&](MapReader& map, std::size_t type, const std::string& name) {
                  kControlTypes[type].read(scenario, map, name);
                });
}

}  // namespace spacedyn::loading
