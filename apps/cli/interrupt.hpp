/// @file
/// Ctrl-C and SIGTERM, which end the program soon wherever it is.
#pragma once

#include <string>

namespace spacedyn::cli {

/// From now on SIGINT and SIGTERM end the program at once, with exit code 130.
/// @param message   then goes to standard error
/// @param unfinished  a file in work that is removed then; may be empty
void end_on_interrupts(const std::string& message, const std::string& unfinished = {});

/// From now on the first SIGINT or SIGTERM is only remembered; the second one ends the program.
void catch_interrupts();

/// Whether an interrupt has been asked for.
bool interrupt_requested();

/// The interrupt has been answered: the next one counts as the first.
void forget_interrupt();

/// Whether one has been asked for so long ago that no work can be waited for.
bool interrupt_is_overdue();

}  // namespace spacedyn::cli
