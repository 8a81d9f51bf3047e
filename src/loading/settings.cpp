#include "spacedyn/loading/settings.hpp"

#include <cmath>

#include "loading/numbers.hpp"
#include "loading/session.hpp"
#include "loading/units.hpp"

namespace spacedyn {
namespace {

using loading::join_path;
using loading::Node;

/// Adds a scalar that is a number, alone or with a unit.
void add_number(const Node& node, const std::string& path, std::vector<NumericSetting>& settings) {
  const std::string& text = node.text;
  const std::size_t space = text.find(' ');
  const std::string unit = space == std::string::npos ? "" : text.substr(space + 1);
  const std::string number = text.substr(0, space);
  if (unit.empty() ? node.quoted : loading::find_unit(unit) == nullptr) return;
  if (!loading::is_number(number) || loading::looks_octal(number)) return;
  const auto value = loading::parse_number(number);
  if (value && std::isfinite(*value)) settings.push_back({path, *value, unit});
}

void add_numbers(const Node& node, const std::string& path, std::vector<NumericSetting>& settings) {
  if (node.is_scalar()) add_number(node, path, settings);
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    add_numbers(*node.items[i], join_path(path, std::to_string(i)), settings);
  }
  for (const loading::Entry& entry : node.entries) {
    if (entry.value) add_numbers(*entry.value, join_path(path, entry.key), settings);
  }
}

}  // namespace

std::vector<NumericSetting> numeric_settings(const std::string& scenario_path) {
  loading::Session session;
  const loading::Document& document = session.open(scenario_path);
  std::vector<NumericSetting> settings;
  if (!document.root) return settings;
  if (const loading::Entry* scenario = document.root->find("scenario")) {
    if (scenario->value) add_numbers(*scenario->value, "", settings);
  }
  return settings;
}

}  // namespace spacedyn
