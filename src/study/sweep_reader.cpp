// From the keys of a sweep to its settings, with the scenario at hand.
#include <algorithm>
#include <set>

#include <Eigen/Cholesky>

#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/batch/tiled_vectors.hpp"
#include "spacedyn/model/names.hpp"
#include "study/flight.hpp"
#include "study/sweep_implementation.hpp"
#include "study/sweep_keys.hpp"

namespace spacedyn {
namespace {

using namespace loading;
using study::CollectKeys;
using study::CorrelationKeys;
using study::ParameterKeys;
using study::SweepKeys;

constexpr double kMostRows = 2147483647.0;

/// Resolves what a file says against its scenario; what is wrong is reported.
class Resolver {
 public:
  Resolver(SweepKeys& keys, ProblemList& problems, Sweep::Implementation& result)
      : keys_(keys), problems_(problems), result_(result), settings_(result.settings) {}

  void resolve(const Value& whole) {
    settings_ = std::move(keys_.settings);
    settings_.notes = std::move(keys_.notes);
    settings_.scenario = keys_.scenario.text;
    for (const ParameterKeys& parameter : keys_.parameters) add_parameter(parameter);
    if (keys_.correlation) add_correlation(*keys_.correlation);
    check_rows(whole);
    result_.plan = CollectPlan(result_.family->original());
    for (const CollectKeys& collect : keys_.collect) add_collect(collect);
    if (settings_.engine == SweepEngine::lanes) check_lanes(whole);
  }

 private:
  /// The value of a key; where it is missing its mapping, at the path of the key.
  static Value at(const Value& mapping, const char* key) {
    const Entry* entry = mapping.node->find(key);
    return {entry == nullptr ? mapping.node : entry->value.get(), join_path(mapping.path, key)};
  }

  void add_parameter(const ParameterKeys& keys) {
    const std::string& key = keys.key.text;
    SweepParameter parameter{key, keys.kind, {}, keys.distribution.weights, {}};
    if (!names_are_free(keys.key.place, key, keys_taken_, "key")) return;
    if (const auto quantity = quantity_of(keys)) {
      const ErrorCount errors(problems_);
      parameter.unit = si_unit(*quantity);
      read_numbers(keys, *quantity, parameter);
      if (!errors.found()) check_numbers(keys, parameter);
    }
    settings_.parameters.push_back(std::move(parameter));
  }

  /// Tells of errors since it was made.
  class ErrorCount {
   public:
    explicit ErrorCount(const ProblemList& problems)
        : problems_(problems), before_(problems.error_count()) {}
    bool found() const { return problems_.error_count() > before_; }

   private:
    const ProblemList& problems_;
    std::size_t before_;
  };

  bool names_are_free(const Value& place, const std::string& name, std::set<std::string>& taken,
                      const char* what) {
    if (name.empty() || name == "." || name.find_first_of("/,") != std::string::npos) {
      problems_.error(
          place, std::string("expected a ") + what + " without '/' and ',', got " + quote(name));
      return false;
    }
    if (taken.insert(name).second) return true;
    problems_.error(place,
                    std::string("expected each ") + what + " once, got " + quote(name) + " again");
    return false;
  }

  /// What the numbers of a key are: the scenario is read with one of them.
  std::optional<Quantity> quantity_of(const ParameterKeys& keys) {
    const Node& first = *keys.distribution.numbers.front().node;
    return study::quantity_of_key(keys.key, first.is_scalar() ? first.text : "0", *result_.family,
                                  problems_);
  }

  double read(const Value& value, const Quantity& quantity) {
    return read_number(value, quantity, problems_).value_or(0.0);
  }

  void read_numbers(const ParameterKeys& keys, const Quantity& quantity,
                    SweepParameter& parameter) {
    using Kind = SweepParameter::Kind;
    // whether the scenario takes a value is a matter of its row
    const Quantity any = quantity.within(Range::any).of_series();
    const auto& numbers = keys.distribution.numbers;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool is_positive =
          keys.kind == Kind::log_normal || (keys.kind == Kind::normal && i == 1);
      parameter.numbers.push_back(
          read(numbers[i], is_positive ? any.within(Range::positive) : any));
    }
    if (keys.kind == Kind::log_normal) parameter.numbers.push_back(keys.distribution.sigma);
    const auto& truncated = keys.distribution.truncated;
    if (truncated.empty()) return;
    parameter.truncated = {read(truncated[0], any), read(truncated[1], any)};
  }

  void check_numbers(const ParameterKeys& keys, const SweepParameter& parameter) {
    using Kind = SweepParameter::Kind;
    const auto& numbers = parameter.numbers;
    const auto refuse = [&](const Value& at, const std::string& expected) {
      problems_.error(at, "expected " + expected);
    };
    if (parameter.kind == Kind::uniform && !(numbers[0] < numbers[1])) {
      refuse(keys.distribution.place, "two ascending numbers, got " + texts(numbers));
    } else if (parameter.kind == Kind::triangular &&
               !(numbers[0] <= numbers[1] && numbers[1] <= numbers[2] && numbers[0] < numbers[2])) {
      refuse(keys.distribution.place,
             "three ascending numbers, the mode between the ends, got " + texts(numbers));
    } else if (parameter.truncated && !(parameter.truncated->first < parameter.truncated->second)) {
      refuse(keys.distribution.truncated.front(),
             "two ascending numbers, got " +
                 texts({parameter.truncated->first, parameter.truncated->second}));
    }
  }

