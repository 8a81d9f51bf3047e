/// @file
/// XML as a tree with a place for each element and attribute; the only place that knows the parser.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loading/yaml/problem_list.hpp"
#include "loading/yaml/source.hpp"

namespace spacedyn::loading::xml {

struct Attribute {
  std::string name;
  std::string value;
  Mark mark;
};

struct Element {
  std::string name;
  Mark mark;
  std::vector<Attribute> attributes;
  std::vector<Element> children;
  std::size_t model = 0;  ///< which of several models that were put together it is from

  /// An attribute, or nothing.
  const Attribute* find(std::string_view attribute) const;
  /// The first child of a name, or nothing.
  const Element* child(std::string_view element) const;
  /// Value of an attribute, empty where it is absent.
  std::string text(std::string_view attribute) const;
  /// Place of an attribute, of the element where it is absent.
  const Mark& mark_of(std::string_view attribute) const;
};

/// Most elements within one another. A file has some hundred, but what it includes, attaches
/// and repeats stands within them, and each takes its share of the stack.
inline constexpr std::size_t kMostNested = 1200;

/// Whether elements are nested no deeper than kMostNested; else that is reported.
bool check_nesting(const Element& root, ProblemList& problems);

/// The root element of a source; what is no XML is reported.
///
/// As the parsers of urdfdom and MuJoCo, accepts dashes inside comments and an XML declaration
/// after a comment, which the standard does not.
std::optional<Element> parse(const Source& source, ProblemList& problems);

}  // namespace spacedyn::loading::xml
