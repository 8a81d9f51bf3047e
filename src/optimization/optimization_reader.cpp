// The keys of an optimization, and from them to its settings with the scenario at hand.
#include <algorithm>

#include "loading/schema/schema.hpp"
#include "loading/yaml/yaml_text.hpp"
#include "optimization/searches.hpp"
#include "optimization/variables.hpp"

namespace spacedyn::optimization {

using namespace loading;
using namespace loading::kind;
using study::CollectKeys;

namespace {

struct GoalKeys : CollectKeys {
  double weight = 1.0;
};

struct ConstraintKeys : CollectKeys {
  std::optional<double> at_most, at_least, equals;
};

struct OptimizationKeys {
  Notes notes;
  OptimizationSettings settings;
  PlacedText scenario;
  std::vector<VariableKeys> variables;
  std::vector<GoalKeys> goals;
  std::vector<ConstraintKeys> constraints;
};

Mapping<GoalKeys> goal_keys() {
  Mapping<GoalKeys> keys("A part of what is minimized, as of collect in sweeps");
  keys.merge(study::collect_keys(Presence::optional));
  keys.allow("weight", &GoalKeys::weight, number(kNumber, "Factor of its value; default 1"));
  return keys;
}

Mapping<ConstraintKeys> constraint_keys() {
  Mapping<ConstraintKeys> keys("A number of a flight and its limits, as of collect in sweeps");
  keys.merge(study::collect_keys(Presence::optional));
  keys.allow("at_most", &ConstraintKeys::at_most, optional(number(kNumber, "SI")));
  keys.allow("at_least", &ConstraintKeys::at_least, optional(number(kNumber, "SI")));
  keys.allow("equals", &ConstraintKeys::equals, optional(number(kNumber, "SI")))
      .unless("at_most", "it is a limit of its own");
  return keys;
}

void check_goals(OptimizationKeys& keys, Reading& reading) {
  if (keys.variables.empty()) reading.map.error_at("variables", "expected a variable, got none");
  if (keys.goals.empty()) reading.map.error_at("minimize", "expected a goal, got none");
}

Mapping<OptimizationKeys> optimization_keys() {
  const auto member = [](auto OptimizationSettings::*own) {
    return [own](OptimizationKeys & keys) -> auto& { return keys.settings.*own; };
  };
  Mapping<OptimizationKeys> keys("Numbers of a scenario that make what a flight costs least");
  keys.keep_notes();
  keys.require("name", member(&OptimizationSettings::name),
               text("Of the optimization and its files"));
  keys.require("scenario", &OptimizationKeys::scenario,
               study::placed_text("Path of the scenario, relative to this file"));
  keys.require("variables", &OptimizationKeys::variables,
               list(mapping(once<variable_keys>()), "a list of variables", 1));
  keys.require("minimize", &OptimizationKeys::goals,
               list(study::placed(mapping(once<goal_keys>())), "a list of goals", 1));
  keys.allow("subject_to", &OptimizationKeys::constraints,
             list(study::placed(mapping(once<constraint_keys>())), "a list of constraints"));
  keys.allow(
      "method", member(&OptimizationSettings::method),
      choice<OptimizationMethod>({"slsqp", "mma", "bobyqa", "cmaes", "ipopt"}, "Default slsqp"));
  keys.allow("tolerance", member(&OptimizationSettings::tolerance),
             number(positive(kNumber),
                    "Of the objective, relative; of constraints, absolute; default 1e-8"));
  keys.allow(
      "max_evaluations", member(&OptimizationSettings::max_evaluations),
      whole_number<int>(1, 1.0e9, "a whole number of evaluations, at least 1", "Default 1000"));
  keys.allow("derivatives", member(&OptimizationSettings::derivatives), derivatives_kind());
  keys.check(check_goals);
  return keys;
}

}  // namespace

extern const loading::SchemaDefinition kOptimizeDefinition{"optimize",
                                                           loading::schema_of<optimization_keys>};

namespace {

/// Resolves what a file says against its scenario; what is wrong is reported.
class OptimizationResolver {
 public:
  OptimizationResolver(OptimizationKeys& keys, ProblemList& problems,
                       Optimization::Implementation& result)
      : keys_(keys), problems_(problems), result_(result) {}

