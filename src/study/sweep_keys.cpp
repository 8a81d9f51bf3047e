#include "study/sweep_keys.hpp"

#include <algorithm>

#include "loading/schema/schema.hpp"

namespace spacedyn::study {

using namespace loading;
using namespace loading::kind;

namespace {

/// A number with whatever unit: that of the key which it is for.
Json any_number_schema(const char* title = "") {
  std::vector<Quantity> all;
  for (int i = 0; i <= static_cast<int>(Dimension::angular_stiffness); ++i) {
    all.push_back({static_cast<Dimension>(i)});
  }
  return number_schema(all, title);
}

}  // namespace

Kind<PlacedText> placed_text(const char* title) {
  return make_kind<PlacedText>(
      "a text", [=] { return text_schema(title); },
      [](const Value& value, Reading& reading) -> std::optional<PlacedText> {
        const auto text = read_text(value, reading.problems());
        if (!text) return std::nullopt;
        return PlacedText{*text, value};
      });
}

Kind<Value> scalar(const char* title) {
  return make_kind<Value>(
      "a number", [=] { return any_number_schema(title); },
      [](const Value& value, Reading&) { return std::optional<Value>(value); });
}

std::optional<Quantity> quantity_of_key(const PlacedText& key, const std::string& number,
                                        const ScenarioFamily& family, ProblemList& problems) {
  std::vector<Diagnostic> found;
  const auto quantity = family.quantity_at({key.text, number}, found);
  if (quantity) return quantity;
  std::string reason, hint;
  for (const Diagnostic& diagnostic : found) {
    if (diagnostic.severity != Severity::error) continue;
    const std::string place = diagnostic.path.empty() ? "" : diagnostic.path + ": ";
    reason = ": " + place + diagnostic.message;
    hint = diagnostic.hint;
    break;
  }
  problems.error(key.place,
                 "expected the key of a number of the scenario, got " + quote(key.text) + reason,
                 hint);
  return std::nullopt;
}

std::map<std::string, std::string> read_scenario_texts(const PlacedText& name,
                                                       ProblemList& problems,
                                                       std::vector<Diagnostic>& warnings) {
  const std::string path = path_beside(name.place, name.text);
  try {
    Scenario scenario = load_scenario(path);
    warnings = std::move(scenario.warnings);
    return std::move(scenario.sources);
  } catch (const IoError& error) {
    problems.error(name.place,
                   std::string("expected a scenario file that can be read, got ") + error.what());
    return {};
  }
}

namespace {

/// Scalars in a list; how many there have to be, any number of at least one if 0.
std::optional<std::vector<Value>> read_scalars(const Value& value, std::size_t count,
                                               ProblemList& problems) {
  const std::string expected = count == 0 ? "a list of at least one number"
                                          : "a list of " + std::to_string(count) + " numbers";
  const auto& items = value.node->items;
  const bool is_right =
      value.node->is_sequence() && !items.empty() && (count == 0 || items.size() == count);
  if (!is_right) {
    problems.error(value, "expected " + expected + ", got " + describe(*value.node));
    return std::nullopt;
  }
  std::vector<Value> scalars;
  for (const NodePtr& item : items) {
    scalars.push_back({item.get(), join_path(value.path, std::to_string(scalars.size()))});
  }
  return scalars;
}

Kind<std::vector<Value>> scalars(std::size_t count, const char* title) {
  const std::string expected = "a list of numbers";
  return make_kind<std::vector<Value>>(
      expected,
      [=] {
        return count == 0 ? series_schema(any_number_schema(), 1, title)
                          : list_schema(any_number_schema(), static_cast<int>(count), title);
      },
      [=](const Value& value, Reading& reading) {
        return read_scalars(value, count, reading.problems());
      });
}

template <std::size_t position>
Value& number_of(DistributionKeys& keys) {
  if (keys.numbers.size() <= position) keys.numbers.resize(position + 1);
  return keys.numbers[position];
}

Mapping<DistributionKeys> normal_keys() {
  Mapping<DistributionKeys> keys("A normal distribution");
  keys.require("mean", number_of<0>, scalar("Of the whole distribution"));
  keys.require("standard_deviation", number_of<1>, scalar("Positive"));
  keys.allow("truncated", &DistributionKeys::truncated,
             scalars(2, "The distribution given that the value is within"));
  return keys;
}

Mapping<DistributionKeys> log_normal_keys() {
  Mapping<DistributionKeys> keys("The logarithm is normal about that of the median");
  keys.require("median", number_of<0>, scalar("Positive"));
  keys.require("sigma", &DistributionKeys::sigma,
               number(positive(kNumber), "Standard deviation of the logarithm"));
  return keys;
}

void check_weights(DistributionKeys& choice, Reading& reading) {
  double sum = 0.0;
  for (const double weight : choice.weights) sum += weight;
  if (choice.weights.size() != choice.numbers.size()) {
    reading.map.error_at("weights", "expected as many weights as values (" +
                                        std::to_string(choice.numbers.size()) + "), got " +
                                        std::to_string(choice.weights.size()));
  } else if (!(sum > 0.0)) {
    reading.map.error_at("weights", "expected weights with a positive sum, got only zeros");
  }
}

Mapping<DistributionKeys> choice_keys() {
  Mapping<DistributionKeys> keys("One of some values, as likely as its weight");
  keys.require("values", &DistributionKeys::numbers, scalars(0, ""));
  keys.require("weights", &DistributionKeys::weights,
               list(number(not_negative(kNumber)), "a list of numbers", 1, "Of any positive sum"));
  keys.check(check_weights);
  return keys;
}

/// Kinds of distributions in the order of the enumerators, and how each is given.
struct KindOfParameter {
  const char* name;
  std::size_t count;  ///< of numbers in a list; 0: any
  const char* title;
  const Mapping<DistributionKeys>& (*table)();  ///< null: a list of numbers
};

const std::vector<KindOfParameter>& parameter_kinds() {
  static const std::vector<KindOfParameter> kinds{
      {"values", 0, "All of them, one after another", nullptr},
      {"uniform", 2, "From a to b", nullptr},
      {"normal", 0, "", once<normal_keys>},
      {"log_normal", 0, "", once<log_normal_keys>},
      {"triangular", 3, "a, mode, b", nullptr},
      {"choice", 0, "", once<choice_keys>}};
  return kinds;
}

std::vector<std::string> parameter_kind_names() {
  std::vector<std::string> names;
  for (const KindOfParameter& kind : parameter_kinds()) names.emplace_back(kind.name);
  return names;
}

void describe_distribution(MappingSchema& schema) {
  for (const KindOfParameter& kind : parameter_kinds()) {
    schema.allow(kind.name, kind.table != nullptr ? kind.table().schema()
                                                  : scalars(kind.count, kind.title).schema());
  }
  schema.add_rule(one_key_rule(parameter_kind_names()));
}

bool read_distribution(Reading& reading, ParameterKeys& parameter) {
  MapReader& map = reading.map;
  const auto& kinds = parameter_kinds();
  std::optional<std::size_t> found;
  std::vector<std::string> given;
  std::optional<Value> value;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto place = map.find(kinds[i].name);
    if (!place) continue;
    given.emplace_back(kinds[i].name);
    found = i;
    value = place;
  }
  if (given.size() != 1) {
    if (!map.is_mapping()) return false;
    std::string got = given.empty() ? "none" : "";
    for (const std::string& name : given) got += (got.empty() ? "'" : " and '") + name + '\'';
    map.problems().error(map.mark(), map.path(),
                         "expected exactly one of the keys " +
                             list_choices(parameter_kind_names()) + ", got " + got);
    return false;
  }
  parameter.kind = static_cast<SweepParameter::Kind>(*found);
  parameter.distribution.place = *value;
  const KindOfParameter& kind = kinds[*found];
  if (kind.table != nullptr) {
    return kind.table().read_whole(*value, map.context(), parameter.distribution);
  }
  auto numbers = read_scalars(*value, kind.count, map.problems());
  if (numbers) parameter.distribution.numbers = std::move(*numbers);
  return numbers.has_value();
}

Mapping<ParameterKeys> parameter_keys() {
  Mapping<ParameterKeys> keys("What varies, and how");
  keys.require("key", &ParameterKeys::key,
               placed_text("Key path of a number below scenario:, or below model."));
  keys.group(KeyGroup<ParameterKeys>{describe_distribution, read_distribution});
  return keys;
}

const std::vector<std::string>& instants() {
  static const std::vector<std::string> names{"end", "max", "min", "max_abs", "rms", "integral"};
  return names;
}

struct Instant {
  double time = 0.0;
};

Mapping<Instant> instant_keys() {
  Mapping<Instant> keys("At a time, between rows in proportion");
  keys.require("time", &Instant::time, number(not_negative(kTime), "s"));
  return keys;
}

Json at_schema() {
  return any_of_schema({choice_schema(instants()), once<instant_keys>().schema()},
                       "Of the rows of the result; default end");
}

bool read_at(Reading& reading, CollectKeys& collect) {
  const auto value = reading.map.find("at");
  if (!value) return true;
  if (value->node->is_mapping()) {
    Instant instant;
    collect.at = SweepCollect::At::time;
    const bool is_right = once<instant_keys>().read_whole(*value, reading.map.context(), instant);
    collect.time = instant.time;
    return is_right;
  }
  const auto choice = read_choice(*value, instants(), reading.problems());
  if (choice) collect.at = static_cast<SweepCollect::At>(*choice);
  return choice.has_value();
}

void check_source(MapReader& map) {
  if (!map.is_mapping() || map.has("summary") != map.has("channel")) return;
  map.problems().error(map.mark(), map.path(),
                       std::string("expected one of the keys 'summary' and 'channel', got ") +
                           (map.has("summary") ? "both" : "none"));
}

}  // namespace

