#include <algorithm>

#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/scenario_model.hpp"
#include "loading/scenario/whole_body_keys.hpp"
#include "spacedyn/control/computed_torque.hpp"
#include "spacedyn/control/function_controller.hpp"
#include "spacedyn/control/joint_pd.hpp"
#include "spacedyn/forces/declarations.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kDelay{Dimension::time, Range::not_negative};
constexpr const char* kDelayTitle = "Of the commands, s";

/// What the joints of a controller that all turn are rounded to.
/// @param all_turn  whether units are those of joints that turn; plain numbers for others
Mapping<Digitization> resolution_keys(bool all_turn) {
  using namespace kind;
  const auto step = [all_turn](const Quantity& turning, const char* title) {
    Kind<double> kind = number(positive(turning), title);
    if (!all_turn) kind.read = number(positive(kNumber)).read;
    return kind;
  };
  Mapping<Digitization> keys("Resolutions: numbers are rounded to their nearest multiples");
  keys.allow("position", &Digitization::position_resolution,
             step(kAngle, "Of joint positions, rad or m"));
  keys.allow("velocity", &Digitization::velocity_resolution,
             step(kRate, "Of joint velocities, rad/s or m/s"));
  keys.allow("effort", &Digitization::command_resolution,
             step(kTorque, "Of the commands, N*m or N"));
  return keys;
}

const Joint& joint_of(const Reading& reading, int index) {
  return reading.scenario->model->joint(index);
}

/// A limit of each driven joint, or none.
Kind<VectorX> joint_limit(const std::vector<Quantity>& quantities, const char* title) {
  const auto limit = [](Quantity quantity) {
    return quantity.within(Range::positive).or_infinite();
  };
  Kind<VectorX> kind = kind::each_motion({limit(quantities[0]), limit(quantities[1])}, title);
  kind.schema = [=] { return each_schema(quantity::positive(quantities), title); };
  return kind;
}

/// A reference of the driven joints.
Kind<std::shared_ptr<const Reference>> joint_reference() {
  using Result = std::shared_ptr<const Reference>;
  const auto read = [](const Value& value, Reading& reading) -> std::optional<Result> {
    Result result = read_reference(value, joint_frame(*reading.scenario, reading.joints),
                                   reading.map.context());
    if (!result) return std::nullopt;
    return result;
  };
  Kind<Result> kind = make_kind<Result>(
      "a reference", [] { return reference_schema("reference"); }, read);
  kind.needs_motion = true;
  kind.expected_of_sliding = kind.expected;
  return kind;
}

void check_delay(MapReader& map, double delay, double period) {
  if (delay <= 1000.0 * period) return;
  map.error_at("delay", "expected at most 1000 sample periods, got " + format_number(delay) + " s");
}

void read_digitization(Reading& reading, double period, Digitization& digital) {
  MapReader& map = reading.map;
  if (period == 0.0) {
    map.refuse("delay", "control without a sample_period is continuous");
    map.refuse("quantization", "control without a sample_period is continuous");
    return;
  }
  digital.delay = map.number("delay", kDelay, 0.0);
  check_delay(map, digital.delay, period);
  if (const auto value = map.find("quantization")) {
    const bool all_turn = std::all_of(reading.joints.begin(), reading.joints.end(), [&](int joint) {
      return joint_of(reading, joint).type != JointType::prismatic;
    });
    resolution_keys(all_turn).read_whole(*value, map.context(), digital);
  }
}

/// Keys of all controllers of joints.
/// @param stiffness, damping  kinds of the gains
template <typename Settings>
void add_tracking(Mapping<JointInput<Settings>>& keys, const Kind<VectorX>& stiffness,
                  const Kind<VectorX>& damping) {
  keys.require("joints", tracked<Settings>(&JointTracking::joints), kind::driven_joints());
  keys.group({describe_digitization, [](Reading& reading, JointInput<Settings>& input) {
                return read_timing(reading, input, input.settings.digitization);
              }});
  keys.require("stiffness", tracked<Settings>(&JointTracking::stiffness), stiffness);
  keys.require("damping", tracked<Settings>(&JointTracking::damping), damping);
  keys.allow("effort_limit", tracked<Settings>(&JointTracking::effort_limit), kind::effort_limit());
  keys.require("reference", tracked<Settings>(&JointTracking::reference), joint_reference());
}

