#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/scenario_reader.hpp"
#include "loading/schema/schema_definition.hpp"

namespace spacedyn::loading {
namespace {

constexpr const char* kAdaptiveKeys[] = {"relative_tolerance", "absolute_tolerance", "max_step"};

constexpr Quantity kPositive{Dimension::none, Range::positive};
constexpr Quantity kStepTime{Dimension::time, Range::positive};
constexpr double kUnbound = std::numeric_limits<double>::infinity();

using Options = IntegratorOptions;

const Fields<Options>& adaptive_fields() {
  static const Fields<Options> kFields = {
      {"relative_tolerance",
       "Below 1, default 1e-9",
       kPositive,
       [](Options& o) -> double& { return o.relative_tolerance; },
       Presence::optional,
       {-kUnbound, kUnbound, 1.0}},
      {"max_step", "Longest step, s", kStepTime.or_infinite(),
       [](Options& o) -> double& { return o.max_step; }}};
  return kFields;
}

const Fields<Options>& fixed_step_fields() {
  static const Fields<Options> kFields = {{"step", "Step, s", kStepTime,
                                           [](Options& o) -> double& { return o.step; },
                                           Presence::required}};
  return kFields;
}

const Fields<Options>& newmark_fields() {
  static const Fields<Options> kFields = {{"beta",
                                           "From 0 to 0.5, default 0.25",
                                           quantity::kNumber,
                                           [](Options& o) -> double& { return o.newmark_beta; },
                                           Presence::optional,
                                           {0.0, 0.5}},
                                          {"gamma",
                                           "From 0.5 to 1, default 0.5",
                                           quantity::kNumber,
                                           [](Options& o) -> double& { return o.newmark_gamma; },
                                           Presence::optional,
                                           {0.5, 1.0}}};
  return kFields;
}

const Fields<Options>& contact_step_fields() {
  static const Fields<Options> kFields = {
      {"contact_tolerance", "To which conditions of contacts hold, m/s, default 1e-6",
       quantity::kVelocity.within(Range::positive),
       [](Options& o) -> double& { return o.contact_tolerance; }}};
  return kFields;
}

const Fields<AbsoluteTolerance>& tolerance_fields() {
  using Group = AbsoluteTolerance;
  static const Fields<Group> kFields = {
      {"position", "Of the base, m", quantity::kLength.within(Range::positive),
       [](Group& g) -> double& { return g.position; }},
      {"attitude", "Of the base, rad", quantity::kAngle.within(Range::positive),
       [](Group& g) -> double& { return g.attitude; }},
      {"joint", "rad or m", kPositive, [](Group& g) -> double& { return g.joint; }},
      {"linear_velocity", "Of the base, m/s", quantity::kVelocity.within(Range::positive),
       [](Group& g) -> double& { return g.linear_velocity; }},
      {"angular_velocity", "Of the base, rad/s", quantity::kRate.within(Range::positive),
       [](Group& g) -> double& { return g.angular_velocity; }},
      {"joint_velocity", "rad/s or m/s", kPositive,
       [](Group& g) -> double& { return g.joint_velocity; }},
      {"auxiliary", "Of states of forces and controllers", kPositive,
       [](Group& g) -> double& { return g.auxiliary; }}};
  return kFields;
}

/// Names of all values of a kind.
template <typename Values>
std::vector<std::string> all_names(const Values& values) {
  std::vector<std::string> names;
  for (const auto value : values) names.emplace_back(to_string(value));
  return names;
}

template <typename Condition>
std::string method_schema(const Condition& condition) {
  std::vector<std::string> names;
  for (const IntegrationMethod method : all_integration_methods()) {
    if (condition(method_traits(method))) names.emplace_back(to_string(method));
  }
  return choice_schema(names, "Method");
}

void describe_every_method(MappingSchema& schema) {
  schema.allow("max_steps", whole_number_schema(1, "After more steps a run fails"))
      .allow("project_momentum", boolean_schema("Makes momentum exact after each step"));
}

std::string integrator_schema() {
  using Traits = const MethodTraits&;
  const std::string constraints =
      choice_schema(all_names(all_loop_stabilizations()), "How loops are kept closed");
  MappingSchema groups("By group of components");
  describe_fields(tolerance_fields(), groups);
  MappingSchema adaptive("Adaptive, the default");
  adaptive.allow("method", method_schema([](Traits method) { return method.adaptive; }))
      .allow("absolute_tolerance", any_of_schema({number_schema({kPositive}), groups.text()},
                                                 "One number for all, or by group"))
      .allow("constraints", constraints);
  describe_fields(adaptive_fields(), adaptive);
  MappingSchema fixed("Fixed steps");
  fixed
      .require("method", method_schema([](Traits method) {
                 return !method.adaptive && !method.has_newmark_parameters &&
                        !method.steps_contacts;
               }))
      .allow("constraints", constraints);
  describe_fields(fixed_step_fields(), fixed);
  MappingSchema newmark("Newmark's implicit method");
  newmark.require("method",
                  method_schema([](Traits method) { return method.has_newmark_parameters; }));
  describe_fields(fixed_step_fields(), newmark);
  describe_fields(newmark_fields(), newmark);
  MappingSchema contacts("Steps over rigid contacts");
  contacts.require("method", method_schema([](Traits method) { return method.steps_contacts; }))
      .allow("contact_iterations",
             whole_number_schema(1, "Most sweeps over the contacts in a step, default 200"));
  describe_fields(fixed_step_fields(), contacts);
  describe_fields(contact_step_fields(), contacts);
  for (MappingSchema* schema : {&adaptive, &fixed, &newmark, &contacts}) {
    describe_every_method(*schema);
  }
  return one_of_schema({adaptive.text(), fixed.text(), newmark.text(), contacts.text()},
                       "How the motion is integrated");
}

/// @returns nothing where there is none, or none that is a whole number from 1 to the most
std::optional<double> read_count(MapReader& map, const char* key, const char* what, double most) {
  const auto value = map.find(key);
  const auto number = value ? read_number(*value, quantity::kNumber, map.problems()) : std::nullopt;
  if (!number) return std::nullopt;
  if (*number >= 1.0 && *number <= most && *number == std::floor(*number)) return number;
  map.error_at(key, fmt::format("expected a whole number of {}, at least 1, got {}", what,
                                describe(*value->node)));
  return std::nullopt;
}

void read_step_limit(MapReader& map, Options& options) {
  const auto number = read_count(map, "max_steps", "steps", 1.0e15);
  if (number) options.max_steps = static_cast<long>(*number);
}

void read_newmark(MapReader& map, Options& options) {
  if (method_traits(options).has_newmark_parameters) {
    read_fields(map, newmark_fields(), options);
    return;
  }
  for (const auto& field : newmark_fields()) map.refuse(field.key, "it belongs to newmark");
}

void read_contact_steps(MapReader& map, Options& options) {
  if (!method_traits(options).steps_contacts) {
    for (const char* key : {"contact_tolerance", "contact_iterations"}) {
      map.refuse(key, "it belongs to time_stepping");
    }
    return;
  }
  read_fields(map, contact_step_fields(), options);
  const auto number = read_count(map, "contact_iterations", "sweeps", 1.0e9);
  if (number) options.contact_iterations = static_cast<int>(*number);
}

}  // namespace

extern const SchemaDefinition kIntegratorDefinition{"integrator", integrator_schema};

void ScenarioReader::read_integrator() {
  const auto value = map_.find("integrator");
  if (!value) return;
  MapReader map(*value, context());
  if (const auto method = map.find("method")) {
    const auto choice = read_method(*method);
    if (!choice) return;
    scenario_.setup.integrator.method = all_integration_methods()[*choice];
  }
  if (is_adaptive(scenario_.setup.integrator)) {
    read_adaptive(map);
  } else {
    read_fixed_step(map);
  }
  read_newmark(map, scenario_.setup.integrator);
  read_contact_steps(map, scenario_.setup.integrator);
  read_step_limit(map, scenario_.setup.integrator);
  read_projection(map);
  read_constraints(map);
  check_imposed_motion(map);
  map.finish();
}

std::optional<std::size_t> ScenarioReader::read_method(const Value& value) {
  return read_choice(value, all_names(all_integration_methods()), problems());
}

void ScenarioReader::read_projection(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  options.project_momentum = map.boolean("project_momentum", false);
  if (!options.project_momentum) return;
  if (scenario_.setup.base_mode != BaseMode::floating) {
    map.error_at("project_momentum", "expected false, got true: the base does not float");
  } else if (!scenario_.setup.prescribed_joints.empty()) {
    map.error_at("project_momentum", "expected false, got true: joints are prescribed");
  }
}

void ScenarioReader::read_constraints(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  if (const auto value = map.find("constraints")) {
    const auto choice = read_choice(*value, all_names(all_loop_stabilizations()), problems());
    if (choice) options.constraints = all_loop_stabilizations()[*choice];
    if (model_ && model_->loops().empty() && connection_names_.empty()) {
      map.error_at("constraints", "expected no such key, got one: the model has no loops");
    }
  }
  const MethodTraits method = method_traits(options);
  const auto& connections = scenario_.setup.connections;
  const bool is_rigid = std::any_of(connections.begin(), connections.end(),
                                    [](const Connection& each) { return each.is_rigid(); });
  if (!model_ || (model_->loops().empty() && !is_rigid) || method.closes_loops) return;
  map.error_at("method",
               "expected a method that can keep loops closed, got " + std::string(method.name),
               "dop853, dopri5 and rk4 can, for instance");
}

void ScenarioReader::check_imposed_motion(MapReader& map) {
  const SimulationSetup& setup = scenario_.setup;
  const MethodTraits method = method_traits(setup.integrator);
  if (model_ && !model_->spherical_joints().empty() && !method.turns_spherical_joints) {
    map.error_at("method", "expected a method that can turn spherical joints, got " +
                               std::string(method.name));
  }
  if (method.imposes_motion) return;
  if (!setup.locked_joints.empty()) {
    map.error_at("method",
                 "expected a method that can lock joints, got " + std::string(method.name));
  }
  if (setup.base_mode != BaseMode::prescribed && setup.prescribed_joints.empty()) return;
  map.error_at("method",
               "expected a method that can impose motion, got " + std::string(method.name));
}

void ScenarioReader::read_fixed_step(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  read_fields(map, fixed_step_fields(), options);
  if (const auto step = map.find("step")) {
    check_count(*step, scenario_.duration, options.step, "steps", problems());
  }
  for (const char* key : kAdaptiveKeys) {
    map.refuse(key, std::string(to_string(options.method)) + " keeps to its step");
  }
}

void ScenarioReader::read_adaptive(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  read_fields(map, adaptive_fields(), options);
  if (const auto tolerance = map.find("absolute_tolerance")) read_tolerance(*tolerance);
  if (const auto step = map.find("max_step")) {
    check_count(*step, scenario_.duration, options.max_step, "steps", problems());
  }
  map.refuse("step",
             std::string(to_string(options.method)) + " finds its own, and max_step limits it");
}

void ScenarioReader::read_tolerance(const Value& value) {
  AbsoluteTolerance& tolerance = scenario_.setup.integrator.absolute_tolerance;
  if (!value.node->is_mapping()) {
    const auto all = read_number(value, kPositive, problems());
    if (all) tolerance = {*all, *all, *all, *all, *all, *all, *all};
    return;
  }
  MapReader map(value, context());
  read_fields(map, tolerance_fields(), tolerance);
  map.finish();
}

}  // namespace spacedyn::loading
