#include "optimization/fit_keys.hpp"

#include "loading/schema/schema.hpp"

namespace spacedyn::optimization {

using namespace loading;
using namespace loading::kind;
using study::placed_text;
using study::scalar;

Mapping<VariableKeys> variable_keys() {
  Mapping<VariableKeys> keys("A number of the scenario, and its bounds");
  keys.require("key", &VariableKeys::key,
               placed_text("Key path of a number below scenario:, or below model."));
  keys.allow("from", &VariableKeys::from, optional(scalar("Lower bound")));
  keys.allow("to", &VariableKeys::to, optional(scalar("Upper bound")));
  keys.allow("start", &VariableKeys::start,
             optional(scalar("Default: the value of the scenario or of its model")));
  return keys;
}

Kind<SearchDerivatives> derivatives_kind() {
  return choice<SearchDerivatives>(
      {"automatic", "sensitivities", "finite_differences"},
      "Default finite_differences; automatic: these where there are no others");
}

namespace {

Mapping<PriorKeys> prior_keys() {
  Mapping<PriorKeys> keys("What is known before the data: a normal distribution");
  keys.require("mean", &PriorKeys::mean, scalar(""));
  keys.require("standard_deviation", &PriorKeys::standard_deviation, scalar("Positive"));
  return keys;
}

Mapping<FitParameterKeys> parameter_keys() {
  Mapping<FitParameterKeys> keys("A number that is estimated");
  keys.merge(once<variable_keys>());
  keys.allow("prior", &FitParameterKeys::prior, optional(mapping(once<prior_keys>())));
  return keys;
}

Mapping<ColumnKeys> column_keys() {
  Mapping<ColumnKeys> keys("What a column measures");
  keys.require("channel", &ColumnKeys::channel, text("As of collect in sweeps"));
  keys.allow("component", &ColumnKeys::component,
             whole_number<int>(0, 1.0e6, "a whole number from 0", "Of the channel; default 0"));
  keys.allow("sigma", &ColumnKeys::sigma,
             number(positive(kNumber), "Standard deviation of its noise, SI; default 1"));
  return keys;
}

Kind<std::vector<ColumnKeys>> columns() {
  return make_kind<std::vector<ColumnKeys>>(
      "a mapping of columns",
      [] { return by_name_schema(once<column_keys>().schema(), "By their names in the file", 1); },
      [](const Value& value, Reading& reading) -> std::optional<std::vector<ColumnKeys>> {
        if (!value.node->is_mapping() || value.node->entries.empty()) {
          reading.problems().error(
              value, "expected a mapping of at least one column, got " + describe(*value.node));
          return std::nullopt;
        }
        std::vector<ColumnKeys> list;
        bool is_right = true;
        for (const Entry& entry : value.node->entries) {
          ColumnKeys column;
          column.place = {entry.value.get(), join_path(value.path, entry.key)};
          column.name = {entry.key, column.place};
          is_right = once<column_keys>().read_whole(column.place, reading.map.context(), column) &&
                     is_right;
          list.push_back(std::move(column));
        }
        return is_right ? std::optional(std::move(list)) : std::nullopt;
      });
}

Mapping<DataKeys> data_keys() {
  Mapping<DataKeys> keys("A file of measurements");
  keys.require("file", &DataKeys::file,
               placed_text("CSV or a result in HDF5, relative to this file"));
  keys.allow("time", &DataKeys::time, text("Column of the time; default time_s"));
  keys.allow("offset", &DataKeys::offset,
             number(kTime, "Time of the flight when the file's is 0, s; default 0"));
  keys.allow("every", &DataKeys::every,
             number(positive(kTime), "Use the first row of each interval so long alone, s"));
  keys.require("columns", &DataKeys::columns, columns());
  return keys;
}

struct Width {
  double width = 1.0;
};
Mapping<Width> width_keys() {
  Mapping<Width> keys("Where a loss begins to grow more slowly");
  keys.require("width", &Width::width, number(positive(kNumber), "Standard deviations"));
  return keys;
}

/// `squared`, or a mapping with one key.
Kind<FitLoss> loss() {
  const std::string expected = "'squared', 'huber: {width}' or 'cauchy: {width}'";
  return make_kind<FitLoss>(
      expected,
      [] {
        const Json width = once<width_keys>().schema();
        MappingSchema robust("A robust loss");
        robust.allow("huber", width).allow("cauchy", width);
        robust.add_rule(one_key_rule({"huber", "cauchy"}));
        return any_of_schema({constant_schema("squared"), robust}, "Default squared");
      },
      [=](const Value& value, Reading& reading) -> std::optional<FitLoss> {
        const Node& node = *value.node;
        if (node.is_scalar() && node.text == "squared") return FitLoss{};
        const bool is_one = node.is_mapping() && node.entries.size() == 1;
        const std::string name = is_one ? node.entries.front().key : "";
        if (name != "huber" && name != "cauchy") {
          reading.problems().error(value, "expected " + expected + ", got " + describe(node));
          return std::nullopt;
        }
        Width width;
        const Value inner{node.entries.front().value.get(), join_path(value.path, name)};
        if (!once<width_keys>().read_whole(inner, reading.map.context(), width)) {
          return std::nullopt;
        }
        return FitLoss{name == "huber" ? FitLoss::Kind::huber : FitLoss::Kind::cauchy, width.width};
      });
}

void check_lists(FitKeys& fit, Reading& reading) {
  if (fit.data.empty()) reading.map.error_at("data", "expected a file of data, got none");
  if (fit.parameters.empty()) {
    reading.map.error_at("parameters", "expected a parameter, got none");
  }
}

}  // namespace

Mapping<FitKeys> fit_keys() {
  Mapping<FitKeys> keys("Numbers of a scenario, estimated from data");
  keys.keep_notes();
  keys.require(
      "name", [](FitKeys & fit) -> auto& { return fit.settings.name; },
      text("Of the fit and of its files"));
  keys.require("scenario", &FitKeys::scenario,
               placed_text("Path of the scenario, relative to this file"));
  keys.require("data", &FitKeys::data,
               list(study::placed(mapping(once<data_keys>())), "a list of files of data", 1));
  keys.require("parameters", &FitKeys::parameters,
               list(mapping(once<parameter_keys>()), "a list of parameters", 1));
  keys.allow(
      "loss", [](FitKeys & fit) -> auto& { return fit.settings.loss; }, loss());
  keys.allow(
      "derivatives", [](FitKeys & fit) -> auto& { return fit.settings.derivatives; },
      derivatives_kind());
  keys.check(check_lists);
  return keys;
}

extern const loading::SchemaDefinition kFitDefinition{"fit", loading::schema_of<fit_keys>};

}  // namespace spacedyn::optimization

namespace spacedyn {

std::string fit_schema() { return loading::file_schema("fit"); }

}  // namespace spacedyn
