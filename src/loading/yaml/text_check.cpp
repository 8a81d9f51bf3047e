#include "loading/yaml/text_check.hpp"

#include <algorithm>
#include <cstdio>

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
