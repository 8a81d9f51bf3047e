/// @file
/// Named parts of the JSON Schemas. Private.
#pragma once

#include <string>

namespace spacedyn::loading {

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
