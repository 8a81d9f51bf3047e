/// @file
/// Names of other programs and former versions, with what stands for them here.
#pragma once

#include <string>
#include <string_view>

namespace spacedyn::loading {

/// What to write instead of a name that is often looked for at a key path, as a hint of a message.
///
/// Numbers in the path are looked past: `scenario.forces.0.type` is a `forces.type`.
/// @return empty where nothing is known of the name
std::string_view hint_of_other_name(const std::string& path, std::string_view name);

}  // namespace spacedyn::loading
