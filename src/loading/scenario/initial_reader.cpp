#include <algorithm>

#include <fmt/format.h>

#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/model/body_reader.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "math/squared_arm.hpp"
#include "spacedyn/constraints/loop_assembly.hpp"
#include "spacedyn/inertia/momentum.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/followers.hpp"
#include "spacedyn/state/robot_state.hpp"

namespace spacedyn::loading {
namespace {

Mapping<StartMomentum> start_momentum_keys() {
  using namespace kind;
  Mapping<StartMomentum> keys("Momentum of the robot, from which the motion of its base follows");
  keys.allow("linear", &StartMomentum::linear, kind::vector(in("N s"), "Inertial, N s, default 0"));
  keys.allow("angular", &StartMomentum::angular,
             kind::vector(in("N m s"), "About the robot's centroid, N m s, default 0"));
  return keys;
}

/// Sums over all bodies, the base included.
RobotSums sums_of(const Model& model, const State& state) {
  const auto [frames, velocities] = LinkMotion(model, state);
  RobotSums sums;
  sums.mass = model.total_mass();
  sums.r_g = center_of_mass(model, frames);
  sums.momentum = momentum(model, frames, velocities);
  for (int i = 0; i < model.body_count(); ++i) {
    const auto body = static_cast<std::size_t>(i);
    sums.inertia += frames.A[body] * model.body(i).inertia_L * frames.A[body].transpose() +
                    model.body(i).mass * squared_arm(frames.r[body] - sums.r_g);
  }
  return sums;
}

RobotSums sums_of(const Model& model, const Robot& robot, const State& state) {
  const auto [frames, velocities] = LinkMotion(model, state);
  return robot_sums(model, robot, frames, velocities);
}

/// Moves a base so that its robot has a momentum: L_g = L_g(ω_0 = 0) + I_g ω_0, I_g with the joints
/// held, and P = w v_g. What rounding leaves is taken away in a second pass.
void give_momentum(const StartMomentum& wanted, BaseMotion base,
                   const std::function<RobotSums(const BaseMotion&)>& sums_with) {
  for (int pass = 0; pass < 3; ++pass) {
    const RobotSums now = sums_with(base);
    const Vector3 turn = now.inertia.ldlt().solve(wanted.angular - now.momentum.angular_centroid);
    base.omega_0 += turn;
    base.v_0 += (wanted.linear - now.momentum.linear) / now.mass - turn.cross(now.r_g - base.r_0);
  }
  sums_with(base);
}

void refuse_motion(ScenarioContext& scenario, const Starts& starts) {
  const auto refuse = [&](const std::optional<Value>& given, const char* what) {
    if (!given) return;
    scenario.problems().error(
        *given, std::string("expected no ") + what + " here, got one: an equilibrium is at rest");
  };
  refuse(starts.base.velocity, "velocity");
  refuse(starts.base.angular_velocity, "angular velocity");
  for (const auto& [joint, start] : starts.joints) refuse(start.velocity, "velocity");
  if (starts.momentum) refuse(starts.momentum->place, "momentum");
}

/// One number, or a list where a joint has several coordinates.
Json coordinates_schema(const std::vector<Quantity>& quantities, std::string_view title) {
  const Json number = number_schema(quantities);
  return any_of_schema({number, series_schema(number, 2)}, title);
}

Json joint_start_schema() {
  MappingSchema schema("Start of a joint");
  schema
      .allow("position", coordinates_schema(quantity::kJointPosition,
                                            "rad or m; of a joint with several coordinates a list"))
      .allow("velocity",
             coordinates_schema(quantity::kJointVelocity,
                                "rad/s or m/s; of a joint with several coordinates a list"));
  describe_orientation(schema);
  schema.allow("angular_velocity",
               vector_schema(quantity::kRate,
                             "Of a spherical or free joint, in the axes of its link, rad/s"));
  return schema;
}

Json initial_schema() {
  MappingSchema base("Place and attitude of the base, inertial");
  base.allow("of",
             base_point_schema("Of what position and velocity are; default: as the model says"));
  base.allow("position", vector_schema(quantity::kLength, "m, default the origin"));
  describe_orientation(base);
  base.allow("velocity", vector_schema(quantity::kVelocity, "m/s, default 0"))
      .allow("angular_velocity", vector_schema(quantity::kRate, "rad/s, default 0"));
  MappingSchema schema("The start");
  schema.allow("assemble", boolean_schema("Joints move to where loops are closed"))
      .allow("hold", series_schema(
                         text_schema(), 0,
                         "Joints that stay meanwhile; with assemble those of joints unless given"))
      .allow("momentum", once<start_momentum_keys>().schema())
      .allow("equilibrium", boolean_schema("At rest where nothing accelerates"))
      .allow("base", base)
      .allow("joints", by_name_schema(reference_schema("joint_start"), "By name of joint"));
  return schema;
}

void refuse_base_rates(const State& start, MapReader& map) {
  for (const char* key : {"velocity", "angular_velocity"}) {
    const Vector3& given = key == std::string("velocity") ? start.v_0 : start.omega_0;
    if (given.isZero(0.0)) continue;
    map.error_at(
        key, "expected [0, 0, 0], because a fixed base does not move, got " + vector_text(given));
  }
}

void read_initial_base(ScenarioContext& scenario, const Value& value) {
  MapReader map(value, scenario.context());
  State& start = scenario.initial();
  start.r_0 = map.vector3("position", quantity::kLength, Vector3::Zero());
  start.A_0 = read_orientation(map).value_or(Matrix3::Identity());
  start.v_0 = map.vector3("velocity", quantity::kVelocity, Vector3::Zero());
  start.omega_0 = map.vector3("angular_velocity", quantity::kRate, Vector3::Zero());
  const BasePoint point = read_base_point(
      map, "of", scenario.model ? base_point(scenario.model->description()) : BasePoint::centroid);
  BaseStart& given = scenario.starts.base;
  if (scenario.model && point == BasePoint::frame) {
    given.arm = start.A_0 * scenario.model->body(0).center_of_mass;
    given.arm_rate = start.omega_0.cross(given.arm);
  }
  given.position = map.find("position");
  given.velocity = map.find("velocity");
  given.angular_velocity = map.find("angular_velocity");
  for (const OrientationKey& key : orientation_keys()) {
    if (const auto orientation = map.find(key.name)) given.orientation = orientation;
  }
  map.finish();
  if (scenario.setup().base_mode == BaseMode::fixed) refuse_base_rates(start, map);
  start.r_0 += given.arm;
  start.v_0 += given.arm_rate;
}

void read_joint_start(ScenarioContext& scenario, int joint, const Value& value) {
  const JointType type = scenario.model->joint(joint).type;
  MapReader map(value, scenario.context());
  scenario.initial().q(joint - 1) = map.number("position", position_quantity(type), 0.0);
  scenario.initial().qd(joint - 1) = map.number("velocity", velocity_quantity(type), 0.0);
  scenario.starts.joints[joint] = {map.find("position"), map.find("velocity")};
  map.finish();
}

/// Positions and velocities of the coordinates with a number of their own as lists, those of a
/// rotation vector as an orientation and an angular velocity.
void read_compound_start(ScenarioContext& scenario, const CompoundJoint& joint,
                         const Value& value) {
  MapReader map(value, scenario.context());
  std::vector<Quantity> positions, velocities;
  int plain = 0;
  for (; plain < joint.size && scenario.model->joint(joint.first + plain).spherical == 0; ++plain) {
    const JointType type = scenario.model->joint(joint.first + plain).type;
    positions.push_back(position_quantity(type));
    velocities.push_back(velocity_quantity(type));
  }
  const auto read = [&](const char* key, const std::vector<Quantity>& quantities, VectorX& to) {
    if (plain == 0) {
      map.refuse(key, "a spherical joint has an orientation and an angular_velocity");
      return;
    }
    const auto list = map.find(key);
    const auto numbers = list ? read_list(*list, quantities, scenario.problems()) : std::nullopt;
    if (numbers) to.segment(joint.first - 1, plain) = *numbers;
  };
  read("position", positions, scenario.initial().q);
  read("velocity", velocities, scenario.initial().qd);
  std::optional<Value> attitude, rate;
  if (plain < joint.size) {
    const Eigen::Index turn = joint.first - 1 + plain;
    const auto orientation = read_orientation(map);
    if (orientation) scenario.initial().q.segment<3>(turn) = log_so3(*orientation);
    scenario.initial().qd.segment<3>(turn) =
        map.vector3("angular_velocity", quantity::kRate, Vector3::Zero());
    rate = map.find("angular_velocity");
    for (const OrientationKey& key : orientation_keys()) {
      if (const auto given = map.find(key.name)) attitude = given;
    }
  }
  for (int k = 0; k < joint.size; ++k) {
    const bool is_plain = k < plain;
    scenario.starts.joints[joint.first + k] = {is_plain ? map.find("position") : attitude,
                                               is_plain ? map.find("velocity") : rate};
  }
  map.finish();
}

void read_initial_joints(ScenarioContext& scenario, const Value& value) {
  if (!value.node->is_mapping()) {
    scenario.problems().error(value, "expected a mapping, got " + describe(*value.node));
    return;
  }
  for (const Entry& entry : value.node->entries) {
    const Value item{entry.value.get(), join_path(value.path, entry.key)};
    const bool is_note = entry.key == "description" || entry.key == "source";
    // keys are names here, and a joint may have any
    if (is_note && !item.node->is_mapping()) {
      const auto note = read_text(item, scenario.problems());
      if (note) scenario.context().notes.add(item.path, *note);
      continue;
    }
    const auto compound =
        scenario.model ? scenario.model->find_compound_joint(entry.key) : std::nullopt;
    if (compound) {
      read_compound_start(scenario, *compound, item);
      continue;
    }
    Node name;
    name.kind = Node::Kind::scalar;
    name.mark = entry.key_mark;
    name.text = entry.key;
    name.quoted = true;
    const auto joint = read_joint_name(scenario, {&name, item.path}, Spherical::allowed);
    if (joint) read_joint_start(scenario, *joint, item);
  }
}

void read_start_momentum(ScenarioContext& scenario, MapReader& map) {
  const auto value = map.find("momentum");
  if (!value) return;
  StartMomentum& wanted = scenario.starts.momentum.emplace();
  wanted.place = *value;
  once<start_momentum_keys>().read_whole(*value, scenario.context(), wanted);
  if (scenario.setup().base_mode != BaseMode::floating) {
    map.error_at("momentum",
                 "expected no momentum here, got some: the motion of a base that does not float "
                 "does not follow from it");
  }
  const BaseStart& base = scenario.starts.base;
  for (const std::optional<Value>* given : {&base.velocity, &base.angular_velocity}) {
    if (!*given) continue;
    scenario.problems().error(
        **given, "expected no velocity of the base here, got one: it follows from the momentum");
  }
}

}  // namespace

void start_with_momentum(ScenarioContext& scenario) {
  if (!scenario.model || scenario.problems().has_errors()) return;
  const Model& model = *scenario.model;
  State& state = scenario.initial();
  std::optional<Value> place;
  if (scenario.starts.momentum) {
    place = scenario.starts.momentum->place;
    give_momentum(*scenario.starts.momentum,
                  {state.r_0, state.A_0, Vector3::Zero(), Vector3::Zero()},
                  [&](const BaseMotion& base) {
                    state.v_0 = base.v_0;
                    state.omega_0 = base.omega_0;
                    return sums_of(model, state);
                  });
  }
  for (const RobotStart& one : scenario.robots) {
    if (!one.starts.momentum) continue;
    place = one.starts.momentum->place;
    const Robot& robot = *model.find_robot(one.name);
    BaseMotion base = base_motion(model, robot, state);
    base.v_0.setZero();
    base.omega_0.setZero();
    give_momentum(*one.starts.momentum, base, [&](const BaseMotion& moved) {
      set_base_motion(model, robot, moved, state);
      return sums_of(model, robot, state);
    });
  }
  const std::vector<Loop> loops = start_loops(scenario);
  if (!place || loops.empty()) return;
  const LoopResidual opening = velocity_residual(model, loops, state);
  if (opening.is_closed()) return;
  scenario.problems().error(*place, "expected momenta that keep loop " + quote(opening.loop) +
                                        " closed, got some that open it");
}
void read_equilibrium(ScenarioContext& scenario, MapReader& map) {
  const auto place = map.find("equilibrium");
  if (!place) return;
  if (scenario.is_robot) {
    map.error_at("equilibrium",
                 "expected no key here, got one: with several robots it stands in the scenario's "
                 "own 'initial'");
    return;
  }
  if (!map.boolean("equilibrium", false)) return;
  scenario.starts.equilibrium = *place;
  if (map.boolean("assemble", false)) {
    map.error_at("assemble", "expected false, got true: an equilibrium begins on the loops");
  }
}

void start_in_equilibrium(ScenarioContext& scenario) {
  if (!scenario.starts.equilibrium || !scenario.model) return;
  refuse_motion(scenario, scenario.starts);
  for (const RobotStart& robot : scenario.robots) refuse_motion(scenario, robot.starts);
  if (scenario.problems().has_errors()) return;
  const Value& place = *scenario.starts.equilibrium;
  const std::vector<int> held = scenario.starts.assembly.held.value_or(std::vector<int>());
  guard(place, scenario.problems(), [&] {
    Equilibrium found = find_equilibrium(scenario.setup(), scenario.initial(), held);
    if (!found.found) {
      scenario.problems().error(
          place,
          fmt::format("expected a place where nothing accelerates, got none: {} is out of balance "
                      "by {:.6g} N or N m",
                      found.unbalanced, found.residual));
      return;
    }
    const VectorX z = scenario.initial().z;
    scenario.initial() = found.state;
    scenario.initial().z = z;  // elements set theirs at the start of a run
    scenario.result.equilibrium = std::move(found);
  });
}
extern const SchemaDefinition kJointStartDefinition{"joint_start", joint_start_schema};
extern const SchemaDefinition kInitialDefinition{"initial", initial_schema};

void read_initial(ScenarioContext& scenario) {
  for (int i = 1; scenario.model && i <= scenario.model->joint_count(); ++i) {
    if (const WheelDrive* wheel = scenario.model->wheel(i)) {
      scenario.initial().qd(i - 1) = wheel->rotor_speed;
    }
  }
  const auto value = scenario.map.find("initial");
  if (!value) return;
  MapReader map(*value, scenario.context());
  if (const auto base = map.find("base")) read_initial_base(scenario, *base);
  if (const auto joints = map.find("joints")) read_initial_joints(scenario, *joints);
  if (scenario.model) follow(*scenario.model, scenario.initial());
  scenario.starts.place = value;
  read_start_momentum(scenario, map);
  read_equilibrium(scenario, map);
  read_assembly(scenario, map);
  map.finish();
}

}  // namespace spacedyn::loading
