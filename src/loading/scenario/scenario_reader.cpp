#include "loading/scenario/scenario_reader.hpp"

#include <cmath>

#include "loading/elements/force_types.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/magnetic_reader.hpp"
#include "loading/schema/schema_definition.hpp"
#include "loading/schema/schema_text.hpp"
#include "loading/yaml/numbers.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

constexpr Quantity kRunDuration{Dimension::time, Range::positive};

std::string list_of(const char* definition) { return series_schema(reference_schema(definition)); }

std::string scenario_mapping_schema() {
  MappingSchema schema("A robot, or several, and what happens to them");
  schema.require("name", text_schema())
      .allow("model", reference_schema("model_or_file"))
      .allow("robots", reference_schema("robots"))
      .allow("connections", list_of("connection"))
      .require("duration", number_schema({kRunDuration}, "s"))
      .allow("base", reference_schema("base_mode"))
      .allow("initial", reference_schema("initial"))
      .allow("environment", reference_schema("environment"))
      .allow("soils", by_name_schema(reference_schema("soil"), "By name"))
      .allow("contacts", list_of("contact"))
      .allow("forces", series_schema("{\"oneOf\": [" + force_schemas() + "]}"))
      .allow("position_limits", reference_schema("position_limits"))
      .allow("seed", whole_number_schema(0, "Of the noise of sensors; default 0"))
      .allow("sensors", list_of("sensor"))
      .allow("control", reference_schema("controllers"))
      .allow("events", list_of("event"))
      .allow("prescribed", reference_schema("prescribed_joints"))
      .allow("locked", reference_schema("locked_joints"))
      .allow("integrator", reference_schema("integrator"))
      .allow("output", reference_schema("output"))
      .allow("checks", reference_schema("checks"))
      .add_rule(R"("oneOf": [{"required": ["model"]}, {"required": ["robots"], )"
                R"("properties": {"base": false, "locked": false, "prescribed": false}}])");
  return schema.text();
}

}  // namespace

extern const SchemaDefinition kScenarioDefinition{"scenario", scenario_mapping_schema};

ScenarioReader::ScenarioReader(MapReader& map, std::shared_ptr<const Model> model, Session& session)
    : map_(map), session_(session), model_(std::move(model)) {
  scenario_.setup.model = model_;
  if (model_) scenario_.initial = State(*model_);
}

Scenario ScenarioReader::read() {
  scenario_.name = map_.required_text("name");
  scenario_.duration = map_.required_number("duration", kRunDuration);
  if (has_several_robots()) {
    start_robots();
    read_environment();
  } else {
    read_base_mode();
    read_initial();
    named_joints_.clear();
    read_environment();
    read_base_motion();
    read_prescribed_joints();
    read_locked_joints();
  }
  read_connections();
  start_on_loops();
  read_soils();
  read_forces();
  read_contacts();
  read_sensors();
  read_control();
  read_events();
  read_position_limits();
  read_integrator();
  read_output();
  read_checks();
  map_.finish();
  if (!has_several_robots()) check_start();
  check_undriven_joints();
  check_contacts();
  scenario_.notes = map_.take_notes();
  return std::move(scenario_);
}

void ScenarioReader::read_environment() {
  const auto value = map_.find("environment");
  if (!value) return;
  MapReader map(*value, context());
  scenario_.setup.gravity = map.vector3("gravity", quantity::kAcceleration, Vector3::Zero());
  if (const auto terrain = map.find("terrain")) {
    has_terrain_ = true;
    read_terrain(*terrain);
  }
  read_gravity_fields(map);
  read_surfaces(map);
  if (const auto field = map.find("magnetic_field")) MagneticReader(*this).read_field(*field);
  map.finish();
}

void ScenarioReader::check_start() {
  if (!model_) return;
  for (int joint = 1; joint <= model_->joint_count(); ++joint) check_limits(joint);
}

void ScenarioReader::check_limits(int joint) {
  const Joint& limits = model_->joint(joint);
  const JointStart& given = joint_starts_[joint];
  const double position = start_of(joint);
  const double velocity = scenario_.initial.qd(joint - 1);
  const std::string path = join_path(map_.path(), "initial.joints." + limits.name);
  if (position < limits.position_lower || position > limits.position_upper) {
    problems().warning(
        given.position ? given.position->node->mark : map_.mark(), path + ".position",
        "expected a start within the position limits [" + format_number(limits.position_lower) +
            ", " + format_number(limits.position_upper) + "], got " + format_number(position));
  }
  if (std::abs(velocity) > limits.velocity_limit) {
    problems().warning(
        given.velocity ? given.velocity->node->mark : map_.mark(), path + ".velocity",
        "expected a start within the velocity limit " + format_number(limits.velocity_limit) +
            ", got " + format_number(velocity));
  }
}

