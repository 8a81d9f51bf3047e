#include <algorithm>
#include <cmath>

#include "loading/keys/geometry.hpp"
#include "loading/scenario/control_keys.hpp"
#include "loading/scenario/sections.hpp"
#include "spacedyn/control/rotation_reference.hpp"
#include "spacedyn/math/so3.hpp"
#include "spacedyn/state/followers.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kModes = {"floating", "fixed", "prescribed", "flying"};
constexpr std::size_t kFlying = 3;  // a floating base with thrusters

// roundings of units apart, a start given twice must be the same
constexpr double kSameStart = 1e-9;

bool is_same_start(double a, double b) {
  return std::abs(a - b) <= kSameStart * std::max(1.0, std::abs(b));
}

Json turn_schema() {
  return MappingSchema("Rotation about a fixed inertial axis, from the initial attitude")
      .require("axis", vector_schema(quantity::kNumber, "Not zero"))
      .require("angle", reference_schema("reference"));
}

Json base_motion_schema() {
  return MappingSchema("Motion of a prescribed base; a part that is not given stays at the start")
      .allow("position",
             reference_schema("reference", "Path of the base centroid, 3 components, inertial"))
      .allow("rotation", reference_schema("turn"))
      .add_rule(some_key_rule({"position", "rotation"}));
}

Json base_mode_schema() {
  return MappingSchema("How the base moves")
      .require("mode", choice_schema(kModes))
      .allow("motion", reference_schema("motion"))
      .allow("position", reference_schema("flight_position"))
      .allow("attitude", reference_schema("flight_attitude"))
      .allow("sample_period", reference_schema("sample_period"))
      .add_condition(if_rule(value_rule("mode", "prescribed"), required_rule({"motion"})))
      .add_condition(if_rule(value_rule("mode", "flying"), some_key_rule({"position", "attitude"}),
                             no_key_rule({"position", "attitude", "sample_period"})))
      .add_condition(if_rule({{"properties", {{"mode", choice_schema({"floating", "fixed"})}}},
                              {"required", {"mode"}}},
                             no_key_rule({"motion"})));
}

Json prescribed_joints_schema() {
  return series_schema(MappingSchema("A joint whose motion is imposed")
                           .require("joint", text_schema())
                           .require("reference", reference_schema("joint_reference")));
}

/// Name of the controller of a flying base among the elements of the run.
const char* const kName = "flying_base";

/// A law without gains would do nothing.
void check_gains(BaseGains& gains, Reading& reading) {
  if (gains.stiffness != 0.0 || gains.damping != 0.0) return;
  reading.map.error_at("stiffness",
                       "expected a gain that is not zero, got none: nothing would act");
}

Mapping<BaseGains> flight_position_keys() {
  using namespace kind;
  Mapping<BaseGains> keys("Force of a flying base: K_p (r_ref − r_0) + D_p (ṙ_ref − v_0), limited");
  keys.require("stiffness", &BaseGains::stiffness, not_negative(kLinearStiffness), "K, N/m");
  keys.require("damping", &BaseGains::damping, not_negative(kNumber), "D, N s/m");
  keys.allow("force_limit", &BaseGains::limit, positive(kForce).or_infinite(),
             "Of the vector's length, N, default none");
  return keys.check(check_gains);
}

Mapping<BaseGains> flight_attitude_keys() {
  using namespace kind;
  Mapping<BaseGains> keys(
      "Torque of a flying base: K_a log(A_ref A_0ᵀ) + D_a (ω_ref − ω_0), limited");
  keys.require("stiffness", &BaseGains::stiffness, not_negative(kAngularStiffness), "K, N*m/rad");
  keys.require("damping", &BaseGains::damping, not_negative(kNumber), "D, N m s/rad");
  keys.allow("torque_limit", &BaseGains::limit, positive(kTorque).or_infinite(),
             "Of the vector's length, N*m, default none");
  return keys.check(check_gains);
}

Json locked_joints_schema() {
  return names_schema("Joints that are held from the start until an event releases them", 0);
}

