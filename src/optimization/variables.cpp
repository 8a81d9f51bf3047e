#include "optimization/variables.hpp"

#include "loading/yaml/yaml_text.hpp"

namespace spacedyn::optimization {

using namespace loading;

double VariableResolver::number(const Value& value, Range range) const {
  return read_number(value, quantity_.within(range).of_series(), problems_).value_or(0.0);
}

bool VariableResolver::read_start(const VariableKeys& keys, ScenarioVariable& variable) const {
  if (keys.start) {
    variable.start = number(*keys.start);
    return true;
  }
  const auto found = family_.value_at(variable.key, quantity_.within(Range::any).of_series());
  if (found) variable.start = *found;
  if (!found) {
    problems_.error(keys.key.place,
                    "expected a key with a number in the files of the scenario, got " +
                        quote(variable.key) + ", which they leave out",
                    "'start' says where the search begins");
  }
  return found.has_value();
}

bool VariableResolver::check_bounds(const VariableKeys& keys,
                                    const ScenarioVariable& variable) const {
  const std::string lower = format_number(variable.lower), upper = format_number(variable.upper);
  if (!(variable.lower < variable.upper)) {
    problems_.error(*keys.to, "expected a bound above 'from', " + lower + ", got " + upper);
    return false;
  }
  if (variable.start >= variable.lower && variable.start <= variable.upper) return true;
  const std::string unit = variable.unit.empty() ? "" : ' ' + variable.unit;
  problems_.error(keys.start ? *keys.start : keys.key.place,
                  "expected a start from " + lower + " to " + upper + unit + ", got " +
                      format_number(variable.start) + unit +
                      (keys.start ? "" : ", the value of the scenario"));
  return false;
}

std::optional<ScenarioVariable> VariableResolver::resolve(const VariableKeys& keys) {
  const std::string& key = keys.key.text;
  if (key.empty() || key == "." || key.find_first_of("/,") != std::string::npos) {
    problems_.error(keys.key.place, "expected a key without '/' and ',', got " + quote(key));
    return std::nullopt;
  }
  if (!taken_.insert(key).second) {
    problems_.error(keys.key.place, "expected each key once, got " + quote(key) + " again");
    return std::nullopt;
  }
  const auto text_of = [](const std::optional<Value>& value) {
    return value && value->node->is_scalar() ? value->node->text : std::string("0");
  };
  const std::string like = text_of(keys.start ? keys.start : keys.from ? keys.from : keys.to);
  const auto quantity = study::quantity_of_key(keys.key, like, family_, problems_);
  if (!quantity) return std::nullopt;
  quantity_ = *quantity;
  ScenarioVariable variable;
  variable.key = key;
  variable.unit = si_unit(quantity_);
  const std::size_t before = problems_.error_count();
  if (keys.from) variable.lower = number(*keys.from);
  if (keys.to) variable.upper = number(*keys.to);
  const bool has_start = read_start(keys, variable);
  if (!has_start || problems_.error_count() > before || !check_bounds(keys, variable)) {
    return std::nullopt;
  }
  return variable;
}

Diagnostic problem_at(const Value& place, const std::string& message, const std::string& hint) {
  ProblemList list;
  list.error(place, message, hint);
  return list.sorted().front();
}

}  // namespace spacedyn::optimization
