#include "loading/yaml/node.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "loading/yaml/yaml_text.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::loading {

Source::Source(std::string name, std::string text, int number, bool is_override)
    : name_(std::move(name)), text_(std::move(text)), number_(number), is_override_(is_override) {
  line_starts_.push_back(0);
  for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', end)) {
    line_starts_.push_back(++end);
  }
}

std::string_view Source::line(int number) const {
  if (number < 1 || static_cast<std::size_t>(number) > line_starts_.size()) return {};
  const auto next = static_cast<std::size_t>(number);
  const std::size_t begin = line_starts_[next - 1];
  std::size_t end = next < line_starts_.size() ? line_starts_[next] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

const Source& SourceSet::add(std::string name, std::string text, bool is_override) {
  const int number = static_cast<int>(sources_.size());
  return sources_.emplace_back(std::move(name), std::move(text), number, is_override);
}

std::map<std::string, std::string> SourceSet::files() const {
  std::map<std::string, std::string> texts;
  for (const Source& source : sources_) {
    if (!source.is_override()) texts.emplace(source.name(), source.text());
  }
  return texts;
}

std::string read_bytes(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw IoError(path + ": expected a file, got a folder");
  }
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"), close);
  if (!file) throw IoError(path + ": cannot be opened: " + std::strerror(errno));

  std::string bytes;
  std::string block(std::size_t{1} << 16, '\0');
  while (bytes.size() <= kMaxFileSize) {
    const std::size_t count = std::fread(block.data(), 1, block.size(), file.get());
    if (count == 0) break;
    bytes.append(block, 0, count);
  }
  if (std::ferror(file.get()) != 0) {
    throw IoError(path + ": cannot be read: " + std::strerror(errno));
  }
  if (bytes.size() > kMaxFileSize) bytes.resize(kMaxFileSize + 1);
  return bytes;
}

namespace {

constexpr std::size_t kLongestQuote = 60;

}  // namespace

const Entry* Node::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::string Node::text_at(std::string_view key) const {
  const Entry* entry = find(key);
  return entry != nullptr && entry->value && entry->value->is_scalar() ? entry->value->text : "";
}

NodePtr value_below(NodePtr node, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const Entry* entry = node ? node->find(key) : nullptr;
    node = entry == nullptr ? nullptr : entry->value;
  }
  return node;
}

NodePtr with_value(const Node& mapping, std::string_view key, const NodePtr& value) {
  auto changed = std::make_shared<Node>(mapping);
  for (Entry& entry : changed->entries) {
    if (entry.key == key) entry.value = value;
  }
  return changed;
}

std::string name_of_item(const Node& item, std::size_t position) {
  std::string name = item.text_at("name");
  const std::string type = item.text_at("type");
  if (!name.empty() || type.empty()) return name;
  return type + '_' + std::to_string(position);
}

std::vector<std::string> split_path(const std::string& path) {
  std::vector<std::string> keys;
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    keys.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  keys.push_back(path.substr(begin));
  return keys;
}

std::string join_path(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + '.' + std::string(key);
}

std::string quote(std::string_view text) {
  std::string shown;
  std::size_t end = std::min(text.size(), kLongestQuote);
  // never cut within a character
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  for (const char c : text.substr(0, end)) {
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
  }
  return "'" + shown + (end < text.size() ? "…'" : "'");
}

namespace {

/// What `--set velocity.0=1` makes where there is no list.
bool is_list_by_elements(const Node& node) {
  const auto is_position = [](const Entry& entry) {
    return entry.key.find_first_not_of("0123456789") == std::string::npos;
  };
  return node.mark.source != nullptr && node.mark.source->is_override() && !node.entries.empty() &&
         std::all_of(node.entries.begin(), node.entries.end(), is_position);
}

}  // namespace

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::scalar:
      return (node.quoted ? "the text " : "") + quote(node.text);
    case Node::Kind::sequence:
      return node.items.size() == 1 ? "a list of 1 value"
                                    : "a list of " + std::to_string(node.items.size()) + " values";
    case Node::Kind::mapping:
      break;
  }
  if (is_list_by_elements(node)) {
    return "single elements of a list that the file does not have; set the whole list";
  }
  return "a mapping";
}

std::string canonical_text(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "~";
    case Node::Kind::scalar:
      return node.quoted ? quoted_text(node.text) : node.text;
    case Node::Kind::sequence: {
      std::string text = "[";
      for (const NodePtr& item : node.items) text += canonical_text(*item) + ",";
      return text + ']';
    }
    case Node::Kind::mapping:
      break;
  }
  std::string text = "{";
  for (const Entry& entry : node.entries) {
    text += quoted_text(entry.key) + ':' + canonical_text(*entry.value) + ',';
  }
  return text + '}';
}

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
