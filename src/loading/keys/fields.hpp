/// @file
/// Keys with numbers, described once for their reader and for their schema.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema_text.hpp"
#include "loading/yaml/numbers.hpp"

namespace spacedyn::loading {

/// A key whose number goes into a member of `Settings`, whose value is the default.
template <typename Settings>
struct Field {
  const char* key;
  const char* title;  ///< for editors
  Quantity quantity;
  double& (*member)(Settings&);
  Presence presence = Presence::optional;
  Bounds bounds = {};
};

template <typename Settings>
using Fields = std::vector<Field<Settings>>;

/// `from 1 to 2`, `of at least 1`, `of at most 2`, `below 3`.
inline std::string bounds_text(const Bounds& bounds) {
  if (std::isfinite(bounds.below)) return fmt::format("below {}", bounds.below);
  if (std::isinf(bounds.least)) return fmt::format("of at most {}", bounds.most);
  if (std::isinf(bounds.most)) return fmt::format("of at least {}", bounds.least);
  return fmt::format("from {} to {}", bounds.least, bounds.most);
}

/// Reads the number of each field.
/// @returns whether all that are required were there and all were right
template <typename Settings>
bool read_fields(MapReader& map, const Fields<Settings>& fields, Settings& settings) {
  const std::size_t errors_before = map.problems().error_count();
  bool complete = true;
  for (const Field<Settings>& field : fields) {
    const std::size_t wrong_before = map.problems().error_count();
    double& member = field.member(settings);
    if (field.presence == Presence::required) {
      complete = complete && map.has(field.key);
      member = map.required_number(field.key, field.quantity);
    } else {
      member = map.number(field.key, field.quantity, member);
    }
    if (map.problems().error_count() == wrong_before && map.has(field.key) &&
        !field.bounds.admit(member)) {
      map.error_at(field.key, fmt::format("expected a number {}, got {}", bounds_text(field.bounds),
                                          format_number(member)));
    }
  }
  return complete && map.problems().error_count() == errors_before;
}

/// Adds the fields to the schema of their mapping; `most` is optional where what is required
/// depends on other keys.
template <typename Settings>
void describe_fields(const Fields<Settings>& fields, MappingSchema& schema,
                     Presence most = Presence::required) {
  for (const Field<Settings>& field : fields) {
    const std::string number = number_schema({field.quantity}, field.title, field.bounds);
    if (field.presence == Presence::required && most == Presence::required) {
      schema.require(field.key, number);
    } else {
      schema.allow(field.key, number);
    }
  }
}

}  // namespace spacedyn::loading
