#include "loading/foreign/yaml_of_tree.hpp"

#include <algorithm>
#include <vector>

#include "loading/yaml/yaml_text.hpp"

namespace spacedyn::loading::foreign {
namespace {

std::string scalar_text(const Node& node) { return node.quoted ? name_text(node.text) : node.text; }

std::string flow_text(const Node& node) {
  if (node.is_scalar()) return scalar_text(node);
  std::string text;
  for (const NodePtr& item : node.items) text += (text.empty() ? "" : ", ") + flow_text(*item);
  for (const Entry& entry : node.entries) {
    text += (text.empty() ? "" : ", ") + entry.key + ": " + flow_text(*entry.value);
  }
  return node.is_mapping() ? '{' + text + '}' : '[' + text + ']';
}

/// What has a line for each key or item; all else, such as a pose, is on one line.
bool is_block(const std::string& key, const Node& node) {
  static const std::vector<std::string> kBlocks = {"model", "base",   "links",
                                                   "joint", "frames", "visual"};
  return !node.is_scalar() && std::find(kBlocks.begin(), kBlocks.end(), key) != kBlocks.end();
}

void write_mapping(const Node& node, std::size_t indent, bool starts_line, std::string& out);

void write_value(const std::string& key, const Node& node, std::size_t indent, std::string& out) {
  if (!is_block(key, node)) {
    out += ' ' + flow_text(node) + '\n';
    return;
  }
  out += '\n';
  if (node.is_mapping()) {
    write_mapping(node, indent + 2, true, out);
    return;
  }
  const bool is_flow = key == "visual" || key == "frames";
  for (const NodePtr& item : node.items) {
    out += std::string(indent + 2, ' ') + "- ";
    if (is_flow) {
      out += flow_text(*item) + '\n';
    } else {
      write_mapping(*item, indent + 4, false, out);
    }
  }
}

void write_mapping(const Node& node, std::size_t indent, bool starts_line, std::string& out) {
  for (const Entry& entry : node.entries) {
    if (starts_line) out += std::string(indent, ' ');
    starts_line = true;
    out += entry.key + ':';
    write_value(entry.key, *entry.value, indent, out);
  }
}

}  // namespace

std::string yaml_of(const Node& document) {
  std::string out;
  write_mapping(document, 0, true, out);
  return out;
}

}  // namespace spacedyn::loading::foreign
