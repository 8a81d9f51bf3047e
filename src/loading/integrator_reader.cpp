#include <algorithm>
#include <cmath>
#include <utility>

#include "loading/numbers.hpp"
#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kLaterMethods = {"bdf", "dopri853", "radau5", "rkf45", "rk2"};

/// Names that other programs use, with the method that does their work; the original's first.
const std::vector<std::pair<std::string, std::string>> kOtherNames = {
    {"int_eu2", "euler_rodrigues"},
    {"f_dyn_rk2", "rk4_quaternion"},
    {"int_sr", "simpson"},
    {"int_sr2", "simpson"},
    {"f_dyn_nb", "newmark"},
    {"f_dyn_nb2", "newmark"},
    {"int_eu", "euler_rodrigues"},
    {"f_dyn_rk", "rk4_quaternion"},
    {"ode45", "dopri5"},
    {"ck54", "cash_karp54"},
    {"cash_karp", "cash_karp54"},
    {"rkf78", "fehlberg78"},
    {"ode89", "dop853"},
    {"DOP853", "dop853"},
    {"abm", "adams_bashforth_moulton"},
    {"abm5", "adams_bashforth_moulton"},
    {"adams", "adams_bashforth_moulton"},
    {"rosenbrock4", "rodas"},
    {"symplectic", "variational"}};

constexpr const char* kAdaptiveKeys[] = {"relative_tolerance", "absolute_tolerance", "max_step"};

Quantity positive(Quantity quantity) { return quantity.within(Range::positive); }

bool has_actuators(const Model& model) {
  bool has_wheel = false;
  for (int i = 1; i <= model.joint_count(); ++i) {
    has_wheel = has_wheel || model.wheel(i) != nullptr;
  }
  return has_wheel || !model.thrusters().empty();
}

}  // namespace

void ScenarioReader::read_integrator() {
  const auto value = map_.find("integrator");
  if (!value) return;
  MapReader map(*value, context());
  if (const auto method = map.find("method")) {
    const auto choice = read_method(*method);
    if (!choice) return;
    scenario_.setup.integrator.method = all_integration_methods()[*choice];
  }
  if (is_adaptive(scenario_.setup.integrator.method)) {
    read_adaptive(map);
  } else {
    read_fixed_step(map);
  }
  read_newmark(map);
  read_step_limit(map);
  read_projection(map);
  read_constraints(map);
  check_imposed_motion(map);
  map.finish();
}

std::optional<std::size_t> ScenarioReader::read_method(const Value& value) {
  for (const auto& [other, ours] : kOtherNames) {
    if (!value.node->is_scalar() || value.node->text != other) continue;
    problems().error(value.node->mark, value.path,
                     "expected one of this library's methods, got '" + other + "'",
                     "'" + ours + "' does its work");
    return std::nullopt;
  }
  std::vector<std::string> names;
  for (const IntegrationMethod method : all_integration_methods()) {
    names.emplace_back(to_string(method));
  }
  return read_choice(value, names, kLaterMethods, problems());
}

void ScenarioReader::read_step_limit(MapReader& map) {
  const auto value = map.find("max_steps");
  const auto number = value ? read_number(*value, quantity::kNumber, problems()) : std::nullopt;
  if (!number) return;
  if (*number < 1.0 || *number > 1.0e15 || *number != std::floor(*number)) {
    map.error_at("max_steps",
                 "expected a whole number of steps, at least 1, got " + describe(*value->node));
    return;
  }
  scenario_.setup.integrator.max_steps = static_cast<long>(*number);
}

void ScenarioReader::read_newmark(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  if (!method_traits(options.method).has_newmark_parameters) {
    map.refuse("beta", "it belongs to newmark");
    map.refuse("gamma", "it belongs to newmark");
    return;
  }
  options.newmark_beta = map.number("beta", quantity::kNumber, options.newmark_beta);
  options.newmark_gamma = map.number("gamma", quantity::kNumber, options.newmark_gamma);
  if (options.newmark_beta < 0.0 || options.newmark_beta > 0.5) {
    map.error_at("beta",
                 "expected a number from 0 to 0.5, got " + format_number(options.newmark_beta));
  }
  if (options.newmark_gamma < 0.5 || options.newmark_gamma > 1.0) {
    map.error_at("gamma",
                 "expected a number from 0.5 to 1, got " + format_number(options.newmark_gamma));
  }
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
    std::vector<std::string> names;
    for (const LoopStabilization each : all_loop_stabilizations())
      names.emplace_back(to_string(each));
    const auto choice = read_choice(*value, names, {}, problems());
    if (choice) options.constraints = all_loop_stabilizations()[*choice];
    if (model_ && model_->loops().empty() && connection_names_.empty()) {
      map.error_at("constraints", "expected no such key, got one: the model has no loops");
    }
  }
  const MethodTraits& method = method_traits(options.method);
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
  const MethodTraits& method = method_traits(setup.integrator.method);
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
  options.step = map.required_number("step", positive(quantity::kTime));
  if (const auto step = map.find("step")) {
    check_count(*step, scenario_.duration, options.step, "steps", problems());
  }
  for (const char* key : kAdaptiveKeys) {
    map.refuse(key, std::string(to_string(options.method)) + " keeps to its step");
  }
}

