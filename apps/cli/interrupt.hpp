/// @file
/// Ctrl-C as a request that a run can honour.
#pragma once

namespace spacedyn::cli {

/// From now on the first SIGINT or SIGTERM is only remembered; the second one ends the program.
void catch_interrupts();

/// Whether an interrupt has been asked for.
bool interrupt_requested();

}  // namespace spacedyn::cli
