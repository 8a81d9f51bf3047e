#include <algorithm>

#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"

namespace spacedyn::loading {
namespace {

std::string locked_joints_schema() {
  return names_schema("Joints that are held from the start until an event releases them", 0);
}

}  // namespace

extern const SchemaDefinition kLockedJointsDefinition{"locked_joints", locked_joints_schema};

void ScenarioReader::read_locked_joints() {
  const auto list = map_.find("locked");
  if (!list) return;
  for_each_item(*list, problems(), [&](const Value& item) { read_locked_joint(item); });
}

void ScenarioReader::read_locked_joint(const Value& value) {
  for (const int joint : read_joint_coordinates(value)) read_locked_coordinate(joint, value);
}

void ScenarioReader::read_locked_coordinate(int joint, const Value& value) {
  std::vector<int>& locked = scenario_.setup.locked_joints;
  const std::string& name = model_->joint(joint).name;
  const auto refuse = [&](const std::string& text) {
    problems().error(value.node->mark, value.path, text);
  };
  if (std::find(locked.begin(), locked.end(), joint) != locked.end()) {
    return refuse("expected each joint once, got " + describe(*value.node) + " again");
  }
  if (is_prescribed(joint)) {
    return refuse("expected a joint that moves freely, got '" + name +
                  "', whose motion is prescribed");
  }
  const bool alone = value.node->text == name;
  if (alone && model_->joint(joint).spherical != 0) {
    return refuse("expected a whole joint, got '" + name +
                  "', which is one coordinate of a spherical joint");
  }
  const auto& velocity = joint_starts_[joint].velocity;
  if (velocity && scenario_.initial.qd(joint - 1) != 0.0) {
    problems().error(
        velocity->node->mark, velocity->path,
        "expected 0, because joint '" + name + "' is locked, got " + describe(*velocity->node));
  }
  locked.push_back(joint);
}

}  // namespace spacedyn::loading
