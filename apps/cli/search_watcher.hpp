/// @file
/// What fits and optimizations have in common on the command line.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "progress.hpp"
#include "spacedyn/optimization/fit.hpp"

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

/// Writes files into the directory that the options ask for.
/// @return what @p write returns. @throws Failure
std::vector<std::string> into_directory(
    const SearchCommandOptions& options, const std::string& name,
    const std::function<std::vector<std::string>(const std::string& folder)>& write);

}  // namespace spacedyn::cli