/// @param given  position and rotation, at least one of them; nothing: the base stays
PrescribedBase read_motion(ScenarioContext& scenario, const std::optional<Value>& given,
                           MotionUse use) {
  PrescribedBase motion;
  motion.initial_position = scenario.initial().r_0;
  motion.initial_attitude = scenario.initial().A_0;
  if (!given) return motion;
  MapReader map(*given, scenario.context());
  if (const auto path = map.find("position")) {
    motion.position = read_place(scenario, *path, scenario.initial().r_0, use);
  }
  const auto rotation = map.find("rotation");
  if (rotation) read_rotation(scenario, *rotation, use, motion);
  if (map.is_mapping() && !map.has("position") && !map.has("rotation")) {
    map.error("expected at least one of the keys position and rotation, got neither");
  }
  map.finish();
  return motion;
}

void check_given(ScenarioContext& scenario, const std::optional<Value>& given, double actual,
                 double start) {
  if (!given || is_same_start(actual, start)) return;
  scenario.problems().error(*given, "expected " + format_number(start) +
                                        ", where the prescribed motion starts, got " +
                                        describe(*given->node));
}

void start_base_from_motion(ScenarioContext& scenario) {
  const PrescribedBase& motion = *scenario.setup().prescribed_base;
  const State given = scenario.initial();
  State start = given;
  Vector6 acceleration;
  motion.evaluate(0.0, start, acceleration);
  const auto item = [](const std::optional<Value>& list, int i) -> std::optional<Value> {
    if (!list || !list->node->is_sequence() || list->node->items.size() != 3) return std::nullopt;
    const auto position = static_cast<std::size_t>(i);
    return Value{list->node->items[position].get(), join_path(list->path, std::to_string(i))};
  };
  const BaseStart& base = scenario.starts.base;
  for (int i = 0; i < 3; ++i) {
    const double arm = base.arm(i), rate = base.arm_rate(i);
    check_given(scenario, item(base.position, i), given.r_0(i) - arm, start.r_0(i) - arm);
    check_given(scenario, item(base.velocity, i), given.v_0(i) - rate, start.v_0(i) - rate);
    check_given(scenario, item(base.angular_velocity, i), given.omega_0(i), start.omega_0(i));
  }
  const double turned = (start.A_0 - given.A_0).cwiseAbs().maxCoeff();
  if (base.orientation && turned > kSameStart) {
    scenario.problems().error(*base.orientation,
                              "expected no orientation here, got one: the prescribed rotation "
                              "starts at another angle than 0");
  }
  scenario.initial() = start;
}

/// A spherical or free joint whose name is given; nothing for any other name.
std::optional<CompoundJoint> find_turning_joint(const ScenarioContext& scenario,
                                                const std::optional<Value>& name) {
  if (!name || !name->node->is_scalar() || !scenario.model) return std::nullopt;
  const auto joint = scenario.model->find_compound_joint(name->node->text);
  if (!joint || (joint->type != JointType::spherical && joint->type != JointType::free)) {
    return std::nullopt;
  }
  return joint;
}

/// The motion begins where `initial` says, as far as it does.
void start_joint_from_motion(ScenarioContext& scenario, const CompoundJoint& joint,
                             const std::vector<PrescribedJoint>& motion) {
  State& state = scenario.initial();
  const State given = state;
  for (const PrescribedJoint& each : motion) {
    const ReferenceValue start = each.reference->evaluate(0, 0.0);
    state.q(each.joint - 1) = start.position;
    state.qd(each.joint - 1) = start.velocity;
    // of a rotation vector the whole is compared
    const JointStart& own = scenario.starts.joints[each.joint];
    const bool turns = scenario.model->joint(each.joint).spherical != 0;
    const bool moves = turns || is_same_start(given.q(each.joint - 1), start.position);
    const bool runs = is_same_start(given.qd(each.joint - 1), start.velocity);
    if (own.position && !moves) {
      scenario.problems().error(*own.position,
                                "expected the position where the prescribed motion "
                                "starts, got another one");
      return;
    }
    if (own.velocity && !runs) {
      scenario.problems().error(*own.velocity,
                                "expected the velocity at which the prescribed "
                                "motion starts, got another one");
      return;
    }
  }
  const int turn = joint.first + joint.size - 3;
  const auto& orientation = scenario.starts.joints[turn].position;
  const auto rotation = [turn](const State& of) { return exp_so3(of.q.segment<3>(turn - 1)); };
  if (!orientation || (rotation(given) - rotation(state)).norm() < kSameStart) return;
  scenario.problems().error(*orientation,
                            "expected the orientation where the prescribed motion starts, got "
                            "another one");
}

