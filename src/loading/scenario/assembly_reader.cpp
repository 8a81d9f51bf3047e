#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "integration/run/setup_checks.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/model/joint_traits.hpp"
#include "spacedyn/state/configuration.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::loading {
namespace {

constexpr double kMoved = 1e-12;  // less than this is not told

/// @param per  follows the unit of a position
std::string residual_text(const LoopResidual& residual, const char* per) {
  return fmt::format("{:.3g} {}{}", residual.value, residual.is_angle ? "rad" : "m", per);
}

/// Coordinate of a joint of one of several robots.
int coordinate_of(const ScenarioContext& scenario, const RobotStart& robot, int joint) {
  return *scenario.model->find_joint(robot.name + '.' + robot.model().joint(joint).name);
}

/// Whether bases with a given pose keep it.
enum class GivenBases { held, free };

/// Coordinates of one of several robots that keep their start while loops are closed.
void add_held_of(const RobotStart& robot, const ScenarioContext& scenario, GivenBases bases,
                 std::vector<int>& held) {
  const AssemblyRequest& own = robot.starts.assembly;
  const AssemblyRequest& all = scenario.starts.assembly;
  const Robot& place = *scenario.model->find_robot(robot.name);
  if (!all.wanted && !own.wanted) {
    for (int i = place.first; i < place.end; ++i) held.push_back(i);
    return;
  }
  if (own.held) {
    for (const int joint : *own.held) held.push_back(coordinate_of(scenario, robot, joint));
  } else if (!all.held) {
    for (const auto& [joint, start] : robot.starts.joints) {
      held.push_back(coordinate_of(scenario, robot, joint));
    }
  }
  const BaseStart& base = robot.starts.base;
  const bool is_given = bases == GivenBases::held && (base.position || base.orientation);
  if (!robot.floats() || !(own.holds_base || is_given)) return;
  for (int i = place.first; i < place.first_joint(); ++i) held.push_back(i);
}

/// Coordinates that keep their start while loops are closed.
std::vector<int> held_coordinates(const ScenarioContext& scenario, GivenBases bases) {
  std::vector<int> held = scenario.starts.assembly.held.value_or(std::vector<int>());
  for (const RobotStart& robot : scenario.robots) add_held_of(robot, scenario, bases, held);
  if (!scenario.has_several_robots() && !scenario.starts.assembly.held) {
    for (const auto& [joint, start] : scenario.starts.joints) held.push_back(joint);
  }
  // these do not move by themselves
  const SimulationSetup& setup = scenario.result.setup;
  held.insert(held.end(), setup.locked_joints.begin(), setup.locked_joints.end());
  for (const PrescribedJoint& joint : setup.prescribed_joints) held.push_back(joint.joint);
  return held;
}

/// Notes how far an assembly has moved the start.
void note_moves(ScenarioContext& scenario, const State& given, const std::string& what) {
  const State& now = scenario.initial();
  std::string moved;
  const auto add = [&](const std::string& name, double change, const char* unit) {
    if (std::abs(change) < kMoved) return;
    moved += fmt::format("{}{} by {:.6g} {}", moved.empty() ? "" : ", ", name, change, unit);
  };
  add("the base", (now.r_0 - given.r_0).norm(), "m");
  add("its attitude", log_so3(now.A_0 * given.A_0.transpose()).norm(), "rad");
  const VectorX changes = joint_difference(*scenario.model, given.q, now.q);
  for (const int i : scenario.model->coordinates()) {
    const Joint& joint = scenario.model->joint(i);
    add('\'' + joint.name + '\'', changes(i - 1), coordinate_units(joint.type).position);
  }
  if (moved.empty()) return;
  const Value& place = *scenario.starts.assembly.place;
  scenario.problems().add(Severity::note, place.node->mark, place.path, what + " moves " + moved,
                          "");
}

void assemble(ScenarioContext& scenario) {
  const State given = scenario.initial();
  const std::vector<Loop> loops = start_loops(scenario);
  const auto close = [&](GivenBases bases) {
    return assemble_loops(*scenario.model, loops, given, held_coordinates(scenario, bases));
  };
  LoopAssembly assembly = close(GivenBases::held);
  // bases that were given stay if that is possible
  if (scenario.has_several_robots() && !assembly.assembled) assembly = close(GivenBases::free);
  const Value& place = *scenario.starts.assembly.place;
  if (!assembly.assembled) {
    const bool opens = assembly.position.is_closed();
    const LoopResidual& worst = opens ? assembly.velocity : assembly.position;
    scenario.problems().error(
        place,
        fmt::format("expected loops that can be closed{}, got loop '{}', which still {} {} where "
                    "it comes closest",
                    opens ? " in velocity" : "", worst.loop, opens ? "opens at" : "is open by",
                    residual_text(worst, opens ? "/s" : "")),
        "hold fewer joints, or check lengths and points of the loop");
    return;
  }
  scenario.initial() = assembly.state;
  note_moves(scenario, given, "closing the loops");
}

void impose_on_base(ScenarioContext& scenario, const PrescribedBase& motion, const Robot& robot) {
  const auto impose = [&](int joint, const std::shared_ptr<const Reference>& path, int component,
                          double otherwise) {
    PrescribedJoint prescribed{
        joint, std::make_shared<ConstantReference>(VectorX::Constant(1, otherwise))};
    if (path) prescribed.reference = std::make_shared<ReferenceComponent>(path, component);
    const ReferenceValue start = prescribed.reference->evaluate(0, 0.0);
    scenario.initial().q(joint - 1) = start.position;
    scenario.initial().qd(joint - 1) = start.velocity;
    scenario.setup().prescribed_joints.push_back(std::move(prescribed));
  };
  for (int i = 0; i < 3; ++i) {
    impose(robot.first + i, motion.position, i, motion.initial_position(i));
  }
  impose(robot.first + 3, motion.angle, 0, 0.0);
}

void add_flight_control(ScenarioContext& scenario, BasePd::Settings settings, const Robot& robot) {
  const std::string name = robot.name + ".flying_base";
  scenario.names.elements.insert(name);
  scenario.names.controllers.insert(name);
  if (scenario.problems().has_errors()) return;
  settings.robot = robot;
  scenario.setup().controllers.push_back(std::make_shared<BasePd>(name, std::move(settings)));
}

/// Whether joints move to where loops are closed, of one robot at least.
bool is_assembly_wanted(const ScenarioContext& scenario) {
  const auto& robots = scenario.robots;
  return scenario.starts.assembly.wanted ||
         std::any_of(robots.begin(), robots.end(),
                     [](const RobotStart& robot) { return robot.starts.assembly.wanted; });
}

constexpr const char* kAssembleLoops =
    "'initial: {assemble: true}' moves the other joints onto the loops";
constexpr const char* kAssembleMotions =
    "'initial: {assemble: true}' moves base and joints to where it holds";

/// Reports a start that is not where it has to be.
void refuse_start(ScenarioContext& scenario, const std::string& what, const char* hint) {
  const auto& place = scenario.starts.place;
  scenario.problems().error(place ? place->node->mark : scenario.map.mark(),
                            place ? place->path : scenario.map.path(), what, hint);
}

void check_on_loops(ScenarioContext& scenario, const std::vector<Loop>& loops) {
  const LoopResidual position = position_residual(*scenario.model, loops, scenario.initial());
  if (!position.is_closed()) {
    return refuse_start(scenario,
                        fmt::format("expected a start on loop '{}', got one that violates it by {}",
                                    position.loop, residual_text(position, "")),
                        kAssembleLoops);
  }
  const LoopResidual velocity = velocity_residual(*scenario.model, loops, scenario.initial());
  if (velocity.is_closed()) return;
  refuse_start(scenario,
               fmt::format("expected velocities that keep loop '{}' closed, got some that "
                           "open it at {}",
                           velocity.loop, residual_text(velocity, "/s")),
               kAssembleLoops);
}

/// Moves base and joints that are not held onto motion constraints.
void assemble_motions(ScenarioContext& scenario) {
  SimulationSetup setup = scenario.setup();
  const auto moves = [&](int joint) {
    return mobility(setup, DiscreteState(setup)).joint_free(joint);
  };
  for (const int joint : held_coordinates(scenario, GivenBases::free)) {
    if (moves(joint)) setup.locked_joints.push_back(joint);
  }
  const State given = scenario.initial();
  guard(*scenario.starts.assembly.place, scenario.problems(), [&] {
    scenario.initial() = closed_start(setup, given);
    note_moves(scenario, given, "satisfying the constraints");
  });
}

void start_on_motions(ScenarioContext& scenario) {
  const auto open = [&] { return motion_residual(scenario.setup(), scenario.initial()); };
  if (open().is_closed()) return;
  if (is_assembly_wanted(scenario)) assemble_motions(scenario);
  const MotionResidual left = open();
  if (scenario.problems().has_errors() || left.is_closed()) return;
  if (!left.gap.is_closed()) {
    return refuse_start(scenario,
                        fmt::format("expected a start on constraint '{}', got one that "
                                    "violates it by {:.3g} m",
                                    left.gap.loop, left.gap.value),
                        kAssembleMotions);
  }
  refuse_start(scenario,
               fmt::format("expected velocities that satisfy constraint '{}', got some "
                           "that violate it by {:.3g} m/s",
                           left.rate.loop, left.rate.value),
               kAssembleMotions);
}

}  // namespace

