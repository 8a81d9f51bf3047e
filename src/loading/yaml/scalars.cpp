#include "loading/yaml/scalars.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "loading/yaml/numbers.hpp"
#include "loading/yaml/other_names.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading {
namespace {

bool is_in_range(double number, Range range) {
  if (range == Range::positive) return number > 0.0;
  return range == Range::any || number >= 0.0;
}

/// Advice for a scalar that is no number with a fitting unit.
std::string unit_hint(std::string_view text, const Quantity& quantity) {
  const NumberAndUnit parts = split_unit(text);
  const std::vector<std::string> units = unit_names(quantity.dimension);
  if (parts.unit.empty() || !is_number(parts.number) || find_unit(parts.unit) != nullptr) return "";
  const std::string nearest = nearest_name(parts.unit, units);
  return nearest.empty() ? "" : "did you mean '" + std::string(parts.number) + ' ' + nearest + "'?";
}

/// Whether a quantity that has no table of units may carry this one.
bool is_own_unit(const Quantity& quantity, std::string_view unit) {
  if (quantity.dimension != Dimension::none || unit.empty()) return false;
  const std::vector<std::string> names = unit_names(quantity);
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return is_same_unit(unit, name); });
}

/// Most likely degrees.
bool is_plain_angle_beyond_a_turn(const Quantity& quantity, const NumberAndUnit& parts,
                                  double number) {
  constexpr double kTurn = 6.2832;  // what people write for it
  return quantity.dimension == Dimension::angle && !quantity.may_turn_on && parts.unit.empty() &&
         std::isfinite(number) && std::abs(number) > kTurn;
}

void refuse_number(const Value& value, const Quantity& quantity, ProblemList& problems) {
  const Node& node = *value.node;
  std::string hint;
  if (node.is_scalar()) {
    hint = node.quoted && is_number(node.text) ? "a number stands without quotes"
                                               : unit_hint(node.text, quantity);
  }
  problems.error(node.mark, value.path,
                 "expected " + expectation(quantity) + ", got " + describe(node), hint);
}

}  // namespace

NumberAndUnit split_unit(std::string_view text) {
  std::size_t end = text.find(' ');
  if (end == std::string_view::npos) {
    end = number_length(text);
    const bool has_letter =
        end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0;
    if (!has_letter) return {text, {}};
  }
  if (end == 0) return {text, {}};
  const std::size_t unit = text.find_first_not_of(' ', end);
  if (unit == std::string_view::npos) return {text.substr(0, end), {}};
  return {text.substr(0, end), text.substr(unit)};
}

std::optional<double> read_number(const Value& value, const Quantity& quantity,
                                  ProblemList& problems) {
  const Node& node = *value.node;
  problems.note_number(node, quantity);
  const NumberAndUnit parts = split_unit(node.text);
  const bool is_octal =
      looks_octal(parts.number) || looks_octal(node.text.substr(0, node.text.find(' ')));
  if (node.is_scalar() && is_octal) {
    problems.error(node.mark, value.path, "expected a decimal number, got " + describe(node),
                   "some YAML readers take it for an octal or hexadecimal one");
    return std::nullopt;
  }
  const Unit* unit = parts.unit.empty() ? nullptr : find_unit(parts.unit);
  const bool is_own = is_own_unit(quantity, parts.unit);
  if (is_own) unit = nullptr;  // the number is in SI units already
  const bool unit_fits = parts.unit.empty()
                             ? !node.quoted
                             : is_own || (unit != nullptr && unit->dimension == quantity.dimension);
  if (!node.is_scalar() || !is_number(parts.number) || !unit_fits) {
    refuse_number(value, quantity, problems);
    return std::nullopt;
  }
  std::optional<double> number = parse_number(parts.number);
  if (!number) {
    problems.error(node.mark, value.path,
                   "expected a number between 1e-308 and 1e308, got " + describe(node));
    return std::nullopt;
  }
  if (unit != nullptr) *number = *number * unit->multiplier / unit->divisor;
  const bool finite_enough =
      std::isfinite(*number) || (std::isinf(*number) && quantity.may_be_infinite);
  if (!finite_enough) {
    problems.error(node.mark, value.path, "expected a finite number, got " + describe(node));
    return std::nullopt;
  }
  if (!is_in_range(*number, quantity.range)) {
    refuse_number(value, quantity, problems);
    return std::nullopt;
  }
  if (std::isfinite(*number) && std::isinf(*number * *number)) {
    problems.warning(node.mark, value.path,
                     "expected a number of at most 1.3e154, whose square a double can hold, got " +
                         describe(node));
  }
  if (is_plain_angle_beyond_a_turn(quantity, parts, *number)) {
    const std::string text(parts.number);
    problems.warning(node.mark, value.path,
                     "expected an angle within one turn or with its unit, got " + describe(node) +
                         ", which is in rad",
                     "write '" + text + " deg' or '" + text + " rad'");
  }
  return number;
}

bool is_ambiguous_word(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static const std::vector<std::string> kWords = {"true", "false", "yes", "no", "on", "off"};
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

std::optional<bool> read_boolean(const Value& value, ProblemList& problems) {
  const Node& node = *value.node;
  if (node.is_scalar() && !node.quoted && (node.text == "true" || node.text == "false")) {
    return node.text == "true";
  }
  problems.error(node.mark, value.path, "expected true or false, got " + describe(node));
  return std::nullopt;
}

std::optional<std::string> read_text(const Value& value, ProblemList& problems) {
  const Node& node = *value.node;
  if (node.is_scalar() && (node.quoted || !(is_number(node.text) || looks_octal(node.text) ||
                                            is_ambiguous_word(node.text)))) {
    return node.text;
  }
  problems.error(node.mark, value.path, "expected a text, got " + describe(node),
                 node.is_scalar() ? "put quotes around it" : "");
  return std::nullopt;
}

std::string nearest_hint(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : "did you mean '" + nearest + "'?";
}

std::string list_choices(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

std::optional<std::size_t> read_choice(const Value& value, const std::vector<std::string>& choices,
                                       ProblemList& problems) {
  const Node& node = *value.node;
  const auto position = std::find(choices.begin(), choices.end(), node.text);
  if (node.is_scalar() && position != choices.end()) {
    return static_cast<std::size_t>(position - choices.begin());
  }
  std::string hint;
  if (node.is_scalar()) {
    hint = hint_of_other_name(value.path, node.text);
    if (hint.empty()) hint = nearest_hint(node.text, choices);
  }
  problems.error(node.mark, value.path,
                 "expected " + list_choices(choices) + ", got " + describe(node), hint);
  return std::nullopt;
}

}  // namespace spacedyn::loading