  static std::string texts(const std::vector<double>& numbers) {
    std::string text;
    for (const double number : numbers) text += (text.empty() ? "" : ", ") + format_number(number);
    return text;
  }

  void add_correlation(const CorrelationKeys& keys) {
    const ErrorCount errors(problems_);
    for (const auto& [key, place] : keys.keys) {
      const auto& all = settings_.parameters;
      const auto found = std::find_if(
          all.begin(), all.end(), [&, name = key](const auto& each) { return each.key == name; });
      if (found == all.end() || found->kind != SweepParameter::Kind::normal || found->truncated) {
        problems_.error(place,
                        "expected the key of a parameter with a normal distribution that is not "
                        "truncated, got " +
                            quote(key));
        continue;
      }
      const auto position = static_cast<std::size_t>(found - all.begin());
      auto& correlated = settings_.correlated;
      if (std::count(correlated.begin(), correlated.end(), position) > 0) {
        problems_.error(place, "expected each key once, got " + quote(key) + " again");
      }
      correlated.push_back(position);
    }
    if (!errors.found()) read_matrix(keys);
  }

  void read_matrix(const CorrelationKeys& keys) {
    const Value place = {keys.place.node->find("matrix")->value.get(),
                         join_path(keys.place.path, "matrix")};
    const std::size_t size = keys.keys.size();
    const auto n = static_cast<Eigen::Index>(size);
    const auto has_size = [&](const auto& row) { return row.size() == size; };
    if (keys.matrix.size() != size ||
        !std::all_of(keys.matrix.begin(), keys.matrix.end(), has_size)) {
      const std::string count = std::to_string(size);
      problems_.error(place, "expected " + count + " rows of " + count + " numbers");
      return;
    }
    MatrixX& matrix = settings_.correlation;
    matrix.resize(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        matrix(i, j) = keys.matrix[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      }
    }
    constexpr double kRounded = 1e-12;
    if ((matrix.diagonal().array() - 1.0).abs().maxCoeff() > kRounded) {
      problems_.error(place, "expected a matrix of correlations, ones on its diagonal",
                      "standard deviations stand with the distributions");
    } else if ((matrix - matrix.transpose()).cwiseAbs().maxCoeff() > kRounded) {
      problems_.error(place, "expected a symmetric matrix");
    } else if (matrix.llt().info() != Eigen::Success) {
      problems_.error(place, "expected a positive definite matrix",
                      "no random numbers have these correlations with each other");
    }
  }

  /// How many rows there are, and whether they differ.
  void check_rows(const Value& whole) {
    const auto& parameters = settings_.parameters;
    double points = 1.0;
    for (const SweepParameter& each : parameters) {
      if (each.is_grid()) points *= static_cast<double>(each.numbers.size());
    }
    const bool is_random = std::any_of(parameters.begin(), parameters.end(),
                                       [](const auto& each) { return !each.is_grid(); });
    const bool has_noise = !result_.family->original().setup.sensors.empty();
    const bool has_runs = whole.node->find("runs") != nullptr;
    if (!has_runs && (is_random || parameters.empty())) {
      problems_.error(whole, is_random
                                 ? "expected the key 'runs', the number of random draws"
                                 : "expected 'parameters' that vary, or 'runs' with sensors whose "
                                   "noise varies");
    } else if (settings_.runs > 1 && !is_random && !has_noise) {
      problems_.error(at(whole, "runs"),
                      "expected one run of each point, got " + std::to_string(settings_.runs) +
                          ": without a distribution and without sensors all would be equal");
    }
    if (!is_random && settings_.sampling != Sampling::random) {
      problems_.error(at(whole, "sampling"),
                      "expected no 'sampling' without a distribution, got one");
    }
    const double rows = points * static_cast<double>(settings_.runs);
    if (rows > kMostRows) {
      problems_.error(at(whole, has_runs ? "runs" : "parameters"),
                      "expected at most 2147483647 rows, got " + format_number(rows));
    }
  }

  void add_collect(const CollectKeys& collect) {
    if (!names_are_free(at(collect.place, "name"), collect.name, names_taken_, "name")) return;
    const bool may_be_longer = keys_taken_.count("duration") > 0;
    if (collect.at == SweepCollect::At::time && !may_be_longer &&
        collect.time > result_.family->original().duration) {
      problems_.error(at(collect.place, "at"),
                      "expected a time of the flight, which takes " +
                          format_number(result_.family->original().duration) + " s, got " +
                          format_number(collect.time) + " s");
      return;
    }
    SweepCollect resolved = collect;
    const std::string problem = result_.plan.add(resolved);
    settings_.collect.push_back(std::move(resolved));
    const char* const source = collect.channel.empty() ? "summary" : "channel";
    if (problem.empty()) return;
    const bool is_component = problem.find("component") != std::string::npos;
    problems_.error(at(collect.place, is_component ? "component" : source), problem);
  }