std::vector<Loop> start_loops(const ScenarioContext& scenario) {
  const SimulationSetup& setup = scenario.result.setup;
  return active_loops(setup, DiscreteState(setup));
}

void read_assembly(ScenarioContext& scenario, MapReader& map) {
  AssemblyRequest& request = scenario.starts.assembly;
  const bool is_alone = !scenario.is_robot && !scenario.has_several_robots();
  request.wanted = map.boolean("assemble", false);
  // of one of several robots, or with connections, loops may come later
  const bool is_idle = request.wanted && scenario.model && !scenario.model->has_loops() &&
                       scenario.motion_loops.empty();
  if (is_idle && is_alone && !scenario.map.has("connections")) {
    map.error_at("assemble", "expected false, got true: the model has no loops");
  }
  if (const auto place = map.find("assemble")) request.place = place;
  const auto hold = map.find("hold");
  if (!hold) return;
  if (!request.wanted && !scenario.starts.equilibrium) {
    map.error_at("hold",
                 "expected no joints here, got some: nothing moves without 'assemble: true' or "
                 "'equilibrium: true'");
  }
  request.held.emplace();
  for_each_item(*hold, map.problems(), [&](const Value& item) {
    const bool is_base = scenario.is_robot && item.node->is_scalar() && item.node->text == "base";
    if (is_base && (!scenario.model || !scenario.model->find_joint("base"))) {
      request.holds_base = true;
    } else if (scenario.has_several_robots()) {
      for (const int joint : read_joint_coordinates(scenario, item)) request.held->push_back(joint);
    } else if (const auto joint = read_joint_name(scenario, item)) {
      request.held->push_back(*joint);
    }
  });
}

