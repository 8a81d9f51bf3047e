/// @file
/// Reads attributes of XML elements strictly; every problem is reported at its place.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loading/foreign/xml.hpp"
#include "spacedyn/math/types.hpp"

namespace spacedyn::loading::xml {

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
