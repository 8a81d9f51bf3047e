#include <algorithm>
#include <cmath>

#include "loading/keys/geometry.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/math/rotations.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kModes = {"floating", "fixed", "prescribed", "flying"};
constexpr std::size_t kFlying = 3;  // a floating base with thrusters

// roundings of units apart, a start given twice must be the same
constexpr double kSameStart = 1e-9;

bool is_same_start(double a, double b) {
  return std::abs(a - b) <= kSameStart * std::max(1.0, std::abs(b));
}

std::string turn_schema() {
  MappingSchema schema("Rotation about a fixed inertial axis, from the initial attitude");
  schema.require("axis", vector_schema(quantity::kNumber, "Not zero"))
      .require("angle", reference_schema("reference"));
  return schema.text();
}

std::string base_motion_schema() {
  MappingSchema schema("Motion of a prescribed base; a part that is not given stays at the start");
  schema
      .allow("position",
             reference_schema("reference", "Path of the base centroid, 3 components, inertial"))
      .allow("rotation", reference_schema("turn"))
      .add_rule(some_key_rule({"position", "rotation"}));
  return schema.text();
}

std::string base_mode_schema() {
  MappingSchema schema("How the base moves");
  schema.require("mode", choice_schema(kModes))
      .allow("motion", reference_schema("motion"))
      .allow("position", reference_schema("flight_position"))
      .allow("attitude", reference_schema("flight_attitude"))
      .allow("sample_period", reference_schema("sample_period"))
      .add_rule(R"("allOf": [
  {"if": {"properties": {"mode": {"const": "prescribed"}}, "required": ["mode"]},
   "then": {"required": ["motion"]}},
  {"if": {"properties": {"mode": {"const": "flying"}}, "required": ["mode"]},
   "then": {"anyOf": [{"required": ["position"]}, {"required": ["attitude"]}]},
   "else": {"properties": {"position": false, "attitude": false, "sample_period": false}}},
  {"if": {"properties": {"mode": {"enum": ["floating", "fixed"]}}, "required": ["mode"]},
   "then": {"properties": {"motion": false}}}])");
  return schema.text();
}

std::string prescribed_joints_schema() {
  MappingSchema schema("A joint whose motion is imposed");
  schema.require("joint", text_schema()).require("reference", reference_schema("reference"));
  return series_schema(schema.text());
}

}  // namespace

extern const SchemaDefinition kTurnDefinition{"turn", turn_schema};
extern const SchemaDefinition kMotionDefinition{"motion", base_motion_schema};
extern const SchemaDefinition kBaseModeDefinition{"base_mode", base_mode_schema};
extern const SchemaDefinition kPrescribedJointsDefinition{"prescribed_joints",
                                                          prescribed_joints_schema};