Mapping<JointInput<JointPd::Settings>> joint_pd_keys() {
  using namespace kind;
  using Settings = JointPd::Settings;
  Mapping<JointInput<Settings>> keys("τ = K e + D ė + I ∫ e dt, e = q_ref − q, limited");
  add_tracking(
      keys,
      each_motion({not_negative(kAngularStiffness), not_negative(kLinearStiffness)},
                  "K, N*m/rad or N/m: one number, or one per joint"),
      each_motion({not_negative(kNumber)}, "D, N m s/rad or N s/m: one number, or one per joint"));
  keys.allow("velocity_limit", setting(&Settings::velocity_limit),
             joint_limit(kJointVelocity, "rad/s or m/s: one number, or one per joint"));
  keys.allow("integral", setting(&Settings::integral),
             each_motion({not_negative(kNumber)},
                         "I, N m/(rad s) or N/(m s): one number, or one per joint; default none"));
  keys.allow("integral_limit", setting(&Settings::integral_limit),
             joint_limit(kJointEffort,
                         "Of the integral term, N*m or N: one number, or one per joint; default "
                         "the effort limit"))
      .with("integral", "there is no integral term without 'integral'");
  return keys;
}

void add_joint_pd(Reading& reading, JointInput<JointPd::Settings>& input) {
  add_joint_controller<JointPd>(reading, input, false);
}

/// The model that a controller believes in.
Kind<std::shared_ptr<const Model>> believed_model() {
  using Result = std::shared_ptr<const Model>;
  const auto read = [](const Value& value, Reading& reading) -> std::optional<Result> {
    if (reading.scenario->has_several_robots()) {
      reading.problems().error(value, "expected no model here, for there are several robots");
      return std::nullopt;
    }
    const Source* source = value.node->mark.source;
    const std::string file = source != nullptr && !source->is_override() ? source->name() : "";
    Result model = read_scenario_model(value, {file, {}}, reading.map.context()).model;
    if (!model) return std::nullopt;
    return model;
  };
  return make_kind<Result>(
      "the path of a model file or a model", [] { return reference_schema("model_or_file"); },
      read);
}

using ModelSettings = ComputedTorque::Settings;

Mapping<JointInput<ModelSettings>> computed_torque_keys() {
  using namespace kind;
  Mapping<JointInput<ModelSettings>> keys(
      "Torques of inverse dynamics for q̈ = q̈_ref + D ė + K e, limited");
  add_tracking(keys,
               each_motion({not_negative(in("1/s²"))}, "K, 1/s²: one number, or one per joint"),
               each_motion({not_negative(in("1/s"))}, "D, 1/s: one number, or one per joint"));
  keys.allow("model", setting(&ModelSettings::believed), believed_model());
  return keys;
}

void add_computed_torque(Reading& reading, JointInput<ModelSettings>& input) {
  input.settings.surroundings = surroundings_of(reading.scenario->setup());
  add_joint_controller<ComputedTorque>(reading, input, true, *reading.scenario->model);
}

using ExternalInput = JointInput<ExternalController::Settings>;

Mapping<ExternalInput> external_keys() {
  using namespace kind;
  Mapping<ExternalInput> keys(
      "Torques that a program gives from outside, held from sample to sample");
  keys.require("joints", tracked<JointTracking>(&JointTracking::joints), kind::driven_joints());
  keys.require("sample_period", &ExternalInput::sample_period, {Dimension::time, Range::positive},
               "Time, s");
  keys.allow(
      "delay", [](ExternalInput& input) -> double& { return input.settings.digitization.delay; },
      kDelay, kDelayTitle);
  keys.allow("effort_limit", tracked<JointTracking>(&JointTracking::effort_limit),
             kind::effort_limit());
  return keys;
}

void add_external(Reading& reading, ExternalInput& input) {
  const ErrorMark errors(reading.problems());
  check_step(*reading.scenario, reading.map, "sample_period", input.sample_period, "samples");
  check_delay(reading.map, input.settings.digitization.delay, input.sample_period);
  if (!errors.found()) add_joint_controller<ExternalController>(reading, input, false);
}

}  // namespace

