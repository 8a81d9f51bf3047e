#include "command_line.hpp"

#include <algorithm>

#include "grammar.hpp"

namespace spacedyn::cli {

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  Grammar grammar(arguments.empty() ? "spacedyn" : arguments.front());
  return grammar.parse({arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end()});
}

ConsoleOptions guess_console_options(const std::vector<std::string>& arguments) {
  const auto given = [&](const char* word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
  };
  ConsoleOptions options;
  options.json = given("--json");
  if (given("--color=never")) options.color = ColorMode::never;
  if (given("--color=always")) options.color = ColorMode::always;
  return options;
}

}  // namespace spacedyn::cli
