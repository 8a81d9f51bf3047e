#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loading/keys/mapping.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "loading/schema/schema_definition.hpp"
#include "system/motion_of.hpp"

namespace spacedyn::loading {
namespace {

using Options = IntegratorOptions;

Mapping<AbsoluteTolerance> tolerance_keys() {
  using namespace kind;
  using Group = AbsoluteTolerance;
  const Quantity plain = positive(kNumber);
  Mapping<Group> keys("By group of components");
  keys.allow("position", &Group::position, number(positive(kLength), "Of the base, m"));
  keys.allow("attitude", &Group::attitude, number(positive(kAngle), "Of the base, rad"));
  keys.allow("joint", &Group::joint, number(plain, "rad or m"));
  keys.allow("linear_velocity", &Group::linear_velocity,
             number(positive(kVelocity), "Of the base, m/s"));
  keys.allow("angular_velocity", &Group::angular_velocity,
             number(positive(kRate), "Of the base, rad/s"));
  keys.allow("joint_velocity", &Group::joint_velocity, number(plain, "rad/s or m/s"));
  keys.allow("auxiliary", &Group::auxiliary, number(plain, "Of states of forces and controllers"));
  return keys;
}

/// One number for all, or by group.
Kind<AbsoluteTolerance> absolute_tolerance() {
  const auto all = kind::number(quantity::positive(quantity::kNumber));
  Kind<AbsoluteTolerance> kind = kind::mapping(once<tolerance_keys>());
  kind.schema = [groups = kind.schema, all] {
    return any_of_schema({all.schema(), groups()}, "One number for all, or by group");
  };
  kind.read = [groups = kind.read, all](const Value& value, Reading& reading, void* target) {
    if (value.node->is_mapping()) return groups(value, reading, target);
    double x = 0.0;
    if (!all.read(value, reading, &x)) return false;
    *static_cast<AbsoluteTolerance*>(target) = {x, x, x, x, x, x, x};
    return true;
  };
  return kind;
}

Mapping<Options> adaptive_keys() {
  using namespace kind;
  Mapping<Options> keys;
  constexpr double kUnbound = std::numeric_limits<double>::infinity();
  keys.allow("relative_tolerance", &Options::relative_tolerance,
             number(positive(kNumber), "Below 1, default 1e-9", {-kUnbound, kUnbound, 1.0}));
  keys.allow("absolute_tolerance", &Options::absolute_tolerance, absolute_tolerance());
  keys.allow("max_step", &Options::max_step,
             number(positive(kTime).or_infinite(), "Longest step, s"));
  return keys;
}

Mapping<Options> fixed_step_keys() {
  Mapping<Options> keys;
  keys.require("step", &Options::step,
               kind::number(quantity::positive(quantity::kTime), "Step, s"));
  return keys;
}

Mapping<Options> newmark_keys() {
  using namespace kind;
  Mapping<Options> keys;
  keys.allow("beta", &Options::newmark_beta,
             number(kNumber, "From 0 to 0.5, default 0.25", {0.0, 0.5}));
  keys.allow("gamma", &Options::newmark_gamma,
             number(kNumber, "From 0.5 to 1, default 0.5", {0.5, 1.0}));
  return keys;
}

Mapping<Options> contact_step_keys() {
  using namespace kind;
  Mapping<Options> keys;
  keys.allow(
      "contact_tolerance", &Options::contact_tolerance,
      number(positive(kVelocity), "To which conditions of contacts hold, m/s, default 1e-6"));
  keys.allow("contact_iterations", &Options::contact_iterations,
             whole_number<int>(1, 1.0e9, "a whole number of sweeps, at least 1",
                               "Most sweeps over the contacts in a step, default 200"));
  return keys;
}

Mapping<Options> constraint_keys() {
  Mapping<Options> keys;
  keys.allow("constraints", &Options::constraints,
             kind::choice<LoopStabilization>(all_names(all_loop_stabilizations()),
                                             "How loops are kept closed"));
  return keys;
}

/// Of every method.
Mapping<Options> run_keys() {
  using namespace kind;
  Mapping<Options> keys;
  keys.allow("max_steps", &Options::max_steps,
             whole_number<long>(1, 1.0e15, "a whole number of steps, at least 1",
                                "After more steps a run fails"));
  keys.allow("project_momentum", &Options::project_momentum,
             boolean("Makes momentum exact after each step"));
  return keys;
}

/// The schema of methods that have the keys of some tables.
std::string methods_schema(const char* title, bool (*has)(const MethodTraits& method),
                           const std::vector<const MappingTable*>& tables) {
  std::vector<std::string> names;
  for (const IntegrationMethod method : all_integration_methods()) {
    if (has(method_traits(method))) names.emplace_back(to_string(method));
  }
  MappingSchema schema(title);
  const bool is_default = has(method_traits(IntegratorOptions()));
  schema.add(is_default ? Presence::optional : Presence::required, "method",
             choice_schema(names, "Method"));
  for (const MappingTable* table : tables) table->describe(schema);
  once<run_keys>().describe(schema);
  return schema.text();
}

std::string integrator_schema() {
  using Traits = const MethodTraits&;
  const auto& step = once<fixed_step_keys>();
  return one_of_schema(
      {methods_schema("Adaptive, the default", [](Traits method) { return method.adaptive; },
                      {&once<adaptive_keys>(), &once<constraint_keys>()}),
       methods_schema("Fixed steps",
                      [](Traits method) {
                        return !method.adaptive && !method.has_newmark_parameters &&
                               !method.steps_contacts;
                      },
                      {&step, &once<constraint_keys>()}),
       methods_schema("Newmark's implicit method",
                      [](Traits method) { return method.has_newmark_parameters; },
                      {&step, &once<newmark_keys>()}),
       methods_schema("Steps over rigid contacts",
                      [](Traits method) { return method.steps_contacts; },
                      {&step, &once<contact_step_keys>()})},
      "How the motion is integrated");
}

/// Reads the keys of a table, or refuses them.
void read_or_refuse(const Mapping<Options>& keys, bool has_them, const std::string& reason,
                    MapReader& map, Options& options) {
  if (has_them) {
    keys.read(map, options);
    return;
  }
  for (const std::string& key : keys.names()) map.refuse(key, reason);
}

void read_projection(ScenarioContext& scenario, MapReader& map) {
  if (!scenario.setup().integrator.project_momentum) return;
  if (scenario.setup().base_mode != BaseMode::floating) {
    map.error_at("project_momentum", "expected false, got true: the base does not float");
  } else if (!scenario.setup().prescribed_joints.empty()) {
    map.error_at("project_momentum", "expected false, got true: joints are prescribed");
  }
}

void read_constraints(ScenarioContext& scenario, MapReader& map) {
  IntegratorOptions& options = scenario.setup().integrator;
  once<constraint_keys>().read(map, options);
  const bool has_none =
      scenario.model && scenario.model->loops().empty() && scenario.names.connections.empty();
  if (map.has("constraints") && has_none) {
    map.error_at("constraints", "expected no such key, got one: the model has no loops");
  }
  const MethodTraits method = method_traits(options);
  const auto& connections = scenario.setup().connections;
  const bool is_rigid = std::any_of(connections.begin(), connections.end(),
                                    [](const Connection& each) { return each.is_rigid(); });
  const bool holds_motions = std::any_of(
      connections.begin(), connections.end(),
      [&](const Connection& each) { return motion_of(scenario.setup(), each) != nullptr; });
  if (holds_motions && options.method == IntegrationMethod::rodas) {
    map.error_at("method", "expected an explicit method for motion constraints, got rodas",
                 "dop853, dopri5 and rk4 can, for instance");
  }
  const bool has_loops =
      scenario.model && (is_rigid || holds_motions || !scenario.model->loops().empty());
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

}  // namespace

extern const SchemaDefinition kIntegratorDefinition{"integrator", integrator_schema};

void read_integrator(ScenarioContext& scenario) {
  const auto value = scenario.map.find("integrator");
  if (!value) return;
  MapReader map(*value, scenario.context());
  IntegratorOptions& options = scenario.setup().integrator;
  if (const auto given = map.find("method")) {
    const auto choice =
        read_choice(*given, all_names(all_integration_methods()), scenario.problems());
    if (!choice) return;
    options.method = all_integration_methods()[*choice];
  }
  const MethodTraits method = method_traits(options);
  const std::string name(to_string(options.method));
  read_or_refuse(once<adaptive_keys>(), method.adaptive, name + " keeps to its step", map, options);
  read_or_refuse(once<fixed_step_keys>(), !method.adaptive,
                 name + " finds its own, and max_step limits it", map, options);
  if (method.adaptive) {
    check_step(scenario, map, "max_step", options.max_step, "steps");
  } else {
    check_step(scenario, map, "step", options.step, "steps");
  }
  read_or_refuse(once<newmark_keys>(), method.has_newmark_parameters, "it belongs to newmark", map,
                 options);
  read_or_refuse(once<contact_step_keys>(), method.steps_contacts, "it belongs to time_stepping",
                 map, options);
  once<run_keys>().read(map, options);
  read_projection(scenario, map);
  read_constraints(scenario, map);
  check_imposed_motion(scenario, map);
  map.finish();
}

}  // namespace spacedyn::loading