void start_on_loops(ScenarioContext& scenario) {
  if (!scenario.model || scenario.problems().has_errors()) return;
  follow(*scenario.model, scenario.initial());
  const std::vector<Loop> loops = start_loops(scenario);
  if (!loops.empty()) {
    if (is_assembly_wanted(scenario)) {
      assemble(scenario);
      follow(*scenario.model, scenario.initial());
    } else {
      check_on_loops(scenario, loops);
    }
  }
  if (!scenario.problems().has_errors()) start_on_motions(scenario);
}

void start_robots(ScenarioContext& scenario) {
  scenario.setup().base_mode = BaseMode::fixed;
  const auto belongs_to_each = [&](const std::string& key) {
    return "with several robots it belongs to each of them" +
           (scenario.robots.empty() ? "" : ": robots." + scenario.robots.front().name + '.' + key);
  };
  for (const char* key : {"base", "locked", "prescribed"}) {
    scenario.map.refuse(key, belongs_to_each(key));
  }
  if (const auto initial = scenario.map.find("initial")) {
    MapReader map(*initial, scenario.context());
    for (const char* key : {"base", "joints", "momentum"}) {
      map.refuse(key, belongs_to_each(std::string("initial.") + key));
    }
    scenario.starts.place = initial;
    read_equilibrium(scenario, map);
    read_assembly(scenario, map);
    map.finish();
  }
  if (!scenario.model) return;
  for (const RobotStart& robot : scenario.robots) {
    const Robot& place = *scenario.model->find_robot(robot.name);
    set_robot_state(*scenario.model, place, robot.initial, scenario.initial());
    const SimulationSetup& own = robot.setup;
    if (own.prescribed_base) impose_on_base(scenario, *own.prescribed_base, place);
    if (robot.starts.flight) add_flight_control(scenario, *robot.starts.flight, place);
    for (const PrescribedJoint& joint : own.prescribed_joints) {
      scenario.setup().prescribed_joints.push_back(
          {coordinate_of(scenario, robot, joint.joint), joint.reference});
    }
    for (const int joint : own.locked_joints) {
      scenario.setup().locked_joints.push_back(coordinate_of(scenario, robot, joint));
    }
    for (const auto& [joint, start] : robot.starts.joints) {
      scenario.starts.joints[coordinate_of(scenario, robot, joint)] = start;
    }
    auto& place_of_assembly = scenario.starts.assembly.place;
    if (!place_of_assembly) place_of_assembly = robot.starts.assembly.place;
  }
}

}  // namespace spacedyn::loading