void ScenarioReader::read_adaptive(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  options.relative_tolerance =
      map.number("relative_tolerance", positive(quantity::kNumber), options.relative_tolerance);
  if (options.relative_tolerance >= 1.0) {
    map.error_at("relative_tolerance",
                 "expected a number below 1, got " + format_number(options.relative_tolerance));
  }
  if (const auto tolerance = map.find("absolute_tolerance")) read_tolerance(*tolerance);
  options.max_step =
      map.number("max_step", positive(quantity::kTime).or_infinite(), options.max_step);
  if (const auto step = map.find("max_step")) {
    check_count(*step, scenario_.duration, options.max_step, "steps", problems());
  }
  map.refuse("step",
             std::string(to_string(options.method)) + " finds its own, and max_step limits it");
}

void ScenarioReader::read_tolerance(const Value& value) {
  AbsoluteTolerance& tolerance = scenario_.setup.integrator.absolute_tolerance;
  if (!value.node->is_mapping()) {
    const auto all = read_number(value, positive(quantity::kNumber), problems());
    if (all) tolerance = {*all, *all, *all, *all, *all, *all, *all};
    return;
  }
  MapReader map(value, context());
  const auto read = [&](const char* key, const Quantity& quantity, double& target) {
    target = map.number(key, positive(quantity), target);
  };
  read("position", quantity::kLength, tolerance.position);
  read("attitude", quantity::kAngle, tolerance.attitude);
  read("joint", quantity::kNumber, tolerance.joint);
  read("linear_velocity", quantity::kVelocity, tolerance.linear_velocity);
  read("angular_velocity", quantity::kRate, tolerance.angular_velocity);
  read("joint_velocity", quantity::kNumber, tolerance.joint_velocity);
  read("auxiliary", quantity::kNumber, tolerance.auxiliary);
  map.finish();
}

void ScenarioReader::read_output() {
  // a thousand points make a smooth picture
  scenario_.output_interval = scenario_.duration / 1000.0;
  scenario_.channels = default_channels();
  const auto value = map_.find("output");
  if (!value) return;
  MapReader map(*value, context());
  scenario_.output_interval =
      map.number("interval", positive(quantity::kTime), scenario_.output_interval);
  if (const auto interval = map.find("interval")) {
    check_count(*interval, scenario_.duration, scenario_.output_interval, "outputs", problems());
  }
  if (const auto channels = map.find("channels")) read_channels(*channels);
  if (const auto format = map.find("format")) read_format(*format);
  map.refuse_unsupported({"formats", "compress", "file", "report"});
  map.finish();
}

void ScenarioReader::read_format(const Value& value) {
  std::vector<std::string> names;
  for (const ResultFormat format : all_result_formats()) names.emplace_back(to_string(format));
  const auto choice = read_choice(value, names, {}, problems());
  if (choice) scenario_.format = all_result_formats()[*choice];
}

void ScenarioReader::read_channels(const Value& value) {
  static const std::vector<std::string> kLater = {"jacobian", "contact", "links", "acceleration",
                                                  "control"};
  std::vector<std::string> names;
  for (const Channel channel : all_channels()) names.emplace_back(to_string(channel));
  scenario_.channels.clear();
  for_each_item(value, problems(), [&](const Value& item) {
    const auto choice = read_choice(item, names, kLater, problems());
    if (!choice) return;
    const Channel channel = all_channels()[*choice];
    auto& chosen = scenario_.channels;
    if (std::find(chosen.begin(), chosen.end(), channel) != chosen.end()) {
      problems().error(item.node->mark, item.path,
                       "expected each channel once, got " + describe(*item.node) + " again");
    }
    chosen.push_back(channel);
    const bool is_of_one_robot =
        channel == Channel::singular_values || channel == Channel::modal_energy;
    if (is_of_one_robot && has_several_robots()) {
      problems().error(item.node->mark, item.path,
                       "expected another channel, got " + describe(*item.node) +
                           ", which is not available with several robots");
    }
    if (channel == Channel::constraints && model_ && model_->loops().empty() &&
        connection_names_.empty()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got constraints: the model has no loops");
    }
    if (channel == Channel::wheels && !has_wheels()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got wheels: there is no wheel or tyre");
    }
    if (channel == Channel::contacts && !has_contacts()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got contacts: there is no contact");
    }
    if (channel == Channel::sensors && sensor_names_.empty()) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got sensors: there is no sensor");
    }
    if (channel == Channel::actuators && model_ && !has_actuators(*model_)) {
      problems().warning(item.node->mark, item.path,
                         "expected another channel, got actuators: the model has no reaction "
                         "wheel, gyro or thruster");
    }
  });
  if (value.node->is_sequence() && value.node->items.empty()) {
    problems().error(value.node->mark, value.path, "expected at least one channel, got none");
  }
}

void ScenarioReader::read_checks() {
  const auto value = map_.find("checks");
  if (!value) return;
  MapReader map(*value, context());
  const auto read = [&](const char* key, std::optional<double>& limit) {
    if (const auto given = map.find(key)) {
      limit = read_number(*given, positive(quantity::kNumber), problems());
    }
  };
  read("momentum_drift", scenario_.checks.momentum_drift);
  read("energy_residual", scenario_.checks.energy_residual);
  read("attitude_error", scenario_.checks.attitude_error);
  map.finish();
}

}  // namespace spacedyn::loading
