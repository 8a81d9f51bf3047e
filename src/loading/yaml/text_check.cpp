#include "loading/yaml/text_check.hpp"

#include <cstdio>
#include <string>
#include <string_view>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {
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

}  // namespace spacedyn::loading
