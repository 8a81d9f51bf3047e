/// @file
/// What is wrong with a command line, in our own words.
#pragma once

#include <string>
#include <vector>

#include "console.hpp"
#include "failure.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace spacedyn::cli {

/// Refuses a missing or misspelt command. @throws Failure (2)
void check_command_name(const CLI::App& app, const std::vector<std::string>& arguments);

/// The failure that stands for an error of the parser.
Failure command_line_failure(const CLI::App& app, const CLI::ParseError& error);

/// @throws Failure (2) for anything but auto, always and never
ColorMode parse_color(const std::string& text);

}  // namespace spacedyn::cli
