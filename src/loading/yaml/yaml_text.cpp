#include "loading/yaml/yaml_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loading/yaml/scalars.hpp"
#include "loading/yaml/text_check.hpp"
#include "spacedyn/loading/yaml.hpp"

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

namespace {

/// Length of the UTF-8 character at the start of a text, 0 if it is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::size_t length = 1;
  if (byte(0) >= 0xF0) {
    length = 4;
  } else if (byte(0) >= 0xE0) {
    length = 3;
  } else if (byte(0) >= 0xC2) {
    length = 2;
  } else if (byte(0) >= 0x80) {
    return 0;
  }
  if (byte(0) > 0xF4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  // overlong forms, surrogates, beyond the last code point
  if (byte(0) == 0xE0 && byte(1) < 0xA0) return 0;
  if (byte(0) == 0xED && byte(1) > 0x9F) return 0;
  if (byte(0) == 0xF0 && byte(1) < 0x90) return 0;
  if (byte(0) == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

std::string byte_text(char c) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%02x", static_cast<unsigned char>(c));
  return text;
}

struct Explanation {
  const char* expected;
  const char* got;
  const char* hint;
};

const std::map<std::string, Explanation>& explanations() {
  namespace Msg = YAML::ErrorMsg;
  static const std::map<std::string, Explanation> kExplanations = {
      {Msg::END_OF_MAP,
       {"another key of this mapping", "something else",
        "all keys of a mapping start in the same column"}},
      {Msg::END_OF_MAP_FLOW,
       {"',' or '}' in this mapping", "something else", "a '{' may lack its '}'"}},
      {Msg::END_OF_SEQ,
       {"another '- ' of this list", "something else",
        "all items of a list start in the same column"}},
      {Msg::END_OF_SEQ_FLOW,
       {"',' or ']' in this list", "something else", "a '[' may lack its ']'"}},
      {Msg::FLOW_END, {"a value", "a closing bracket that closes nothing", ""}},
      {Msg::MAP_KEY, {"a value", "a key", "a text that contains ': ' needs quotes"}},
      {Msg::MAP_VALUE, {"a value", "another ':'", "a text that contains ': ' needs quotes"}},
      {Msg::BLOCK_ENTRY, {"a value", "'- '", "start a list on its own line"}},
      {Msg::EOF_IN_SCALAR, {"a closing quote", "something else", ""}},
      {Msg::DOC_IN_SCALAR, {"a closing quote", "the end of the document", ""}},
      {Msg::UNKNOWN_TOKEN,
       {"a value", "a character that starts none",
        "a text that starts with one of @ ` % needs quotes"}},
      {Msg::UNKNOWN_ANCHOR, {"an alias of an anchor before it", "an unknown one", ""}},
  };
  return kExplanations;
}

/// Column of a tab that indents a line, 0 if there is none.
int indenting_tab(std::string_view line) {
  const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t tab = line.find('\t');
  return tab < first ? static_cast<int>(tab) + 1 : 0;
}

}  // namespace

bool check_text(const Source& source, ProblemList& problems) {
  const std::string_view text = source.text();
  Mark mark{&source, 1, 1};
  if (text.size() > kMaxFileSize) {
    problems.error(mark, "",
                   "expected a file of at most " + std::to_string(kMaxFileSize >> 20U) +
                       " MiB, got a larger one");
    return false;
  }
  for (std::size_t i = 0; i < text.size();) {
    if (is_control(text[i])) {
      problems.error(mark, "", "expected text, got the control character " + byte_text(text[i]),
                     "this looks like a binary file");
      return false;
    }
    const std::size_t length = character_length(text.substr(i));
    if (length == 0) {
      problems.error(mark, "", "expected UTF-8 text, got the byte " + byte_text(text[i]),
                     "save the file as UTF-8");
      return false;
    }
    mark.column += static_cast<int>(length);
    if (text[i] == '\n') mark = {&source, mark.line + 1, 1};
    i += length;
  }
  return true;
}
void report_syntax_error(const YAML::Exception& error, const Source& source,
                         ProblemList& problems) {
  Mark mark{&source, 1, 1};
  if (!error.mark.is_null()) mark = {&source, error.mark.line + 1, error.mark.column + 1};
  // the parser trips over a tab only where it leads to something else
  if (const int tab = indenting_tab(source.line(mark.line)); tab > 0) {
    problems.error({&source, mark.line, tab}, "", "expected spaces as indentation, got a tab");
    return;
  }
  const auto known = explanations().find(error.msg);
  if (known == explanations().end()) {
    problems.error(mark, "", "expected YAML, got a text that is none: " + error.msg);
    return;
  }
  const bool at_end = error.mark.pos >= static_cast<int>(source.text().size());
  const auto& [expected, got, hint] = known->second;
  problems.error(
      mark, "",
      std::string("expected ") + expected + ", got " + (at_end ? "the end of the text" : got),
      hint);
}

}  // namespace spacedyn::loading
