/// @file
/// The models, scenarios, sweeps and fits that come with the program.
#pragma once

#include <filesystem>
#include <vector>

namespace spacedyn::cli {

/// Where the shipped models are, found from the place of the running program: installed below
/// share/, or in the build tree. @throws Failure (1) if they are at neither
std::filesystem::path shipped_models();

/// The shipped files of scenarios, sweeps and fits, sorted by name.
std::vector<std::filesystem::path> shipped_examples();
/// Whether one of these is a fit.
bool is_shipped_fit(const std::filesystem::path& file);
/// Whether one of these is an optimization.
bool is_shipped_optimization(const std::filesystem::path& file);
/// Whether one of these is a sweep.
bool is_shipped_sweep(const std::filesystem::path& file);

}  // namespace spacedyn::cli
