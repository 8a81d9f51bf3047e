#include "loading/scenario/whole_body_keys.hpp"

#include <algorithm>
#include <set>

#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "spacedyn/forces/declarations.hpp"
#include "spacedyn/model/reaction_wheel.hpp"

namespace spacedyn::loading {
namespace {

bool is_scalar_joint(const Model& model, int joint) {
  const auto& compounds = model.compound_joints();
  return std::none_of(compounds.begin(), compounds.end(), [&](const CompoundJoint& compound) {
    return joint >= compound.first && joint < compound.first + compound.size;
  });
}

/// Joints that other controllers of the file name, those that are read later included.
std::set<std::string> names_of_others(const ScenarioContext& scenario, const std::string& own) {
  std::set<std::string> names;
  const auto list = scenario.map.find("control");
  if (!list || !list->node->is_sequence()) return names;
  const auto add = [&](const Node& node, const char* key) {
    const Entry* entry = node.find(key);
    if (entry == nullptr || !entry->value->is_sequence()) return;
    for (const NodePtr& item : entry->value->items) names.insert(item->text);
  };
  for (const NodePtr& item : list->node->items) {
    if (!item->is_mapping() || item->text_at("name") == own) continue;
    add(*item, "joints");
    add(*item, "actuators");
    const Entry* base = item->find("base");
    if (base != nullptr && base->value->is_mapping()) add(*base->value, "wrench");
  }
  return names;
}

/// The robot: that of the key `robot`, else that of the first joint.
bool take_robot(Reading& reading, WholeBodyInput& input) {
  const ScenarioContext& scenario = *reading.scenario;
  const Model& model = *scenario.model;
  if (!scenario.has_several_robots()) {
    if (input.robot.empty() || input.robot == model.name()) return true;
    reading.map.error_at("robot",
                         "expected no robot beside a single one, got '" + input.robot + "'");
    return false;
  }
  std::vector<std::string> known;
  for (const Robot& robot : model.robots()) {
    known.push_back(robot.name);
    const bool is_its = input.robot.empty() && !input.joints.empty() &&
                        input.joints.front() >= robot.first && input.joints.front() < robot.end;
    if (robot.name == input.robot || is_its) input.settings.robot = robot;
  }
  if (input.settings.robot) return true;
  if (input.robot.empty()) {
    reading.map.require("robot", "the name of a robot");
  } else {
    const Refusal refusal = unknown_name("the name of a robot", input.robot, known);
    reading.map.error_at("robot", refusal.reason, refusal.hint);
  }
  return false;
}

/// All free joints of the robot that no other controller drives.
void take_free_joints(Reading& reading, WholeBodyInput& input) {
  ScenarioContext& scenario = *reading.scenario;
  const Model& model = *scenario.model;
  const std::set<std::string> others = names_of_others(scenario, input.name);
  const int first = input.settings.robot ? input.settings.robot->first_joint() : 1;
  const int end = input.settings.robot ? input.settings.robot->end : model.body_count();
  for (int joint = first; joint < end; ++joint) {
    const bool is_free = is_scalar_joint(model, joint) && model.wheel(joint) == nullptr &&
                         model.follower(joint) == nullptr && gyro_rotor(model, joint) == 0 &&
                         !is_prescribed(scenario, joint) &&
                         others.count(model.joint(joint).name) == 0;
    if (!is_free) continue;
    input.joints.push_back(joint);
    scenario.names.controlled_joints.insert(joint);
    scenario.names.joints.insert(joint);
  }
}

bool read_joints(Reading& reading, WholeBodyInput& input) {
  ScenarioContext& scenario = *reading.scenario;
  const auto list = reading.map.find("joints");
  if (!scenario.model) return true;
  if (!list) {
    if (!take_robot(reading, input)) return false;
    take_free_joints(reading, input);
    return true;
  }
  return read_driven_joints(reading, *list, input.joints);
}

KeyGroup<WholeBodyInput> joints_key() {
  return {[](MappingSchema& schema) { schema.allow("joints", names_schema()); }, read_joints};
}

const char* key_of_tasks(const MapReader& map) {
  if (map.has("tasks")) return "tasks";
  return map.has("frame") ? "frame" : "type";
}

/// Reports joints of postures that are not driven.
bool check_postures(Reading& reading, const WholeBody::Settings& settings) {
  bool is_right = true;
  for (const Task& task : settings.tasks) {
    if (task.type != Task::Type::posture) continue;
    for (const int joint : task.joints) {
      if (std::count(settings.joints.begin(), settings.joints.end(), joint) > 0) continue;
      reading.map.error_at("tasks", "expected postures of joints that it drives, got '" +
                                        reading.scenario->model->joint(joint).name + "'");
      is_right = false;
    }
  }
  return is_right;
}

/// Reports joints and frames of other robots.
bool check_robot(Reading& reading, const WholeBodyInput& input) {
  if (!input.settings.robot) return true;
  const Robot& robot = *input.settings.robot;
  const Model& model = *reading.scenario->model;
  bool is_right = true;
  const auto is_own = [&](int body) { return body >= robot.first && body < robot.end; };
  for (const int joint : input.settings.joints) {
    if (is_own(joint)) continue;
    reading.map.error_at("joints", "expected joints of robot '" + robot.name + "', got '" +
                                       model.joint(joint).name + "'");
    is_right = false;
  }
  for (const Task& task : input.settings.tasks) {
    if (!task.has_frame() || is_own(task.frame.body)) continue;
    reading.map.error_at(key_of_tasks(reading.map), "expected frames of robot '" + robot.name +
                                                        "', whose joints it drives, got '" +
                                                        task.frame.name + "'");
    is_right = false;
  }
  return is_right;
}

/// Reports momenta that nothing could change.
bool check_momenta(Reading& reading, const WholeBody::Settings& settings) {
  const bool has_one =
      std::any_of(settings.tasks.begin(), settings.tasks.end(),
                  [](const Task& task) { return task.type == Task::Type::momentum; });
  if (!has_one || settings.thrusters) return true;
  reading.map.error_at("tasks", "expected thrusters for a task of the momentum, got none",
                       "'base: {wrench: [...]}' names them");
  return false;
}

/// Reports momenta that thrusters do not change to both sides where the run starts.
bool check_authority(Reading& reading, const WholeBody& controller) {
  try {
    controller.check_start(Rest(*reading.scenario).now());
  } catch (const DomainError& error) {
    reading.map.error_at("base", error.what());
    return false;
  }
  return true;
}

void check_level(WholeBodyInput& input, Reading& reading) {
  const bool is_rate = input.settings.level == WholeBody::Level::rate;
  if (is_rate && !reading.map.has("rate_gain")) {
    reading.map.require("rate_gain", "a number (N m s/rad) or a list");
  } else if (!is_rate && reading.map.has("rate_gain")) {
    reading.map.error_at("rate_gain",
                         "expected no rate_gain at level torque, which has no inner loop");
  }
}

bool read_kept_limits(Reading& reading, WholeBodyInput& input) {
  const auto list = reading.map.find("limits");
  if (!list) return true;
  input.settings.limits = {false, false, false};
  const std::vector<std::string> names = {"rate", "effort", "position"};
  bool is_right = list->node->is_sequence();
  for_each_item(*list, reading.problems(), [&](const Value& item) {
    const auto choice = read_choice(item, names, reading.problems());
    is_right = is_right && choice.has_value();
    if (choice == std::size_t{0}) input.settings.limits.rate = true;
    if (choice == std::size_t{1}) input.settings.limits.effort = true;
    if (choice == std::size_t{2}) input.settings.limits.position = true;
  });
  return is_right;
}

KeyGroup<WholeBodyInput> limits_keys() {
  const auto describe = [](MappingSchema& schema) {
    schema.allow("limits", series_schema(choice_schema({"rate", "effort", "position"}), 0,
                                         "Of the model that the solution keeps, default all"));
  };
  return {describe, read_kept_limits};
}

bool is_estimate(const Sensor& sensor) {
  return sensor.type == SensorType::target_filter || sensor.type == SensorType::momentum_observer;
}

KeyGroup<WholeBodyInput> timing_keys() {
  return {describe_digitization, [](Reading& reading, WholeBodyInput& input) {
            reading.joints = input.joints;
            return read_timing(reading, input, input.settings.digitization,
                               {", a target_filter or a momentum_observer", is_estimate});
          }};
}

KeyGroup<WholeBodyInput> base_key() {
  const auto describe = [](MappingSchema& schema) {
    MappingSchema base("Actuators of the base");
    base.require("wrench", names_schema("Reaction wheels, whose spins join the driven joints, and "
                                        "at level torque thrusters"));
    schema.allow("base", base);
  };
  const auto read = [](Reading& reading, WholeBodyInput& input) {
    const auto value = reading.map.find("base");
    if (!value) return true;
    MapReader map(*value, reading.map.context());
    ScenarioContext& scenario = *reading.scenario;
    const bool is_torque = input.settings.level == WholeBody::Level::torque;
    auto actuators = read_base_actuators(scenario, map, "wrench", is_torque, input.name);
    map.finish();
    if (!actuators) return false;
    input.wheels = actuators->wheels;
    if (actuators->thrusters.empty()) return true;
    input.settings.thrusters = std::make_shared<ThrusterValves>(
        "'" + input.name + "': ", *scenario.model, std::move(actuators->thrusters));
    return true;
  };
  return {describe, read};
}

Mapping<WholeBodyInput> whole_body_keys() {
  Mapping<WholeBodyInput> keys("A stack of tasks with strict priorities, within limits");
  add_level(keys);
  add_stack_keys(keys);
  keys.group(base_key());
  add_rate_gain(keys, Presence::optional);
  add_damping(keys);
  keys.group([](WholeBodyInput& input) -> WholeBody::Settings& { return input.settings; },
             tasks_key());
  add_limits(keys);
  return keys;
}

}  // namespace

void add_stack_keys(Mapping<WholeBodyInput>& keys) {
  using namespace kind;
  keys.allow("robot", &WholeBodyInput::robot, text("With several robots: whose joints it drives"));
  keys.group(joints_key());
  keys.group(timing_keys());
  keys.allow("effort_limit", stack_setting(&WholeBody::Settings::effort_limit),
             each_row(positive(kTorque), "N*m or N: one, or one per driven joint"));
}

void add_level(Mapping<WholeBodyInput>& keys) {
  keys.allow(
      "level", stack_setting(&WholeBody::Settings::level),
      kind::choice<WholeBody::Level>({"rate", "torque"}, "What is solved for, default rate"));
  keys.check(check_level);
}

void add_rate_gain(Mapping<WholeBodyInput>& keys, Presence presence) {
  keys.add(presence, "rate_gain", stack_setting(&WholeBody::Settings::rate_gain),
           kind::each_row(quantity::positive(quantity::in("N m s/rad")),
                          "τ = rate_gain (q̇_cmd − q̇): one, or one per driven joint"));
}

void add_damping(Mapping<WholeBodyInput>& keys) {
  keys.allow("damping", stack_setting(&WholeBody::Settings::damping),
             quantity::not_negative(quantity::kNumber), "λ of the least squares, default 0");
}

void add_limits(Mapping<WholeBodyInput>& keys) {
  keys.group(limits_keys());
  keys.allow("limit_gain", stack_setting(&WholeBody::Settings::limit_gain),
             quantity::positive(quantity::in("1/s")), "κ, 1/s, default 10");
}

void add_whole_body(Reading& reading, WholeBodyInput& input) {
  ScenarioContext& scenario = *reading.scenario;
  WholeBody::Settings& settings = input.settings;
  const std::size_t errors = reading.problems().error_count();
  if (!take_robot(reading, input)) return;
  settings.joints = input.joints;
  settings.joints.insert(settings.joints.end(), input.wheels.begin(), input.wheels.end());
  if (settings.joints.empty()) {
    reading.map.error_at("joints",
                         "expected at least one joint that moves freely and that no other "
                         "controller drives");
    return;
  }
  if (!check_robot(reading, input) || !check_postures(reading, settings)) return;
  if (!check_momenta(reading, settings) || !take_estimates(reading, input)) return;
  if (reading.map.has("joints")) claim_joints(reading, input.joints, input.name, true);
  const auto count = static_cast<Eigen::Index>(settings.joints.size());
  fit_rows(reading.map, "rate_gain", settings.rate_gain, count, "driven joint");
  fit_rows(reading.map, "effort_limit", settings.effort_limit, count, "driven joint");
  if (reading.problems().error_count() > errors) return;
  if (settings.level == WholeBody::Level::rate && settings.rate_gain.size() == 0) return;
  settings.sample_period = input.sample_period;
  settings.known = surroundings_of(scenario.setup());
  if (!take_known_forces(reading, settings)) return;
  try {
    auto controller = std::make_shared<WholeBody>(input.name, std::move(settings));
    if (!check_authority(reading, *controller)) return;
    controller->check(*scenario.model);
    scenario.add_controller(std::move(controller), input.sensors);
  } catch (const Error& error) {
    reading.map.error_at(key_of_tasks(reading.map), error.what());
  }
}

extern const ControlType kWholeBodyType =
    control_type<whole_body_keys>("whole_body", add_whole_body);

}  // namespace spacedyn::loading
