#include "loading/compose.hpp"

#include <map>
#include <sstream>
#include <string>

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "loading/text_check.hpp"
#include "loading/tree_builder.hpp"

namespace spacedyn::loading {
namespace {

struct Explanation {
  const char* message;
  const char* hint;
};

/// What the parser's terse messages mean to somebody who wrote the file.
const Explanation* explanation(const std::string& parser_message) {
  namespace Msg = YAML::ErrorMsg;
  static const std::map<std::string, Explanation> kExplanations = {
      {Msg::END_OF_MAP,
       {"expected another key of this mapping, got something else",
        "all keys of a mapping start in the same column"}},
      {Msg::END_OF_MAP_FLOW,
       {"expected ',' or '}' in this mapping, got something else", "a '{' may lack its '}'"}},
      {Msg::END_OF_SEQ,
       {"expected another '- ' of this list, got something else",
        "all items of a list start in the same column"}},
      {Msg::END_OF_SEQ_FLOW,
       {"expected ',' or ']' in this list, got something else", "a '[' may lack its ']'"}},
      {Msg::FLOW_END, {"expected a value, got a closing bracket that closes nothing", ""}},
      {Msg::MAP_KEY, {"expected a value, got a key", "a text that contains ': ' needs quotes"}},
      {Msg::MAP_VALUE,
       {"expected a value, got another ':'", "a text that contains ': ' needs quotes"}},
      {Msg::BLOCK_ENTRY, {"expected a value, got '- '", "start a list on its own line"}},
      {Msg::TAB_IN_INDENTATION, {"expected spaces, got a tab", "indent with spaces"}},
      {Msg::EOF_IN_SCALAR, {"expected a closing quote, got the end of the file", ""}},
      {Msg::DOC_IN_SCALAR, {"expected a closing quote, got the end of the document", ""}},
      {Msg::UNKNOWN_TOKEN,
       {"expected a value, got a character that starts none",
        "a text that starts with one of @ ` % needs quotes"}},
      {Msg::UNKNOWN_ANCHOR, {"expected an alias of an anchor before it, got an unknown one", ""}},
  };
  const auto found = kExplanations.find(parser_message);
  return found == kExplanations.end() ? nullptr : &found->second;
}

void report(const YAML::Exception& error, const Source& source, ProblemList& problems) {
  const Mark mark = error.mark.is_null()
                        ? Mark{&source, 1, 1}
                        : Mark{&source, error.mark.line + 1, error.mark.column + 1};
  if (const Explanation* known = explanation(error.msg)) {
    problems.error(mark, "", known->message, known->hint);
  } else {
    problems.error(mark, "", "expected YAML, got a text that is none: " + error.msg);
  }
}

}  // namespace

NodePtr compose(const Source& source, ProblemList& problems) {
  if (!check_text(source, problems)) return nullptr;
  TreeBuilder builder(source, problems);
  try {
    std::istringstream stream(source.text());
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const StopComposing&) {
    return nullptr;
  } catch (const YAML::Exception& error) {
    report(error, source, problems);
    return nullptr;
  }
  if (!builder.root()) {
    problems.error({&source, 1, 1}, "",
                   source.is_override() ? "expected a value, got nothing"
                                        : "expected a document, got an empty file");
  }
  return builder.root();
}

}  // namespace spacedyn::loading
