#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loading/keys/fields.hpp"
#include "loading/keys/time_series.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
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

void read_projection(ScenarioContext& scenario, MapReader& map) {
  IntegratorOptions& options = scenario.setup().integrator;
  options.project_momentum = map.boolean("project_momentum", false);
  if (!options.project_momentum) return;
  if (scenario.setup().base_mode != BaseMode::floating) {
    map.error_at("project_momentum", "expected false, got true: the base does not float");
  } else if (!scenario.setup().prescribed_joints.empty()) {
    map.error_at("project_momentum", "expected false, got true: joints are prescribed");
  }
}

void read_constraints(ScenarioContext& scenario, MapReader& map) {
  IntegratorOptions& options = scenario.setup().integrator;
  if (const auto value = map.find("constraints")) {
    const auto choice = read_choice(*value, all_names(all_loop_stabilizations()), map.problems());
    if (choice) options.constraints = all_loop_stabilizations()[*choice];
    if (scenario.model && scenario.model->loops().empty() && scenario.names.connections.empty()) {
      map.error_at("constraints", "expected no such key, got one: the model has no loops");
    }
  }
  const MethodTraits method = method_traits(options);
  const auto& connections = scenario.setup().connections;
  const bool is_rigid = std::any_of(connections.begin(), connections.end(),
                                    [](const Connection& each) { return each.is_rigid(); });
  const bool has_loops = scenario.model && (is_rigid || !scenario.model->loops().empty());
  if (!has_loops || method.closes_loops) return;
  map.error_at("method",
               "expected a method that can keep loops closed, got " + std::string(method.name),
               "dop853, dopri5 and rk4 can, for instance");
}

void check_imposed_motion(ScenarioContext& scenario, MapReader& map) {
  const SimulationSetup& setup = scenario.setup();
  const MethodTraits method = method_traits(setup.integrator);
  const auto refuse = [&](const char* what) {
    map.error_at("method", fmt::format("expected a method that can {}, got {}", what, method.name));
  };
  const bool has_spherical = scenario.model && !scenario.model->spherical_joints().empty();
  if (has_spherical && !method.turns_spherical_joints) refuse("turn spherical joints");
  if (method.imposes_motion) return;
  if (!setup.locked_joints.empty()) refuse("lock joints");
  if (setup.base_mode == BaseMode::prescribed || !setup.prescribed_joints.empty()) {
    refuse("impose motion");
  }
}

void read_fixed_step(ScenarioContext& scenario, MapReader& map) {
  IntegratorOptions& options = scenario.setup().integrator;
  read_fields(map, fixed_step_fields(), options);
  check_step(scenario, map, "step", options.step, "steps");
  for (const char* key : kAdaptiveKeys) {
    map.refuse(key, std::string(to_string(options.method)) + " keeps to its step");
  }
}

void read_tolerance(const Value& value, ReadContext& context, AbsoluteTolerance& tolerance) {
  if (!value.node->is_mapping()) {
    const auto all = read_number(value, kPositive, context.problems);
    if (all) tolerance = {*all, *all, *all, *all, *all, *all, *all};
    return;
  }
  MapReader map(value, context);
  read_fields(map, tolerance_fields(), tolerance);
  map.finish();
}

void read_adaptive(ScenarioContext& scenario, MapReader& map) {
  IntegratorOptions& options = scenario.setup().integrator;
  read_fields(map, adaptive_fields(), options);
  if (const auto tolerance = map.find("absolute_tolerance")) {
    read_tolerance(*tolerance, map.context(), options.absolute_tolerance);
  }
  check_step(scenario, map, "max_step", options.max_step, "steps");
  map.refuse("step",
             std::string(to_string(options.method)) + " finds its own, and max_step limits it");
}

}  // namespace

extern const SchemaDefinition kIntegratorDefinition{"integrator", integrator_schema};

void read_integrator(ScenarioContext& scenario) {
  const auto value = scenario.map.find("integrator");
  if (!value) return;
  MapReader map(*value, scenario.context());
  IntegratorOptions& options = scenario.setup().integrator;
  if (const auto method = map.find("method")) {
    const auto choice =
        read_choice(*method, all_names(all_integration_methods()), scenario.problems());
    if (!choice) return;
    options.method = all_integration_methods()[*choice];
  }
  if (is_adaptive(options)) {
    read_adaptive(scenario, map);
  } else {
    read_fixed_step(scenario, map);
  }
  read_newmark(map, options);
  read_contact_steps(map, options);
  read_step_limit(map, options);
  read_projection(scenario, map);
  read_constraints(scenario, map);
  check_imposed_motion(scenario, map);
  map.finish();
}

}  // namespace spacedyn::loading