Mapping<CollectKeys> collect_keys(Presence name) {
  constexpr const char* kOfChannels = "only a channel has it";
  Mapping<CollectKeys> keys("A number that is kept of each flight");
  keys.add(name, "name", &CollectKeys::name, text("Of the data set"));
  keys.allow("summary", &CollectKeys::summary, text("Path into the object of simulate --json"));
  keys.allow("channel", &CollectKeys::channel,
             text("A column or a data set of the result, base_position, base_velocity, "
                  "base_angular_velocity, base_rpy, joint_position, joint_velocity, joint_torque"));
  keys.allow("component", &CollectKeys::component,
             whole_number<int>(0, 1.0e6, "a whole number from 0", "Of a data set; default 0"))
      .with("channel", kOfChannels);
  keys.group(KeyGroup<CollectKeys>{[](MappingSchema& schema) { schema.allow("at", at_schema()); },
                                   read_at});
  keys.check_keys(one_key_rule({"summary", "channel"}), check_source);
  keys.check_keys({{"dependentRequired", {{"at", {"channel"}}}}}, [](MapReader& map) {
    if (map.has("at") && map.has("summary")) map.refuse("at", kOfChannels);
  });
  return keys;
}

namespace {

Mapping<CollectKeys> named_collect_keys() { return collect_keys(Presence::required); }

Mapping<CorrelationKeys> correlation_keys() {
  Mapping<CorrelationKeys> keys("Of normal distributions that are not truncated");
  keys.require("keys", &CorrelationKeys::keys,
               list(placed_text(""), "a list of keys", 2, "Keys of parameters"));
  keys.require("matrix", &CorrelationKeys::matrix,
               list(list(number(kNumber), "a list of numbers"), "a list of rows", 2,
                    "Symmetric, positive definite, ones on its diagonal"));
  return keys;
}

Mapping<SweepLimits> limit_keys() {
  Mapping<SweepLimits> keys("What a flight may take; beyond, its row has status 4");
  keys.allow("wall_time", &SweepLimits::wall_time, number(positive(kTime), "Elapsed time, s"));
  keys.allow("max_steps", &SweepLimits::max_steps,
             whole_number<long>(1, 1.0e15, "a whole number of steps, at least 1", "Accepted ones"));
  return keys;
}

}  // namespace