void read_prescribed_pose(ScenarioContext& scenario, MapReader& map, const CompoundJoint& joint,
                          const Value& reference) {
  for (int k = 0; k < joint.size; ++k) {
    scenario.names.joints.insert(joint.first + k);
    if (!is_prescribed(scenario, joint.first + k)) continue;
    map.error_at("joint", "expected each joint once, got " + quote(joint.name) + " again");
    return;
  }
  const auto q = scenario.initial().q.segment(joint.first - 1, joint.size);
  Pose start;
  if (joint.type == JointType::free) start.position = q.head<3>();
  start.rotation = exp_so3(q.tail<3>());
  const auto pose = read_joint_pose(reference, joint, start, scenario.context());
  if (!pose) return;
  auto& prescribed = scenario.setup().prescribed_joints;
  const std::vector<PrescribedJoint> motion = prescribed_joints(joint, pose, start);
  start_joint_from_motion(scenario, joint, motion);
  prescribed.insert(prescribed.end(), motion.begin(), motion.end());
}

void read_prescribed_joint(ScenarioContext& scenario, const Value& value) {
  MapReader map(value, scenario.context());
  const auto name = map.require("joint", "the name of a joint");
  const auto turning = find_turning_joint(scenario, name);
  const auto joint = name && !turning ? read_joint_name(scenario, *name) : std::nullopt;
  const auto reference = map.require("reference", "a reference");
  map.finish();
  if (turning && reference) return read_prescribed_pose(scenario, map, *turning, *reference);
  if (!joint || !reference) return;
  if (is_prescribed(scenario, *joint)) {
    map.error_at("joint", "expected each joint once, got " + describe(*name->node) + " again");
    return;
  }
  double& position = scenario.initial().q(*joint - 1);
  double& velocity = scenario.initial().qd(*joint - 1);
  ReferenceFrame frame;
  frame.motions = {scenario.model->joint(*joint).type};
  frame.start = VectorX::Constant(1, position);
  frame.must_be_smooth = true;
  PrescribedJoint prescribed;
  prescribed.joint = *joint;
  prescribed.reference = read_reference(*reference, frame, scenario.context());
  if (!prescribed.reference) return;
  const ReferenceValue start = prescribed.reference->evaluate(0, 0.0);
  const JointStart& given = scenario.starts.joints[*joint];
  check_given(scenario, given.position, position, start.position);
  check_given(scenario, given.velocity, velocity, start.velocity);
  position = start.position;
  velocity = start.velocity;
  scenario.setup().prescribed_joints.push_back(std::move(prescribed));
}

void read_flight(ScenarioContext& scenario, MapReader& map) {
  BasePd::Settings& flight = scenario.starts.flight.emplace();
  scenario.starts.motion = map.find("motion");
  const auto position = map.find("position"), attitude = map.find("attitude");
  if (!position && !attitude) {
    map.error_at("mode",
                 "expected at least one of the keys position and attitude for a flying base, got "
                 "neither");
  }
  ReadContext& context = scenario.context();
  if (position) once<flight_position_keys>().read_whole(*position, context, flight.position);
  if (attitude) once<flight_attitude_keys>().read_whole(*attitude, context, flight.attitude);
  flight.sample_period = read_sample_period(scenario, map);
}

void add_flight_control(ScenarioContext& scenario) {
  scenario.starts.flight->motion =
      read_motion(scenario, scenario.starts.motion, MotionUse::followed);
  if (scenario.is_robot) return;  // one controller of several is made with the whole
  scenario.names.elements.insert(kName);
  scenario.names.controllers.insert(kName);
  if (scenario.problems().has_errors()) return;
  scenario.setup().controllers.push_back(std::make_shared<BasePd>(kName, *scenario.starts.flight));
}

void read_locked_coordinate(ScenarioContext& scenario, int joint, const Value& value) {
  std::vector<int>& locked = scenario.setup().locked_joints;
  const std::string& name = scenario.model->joint(joint).name;
  const auto refuse = [&](const std::string& text) { scenario.problems().error(value, text); };
  if (std::find(locked.begin(), locked.end(), joint) != locked.end()) {
    return refuse("expected each joint once, got " + describe(*value.node) + " again");
  }
  if (is_prescribed(scenario, joint)) {
    return refuse(moved_already("a joint that moves", name).reason);
  }
  const bool alone = value.node->text == name;
  if (alone && scenario.model->joint(joint).spherical != 0) {
    return refuse("expected a whole joint, got '" + name +
                  "', which is one coordinate of a spherical joint");
  }
  const auto& velocity = scenario.starts.joints[joint].velocity;
  if (velocity && scenario.initial().qd(joint - 1) != 0.0) {
    scenario.problems().error(*velocity, "expected 0, because joint '" + name +
                                             "' is locked, got " + describe(*velocity->node));
  }
  locked.push_back(joint);
}

}  // namespace

