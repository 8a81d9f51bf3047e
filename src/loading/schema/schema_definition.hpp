/// @file
/// Named parts of the JSON Schemas. Private.
#pragma once

#include <string>

namespace spacedyn::loading {

/// A part that others refer to by its name, described beside its reader (reference_schema()).
struct SchemaDefinition {
  const char* name;
  std::string (*schema)();
};

/// @name Definitions as members of `$defs`
/// @{
/// What models and scenarios share.
std::string model_definitions();
/// What scenarios alone have.
std::string scenario_definitions();
/// @}

}  // namespace spacedyn::loading
