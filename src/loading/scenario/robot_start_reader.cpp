#include <algorithm>

#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::loading {
namespace {

std::string robots_schema() {
  MappingSchema schema("One of several robots");
  schema.require("name", reference_schema("name"))
      .require("model", reference_schema("model_or_file"))
      .allow("base", reference_schema("base_mode"))
      .allow("initial", reference_schema("initial"))
      .allow("prescribed", reference_schema("prescribed_joints"))
      .allow("locked", reference_schema("locked_joints"));
  return series_schema(schema.text(), 1, "Several robots, in the place of 'model'");
}

}  // namespace

extern const SchemaDefinition kRobotsDefinition{"robots", robots_schema};

ScenarioReader::ScenarioReader(MapReader& map, std::shared_ptr<const Model> model, Session& session,
                               std::vector<RobotStart> robots)
    : ScenarioReader(map, std::move(model), session) {
  robots_ = std::move(robots);
}

RobotStart ScenarioReader::read_robot() {
  is_robot_ = true;
  RobotStart robot;
  robot.name = map_.required_text("name");
  map_.find("model");
  read_base_mode();
  read_initial();
  read_base_motion();
  read_prescribed_joints();
  read_locked_joints();
  for (const char* key : {"duration", "environment", "forces", "control", "events", "connections",
                          "sensors", "seed", "integrator", "output", "checks"}) {
    map_.refuse(key, "it belongs to the scenario, not to a robot");
  }
  map_.finish();
  check_start();
  robot.model = model_;
  robot.floats = scenario_.setup.base_mode == BaseMode::floating;
  robot.motion = std::move(scenario_.setup.prescribed_base);
  robot.flight = std::move(flight_);
  robot.initial = std::move(scenario_.initial);
  robot.prescribed = std::move(scenario_.setup.prescribed_joints);
  robot.locked = std::move(scenario_.setup.locked_joints);
  robot.joint_starts = std::move(joint_starts_);
  robot.assemble = assemble_;
  robot.assembly_place = assembly_place_;
  robot.held = std::move(held_);
  robot.holds_base = holds_base_;
  robot.has_base_pose = base_start_.position || base_start_.orientation;
  return robot;
}

int ScenarioReader::coordinate_of(const RobotStart& robot, int joint) const {
  return *model_->find_joint(robot.name + '.' + robot.model->joint(joint).name);
}

void ScenarioReader::start_robots() {
  scenario_.setup.base_mode = BaseMode::fixed;
  for (const char* key : {"base", "locked", "prescribed"}) {
    map_.refuse(key, "with several robots it belongs to each of them");
  }
  if (const auto initial = map_.find("initial")) {
    MapReader map(*initial, context());
    for (const char* key : {"base", "joints"}) {
      map.refuse(key, "with several robots it belongs to each of them");
    }
    initial_place_ = initial;
    read_assembly(map);
    map.finish();
  }
  if (!model_) return;
  for (const RobotStart& robot : robots_) {
    const Robot& place = *model_->find_robot(robot.name);
    set_robot_state(*model_, place, robot.initial, scenario_.initial);
    if (robot.motion) impose_on_base(*robot.motion, place);
    if (robot.flight) add_flight_control(*robot.flight, place);
    for (const PrescribedJoint& joint : robot.prescribed) {
      scenario_.setup.prescribed_joints.push_back(
          {coordinate_of(robot, joint.joint), joint.reference});
    }
    for (const int joint : robot.locked) {
      scenario_.setup.locked_joints.push_back(coordinate_of(robot, joint));
    }
    for (const auto& [joint, start] : robot.joint_starts) {
      joint_starts_[coordinate_of(robot, joint)] = start;
    }
    if (robot.assembly_place && !assembly_place_) assembly_place_ = robot.assembly_place;
  }
}

void ScenarioReader::impose_on_base(const PrescribedBase& motion, const Robot& robot) {
  const auto impose = [&](int joint, const std::shared_ptr<const Reference>& path, int component,
                          double otherwise) {
    PrescribedJoint prescribed{
        joint, std::make_shared<ConstantReference>(VectorX::Constant(1, otherwise))};
    if (path) prescribed.reference = std::make_shared<ReferenceComponent>(path, component);
    const ReferenceValue start = prescribed.reference->evaluate(0, 0.0);
    scenario_.initial.q(joint - 1) = start.position;
    scenario_.initial.qd(joint - 1) = start.velocity;
    scenario_.setup.prescribed_joints.push_back(std::move(prescribed));
  };
  for (int i = 0; i < 3; ++i) {
    impose(robot.first + i, motion.position, i, motion.initial_position(i));
  }
  impose(robot.first + 3, motion.angle, 0, 0.0);
}

void ScenarioReader::add_flight_control(BasePd::Settings settings, const Robot& robot) {
  const std::string name = robot.name + ".flying_base";
  element_names_.insert(name);
  controller_names_.insert(name);
  if (problems().has_errors()) return;
  settings.robot = robot;
  scenario_.setup.controllers.push_back(std::make_shared<BasePd>(name, std::move(settings)));
}

bool ScenarioReader::assembles_robots() const {
  return std::any_of(robots_.begin(), robots_.end(),
                     [](const RobotStart& robot) { return robot.assemble; });
}

std::vector<int> ScenarioReader::held_coordinates(bool bases) const {
  std::vector<int> held;
  if (held_) held = *held_;
  for (const RobotStart& robot : robots_) {
    const Robot& place = *model_->find_robot(robot.name);
    const bool stays = !assemble_ && !robot.assemble;
    if (stays) {
      for (int i = place.first; i < place.end; ++i) held.push_back(i);
      continue;
    }
    if (robot.held) {
      for (const int joint : *robot.held) held.push_back(coordinate_of(robot, joint));
    } else if (!held_) {
      for (const auto& [joint, start] : robot.joint_starts) {
        held.push_back(coordinate_of(robot, joint));
      }
    }
    if (!robot.floats) continue;
    if (!robot.holds_base && !(bases && robot.has_base_pose)) continue;
    for (int i = place.first; i < place.first_joint(); ++i) held.push_back(i);
  }
  // these do not move by themselves
  for (const int joint : scenario_.setup.locked_joints) held.push_back(joint);
  for (const PrescribedJoint& joint : scenario_.setup.prescribed_joints) {
    held.push_back(joint.joint);
  }
  return held;
}

}  // namespace spacedyn::loading
