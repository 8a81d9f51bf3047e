#include "loading/yaml/yaml_text.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loading/yaml/scalars.hpp"

namespace spacedyn::loading {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) text.remove_prefix(1);
  return text;
}

std::size_t count_digits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

bool is_infinity(std::string_view text) {
  return text == ".inf" || text == ".Inf" || text == ".INF";
}

bool is_nan(std::string_view text) { return text == ".nan" || text == ".NaN" || text == ".NAN"; }

bool is_plain_name(std::string_view name) {
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) return false;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') return false;
  }
  return !is_ambiguous_word(name) && name != "null" && name != "Null" && name != "NULL";
}

/// With each line but the first two columns further in.
std::string indented(const std::string& text) {
  std::string moved;
  for (const char c : text) {
    moved += c;
    if (c == '\n') moved += "  ";
  }
  return moved;
}

}  // namespace

bool is_number(std::string_view text) {
  if (is_nan(text) || is_infinity(without_sign(text))) return true;
  return !text.empty() && number_length(text) == text.size();
}

std::size_t number_length(std::string_view text) {
  std::string_view rest = without_sign(text);
  const std::size_t whole = count_digits(rest);
  rest.remove_prefix(whole);
  std::size_t fraction = 0;
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    fraction = count_digits(rest);
    rest.remove_prefix(fraction);
  }
  if (whole + fraction == 0) return 0;
  const std::size_t mantissa = text.size() - rest.size();
  if (rest.empty() || (rest.front() != 'e' && rest.front() != 'E')) return mantissa;
  rest = without_sign(rest.substr(1));
  const std::size_t exponent = count_digits(rest);
  return exponent == 0 ? mantissa : text.size() - rest.size() + exponent;
}

bool looks_octal(std::string_view text) {
  text = without_sign(text);
  if (text.size() < 2 || !is_digit(text[0])) return false;
  if (text[0] == '0' && (is_digit(text[1]) || text[1] == 'o' || text[1] == 'x' || text[1] == 'b')) {
    return text.find_first_not_of("0123456789abcdefABCDEFoxb_.+-") == std::string_view::npos;
  }
  const bool split = text.find_first_of("_:") != std::string_view::npos;
  return split && text.find_first_not_of("0123456789_:.") == std::string_view::npos;
}

std::optional<double> parse_number(std::string_view text) {
  if (is_nan(text)) return std::numeric_limits<double>::quiet_NaN();
  const double sign = text.front() == '-' ? -1.0 : 1.0;
  text = without_sign(text);
  if (is_infinity(text)) return sign * std::numeric_limits<double>::infinity();
  double number = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc{}) return std::nullopt;
  return sign * number;
}

std::string format_number(double number) {
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0.0 ? ".inf" : "-.inf";
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  std::string text(buffer.data(), result.ptr);
  // older YAML readers take a number without a point for an integer, or for a text
  const std::size_t exponent = text.find('e');
  if (text.find('.') == std::string::npos) {
    text.insert(exponent == std::string::npos ? text.size() : exponent, ".0");
  }
  return text;
}
std::string quoted_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned char>(c));
      quoted += escape.data();
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string name_text(std::string_view name) {
  return is_plain_name(name) ? std::string(name) : quoted_text(name);
}

std::string vector_text(const Vector3& vector) {
  return '[' + format_number(vector.x()) + ", " + format_number(vector.y()) + ", " +
         format_number(vector.z()) + ']';
}

std::string matrix_text(const Matrix3& matrix) {
  return '[' + vector_text(matrix.row(0)) + ", " + vector_text(matrix.row(1)) + ", " +
         vector_text(matrix.row(2)) + ']';
}

std::string flow_text(const KeyTexts& keys) {
  std::vector<std::string> items;
  for (const auto& [key, text] : keys) items.push_back(name_text(key) + ": " + text);
  return fmt::format("{{{}}}", fmt::join(items, ", "));
}

std::string flow_text(const std::vector<std::string>& items) {
  return fmt::format("[{}]", fmt::join(items, ", "));
}

std::string block_text(const KeyTexts& keys) {
  std::string lines;
  for (const auto& [key, text] : keys) {
    const bool has_lines = !text.empty() && text.front() == '\n';
    lines += '\n' + name_text(key) + (has_lines ? ":" : ": ") + indented(text);
  }
  return lines;
}

std::string block_text(const std::vector<std::string>& items) {
  std::string lines;
  for (const std::string& text : items) {
    const bool has_lines = !text.empty() && text.front() == '\n';
    lines += "\n- " + indented(has_lines ? text.substr(1) : text);
  }
  return lines;
}

}  // namespace spacedyn::loading
