#include <algorithm>

#include "loading/scenario_reader.hpp"
#include "loading/time_series.hpp"

namespace spacedyn::loading {
namespace {

const std::vector<std::string> kMethods = {"dopri5", "rk4"};
const std::vector<std::string> kLaterMethods = {
    "euler",     "int_eu",     "int_eu2",        "rk2",         "midpoint",
    "f_dyn_rk",  "f_dyn_rk2",  "int_sr",         "int_sr2",     "ck54",
    "cash_karp", "fehlberg78", "rkf78",          "rkf45",       "dopri853",
    "abm",       "abm5",       "bulirsch_stoer", "rosenbrock4", "rodas",
    "newmark",   "f_dyn_nb",   "adams",          "bdf",         "symplectic"};

constexpr const char* kAdaptiveKeys[] = {"relative_tolerance", "absolute_tolerance", "max_step"};

Quantity positive(Quantity quantity) { return quantity.within(Range::positive); }

}  // namespace

void ScenarioReader::read_integrator() {
  const auto value = map_.find("integrator");
  if (!value) return;
  MapReader map(*value, context());
  std::optional<std::size_t> choice = 0;
  if (const auto method = map.find("method")) {
    choice = read_choice(*method, kMethods, kLaterMethods, problems());
  }
  if (!choice) return;
  scenario_.setup.integrator.method = static_cast<IntegrationMethod>(*choice);
  if (scenario_.setup.integrator.method == IntegrationMethod::rk4) {
    read_fixed_step(map);
  } else {
    read_adaptive(map);
  }
  map.finish();
}

void ScenarioReader::read_fixed_step(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  options.step = map.required_number("step", positive(quantity::kTime));
  if (const auto step = map.find("step")) {
    check_count(*step, scenario_.duration, options.step, "steps", problems());
  }
  for (const std::string key : kAdaptiveKeys) {
    map.refuse(key, "expected no '" + key + "': rk4 keeps to its step");
  }
}

void ScenarioReader::read_adaptive(MapReader& map) {
  IntegratorOptions& options = scenario_.setup.integrator;
  options.relative_tolerance =
      map.number("relative_tolerance", positive(quantity::kNumber), options.relative_tolerance);
  if (options.relative_tolerance >= 1.0) {
    map.error_at("relative_tolerance", "expected a number below 1");
  }
  if (const auto tolerance = map.find("absolute_tolerance")) read_tolerance(*tolerance);
  options.max_step =
      map.number("max_step", positive(quantity::kTime).or_infinite(), options.max_step);
  if (const auto step = map.find("max_step")) {
    check_count(*step, scenario_.duration, options.max_step, "steps", problems());
  }
  map.refuse("step", "expected no 'step': dopri5 finds its own; max_step limits it");
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
  scenario_.channels = all_channels();
  const auto value = map_.find("output");
  if (!value) return;
  MapReader map(*value, context());
  scenario_.output_interval =
      map.number("interval", positive(quantity::kTime), scenario_.output_interval);
  if (const auto interval = map.find("interval")) {
    check_count(*interval, scenario_.duration, scenario_.output_interval, "outputs", problems());
  }
  if (const auto channels = map.find("channels")) read_channels(*channels);
  map.refuse_unsupported({"format", "formats", "compress", "file", "report"});
  map.finish();
}

void ScenarioReader::read_channels(const Value& value) {
  static const std::vector<std::string> kLater = {"jacobian", "contact",      "forces",
                                                  "links",    "acceleration", "control"};
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
  map.finish();
}

}  // namespace spacedyn::loading
