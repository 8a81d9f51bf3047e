#include "reporting/results/series_names.hpp"

#include <cstdint>

namespace spacedyn {
namespace {

/// Bytes of the character that a byte begins, 0 if it begins none.
std::size_t length_of(unsigned char first) {
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first < 0xE0U) return 2;
  if (first >= 0xE0U && first < 0xF0U) return 3;
  return first >= 0xF0U && first < 0xF5U ? 4 : 0;
}

/// Whether a code was written with as few bytes as it needs, is a character and controls nothing.
bool is_good(std::uint32_t code, std::size_t length) {
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800U && code < 0xE000U;
  const bool is_control = code < 0x20U || (code >= 0x7FU && code < 0xA0U);
  return code >= kLeast[length] && code < 0x110000U && !is_surrogate && !is_control;
}

}  // namespace

bool is_plain(std::string_view text, std::size_t most_bytes) {
  if (text.size() > most_bytes) return false;
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = length_of(first);
    if (length == 0 || length > text.size() - at) return false;
    std::uint32_t code = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      if ((byte & 0xC0U) != 0x80U) return false;
      code = code << 6U | (byte & 0x3FU);
    }
    if (!is_good(code, length)) return false;
    at += length;
  }
  return true;
}

}  // namespace spacedyn
