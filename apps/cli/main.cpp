#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "failure.hpp"
#include "interrupt.hpp"

namespace spacedyn::cli {
namespace {

ExitCode fail(Console& console, const Failure& failure) {
  console.show(failure.diagnostics(), failure.exit_code());
  console.finish();
  return failure.exit_code();
}

/// Runs what the user asked for; every failure ends in a message and an exit code.
ExitCode run(const std::vector<std::string>& arguments) {
  Console console(guess_console_options(arguments));
  try {
    const CommandLine line = parse_command_line(arguments);
    console = Console(line.console);
    end_on_interrupts(console.last_words("interrupted"));
    const ExitCode exit_code = line.command(console);
    console.finish();
    return exit_code;
  } catch (const Failure& failure) {
    return fail(console, failure);
  } catch (const std::exception& error) {
    return fail(console, Failure(ExitCode::internal_error, error.what(),
                                 "this is a fault of spacedyn; please report it"));
  }
}

}  // namespace
}  // namespace spacedyn::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow becomes an ordinary write error
  return static_cast<int>(spacedyn::cli::run(std::vector<std::string>(argv, argv + argc)));
}
