#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loading/scenario/scenario_model.hpp"
#include "loading/scenario/sections.hpp"
#include "loading/scenario/shared_keys.hpp"
#include "system/motion_of.hpp"

namespace spacedyn::loading {
namespace {

using Options = IntegratorOptions;

Mapping<AbsoluteTolerance> tolerance_keys() {
  using namespace kind;
  using Group = AbsoluteTolerance;
  const Quantity plain = positive(kNumber);
  Mapping<Group> keys("By group of components");
  keys.allow("position", &Group::position, positive(kLength), "Of the base, m");
  keys.allow("attitude", &Group::attitude, positive(kAngle), "Of the base, rad");
  keys.allow("joint", &Group::joint, plain, "rad or m");
  keys.allow("linear_velocity", &Group::linear_velocity, positive(kVelocity), "Of the base, m/s");
  keys.allow("angular_velocity", &Group::angular_velocity, positive(kRate), "Of the base, rad/s");
  keys.allow("joint_velocity", &Group::joint_velocity, plain, "rad/s or m/s");
  keys.allow("auxiliary", &Group::auxiliary, plain, "Of states of forces and controllers");
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
  keys.allow("relative_tolerance", &Options::relative_tolerance, positive(kNumber),
             "Below 1, default 1e-9", {-kUnbound, kUnbound, 1.0});
  keys.allow("absolute_tolerance", &Options::absolute_tolerance, absolute_tolerance());
  keys.allow("max_step", &Options::max_step, positive(kTime).or_infinite(), "Longest step, s");
  return keys;
}

Mapping<Options> fixed_step_keys() {
  Mapping<Options> keys;
  keys.require("step", &Options::step, quantity::positive(quantity::kTime), "Step, s");
  return keys;
}

Mapping<Options> newmark_keys() {
  using namespace kind;
  Mapping<Options> keys;
  keys.allow("beta", &Options::newmark_beta, kNumber, "From 0 to 0.5, default 0.25", {0.0, 0.5});
  keys.allow("gamma", &Options::newmark_gamma, kNumber, "From 0.5 to 1, default 0.5", {0.5, 1.0});
  return keys;
}

Mapping<Options> contact_step_keys() {
  using namespace kind;
  Mapping<Options> keys;
  keys.allow("contact_tolerance", &Options::contact_tolerance, positive(kVelocity),
             "To which conditions of contacts hold, m/s, default 1e-6");
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
Json methods_schema(const char* title, bool (*has)(const MethodTraits& method),
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
  return schema;
}

Json integrator_schema() {
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

/// Keys that only some methods have, and why others have them not.
struct MethodKeys {
  const Mapping<Options>& keys;
  bool are_had;
  std::string reason;
};

std::vector<MethodKeys> keys_of_methods(IntegrationMethod method) {
  const MethodTraits traits = method_traits(method);
  const std::string name(to_string(method));
  return {
      {once<adaptive_keys>(), traits.adaptive, name + " keeps to its step"},
      {once<fixed_step_keys>(), !traits.adaptive, name + " finds its own, and max_step limits it"},
      {once<newmark_keys>(), traits.has_newmark_parameters, "it belongs to newmark"},
      {once<contact_step_keys>(), traits.steps_contacts, "it belongs to time_stepping"}};
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
      scenario.model && !scenario.model->has_loops() && scenario.names.connections.empty();
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
  const bool has_loops =
      scenario.model && (is_rigid || holds_motions || scenario.model->has_loops());
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

Mapping<ScenarioChecks> check_keys() {
  using namespace kind;
  using Checks = ScenarioChecks;
  const auto limit = [](const char* title) { return optional(number(positive(kNumber), title)); };
  Mapping<Checks> keys("Limits that a run must keep");
  keys.allow("momentum_drift", &Checks::momentum_drift, limit("Of a system without outer forces"));
  keys.allow("energy_residual", &Checks::energy_residual,
             limit("Energy that is not accounted for"));
  keys.allow("attitude_error", &Checks::attitude_error,
             limit("Deviation of attitudes from rotations"));
  return keys;
}

Mapping<Scenario> output_keys() {
  using namespace kind;
  Mapping<Scenario> keys;
  keys.allow("interval", &Scenario::output_interval, positive(kTime),
             "s; default a thousandth of the duration");
  keys.allow("format", &Scenario::format,
             choice<ResultFormat>(all_names(all_result_formats()),
                                  "Kind of the result file; default hdf5"));
  return keys;
}

Json channels_schema() {
  const std::string standard = fmt::format("{}", fmt::join(all_names(default_channels()), ", "));
  Json list = series_schema(choice_schema(all_names(all_channels())), 1, "Default: " + standard);
  list["uniqueItems"] = true;
  return list;
}

Json output_schema() {
  MappingSchema schema("What is recorded");
  once<output_keys>().describe(schema);
  schema.allow("channels", channels_schema());
  return schema;
}

/// Whether a force declares columns of a channel.
bool is_filled(Channel channel, const SimulationSetup& setup) {
  return std::any_of(setup.forces.begin(), setup.forces.end(), [&](const auto& force) {
    const auto outputs = declarations_of(*force).outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](const OutputColumns& output) {
      return output.channel == to_string(channel);
    });
  });
}

bool has_actuators(const Model& model) {
  bool has_wheel = false;
  for (int i = 1; i <= model.joint_count(); ++i) {
    has_wheel = has_wheel || model.wheel(i) != nullptr;
  }
  return has_wheel || !model.thrusters().empty();
}

/// Why a channel has nothing to record; empty if it has something.
const char* idle_reason(ScenarioContext& scenario, Channel channel) {
  const Model* model = scenario.model.get();
  const SimulationSetup& setup = scenario.setup();
  const Names& names = scenario.names;
  switch (channel) {
    case Channel::constraints:
      return model && !model->has_loops() && names.connections.empty() ? "the model has no loops"
                                                                       : "";
    case Channel::wheels:
      return is_filled(channel, setup) ? "" : "there is no wheel or tyre";
    case Channel::contacts:
      return names.contacts.empty() ? "there is no contact" : "";
    case Channel::sensors:
      return names.sensors.empty() ? "there is no sensor" : "";
    case Channel::actuators:
      return model && !has_actuators(*model) && !is_filled(channel, setup)
                 ? "the model has no reaction wheel, gyro or thruster, the scenario no magnetic "
                   "torquer"
                 : "";
    default:
      return "";
  }
}

void read_channels(ScenarioContext& scenario, const Value& value) {
  auto& chosen = scenario.result.channels;
  chosen.clear();
  for_each_item(value, scenario.problems(), [&](const Value& item) {
    const auto choice = read_choice(item, all_names(all_channels()), scenario.problems());
    if (!choice) return;
    const Channel channel = all_channels()[*choice];
    const std::string got = describe(*item.node);
    if (std::find(chosen.begin(), chosen.end(), channel) != chosen.end()) {
      scenario.problems().error(item, "expected each channel once, got " + got + " again");
    }
    chosen.push_back(channel);
    const bool is_of_one_robot =
        channel == Channel::singular_values || channel == Channel::modal_energy;
    if (is_of_one_robot && scenario.has_several_robots()) {
      scenario.problems().error(item, "expected another channel, got " + got +
                                          ", which is not available with several robots");
    }
    if (channel == Channel::modal_energy && scenario.model && scenario.model->has_loops()) {
      scenario.problems().error(item, "expected another channel, got " + got +
                                          ", whose modes are those of a tree: the model has loops");
    }
    const std::string reason = idle_reason(scenario, channel);
    if (reason.empty()) return;
    scenario.problems().warning(
        item, fmt::format("expected another channel, got {}: {}", to_string(channel), reason));
  });
  if (value.node->is_sequence() && value.node->items.empty()) {
    scenario.problems().error(value, "expected at least one channel, got none");
  }
}

}  // namespace

extern const SchemaDefinition kIntegratorDefinition{"integrator", integrator_schema};

std::string method_misfit(const std::string& key, IntegrationMethod method) {
  for (const auto& [keys, are_had, reason] : keys_of_methods(method)) {
    const std::vector<std::string> names = keys.names();
    if (!are_had && std::count(names.begin(), names.end(), key) > 0) return reason;
  }
  return "";
}

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
  for (const auto& [keys, are_had, reason] : keys_of_methods(options.method)) {
    if (are_had) keys.read(map, options);
    for (const std::string& key : keys.names()) {
      if (!are_had) map.refuse(key, reason);
    }
  }
  const bool is_free = method_traits(options).adaptive;
  check_step(scenario, map, is_free ? "max_step" : "step",
             is_free ? options.max_step : options.step, "steps");
  once<run_keys>().read(map, options);
  read_projection(scenario, map);
  read_constraints(scenario, map);
  check_imposed_motion(scenario, map);
  map.finish();
}
extern const SchemaDefinition kOutputDefinition{"output", output_schema};
extern const SchemaDefinition kChecksDefinition{"checks", schema_of<check_keys>};

void read_output(ScenarioContext& scenario) {
  // a thousand points make a smooth picture
  scenario.result.output_interval = scenario.result.duration / 1000.0;
  scenario.result.channels = default_channels();
  const auto value = scenario.map.find("output");
  if (!value) return;
  MapReader map(*value, scenario.context());
  once<output_keys>().read(map, scenario.result);
  check_step(scenario, map, "interval", scenario.result.output_interval, "outputs");
  if (const auto channels = map.find("channels")) read_channels(scenario, *channels);
  map.finish();
}

void read_checks(ScenarioContext& scenario) {
  if (const auto value = scenario.map.find("checks")) {
    once<check_keys>().read_whole(*value, scenario.context(), scenario.result.checks);
  }
}

}  // namespace spacedyn::loading
