#include "loading/foreign/xml_values.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "loading/yaml/node.hpp"
#include "math/number_words.hpp"
#include "spacedyn/model/names.hpp"

namespace spacedyn::loading::xml {
namespace {

std::string count_text(int least, int most) {
  if (least == most) return std::to_string(least) + (least == 1 ? " number" : " numbers");
  return std::to_string(least) + " to " + std::to_string(most) + " numbers";
}

/// What to do about a text that should be numbers.
std::string number_hint(const std::string& text) {
  const bool is_macro =
      text.find("${") != std::string::npos || text.find("$(") != std::string::npos;
  return is_macro ? "this is xacro; expand the file first: xacro FILE > robot.urdf" : "";
}

}  // namespace

std::optional<VectorX> parse_numbers(std::string_view text) {
  std::vector<double> numbers;
  Words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    const auto number = number_of(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return Eigen::Map<const VectorX>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

std::optional<VectorX> Values::numbers(std::string_view attribute, int least, int most) const {
  const Attribute* found = element_.find(attribute);
  if (found == nullptr) return std::nullopt;
  auto numbers = parse_numbers(found->value);
  const bool fits = numbers && numbers->size() >= least && numbers->size() <= most;
  if (!fits || !numbers->allFinite()) {
    error(attribute, "expected " + count_text(least, most) + ", got " + quote(found->value),
          number_hint(found->value));
    return std::nullopt;
  }
  return numbers;
}

Vector3 Values::vector3(std::string_view attribute, const Vector3& fallback) const {
  const auto found = numbers(attribute, 3, 3);
  return found ? Vector3(*found) : fallback;
}

std::optional<double> Values::number(std::string_view attribute) const {
  const auto found = numbers(attribute, 1, 1);
  return found ? std::optional<double>((*found)(0)) : std::nullopt;
}

double Values::number(std::string_view attribute, double fallback) const {
  return number(attribute).value_or(fallback);
}

double Values::required_number(std::string_view attribute) const {
  if (!has(attribute)) {
    error(attribute, "expected the attribute '" + std::string(attribute) + "' in <" +
                         element_.name + ">, got nothing");
  }
  return number(attribute, 0.0);
}

double Values::not_negative(std::string_view attribute, double fallback) const {
  const double value = number(attribute, fallback);
  if (value >= 0.0) return value;
  error(attribute, "expected a number of at least 0, got " + quote(element_.text(attribute)));
  return 0.0;
}

double Values::bound(std::string_view attribute, double fallback) const {
  const Attribute* found = element_.find(attribute);
  if (found == nullptr) return fallback;
  const auto numbers = parse_numbers(found->value);
  if (numbers && numbers->size() == 1 && !std::isnan((*numbers)(0))) return (*numbers)(0);
  error(attribute, "expected 1 number, got " + quote(found->value), number_hint(found->value));
  return fallback;
}

void Values::check_spelling(const std::vector<std::string>& known) const {
  for (const Attribute& attribute : element_.attributes) {
    const bool is_known = std::find(known.begin(), known.end(), attribute.name) != known.end();
    const std::string meant = is_known ? "" : did_you_mean(attribute.name, known);
    if (meant.empty()) continue;
    warning(attribute.name,
            "the unknown attribute " + quote(attribute.name) + " is ignored" + meant);
  }
}

std::string Values::required_text(std::string_view attribute) const {
  std::string text = element_.text(attribute);
  if (text.empty()) {
    error(attribute, "expected the attribute '" + std::string(attribute) + "' in <" +
                         element_.name + ">, got " + (has(attribute) ? "an empty one" : "nothing"));
  }
  return text;
}

void Values::error(std::string_view attribute, const std::string& message,
                   const std::string& hint) const {
  problems_.error(element_.mark_of(attribute), path_, message, hint);
}

void Values::warning(std::string_view attribute, const std::string& message,
                     const std::string& hint) const {
  problems_.warning(element_.mark_of(attribute), path_, message, hint);
}

}  // namespace spacedyn::loading::xml
