#include "loading/yaml/node.hpp"

#include <algorithm>

#include "loading/yaml/yaml_text.hpp"

namespace spacedyn::loading {
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

}  // namespace spacedyn::loading
