/// @file
/// Reads single values strictly: numbers with units, booleans, texts, choices.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loading/yaml/problem_list.hpp"
#include "loading/yaml/units.hpp"

namespace spacedyn::loading {

/// Number and unit of a scalar, apart; both as they stand.
struct NumberAndUnit {
  std::string_view number;
  std::string_view unit;  ///< empty where there is none
};

/// Splits `20 deg` or `20deg`; what does not begin with a number is taken for one as a whole.
NumberAndUnit split_unit(std::string_view text);

/// A number in SI units; a problem is reported and nothing returned where it is none or not fit.
std::optional<double> read_number(const Value& value, const Quantity& quantity,
                                  ProblemList& problems);

/// `true` or `false`, no other words.
std::optional<bool> read_boolean(const Value& value, ProblemList& problems);

/// A text that no YAML reader takes for something else.
std::optional<std::string> read_text(const Value& value, ProblemList& problems);

/// Whether some YAML reader takes a word for a boolean.
bool is_ambiguous_word(std::string_view text);

/// One of several words, by its position.
std::optional<std::size_t> read_choice(const Value& value, const std::vector<std::string>& choices,
                                       ProblemList& problems);

/// `did you mean 'x'?` with the nearest name, or an empty text.
std::string nearest_hint(std::string_view name, const std::vector<std::string>& known);

/// Names of all items of a list.
template <typename Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

/// `a`, `a or b`, `a, b or c`.
std::string list_choices(const std::vector<std::string>& choices);

/// What to write instead of a name that is often looked for at a key path, as a hint of a message.
///
/// Numbers in the path are looked past: `scenario.forces.0.type` is a `forces.type`.
/// @return empty where nothing is known of the name
std::string_view hint_of_other_name(const std::string& path, std::string_view name);

}  // namespace spacedyn::loading
