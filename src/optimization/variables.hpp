/// @file
/// Files of searches, and the keys of numbers that change. Private.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "loading/scenario/scenario_family.hpp"
#include "loading/scenario/scenario_model.hpp"
#include "optimization/fit_keys.hpp"

namespace spacedyn::optimization {

/// Finds keys in a scenario; what is wrong is reported.
class VariableResolver {
 public:
  VariableResolver(const loading::ScenarioFamily& family, loading::ProblemList& problems)
      : family_(family), problems_(problems) {}

  /// @return nothing where something is wrong
  std::optional<ScenarioVariable> resolve(const VariableKeys& keys);
  /// A number in the unit of the variable that was resolved last.
  double number(const loading::Value& value, loading::Range range = loading::Range::any) const;

 private:
  bool read_start(const VariableKeys& keys, ScenarioVariable& variable) const;
  bool check_bounds(const VariableKeys& keys, const ScenarioVariable& variable) const;

  const loading::ScenarioFamily& family_;
  loading::ProblemList& problems_;
  std::set<std::string> taken_;
  loading::Quantity quantity_;
};

/// A problem at the place of a value, for later.
Diagnostic problem_at(const loading::Value& place, const std::string& message,
                      const std::string& hint);

/// Reads a file with its scenario into sources, warnings and family of a result.
/// @param key      of its mapping
/// @param resolve  called with the keys, the whole mapping and the context when all this is there
/// @throws ParseError, OverrideError, IoError
template <typename Keys, typename Result, typename Resolve>
void read_search_file(const std::string& path, const std::string& key,
                      const loading::Mapping<Keys>& table, Result& result, const Resolve& resolve) {
  loading::Session session;
  loading::ProblemList& problems = session.problems();
  loading::Document document = session.open(path);
  for (const loading::ParsedOverride& change :
       loading::parse_overrides(result.overrides, session)) {
    loading::change_document(document, key, change, 0, problems);
  }
  loading::ReadContext context{session, problems, {}};
  const auto value = loading::read_file_frame(document, key, context);
  Keys keys;
  const bool is_right = value && table.read_whole(*value, context, keys);
  problems.throw_if_errors();
  if (!value || !is_right) throw ParseError(problems.sorted());
  result.sources = study::read_scenario_texts(keys.scenario, problems, result.warnings);
  problems.throw_if_errors();
  result.family = std::make_unique<const loading::ScenarioFamily>(result.sources);
  resolve(keys, *value, context);
  problems.throw_if_errors();
  for (Diagnostic& warning : problems.sorted()) result.warnings.push_back(std::move(warning));
  for (const auto& [name, text] : session.sources().files()) result.sources[name] = text;
}

/// Whether a file has a mapping of a key. @throws IoError if it cannot be read
inline bool has_top_key(const std::string& path, const char* key) {
  loading::Session session;
  const loading::Document document = session.open(path);
  return document.root && document.root->is_mapping() && document.root->find(key) != nullptr;
}

}  // namespace spacedyn::optimization