Kind<std::vector<int>> kind::driven_joints() {
  const auto read = [](const Value& list, Reading& reading) -> std::optional<std::vector<int>> {
    std::vector<int> joints;
    if (!read_driven_joints(reading, list, joints)) return std::nullopt;
    reading.joints = joints;
    reading.motions = joint_frame(*reading.scenario, joints).motions;
    reading.motion = reading.motions.front();
    return joints;
  };
  return make_kind<std::vector<int>>(
      "a list of names of joints", [] { return names_schema(); }, read);
}

Kind<VectorX> kind::effort_limit() {
  return joint_limit(quantity::kJointEffort, "N*m or N: one number, or one per joint");
}

bool read_driven_joints(Reading& reading, const Value& list, std::vector<int>& joints) {
  ScenarioContext& scenario = *reading.scenario;
  bool complete = list.node->is_sequence();
  for_each_item(list, reading.problems(), [&](const Value& item) {
    const auto joint = read_joint_name(scenario, item);
    complete = complete && joint.has_value();
    if (!joint) return;
    const std::string got = describe(*item.node);
    if (std::find(joints.begin(), joints.end(), *joint) != joints.end()) {
      reading.problems().error(item, "expected each joint once, got " + got + " again");
      complete = false;
    } else if (is_prescribed(scenario, *joint)) {
      reading.problems().error(
          item, "expected a joint that moves freely, got " + got + ", whose motion is prescribed");
    }
    joints.push_back(*joint);
    scenario.names.controlled_joints.insert(*joint);
  });
  if (complete && joints.empty()) {
    reading.map.error_at("joints", "expected at least one joint, got an empty list");
  }
  return complete && !joints.empty();
}

void describe_digitization(MappingSchema& schema) {
  describe_sampling(schema);
  schema.allow("delay", number_schema({kDelay}, kDelayTitle))
      .allow("quantization", resolution_keys(true).schema());
}

bool read_timing(Reading& reading, ControlInput& input, Digitization& digital,
                 const OtherSensors& others) {
  const std::vector<int>& joints = reading.joints;
  input.sample_period = read_sample_period(*reading.scenario, reading.map);
  input.sensors = read_sensor_names(
      *reading.scenario, reading.map,
      std::string("an encoder of one of its joints") + others.expected,
      [&](const Sensor& sensor) {
        if (others.is_fit != nullptr && others.is_fit(sensor)) return true;
        return sensor.type == SensorType::encoder &&
               (joints.empty() || std::count(joints.begin(), joints.end(), sensor.joint) > 0);
      },
      input.sample_period);
  if (!joints.empty()) {
    read_digitization(reading, input.sample_period, digital);
  } else {
    for (const char* key : {"delay", "quantization"}) reading.map.find(key);
  }
  return true;
}

void claim_joints(Reading& reading, const std::vector<int>& joints, const std::string& controller,
                  bool alone) {
  ScenarioContext& scenario = *reading.scenario;
  const Value list = *reading.map.find("joints");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    auto& drivers = scenario.names.drivers[joints[i]];
    for (const auto& [other, has_alone] : drivers) {
      if (!(alone || has_alone) || is_switched(scenario, controller) ||
          is_switched(scenario, other)) {
        continue;
      }
      const Value item{list.node->items[i].get(), join_path(list.path, std::to_string(i))};
      reading.problems().error(item,
                               "expected a joint that no other controller drives, got " +
                                   quote(joint_of(reading, joints[i]).name) + ", which " +
                                   quote(other) + " drives",
                               "controllers that events turn on and off may share it");
      break;
    }
    drivers.emplace_back(controller, alone);
  }
}

KnownSurroundings surroundings_of(const SimulationSetup& system) {
  KnownSurroundings known{system.base_mode == BaseMode::floating,
                          system.prescribed_base,
                          system.prescribed_joints,
                          system.locked_joints,
                          system.gravity,
                          {}};
  for (const auto& force : system.forces) {
    if (declarations_of(*force).field != nullptr) known.fields.push_back(force);
  }
  return known;
}

extern const ControlType kExternalType = control_type<external_keys>("external", add_external);
extern const ControlType kJointPdType = control_type<joint_pd_keys>("joint_pd", add_joint_pd);
extern const ControlType kComputedTorqueType =
    control_type<computed_torque_keys>("computed_torque", add_computed_torque);

}  // namespace spacedyn::loading