Mapping<SweepKeys> sweep_keys() {
  const auto member = [](auto SweepSettings::*own) {
    return [own](SweepKeys & keys) -> auto& { return keys.settings.*own; };
  };
  Mapping<SweepKeys> keys("One scenario, flown many times with parameters that vary");
  keys.keep_notes();
  keys.require("name", member(&SweepSettings::name), text("Of the sweep and of its files"));
  keys.require("scenario", &SweepKeys::scenario,
               placed_text("Path of the scenario, relative to this file"));
  keys.allow("seed", member(&SweepSettings::seed),
             whole_number<std::uint64_t>(0, 9007199254740992.0, "a whole number from 0 to 2^53",
                                         "Of all random numbers; default 0"));
  keys.allow("runs", member(&SweepSettings::runs),
             whole_number<long>(1, 2147483647.0, "a whole number of runs, at least 1",
                                "Rows for each point of the grid"));
  keys.allow("parameters", &SweepKeys::parameters,
             list(mapping(once<parameter_keys>()), "a list of parameters"));
  keys.allow("sampling", member(&SweepSettings::sampling),
             choice<Sampling>({"random", "latin_hypercube", "sobol"},
                              "How the numbers in (0, 1) come; default random"));
  keys.allow("correlation", &SweepKeys::correlation,
             optional(placed(mapping(once<correlation_keys>()))));
  keys.allow("collect", &SweepKeys::collect,
             list(placed(mapping(once<named_collect_keys>())), "a list of what is collected"));
  keys.allow("keep_results", member(&SweepSettings::keep_results),
             choice<KeepResults>({"none", "failed", "all"},
                                 "Of which flights all files are kept; default none"));
  keys.allow("engine", member(&SweepSettings::engine),
             choice<SweepEngine>({"single", "lanes"},
                                 "Flights one by one, or eight at once in vector lanes; default "
                                 "single"));
  keys.allow("limits", member(&SweepSettings::limits), mapping(once<limit_keys>()));
  return keys;
}

extern const loading::SchemaDefinition kSweepDefinition{"sweep", loading::schema_of<sweep_keys>};

}  // namespace spacedyn::study

namespace spacedyn {

std::string sweep_schema() { return loading::file_schema("sweep"); }

}  // namespace spacedyn