extern const SchemaDefinition kTurnDefinition{"turn", turn_schema};
extern const SchemaDefinition kMotionDefinition{"motion", base_motion_schema};
extern const SchemaDefinition kBaseModeDefinition{"base_mode", base_mode_schema};
extern const SchemaDefinition kPrescribedJointsDefinition{"prescribed_joints",
                                                          prescribed_joints_schema};
extern const SchemaDefinition kFlightPositionDefinition{"flight_position",
                                                        schema_of<flight_position_keys>};
extern const SchemaDefinition kFlightAttitudeDefinition{"flight_attitude",
                                                        schema_of<flight_attitude_keys>};
extern const SchemaDefinition kLockedJointsDefinition{"locked_joints", locked_joints_schema};

void read_base_mode(ScenarioContext& scenario) {
  SimulationSetup& setup = scenario.setup();
  if (scenario.model && scenario.model->has_fixed_base()) setup.base_mode = BaseMode::fixed;
  const auto value = scenario.map.find("base");
  if (!value) return;
  MapReader map(*value, scenario.context());
  bool is_flying = false;
  if (const auto mode = map.require("mode", list_choices(kModes))) {
    const auto choice = read_choice(*mode, kModes, scenario.problems());
    is_flying = choice == kFlying;
    if (choice) setup.base_mode = is_flying ? BaseMode::floating : static_cast<BaseMode>(*choice);
  }
  if (is_flying) {
    read_flight(scenario, map);
  } else if (setup.base_mode == BaseMode::prescribed) {
    scenario.starts.motion = map.require("motion", "a mapping with position or rotation");
  } else {
    map.refuse("motion", "only a base of mode prescribed or flying takes it");
  }
  if (!is_flying) {
    for (const char* key : {"position", "attitude", "sample_period"}) {
      map.refuse(key, "only a base of mode flying takes it");
    }
  }
  map.finish();
}

void read_base_motion(ScenarioContext& scenario) {
  if (scenario.starts.flight) return add_flight_control(scenario);
  if (scenario.setup().base_mode != BaseMode::prescribed || !scenario.starts.motion) return;
  scenario.setup().prescribed_base =
      read_motion(scenario, scenario.starts.motion, MotionUse::imposed);
  start_base_from_motion(scenario);
}

std::shared_ptr<const Reference> read_place(ScenarioContext& scenario, const Value& value,
                                            const Vector3& start, MotionUse use) {
  ReferenceFrame frame;
  frame.motions.assign(3, JointType::prismatic);
  frame.start = start;
  frame.must_be_smooth = use == MotionUse::imposed;
  frame.orbit = scenario.space.orbit;
  return read_reference(value, frame, scenario.context());
}

void read_rotation(ScenarioContext& scenario, const Value& value, MotionUse use,
                   PrescribedBase& motion) {
  MapReader map(value, scenario.context());
  if (const auto axis = map.require("axis", "a list of 3 numbers")) {
    motion.axis = read_axis(*axis, scenario.problems()).value_or(Vector3::UnitZ()).normalized();
  }
  ReferenceFrame frame;
  frame.motions = {JointType::revolute};
  frame.start = VectorX::Zero(1);
  frame.must_be_smooth = use == MotionUse::imposed;
  const auto angle = map.require("angle", "a reference");
  if (angle) motion.angle = read_reference(*angle, frame, scenario.context());
  map.finish();
}

void read_prescribed_joints(ScenarioContext& scenario) {
  for_each_item_of(scenario, "prescribed",
                   [&](const Value& item) { read_prescribed_joint(scenario, item); });
  if (scenario.model) follow(*scenario.model, scenario.initial());
}

void read_locked_joints(ScenarioContext& scenario) {
  for_each_item_of(scenario, "locked", [&](const Value& item) {
    for (const int joint : read_joint_coordinates(scenario, item)) {
      read_locked_coordinate(scenario, joint, item);
    }
  });
}

}  // namespace spacedyn::loading
