#include "loading/yaml/syntax_error.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace spacedyn::loading {
namespace {

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
