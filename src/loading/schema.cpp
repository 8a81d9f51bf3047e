#include <string_view>
#include <vector>

#include "loading/elements/force_types.hpp"
#include "loading/embedded_schemas.hpp"
#include "loading/schema_definition.hpp"
#include "loading/session.hpp"
#include "spacedyn/loading/yaml.hpp"
#include "spacedyn/recording/channels.hpp"
#include "spacedyn/recording/result_format.hpp"

namespace spacedyn {
namespace {

/// Puts a text in place of `"@list"` in a schema.
void fill_in_text(std::string& schema, const std::string& list, const std::string& text) {
  const std::string placeholder = "\"@" + list + '"';
  schema.replace(schema.find(placeholder), placeholder.size(), text);
}

/// Puts names in place of `"@list"` in a schema.
void fill_in(std::string& schema, const std::string& list,
             const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text.append(1, '"').append(name).append(1, '"');
  }
  fill_in_text(schema, list, text);
}

/// Puts members of an object in place of `"@list": {}` in a schema.
void fill_in_members(std::string& schema, const std::string& list, const std::string& members) {
  if (members.empty()) return;
  const std::string placeholder = "\"@" + list + "\": {}";
  schema.replace(schema.find(placeholder), placeholder.size(), members);
}

template <typename Include>
std::vector<std::string_view> methods_that(const Include& include) {
  std::vector<std::string_view> names;
  for (const IntegrationMethod method : all_integration_methods()) {
    const MethodTraits& traits = method_traits(method);
    if (include(traits)) names.push_back(traits.name);
  }
  return names;
}

template <typename Values>
std::vector<std::string_view> names_of(const Values& values) {
  std::vector<std::string_view> names;
  for (const auto value : values) names.push_back(to_string(value));
  return names;
}

}  // namespace

std::string model_schema() { return loading::file_schema("model", loading::model_definitions()); }

std::string scenario_schema() {
  using Traits = const MethodTraits&;
  const auto is_adaptive = [](Traits method) { return method.adaptive; };
  const auto has_step = [](Traits method) {
    return !method.adaptive && !method.has_newmark_parameters;
  };
  const auto has_newmark_parameters = [](Traits method) { return method.has_newmark_parameters; };
  std::string schema = loading::kScenarioSchema;
  fill_in_members(schema, "scenario_definitions", loading::scenario_definitions());
  fill_in_members(schema, "model_definitions", loading::model_definitions());
  fill_in_text(schema, "force_types", loading::force_schemas());
  fill_in(schema, "adaptive_methods", methods_that(is_adaptive));
  fill_in(schema, "fixed_step_methods", methods_that(has_step));
  fill_in(schema, "newmark_methods", methods_that(has_newmark_parameters));
  fill_in(schema, "channels", names_of(all_channels()));
  fill_in(schema, "loop_stabilizations", names_of(all_loop_stabilizations()));
  fill_in(schema, "result_formats", names_of(all_result_formats()));
  return schema;
}

}  // namespace spacedyn
