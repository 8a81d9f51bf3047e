#include <algorithm>

#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::loading {
namespace {

std::string robots_schema() {
  MappingSchema base("");
  base.require("mode", choice_schema({"floating", "fixed"}));
  MappingSchema schema("One of several robots");
  schema.require("name", reference_schema("name"))
      .require("model", reference_schema("model_or_file"))
      .allow("base", base.text())
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
  refuse_robot_mode();
  read_initial();
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

void ScenarioReader::refuse_robot_mode() {
  const bool is_prescribed = scenario_.setup.base_mode == BaseMode::prescribed;
  if (!is_prescribed && !flight_) return;
  const auto base = map_.find("base");
  MapReader map(*base, context());
  map.error_at("mode", std::string("expected floating or fixed, got ") +
                           (flight_ ? "flying" : "prescribed") +
                           ": several robots have no other bases");
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
