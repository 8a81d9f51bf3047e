/// @file
/// JSON Schemas from what readers say of their keys.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "loading/yaml/scalars.hpp"

namespace spacedyn::loading {

/// With members in the order in which they are added.
using Json = nlohmann::ordered_json;

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
Json number_schema(const std::vector<Quantity>& kinds, std::string_view title = "",
                   const Bounds& bounds = {});
Json text_schema(std::string_view title = "");
/// A text of at least one character.
Json path_schema(std::string_view title = "");
Json choice_schema(const std::vector<std::string>& choices, std::string_view title = "");
Json constant_schema(std::string_view text);
Json boolean_schema(std::string_view title = "");
Json whole_number_schema(int least, std::string_view title = "",
                         int most = std::numeric_limits<int>::max());
/// A text that a regular expression matches.
Json pattern_schema(std::string_view pattern, std::string_view title = "");
/// A list of items of one schema.
Json list_schema(const Json& item, int size, std::string_view title = "");
/// Three numbers.
Json vector_schema(const Quantity& quantity, std::string_view title = "");
/// A list of any length from `least` on.
Json series_schema(const Json& item, int least = 0, std::string_view title = "");
/// A list of different texts.
Json names_schema(std::string_view title = "", int least = 1);
/// One number, or a list of one for each component.
Json each_schema(const std::vector<Quantity>& kinds, std::string_view title = "");
/// A mapping of any names, at least so many, to items of one schema.
Json by_name_schema(const Json& item, std::string_view title, int least = 0);
/// One or more of several schemas, or exactly one.
Json any_of_schema(const std::vector<Json>& schemas, std::string_view title = "");
Json one_of_schema(const std::vector<Json>& schemas, std::string_view title = "");
/// A list with a schema for each item.
Json tuple_schema(const std::vector<Json>& items, std::string_view title = "");
/// A definition, by its name.
Json reference_schema(std::string_view definition, std::string_view title = "");
/// @}

/// @name Rules of a mapping, for MappingSchema::add_rule()
/// @{
/// All of some keys.
Json required_rule(const std::vector<std::string>& keys);
/// At least one of some keys, exactly one, or at most one.
Json some_key_rule(const std::vector<std::string>& keys);
Json one_key_rule(const std::vector<std::string>& keys);
Json at_most_one_key_rule(const std::vector<std::string>& keys);
/// None of some keys.
Json no_key_rule(const std::vector<std::string>& keys);
/// Several rules at once.
Json all_rules(const std::vector<Json>& rules);
/// A key with a certain value.
Json value_rule(std::string_view key, const Json& value);
/// One rule where another one holds, a third one where it does not; empty ones for none.
Json if_rule(const Json& condition, const Json& then, const Json& otherwise = {});
/// @}

enum class Presence { optional, required };

/// Schema of a mapping, key by key. Every mapping may carry `description` and `source`.
class MappingSchema {
 public:
  explicit MappingSchema(std::string_view title) : title_(title) {}

  MappingSchema& require(std::string_view key, const Json& schema);
  MappingSchema& allow(std::string_view key, const Json& schema);
  MappingSchema& add(Presence presence, std::string_view key, const Json& schema);
  /// Members of the schema beside the keys, such as `{"oneOf": […]}`.
  MappingSchema& add_rule(const Json& rule);
  /// A schema that the mapping has to match beside this one.
  MappingSchema& add_condition(const Json& schema);
  /// The whole.
  operator Json() const;  // NOLINT(google-explicit-constructor): a mapping stands for its schema

 private:
  std::string title_;
  Json properties_ = Json::object(), rules_ = Json::object();
  std::vector<std::string> required_;
};

/// A part that others refer to by its name, see reference_schema(). An object of this type beside
/// the reader of the part makes it known.
struct SchemaDefinition {
  SchemaDefinition(const char* name, Json (*schema)());
};

/// Schema of a file with a top-level key beside its version, which a definition describes.
std::string file_schema(const std::string& key);

}  // namespace spacedyn::loading
