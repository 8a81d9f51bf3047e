#include "loading/yaml/yaml_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cctype>
#include <cstdio>

#include "loading/yaml/numbers.hpp"
#include "loading/yaml/scalars.hpp"

namespace spacedyn::loading {
namespace {

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
