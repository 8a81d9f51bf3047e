#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

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

constexpr std::string_view kNoMemory = "spacedyn: error: there is not enough memory\n";

/// Where an exception finds no handler, as one of the memory that a destructor needs.
[[noreturn]] void end_without_handler() {
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    const ssize_t written = ::write(STDERR_FILENO, kNoMemory.data(), kNoMemory.size());
    static_cast<void>(written);  // nowhere to complain to
    ::_exit(static_cast<int>(ExitCode::out_of_memory));
  } catch (...) {
    // a fault of ours
  }
  std::abort();
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
  } catch (const std::bad_alloc&) {
    return fail(console, Failure(ExitCode::out_of_memory, "there is not enough memory",
                                 "fewer rows (output.interval, output.channels), fewer contacts or "
                                 "a smaller model need less"));
  } catch (const std::length_error&) {
    return fail(console, Failure(ExitCode::out_of_memory, "there is not enough memory"));
  } catch (const std::exception& error) {
    return fail(console, Failure(ExitCode::internal_error, error.what(),
                                 "this is a fault of spacedyn; please report it"));
  }
}

}  // namespace
}  // namespace spacedyn::cli

int main(int argc, char** argv) {
  std::set_terminate(&spacedyn::cli::end_without_handler);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow becomes an ordinary write error
  return static_cast<int>(spacedyn::cli::run(std::vector<std::string>(argv, argv + argc)));
}
