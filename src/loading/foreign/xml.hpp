/// @file
/// XML files as a tree with places, and values of its attributes.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loading/yaml/node.hpp"
#include "spacedyn/math/types.hpp"

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

/// The numbers of a text, apart by white space; nothing if one of its words is none.
std::optional<VectorX> parse_numbers(std::string_view text);

/// What an element says, under the name that messages have for it, for instance `link 'arm'`.
class Values {
 public:
  Values(const Element& element, std::string path, ProblemList& problems)
      : element_(element), path_(std::move(path)), problems_(problems) {}

  const Element& element() const { return element_; }
  const std::string& path() const { return path_; }
  ProblemList& problems() const { return problems_; }
  bool has(std::string_view attribute) const { return element_.find(attribute) != nullptr; }

  /// A list of at least and at most so many finite numbers; nothing where absent or wrong.
  std::optional<VectorX> numbers(std::string_view attribute, int least, int most) const;
  Vector3 vector3(std::string_view attribute, const Vector3& fallback) const;
  std::optional<double> number(std::string_view attribute) const;
  double number(std::string_view attribute, double fallback) const;
  /// Reports its absence.
  double required_number(std::string_view attribute) const;
  /// A number that is not negative; zero where it is.
  double not_negative(std::string_view attribute, double fallback) const;
  /// A number that may be infinite, as bounds are; the fallback where absent or wrong.
  double bound(std::string_view attribute, double fallback) const;
  /// `#rrggbb` of three or four numbers from 0 to 1; empty where absent or wrong.
  std::string color(std::string_view attribute) const;
  /// A text that is not empty; its absence is reported.
  std::string required_text(std::string_view attribute) const;

  /// Warns of attributes that are none of those known but like one of them. Others belong to other
  /// programs.
  void check_spelling(const std::vector<std::string>& known) const;

  void error(std::string_view attribute, const std::string& message,
             const std::string& hint = "") const;
  void warning(std::string_view attribute, const std::string& message,
               const std::string& hint = "") const;

 private:
  const Element& element_;
  std::string path_;
  ProblemList& problems_;
};

}  // namespace spacedyn::loading::xml