void ScenarioReader::read_base_mode() {
  SimulationSetup& setup = scenario_.setup;
  if (model_ && model_->has_fixed_base()) setup.base_mode = BaseMode::fixed;
  const auto value = map_.find("base");
  if (!value) return;
  MapReader map(*value, context());
  bool is_flying = false;
  if (const auto mode = map.require("mode", list_choices(kModes))) {
    const auto choice = read_choice(*mode, kModes, problems());
    is_flying = choice == kFlying;
    if (choice) setup.base_mode = is_flying ? BaseMode::floating : static_cast<BaseMode>(*choice);
  }
  if (is_flying) {
    read_flight(map);
  } else if (setup.base_mode == BaseMode::prescribed) {
    motion_ = map.require("motion", "a mapping with position or rotation");
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

void ScenarioReader::read_base_motion() {
  if (flight_) return add_flight_control();
  if (scenario_.setup.base_mode != BaseMode::prescribed || !motion_) return;
  scenario_.setup.prescribed_base = read_motion(motion_, true);
  start_base_from_motion();
}

PrescribedBase ScenarioReader::read_motion(const std::optional<Value>& given, bool must_be_smooth) {
  PrescribedBase motion;
  motion.initial_position = scenario_.initial.r_0;
  motion.initial_attitude = scenario_.initial.A_0;
  if (!given) return motion;
  MapReader map(*given, context());
  if (const auto path = map.find("position")) {
    motion.position = read_place(*path, scenario_.initial.r_0, must_be_smooth);
  }
  if (const auto rotation = map.find("rotation")) read_rotation(*rotation, must_be_smooth, motion);
  if (map.is_mapping() && !map.has("position") && !map.has("rotation")) {
    problems().error(map.mark(), map.path(),
                     "expected at least one of the keys position and rotation, got neither");
  }
  map.finish();
  return motion;
}

std::shared_ptr<const Reference> ScenarioReader::read_place(const Value& value,
                                                            const Vector3& start,
                                                            bool must_be_smooth) {
  ReferenceFrame frame;
  for (int i = 0; i < 3; ++i) {
    frame.add(quantity::kLength, quantity::kVelocity, quantity::kAcceleration);
  }
  frame.start = start;
  frame.must_be_smooth = must_be_smooth;
  frame.orbit_rate = orbit_rate_;
  return read_reference(value, frame, context());
}

void ScenarioReader::read_rotation(const Value& value, bool must_be_smooth,
                                   PrescribedBase& motion) {
  MapReader map(value, context());
  if (const auto axis = map.require("axis", "a list of 3 numbers")) {
    motion.axis = read_axis(*axis, problems()).value_or(Vector3::UnitZ()).normalized();
  }
  ReferenceFrame frame;
  frame.add_joint(JointType::revolute);
  frame.start = VectorX::Zero(1);
  frame.must_be_smooth = must_be_smooth;
  const auto angle = map.require("angle", "a reference");
  if (angle) motion.angle = read_reference(*angle, frame, context());
  map.finish();
}

void ScenarioReader::start_base_from_motion() {
  const PrescribedBase& motion = *scenario_.setup.prescribed_base;
  const State given = scenario_.initial;
  State start = given;
  Vector6 acceleration;
  motion.evaluate(0.0, start, acceleration);
  const auto item = [](const std::optional<Value>& list, int i) -> std::optional<Value> {
    if (!list || !list->node->is_sequence() || list->node->items.size() != 3) return std::nullopt;
    const auto position = static_cast<std::size_t>(i);
    return Value{list->node->items[position].get(), join_path(list->path, std::to_string(i))};
  };
  for (int i = 0; i < 3; ++i) {
    const double arm = base_start_.arm(i), rate = base_start_.arm_rate(i);
    check_given(item(base_start_.position, i), given.r_0(i) - arm, start.r_0(i) - arm);
    check_given(item(base_start_.velocity, i), given.v_0(i) - rate, start.v_0(i) - rate);
    check_given(item(base_start_.angular_velocity, i), given.omega_0(i), start.omega_0(i));
  }
  const double turned = (start.A_0 - given.A_0).cwiseAbs().maxCoeff();
  if (base_start_.orientation && turned > kSameStart) {
    problems().error(base_start_.orientation->node->mark, base_start_.orientation->path,
                     "expected no orientation here, got one: the prescribed rotation starts at "
                     "another angle than 0");
  }
  scenario_.initial = start;
}

void ScenarioReader::check_given(const std::optional<Value>& given, double actual, double start) {
  if (!given || is_same_start(actual, start)) return;
  problems().error(given->node->mark, given->path,
                   "expected " + format_number(start) +
                       ", where the prescribed motion starts, got " + describe(*given->node));
}

bool ScenarioReader::is_prescribed(int joint) const {
  const auto& prescribed = scenario_.setup.prescribed_joints;
  return std::any_of(prescribed.begin(), prescribed.end(),
                     [&](const PrescribedJoint& other) { return other.joint == joint; });
}

void ScenarioReader::read_prescribed_joints() {
  const auto list = map_.find("prescribed");
  if (!list) return;
  for_each_item(*list, problems(), [&](const Value& item) { read_prescribed_joint(item); });
}

void ScenarioReader::read_prescribed_joint(const Value& value) {
  MapReader map(value, context());
  const auto name = map.require("joint", "the name of a joint");
  const auto joint = name ? read_joint_name(*name) : std::nullopt;
  const auto reference = map.require("reference", "a reference");
  map.finish();
  if (!joint || !reference) return;
  if (is_prescribed(*joint)) {
    map.error_at("joint", "expected each joint once, got " + describe(*name->node) + " again");
    return;
  }
  ReferenceFrame frame;
  frame.add_joint(model_->joint(*joint).type);
  frame.start = VectorX::Constant(1, start_of(*joint));
  frame.must_be_smooth = true;
  PrescribedJoint prescribed;
  prescribed.joint = *joint;
  prescribed.reference = read_reference(*reference, frame, context());
  if (!prescribed.reference) return;
  const ReferenceValue start = prescribed.reference->evaluate(0, 0.0);
  check_given(joint_starts_[*joint].position, start_of(*joint), start.position);
  check_given(joint_starts_[*joint].velocity, scenario_.initial.qd(*joint - 1), start.velocity);
  scenario_.initial.q(*joint - 1) = start.position;
  scenario_.initial.qd(*joint - 1) = start.velocity;
  scenario_.setup.prescribed_joints.push_back(std::move(prescribed));
}

}  // namespace spacedyn::loading
