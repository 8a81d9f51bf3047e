/// @file
/// Writes JSON Schemas from what readers say of their keys.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loading/yaml/units.hpp"

namespace spacedyn::loading {

/// Limits of a number beside the range of its quantity.
struct Bounds {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();

  bool admit(double number) const {
    // infinity is not below itself
    const bool is_below = std::isinf(below) || number < below;
    return number >= least && number <= most && is_below;
  }
};

/// From 0 to 1, of a quantity that is not negative.
inline constexpr Bounds kAtMostOne{0.0, 1.0};

/// @name Schema of one value
/// @{
/// A number, alone or with a unit of one of several quantities with one range.
std::string number_schema(const std::vector<Quantity>& kinds, std::string_view title = "",
                          const Bounds& bounds = {});
std::string text_schema(std::string_view title = "");
/// A text of at least one character.
std::string path_schema(std::string_view title = "");
std::string choice_schema(const std::vector<std::string>& choices, std::string_view title = "");
std::string constant_schema(std::string_view text);
std::string boolean_schema(std::string_view title = "");
std::string whole_number_schema(int least, std::string_view title = "",
                                int most = std::numeric_limits<int>::max());
/// A text that a regular expression matches.
std::string pattern_schema(std::string_view pattern, std::string_view title = "");
/// A list of items of one schema.
std::string list_schema(const std::string& item, int size, std::string_view title = "");
/// Three numbers.
std::string vector_schema(const Quantity& quantity, std::string_view title = "");
/// A list of any length from `least` on.
std::string series_schema(const std::string& item, int least = 0, std::string_view title = "");
/// A list of different texts.
std::string names_schema(std::string_view title = "", int least = 1);
/// One number, or a list of one for each component.
std::string each_schema(const std::vector<Quantity>& kinds, std::string_view title = "");
/// A mapping of any names, at least so many, to items of one schema.
std::string by_name_schema(const std::string& item, std::string_view title, int least = 0);
/// One or more of several schemas, or exactly one.
std::string any_of_schema(const std::vector<std::string>& schemas, std::string_view title = "");
std::string one_of_schema(const std::vector<std::string>& schemas, std::string_view title = "");
/// A list with a schema for each item.
std::string tuple_schema(const std::vector<std::string>& items, std::string_view title = "");
/// A definition, by its name.
std::string reference_schema(std::string_view definition, std::string_view title = "");
/// A schema as a member of an object.
std::string member_schema(std::string_view name, const std::string& schema);
/// @}

/// @name Rules of a mapping, for MappingSchema::add_rule()
/// @{
/// All of some keys.
std::string required_rule(const std::vector<std::string>& keys);
/// At least one of some keys, exactly one, or at most one.
std::string some_key_rule(const std::vector<std::string>& keys);
std::string one_key_rule(const std::vector<std::string>& keys);
std::string at_most_one_key_rule(const std::vector<std::string>& keys);
/// Exactly one of some schemas.
std::string one_of_rule(const std::vector<std::string>& schemas);
/// @}

enum class Presence { optional, required };

/// Schema of a mapping, key by key. Every mapping may carry `description` and `source`.
class MappingSchema {
 public:
  explicit MappingSchema(std::string_view title) : title_(title) {}

  MappingSchema& require(std::string_view key, const std::string& schema);
  MappingSchema& allow(std::string_view key, const std::string& schema);
  MappingSchema& add(Presence presence, std::string_view key, const std::string& schema);
  /// Members of the schema beside the keys, such as `"oneOf": […]`.
  MappingSchema& add_rule(std::string rule);
  /// A schema that the mapping has to match beside this one.
  MappingSchema& add_condition(std::string schema);
  std::string text() const { return '{' + members() + '}'; }
  std::string members() const;

 private:
  std::string title_;
  std::vector<std::pair<std::string, std::string>> properties_;
  std::vector<std::string> required_;
  std::vector<std::string> rules_;
  std::vector<std::string> conditions_;
};

/// A part that others refer to by its name, see reference_schema(). An object of this type beside
/// the reader of the part makes it known.
struct SchemaDefinition {
  SchemaDefinition(const char* name, std::string (*schema)());
};

/// Members of `$defs`: a definition and all those that it refers to.
std::string definitions_of(const std::string& name);

/// Schema of a file with a top-level key beside its version, which a definition describes.
std::string file_schema(const std::string& key);

}  // namespace spacedyn::loading