  void resolve(const Value& whole) {
    result_.settings = std::move(keys_.settings);
    result_.settings.notes = std::move(keys_.notes);
    result_.settings.scenario = keys_.scenario.text;
    VariableResolver variables(*result_.family, problems_);
    for (const VariableKeys& each : keys_.variables) {
      if (const auto variable = variables.resolve(each)) {
        result_.settings.variables.push_back(*variable);
      }
    }
    result_.plan = CollectPlan(result_.family->original());
    for (const GoalKeys& goal : keys_.goals) {
      result_.settings.goals.push_back({collected(goal), goal.weight});
    }
    for (const ConstraintKeys& each : keys_.constraints) add_constraint(each);
    check_method(whole);
  }

 private:
  SweepCollect collected(const CollectKeys& keys) {
    SweepCollect collect = keys;
    const double duration = result_.family->original().duration;
    if (collect.at == SweepCollect::At::time && collect.time > duration) {
      problems_.error(keys.place, "expected a time of the flight, which takes " +
                                      format_number(duration) + " s, got " +
                                      format_number(collect.time) + " s");
      return collect;
    }
    const std::string problem = result_.plan.add(collect);
    if (!problem.empty()) problems_.error(keys.place, problem);
    return collect;
  }

  void add_constraint(const ConstraintKeys& keys) {
    OptimizationConstraint constraint{collected(keys)};
    if (keys.at_most) constraint.upper = *keys.at_most;
    if (keys.at_least) constraint.lower = *keys.at_least;
    if (keys.equals) constraint.lower = constraint.upper = *keys.equals;
    const bool has_range = keys.at_most || keys.at_least;
    if (has_range == keys.equals.has_value()) {
      problems_.error(keys.place, "expected 'at_most', 'at_least' or both, or 'equals', got " +
                                      std::string(has_range ? "all" : "none of them"));
    } else if (!(constraint.lower <= constraint.upper)) {
      problems_.error(keys.place, "expected 'at_most' above 'at_least', " +
                                      format_number(constraint.lower) + ", got " +
                                      format_number(constraint.upper));
    }
    result_.settings.constraints.push_back(std::move(constraint));
  }

  void check_method(const Value& whole) {
    const OptimizationMethod method = result_.settings.method;
    const Entry* entry = whole.node->find("method");
    const Value place{entry == nullptr ? whole.node : entry->value.get(),
                      join_path(whole.path, "method")};
    const auto& constraints = result_.settings.constraints;
    const bool has_equation =
        std::any_of(constraints.begin(), constraints.end(),
                    [](const OptimizationConstraint& each) { return each.is_equation(); });
    if (method == OptimizationMethod::bobyqa && !constraints.empty()) {
      problems_.error(place, "expected a method with constraints, got 'bobyqa', which has none",
                      "slsqp, mma, cmaes and ipopt have them");
    } else if (method == OptimizationMethod::bobyqa && result_.settings.variables.size() == 1) {
      problems_.error(place, "expected a method for one variable, got 'bobyqa', which needs two",
                      "slsqp, mma and ipopt take one");
    } else if (method == OptimizationMethod::mma && has_equation) {
      problems_.error(place, "expected a method with equations, got 'mma', which has none",
                      "slsqp, cmaes and ipopt have them");
    } else if (method == OptimizationMethod::ipopt && !has_ipopt()) {
      problems_.error(place, kNoIpopt, "slsqp takes the same problems");
    }
  }

  OptimizationKeys& keys_;
  ProblemList& problems_;
  Optimization::Implementation& result_;
};

}  // namespace
}  // namespace spacedyn::optimization

namespace spacedyn {

using namespace loading;

Optimization::Optimization(std::shared_ptr<const Implementation> implementation)
    : ScenarioSearch(std::move(implementation)) {}

const Optimization::Implementation& Optimization::implementation() const {
  return static_cast<const Implementation&>(*parts_);
}
const OptimizationSettings& Optimization::settings() const { return implementation().settings; }

Optimization Optimization::load(const std::string& path, const std::vector<Override>& overrides) {
  auto result = std::make_shared<Implementation>();
  result->overrides = overrides;
  optimization::read_search_file(
      path, "optimize", once<optimization::optimization_keys>(), *result,
      [&](optimization::OptimizationKeys& keys, const Value& whole, ReadContext& context) {
        optimization::OptimizationResolver(keys, context.problems, *result).resolve(whole);
      });
  return Optimization(std::move(result));
}

bool is_optimization_file(const std::string& path) {
  return optimization::has_top_key(path, "optimize");
}
std::string optimization_schema() { return loading::file_schema("optimize"); }

}  // namespace spacedyn
