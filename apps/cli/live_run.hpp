/// @file
/// Runs of a scenario that are watched while they go on.
#pragma once

#include "commands.hpp"

namespace spacedyn::cli {

/// Serves a page of the running scenario until an interrupt; changed parameters start it again.
/// The results of the last run are kept. @throws Failure
ExitCode run_live(const ViewOptions& options, Console& console);

}  // namespace spacedyn::cli
