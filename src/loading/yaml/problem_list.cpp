#include "loading/yaml/problem_list.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {
namespace {

// a longer line would not be shown, and a thousand copies of it fill the memory
constexpr std::size_t kLongestShownLine = 4096;

/// Columns are counted in characters, so that a caret stands below the right one.
int character_column(std::string_view line, int byte_column) {
  int column = 1;
  for (int i = 0; i + 1 < byte_column && i < static_cast<int>(line.size()); ++i) {
    const auto byte = static_cast<unsigned char>(line[static_cast<std::size_t>(i)]);
    if ((byte & 0xC0U) != 0x80U) ++column;
  }
  return column;
}

/// Whether one key path is the other or a part of it.
bool contains(const std::string& outer, const std::string& inner) {
  return inner.size() >= outer.size() && inner.compare(0, outer.size(), outer) == 0 &&
         (inner.size() == outer.size() || inner[outer.size()] == '.');
}

bool is_same(const Diagnostic& a, const Diagnostic& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column && a.path == b.path &&
         a.message == b.message;
}

}  // namespace

void ProblemList::error(const Value& at, const std::string& message, const std::string& hint) {
  error(at.node->mark, at.path, message, hint);
}

void ProblemList::warning(const Value& at, const std::string& message, const std::string& hint) {
  warning(at.node->mark, at.path, message, hint);
}

void ProblemList::add(Severity severity, const Mark& mark, const std::string& path,
                      const std::string& message, const std::string& hint) {
  const bool is_error = severity == Severity::error;
  if (is_error) ++errors_;
  // the last place is for errors, and errors take the places of warnings: a list is full, and
  // readers stop, where there is nothing else
  if (entries_.size() + 1 >= kMaxProblems) {
    if (!is_error || errors_ > kMaxProblems) return;
    const auto lesser = std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& entry) {
      return entry.diagnostic.severity != Severity::error;
    });
    if (lesser != entries_.rend()) entries_.erase(std::next(lesser).base());
  }
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.path = path;
  diagnostic.message = message;
  diagnostic.hint = hint;
  if (mark.source != nullptr) {
    diagnostic.file = mark.source->name();
    const std::string_view line = mark.source->line(mark.line);
    const bool is_shown = line.size() <= kLongestShownLine;
    if (is_shown) diagnostic.source_line = line;
    // the text of an override is named as the user typed it, so a place in it says nothing more
    if (!mark.source->is_override()) {
      diagnostic.line = mark.line;
      diagnostic.column = is_shown ? character_column(line, mark.column) : mark.column;
    }
  }
  entries_.push_back({std::move(diagnostic), mark.source});
}

bool ProblemList::has_error_near(const Source* source, const std::string& path) const {
  const auto is_near = [&](const Source* other_source, const std::string& other) {
    return other_source == source && (contains(other, path) || contains(path, other));
  };
  return std::any_of(wrong_places_.begin(), wrong_places_.end(),
                     [&](const auto& place) { return is_near(place.first, place.second); }) ||
         std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
           return entry.diagnostic.severity == Severity::error &&
                  is_near(entry.source, entry.diagnostic.path);
         });
}

std::vector<Diagnostic> ProblemList::sorted() const {
  std::vector<Entry> entries = entries_;
  const auto key = [](const Entry& entry) {
    return std::make_tuple(entry.source == nullptr ? -1 : entry.source->number(),
                           entry.diagnostic.line, entry.diagnostic.column);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  std::vector<Diagnostic> diagnostics;
  for (const Entry& entry : entries) {
    const bool repeated =
        std::any_of(diagnostics.rbegin(), diagnostics.rend(),
                    [&](const Diagnostic& known) { return is_same(known, entry.diagnostic); });
    if (!repeated) diagnostics.push_back(entry.diagnostic);
  }
  return diagnostics;
}

void ProblemList::throw_if_errors() const {
  if (!has_errors()) return;
  const bool is_of_overrides =
      std::all_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
        const bool is_error = entry.diagnostic.severity == Severity::error;
        return !is_error || (entry.source != nullptr && entry.source->is_override());
      });
  if (is_of_overrides) throw OverrideError(sorted());
  throw ParseError(sorted());
}

}  // namespace spacedyn::loading
