#include "safe_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

namespace spacedyn::cli {
namespace {

/// Code points from one to another.
struct Range {
  char32_t first, last;
};

constexpr std::array<Range, 12> kDangerous{{
    {0x00, 0x08},        // C0 but for tab and line feed
    {0x0B, 0x1F},        //
    {0x7F, 0x9F},        // DEL and C1
    {0xAD, 0xAD},        // soft hyphen
    {0x61C, 0x61C},      // Arabic letter mark
    {0x180E, 0x180E},    // Mongolian vowel separator
    {0x200B, 0x200F},    // zero-width characters and direction marks
    {0x2028, 0x202E},    // line and paragraph separators, embeddings and overrides of direction
    {0x2060, 0x206F},    // invisible operators, isolates
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFF9, 0xFFFB},    // interlinear annotations
    {0xE0000, 0xE007F},  // tags
}};

bool is_dangerous(char32_t c) {
  return std::any_of(kDangerous.begin(), kDangerous.end(),
                     [c](const Range& range) { return c >= range.first && c <= range.last; });
}

/// The first character of a text, and the bytes that it takes; none where it is no UTF-8.
struct Character {
  char32_t code = 0;
  std::size_t length = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || length > text.size()) return {};
  char32_t code = byte(0) & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kLeast[length] || code > 0x10FFFF || is_surrogate) return {};
  return {code, length};
}

/// As JSON writes it, beyond the basic plane as a pair.
std::string escape(char32_t code) {
  const auto number = static_cast<std::uint32_t>(code);
  if (number < 0x10000) return fmt::format("\\u{:04x}", number);
  const std::uint32_t rest = number - 0x10000;
  return fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (rest >> 10U), 0xDC00 + (rest & 0x3FFU));
}

}  // namespace

std::string safe_text(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_character(text);
    if (next.length == 0) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (is_dangerous(next.code)) {
      safe += escape(next.code);
    } else {
      safe += text.substr(0, next.length);
    }
    text.remove_prefix(std::max<std::size_t>(next.length, 1));
  }
  return safe;
}

}  // namespace spacedyn::cli