  /// Whether eight flights can share all but where they start, and which rows do.
  void check_lanes(const Value& whole) {
    const std::string obstacle = lanes_obstacle(result_.family->original());
    if (!obstacle.empty()) {
      problems_.error(at(whole, "engine"),
                      "expected a scenario that lanes can fly, got " + obstacle,
                      "'engine: single' flies it");
    }
    if (settings_.keep_results != KeepResults::none) {
      problems_.error(at(whole, "keep_results"), "expected none with 'engine: lanes'",
                      "'simulate --row' writes the files of a row");
    }
    if (problems_.has_errors()) return;
    for (std::size_t i = 0; i < keys_.collect.size(); ++i) {
      const CollectKeys& collect = keys_.collect[i];
      const auto& channel = result_.plan.sources()[i];
      if (channel && lanes_record(*channel)) continue;
      problems_.error(at(collect.place, channel ? "channel" : "summary"),
                      "expected a channel without integrals over the flight, got " +
                          quote(channel ? collect.channel : collect.summary),
                      "flights in lanes have no audit; 'engine: single' collects it");
    }
    result_.bundle = {TiledVectors::kTile, settings_.runs};
    // the last parameter varies fastest of a grid
    for (std::size_t i = settings_.parameters.size(); i-- > 0;) {
      const SweepParameter& parameter = settings_.parameters[i];
      if (!parameter.is_grid() || parameter.numbers.size() == 1) continue;
      if (!lanes_may_differ_in(parameter.key)) break;
      result_.bundle.block *= static_cast<long>(parameter.numbers.size());
    }
    bool differ = false;  // lanes, in a parameter before
    for (std::size_t i = 0; i < settings_.parameters.size(); ++i) {
      const SweepParameter& parameter = settings_.parameters[i];
      const Value& place = keys_.parameters[i].key.place;
      const bool is_own = lanes_may_differ_in(parameter.key);
      if (is_own) check_reference(parameter, place);
      if (parameter.is_grid() && parameter.numbers.size() == 1) continue;
      if (!is_own && (differ || !parameter.is_grid())) {
        problems_.error(
            place,
            "expected a key of 'initial', or 'values' before those, got " + quote(parameter.key),
            "flights in lanes share their model, control and times");
      }
      differ = differ || (is_own && parameter.is_grid());
    }
  }

  /// References may begin where joints do.
  void check_reference(const SweepParameter& parameter, const Value& place) {
    const auto [least, most] =
        std::minmax_element(parameter.numbers.begin(), parameter.numbers.end());
    const bool is_listed = parameter.is_grid() || parameter.kind == SweepParameter::Kind::choice;
    const double low = is_listed ? *least : quantile(parameter, 0.25);
    const double high = is_listed ? *most : quantile(parameter, 0.75);
    try {
      const auto with = [&](double value) {
        return result_.family->variant({{parameter.key, format_number(value)}});
      };
      if (have_same_references(with(low), with(high))) return;
    } catch (const Error&) {
      return;  // a matter of its rows
    }
    problems_.error(place,
                    "expected a key on which no reference depends, got " + quote(parameter.key),
                    "flights in lanes share their control; let its reference begin with 'from'");
  }

  SweepKeys& keys_;
  ProblemList& problems_;
  Sweep::Implementation& result_;
  SweepSettings& settings_;
  std::set<std::string> keys_taken_, names_taken_;
};

}  // namespace

std::unique_ptr<Sweep::Implementation> read_sweep(Session& session, Document document,
                                                  const std::vector<Override>& overrides,
                                                  const std::map<std::string, std::string>* texts) {
  ProblemList& problems = session.problems();
  for (const ParsedOverride& change : parse_overrides(overrides, session)) {
    change_document(document, "sweep", change, 0, problems);
  }
  auto result = std::make_unique<Sweep::Implementation>();
  result->overrides = overrides;
  ReadContext context{session, problems, {}};
  const auto value = read_file_frame(document, "sweep", context);
  SweepKeys keys;
  const bool is_right = value && once<study::sweep_keys>().read_whole(*value, context, keys);
  problems.throw_if_errors();
  if (!value || !is_right) throw ParseError(problems.sorted());
  result->sources = texts != nullptr
                        ? *texts
                        : study::read_scenario_texts(keys.scenario, problems, result->warnings);
  problems.throw_if_errors();
  result->family = std::make_unique<const ScenarioFamily>(result->sources);
  Resolver(keys, problems, *result).resolve(*value);
  problems.throw_if_errors();
  for (Diagnostic& warning : problems.sorted()) result->warnings.push_back(std::move(warning));
  for (const auto& [path, text] : session.sources().files()) result->sources[path] = text;
  result->sampler = std::make_unique<const SweepSampler>(result->settings);
  return result;
}

}  // namespace spacedyn
