/// @file
/// From the words of a command line to the command to run.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "console.hpp"

namespace spacedyn::cli {

/// A command with its options bound, ready to run.
using Command = std::function<ExitCode(Console&)>;

/// What the user asked for.
struct CommandLine {
  ConsoleOptions console;
  Command command;
};

/// Understands a command line; a request for help or the version is a command, too.
/// @throws Failure (2) saying what is wrong
CommandLine parse_command_line(const std::vector<std::string>& arguments);

/// Options that concern errors, found even where the rest of the command line is wrong.
ConsoleOptions guess_console_options(const std::vector<std::string>& arguments);

}  // namespace spacedyn::cli
