#include "loading/foreign/def_words.hpp"

#include <cmath>

#include "loading/foreign/xml_values.hpp"
#include "loading/yaml/node.hpp"

namespace spacedyn::loading::foreign {
namespace {

constexpr std::string_view kComment = "###";

bool is_comment(std::string_view word) { return word.substr(0, kComment.size()) == kComment; }

}  // namespace

DefWords::DefWords(const Source& source, ProblemList& problems)
    : problems_(problems), last_{&source, 1, 1} {
  split(source);
}

/// At white space, after `[` and `=`, before `]`; comments stay whole.
void DefWords::split(const Source& source) {
  const std::string_view text = source.text();
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n') {
      ++line;
      line_start = ++i;
      continue;
    }
    if (text[i] == ' ' || text[i] == '\t' || text[i] == '\r') {
      ++i;
      continue;
    }
    std::size_t end = std::min(text.find_first_of(" \t\r\n", i), text.size());
    if (!is_comment(text.substr(i, end - i))) {
      const std::size_t open = text.find_first_of("[=", i);
      const std::size_t close = text.find(']', i);
      if (open < end) end = open + 1;
      if (close < end) end = close == i ? i + 1 : close;
    }
    words_.push_back(
        {text.substr(i, end - i), {&source, line, static_cast<int>(i - line_start) + 1}});
    i = end;
  }
}

void DefWords::stop(const std::string& message, const std::string& hint) {
  problems_.error(last_, "", message, hint);
  throw StopReading{};
}

void DefWords::skip_comments() {
  while (at_ < words_.size() && is_comment(words_[at_].text)) ++at_;
}

const DefWords::Word& DefWords::next(const std::string& expected) {
  skip_comments();
  if (at_ == words_.size()) {
    if (!words_.empty()) last_ = words_.back().mark;
    stop("expected " + expected + ", got the end of the file");
  }
  last_ = words_[at_].mark;
  return words_[at_++];
}

void DefWords::comment(std::string_view start) {
  while (at_ < words_.size() && is_comment(words_[at_].text)) {
    last_ = words_[at_].mark;
    if (words_[at_++].text.substr(0, start.size()) == start) return;
  }
  if (at_ < words_.size()) last_ = words_[at_].mark;
  stop("expected '" + std::string(start) + "', got " +
       (at_ < words_.size() ? quote(words_[at_].text) : "the end of the file"));
}

std::string DefWords::label(std::string_view kind, const std::string& shown) {
  const Word& word = next("'" + shown + "'");
  const std::size_t end = word.text.find_last_not_of("_0123456789[");
  const std::string_view name = word.text.substr(0, end == std::string::npos ? 0 : end + 1);
  if (!kind.empty() && name != kind) {
    stop("expected '" + shown + "', got " + quote(word.text),
         "the order of a .def file is fixed, and so are its numbers of values");
  }
  return std::string(word.text);
}

double DefWords::number(const std::string& what) {
  const Word& word = next(what);
  const auto value = xml::parse_numbers(word.text);
  if (!value || value->size() != 1 || !value->allFinite()) {
    stop("expected " + what + ", got " + quote(word.text));
  }
  return (*value)(0);
}

int DefWords::integer(const std::string& what, int least, int most) {
  const double value = number(what);
  if (value == std::floor(value) && value >= least && value <= most) return static_cast<int>(value);
  stop("expected " + what + ", from " + std::to_string(least) + " to " + std::to_string(most) +
       ", got " + quote(words_[at_ - 1].text));
}

VectorX DefWords::list(std::string_view kind, const std::string& shown, int size) {
  label(kind, shown + '[');
  const std::string what = "a number of " + shown + "[ ] (" + std::to_string(size) + " in all)";
  VectorX values(size);
  for (int i = 0; i < size; ++i) values(i) = number(what);
  const Word& end = next("']' after " + std::to_string(size) + " numbers of " + shown);
  if (end.text != "]") {
    stop("expected ']' after " + std::to_string(size) + " numbers of " + shown + ", got " +
         quote(end.text));
  }
  return values;
}

double DefWords::value(std::string_view name) {
  const std::string shown = std::string(name) + '=';
  const Word& word = next("'" + shown + "'");
  if (word.text != shown) stop("expected '" + shown + "', got " + quote(word.text));
  return number("a number after '" + shown + "'");
}

}  // namespace spacedyn::loading::foreign
