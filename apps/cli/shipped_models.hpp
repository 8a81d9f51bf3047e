/// @file
/// The models and scenarios that come with the program.
#pragma once

#include <filesystem>
#include <vector>

namespace spacedyn::cli {

/// Where the shipped models are, found from the place of the running program: installed below
/// share/, or in the build tree. @throws Failure (1) if they are at neither
std::filesystem::path shipped_models();

/// The shipped scenario files, sorted by name.
std::vector<std::filesystem::path> shipped_scenarios();

}  // namespace spacedyn::cli
