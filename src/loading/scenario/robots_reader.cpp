#include <algorithm>
#include <set>

#include "loading/scenario/scenario_model.hpp"
#include "spacedyn/model/aggregate.hpp"
#include "spacedyn/model/model_builder.hpp"

namespace spacedyn::loading {
namespace {

/// Overrides that reach into the model file of one robot of a list.
std::vector<ParsedOverride> changes_of(const std::vector<ParsedOverride>& changes,
                                       const std::string& name, std::size_t position) {
  std::vector<ParsedOverride> own;
  for (const ParsedOverride& change : changes) {
    if (change.path[1] == name || change.path[1] == std::to_string(position)) own.push_back(change);
  }
  return own;
}

class RobotsReader {
 public:
  RobotsReader(Session& session, const std::string& file,
               const std::vector<ParsedOverride>& changes, ReadContext& context)
      : session_(session), file_(file), changes_(changes), context_(context) {}

  ScenarioRobots read(const Value& list, const std::string& name) {
    for_each_item(list, problems(), [&](const Value& item) { read_item(item); });
    if (list.node->is_sequence() && list.node->items.empty()) {
      problems().error(list.node->mark, list.path, "expected at least one robot, got none");
    }
    if (!problems().has_errors()) build(list, name);
    return std::move(result_);
  }

 private:
  ProblemList& problems() { return context_.problems; }

  void read_item(const Value& item) {
    MapReader map(item, context_);
    if (!map.is_mapping()) {
      ++position_;
      return;
    }
    const Entry* named = item.node->find("name");
    const std::string name =
        named != nullptr && named->value->is_scalar() ? named->value->text : std::string();
    check_name(map, name);
    const auto place = map.require("model", "the path of a model file or a model");
    ScenarioModel model;
    if (place) {
      model = read_scenario_model(session_, *place, file_, changes_of(changes_, name, position_), 3,
                                  context_);
    }
    RobotStart robot = ScenarioReader(map, model.model, session_).read_robot();
    robot.value = item;
    result_.robots.push_back(std::move(robot));
    appendages_.push_back(std::move(model.modal_appendages));
    ++position_;
  }

  void check_name(MapReader& map, const std::string& name) {
    if (name.empty()) return;  // told where it is read
    if (name == "world" || name.find('.') != std::string::npos) {
      map.error_at("name", "expected a name without dots other than world, got " + quote(name));
    } else if (!names_.insert(name).second) {
      map.error_at("name", "expected a name of its own, got " + quote(name) + " again");
    }
  }

  void build(const Value& list, const std::string& name) {
    std::vector<RobotPart> parts;
    for (const RobotStart& robot : result_.robots) {
      RobotPart part{robot.name, robot.model, robot.floats, {}};
      part.base = {robot.initial.r_0, robot.initial.A_0};
      if (robot.motion) {
        part.base.rotation = robot.motion->initial_attitude;
        part.turn_axis = robot.motion->axis;
      }
      parts.push_back(std::move(part));
    }
    try {
      result_.whole.model =
          std::make_shared<const Model>(ModelBuilder(aggregate(name, parts)).build());
    } catch (const Error& error) {
      problems().error(list.node->mark, list.path, error.what());
      return;
    }
    const Model& model = *result_.whole.model;
    for (std::size_t i = 0; i < appendages_.size(); ++i) {
      for (const ModalAppendage& own : appendages_[i]) {
        const std::string root = result_.robots[i].name + '.' + own.name;
        result_.whole.modal_appendages.push_back(
            {root, model.frame(root).body, own.first_frequency});
      }
    }
  }

  Session& session_;
  const std::string& file_;
  const std::vector<ParsedOverride>& changes_;
  ReadContext& context_;
  std::set<std::string> names_;
  std::size_t position_ = 0;
  ScenarioRobots result_;
  std::vector<std::vector<ModalAppendage>> appendages_;
};

}  // namespace

ScenarioRobots read_scenario_robots(Session& session, const Value& list, const std::string& name,
                                    const std::string& file,
                                    const std::vector<ParsedOverride>& changes,
                                    ReadContext& context) {
  return RobotsReader(session, file, changes, context).read(list, name);
}

}  // namespace spacedyn::loading
