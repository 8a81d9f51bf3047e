/// @file
/// The types of force that scenario files know.
#pragma once

#include <string>
#include <vector>

#include "loading/keys/map_reader.hpp"
#include "loading/schema/schema_text.hpp"

namespace spacedyn::loading {

struct ScenarioContext;

/// A type of force: its name, its reader, and what its reader says of the keys.
struct ForceType {
  const char* name;  ///< of `type`
  /// Reads all keys but `type` and `name`, and adds the element to the scenario if it is right.
  void (*read)(ScenarioContext& scenario, MapReader& map, const std::string& name);
  /// The schema of those keys.
  MappingSchema (*schema)();
};

/// All types, in the order of messages and docs.
const std::vector<const ForceType*>& force_types();

/// Schemas of the items of `forces`, one for each type, apart by commas.
std::string force_schemas();

}  // namespace spacedyn::loading
