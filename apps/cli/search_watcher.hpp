/// @file
/// What fits and optimizations have in common on the command line.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "failure.hpp"
#include "inputs.hpp"
#include "progress.hpp"
#include "spacedyn/error.hpp"
#include "spacedyn/optimization/fit.hpp"
#include "spacedyn/scenario/output_directory.hpp"

namespace spacedyn::cli {

/// Shows how far a search has come, and hears interrupts.
class SearchWatcher final : public SearchObserver {
 public:
  /// @param goal  what is minimized
  SearchWatcher(const Console& console, const SearchCommandOptions& options, const char* goal);

  bool on_progress(const SearchProgress& progress) override;
  void clear() { line_.clear(); }

 private:
  const char* goal_;
  bool events_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point next_event_;
};

/// Runs a search; what stops it gets the exit code of its kind. @throws Failure
template <typename Run>
auto searching(const SearchCommandOptions& options, const Run& run) {
  try {
    return run();
  } catch (const NumericalError& error) {
    throw Failure(ExitCode::integration_failed, error.what());
  } catch (const Error& error) {
    throw Failure(ExitCode::bad_input, diagnostics_of(error, options.file));
  }
}

/// A line for each file that has been written, and the command that flies the scenario among them.
std::string written_text(const SearchCommandOptions& options, const std::vector<std::string>& files,
                         const std::string& scenario);

/// How a search has ended.
template <typename Result>
ExitCode exit_code_of(const Result& result) {
  if (result.interrupted) return ExitCode::interrupted;
  return result.converged ? ExitCode::done : ExitCode::integration_failed;
}

/// The directory that the options ask for, taken before a search of hours could find that it
/// cannot be used; gone again where nothing comes into it.
class SearchFolder {
 public:
  /// @throws Failure
  SearchFolder(const SearchCommandOptions& options, const std::string& name);
  ~SearchFolder();
  SearchFolder(const SearchFolder&) = delete;
  SearchFolder& operator=(const SearchFolder&) = delete;

  std::string path() const { return directory_.path().string(); }
  /// @return what a function returns that writes files into it. @throws Failure
  std::vector<std::string> take(
      const std::function<std::vector<std::string>(const std::string& folder)>& write);

 private:
  bool is_default_;  ///< below results/
  OutputDirectory directory_;
  std::shared_ptr<const void> lock_;  ///< of the directory, for this search alone
  bool is_taken_ = false;             ///< or holds what an earlier search has left
};

}  // namespace spacedyn::cli