void ScenarioReader::check_undriven_joints() {
  // where something couples joints one may drive another, and wheels roll on their ground
  if (!model_ || problems().has_errors() || controlled_joints_.empty() ||
      !model_->loops().empty() || !model_->couplings().empty() ||
      !model_->transmissions().empty() || !scenario_.setup.connections.empty() ||
      has_several_robots() || has_terrain_) {
    return;
  }
  const std::vector<CompoundJoint>& compounds = model_->compound_joints();
  const auto is_part = [&](int i) {
    return std::any_of(compounds.begin(), compounds.end(), [&](const CompoundJoint& whole) {
      return i >= whole.first && i < whole.first + whole.size;
    });
  };
  std::string idle;
  for (int i = 1; i <= model_->joint_count(); ++i) {
    const Joint& joint = model_->joint(i);
    const bool turns_or_slides =
        joint.type == JointType::revolute || joint.type == JointType::prismatic;
    const bool is_passive = joint.stiffness > 0.0 || joint.damping > 0.0 ||
                            joint.friction.is_present() || joint.spherical != 0;
    const bool is_idle = turns_or_slides && !is_passive && !is_part(i) &&
                         model_->wheel(i) == nullptr && named_joints_.count(i) == 0;
    if (is_idle) idle += (idle.empty() ? "" : ", ") + quote(joint.name);
  }
  if (idle.empty()) return;
  problems().warning(map_.mark(), join_path(map_.path(), "control"),
                     "expected a drive, a spring or a lock for each joint beside those that are "
                     "controlled: nothing holds " +
                         idle,
                     "lock joints that are to stay: 'locked: [...]'");
}

std::vector<int> ScenarioReader::read_joint_coordinates(const Value& value) {
  const bool is_text = value.node->is_scalar() && model_;
  const auto compound = is_text ? model_->find_compound_joint(value.node->text) : std::nullopt;
  if (!compound) {
    const auto joint = read_joint_name(value, true);
    return joint ? std::vector<int>{*joint} : std::vector<int>();
  }
  std::vector<int> coordinates;
  for (int k = 0; k < compound->size; ++k) coordinates.push_back(compound->first + k);
  return coordinates;
}

std::optional<int> ScenarioReader::read_joint_name(const Value& value, bool may_be_spherical) {
  const auto name = read_text(value, problems());
  if (!name || !model_) return std::nullopt;
  const auto joint = model_->find_joint(*name);
  if (problems().is_full()) return joint;
  if (joint && model_->joint(*joint).spherical != 0 && !may_be_spherical) {
    problems().error(value.node->mark, value.path,
                     "expected a coordinate with a position of its own, got " + quote(*name) +
                         ", which belongs to a spherical joint");
    return std::nullopt;
  }
  if (joint) {
    named_joints_.insert(*joint);
    return joint;
  }
  if (const auto compound = model_->find_compound_joint(*name)) {
    std::vector<std::string> coordinates;
    for (int k = 0; k < compound->size; ++k) {
      coordinates.push_back(model_->joint(compound->first + k).name);
    }
    problems().error(value.node->mark, value.path,
                     "expected one coordinate, got " + quote(*name) + ", which has " +
                         list_choices(coordinates));
    return std::nullopt;
  }
  std::vector<std::string> known;
  for (int i = 1; i <= model_->joint_count(); ++i) known.push_back(model_->joint(i).name);
  const std::string nearest = nearest_name(*name, known);
  problems().error(value.node->mark, value.path,
                   "expected the name of a moving joint, got " + quote(*name),
                   nearest.empty() ? "" : "did you mean '" + nearest + "'?");
  return std::nullopt;
}

void ScenarioReader::read_elements(const char* key, const std::vector<std::string>& types,
                                   const ElementReader& read) {
  const auto list = map_.find(key);
  if (!list) return;
  std::size_t position = 0;
  for_each_item(*list, problems(), [&](const Value& item) {
    MapReader map(item, context());
    const auto type = map.require("type", list_choices(types));
    const auto choice = type ? read_choice(*type, types, problems()) : std::nullopt;
    if (choice) {
      const std::string name = read_element_name(map, types[*choice], position);
      guard(item, problems(), [&] { read(map, *choice, name, item); });
      map.finish();
    } else {
      map.report_missing();  // without a type the other keys are unknown
    }
    ++position;
  });
}

std::string ScenarioReader::read_element_name(MapReader& map, const std::string& type,
                                              std::size_t position) {
  std::string name = map.text("name");
  if (name.empty()) name = type + '_' + std::to_string(position);
  if (!element_names_.insert(name).second) {
    map.error_at("name", "expected a name of its own, got " + quote(name) + " again");
  }
  return name;
}

}  // namespace spacedyn::loading
