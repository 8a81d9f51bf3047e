/// @file
/// Writes JSON Schemas from what readers say of their keys.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loading/units.hpp"

namespace spacedyn::loading {

/// Limits of a number beside the range of its quantity.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();

  bool admit(double number) const { return number >= least && number <= most; }
};

/// @name Schema of one value
/// @{
/// A number, alone or with a unit of one of several quantities with one range.
std::string number_schema(const std::vector<Quantity>& kinds, std::string_view title = "",
                          const Bounds& bounds = {});
std::string text_schema(std::string_view title = "");
std::string choice_schema(const std::vector<std::string>& choices, std::string_view title = "");
std::string constant_schema(std::string_view text);
/// A list of items of one schema.
std::string list_schema(const std::string& item, int size, std::string_view title = "");
/// A list of any length from `least` on.
std::string series_schema(const std::string& item, int least);
/// A list of two.
std::string pair_schema(const std::string& first, const std::string& second,
                        std::string_view title = "");
/// A definition, by its name.
std::string reference_schema(std::string_view definition);
/// A schema as a member of an object.
std::string member_schema(std::string_view name, const std::string& schema);
/// @}

/// Schema of a mapping, key by key. Every mapping may carry `description` and `source`.
class MappingSchema {
 public:
  explicit MappingSchema(std::string_view title) : title_(title) {}

  MappingSchema& require(std::string_view key, const std::string& schema);
  MappingSchema& allow(std::string_view key, const std::string& schema);
  /// Members of the schema beside the keys, such as `"oneOf": […]`.
  MappingSchema& add_rule(std::string rule);
  std::string text() const;

 private:
  std::string title_;
  std::vector<std::pair<std::string, std::string>> properties_;
  std::vector<std::string> required_;
  std::vector<std::string> rules_;
};

}  // namespace spacedyn::loading
