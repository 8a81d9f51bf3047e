#include "search_watcher.hpp"

#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "failure.hpp"
#include "interrupt.hpp"
#include "simulation_run.hpp"
#include "spacedyn/scenario/output_directory.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {

SearchWatcher::SearchWatcher(const Console& console, const SearchCommandOptions& options,
                             const char* goal)
    : goal_(goal),
      events_(!options.no_progress && !console.options().quiet && console.options().json),
      line_(!options.no_progress && !console.options().quiet && !console.options().json &&
            error_is_terminal()),
      next_event_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

bool SearchWatcher::on_progress(const SearchProgress& progress) {
  line_.update(fmt::format("iteration {}, {} flights, {} {:.6g}, {}", progress.iterations,
                           progress.flights, goal_, progress.cost,
                           time_text(progress.wall_seconds)));
  const auto now = std::chrono::steady_clock::now();
  if (events_ && now >= next_event_) {
    next_event_ = now + std::chrono::seconds(1);
    const std::string text = nlohmann::ordered_json{{"event", "progress"},
                                                    {"iterations", progress.iterations},
                                                    {"flights", progress.flights},
                                                    {goal_, progress.cost},
                                                    {"wall_seconds", progress.wall_seconds}}
                                 .dump() +
                             '\n';
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
  }
  return !interrupt_requested();
}

std::string written_text(const SearchCommandOptions& options, const std::vector<std::string>& files,
                         const std::string& scenario) {
  std::string text = "files\n";
  for (const std::string& file : files) text += "  " + file + '\n';
  return text +
         fmt::format("next: {} simulate {}\n", shell_word(options.program), shell_word(scenario));
}

std::vector<std::string> into_directory(
    const SearchCommandOptions& options, const std::string& name,
    const std::function<std::vector<std::string>(const std::string& folder)>& write) {
  try {
    const OutputDirectory directory(name, options.output, ResultFormat::hdf5,
                                    options.force ? ExistingFiles::overwrite : ExistingFiles::keep);
    return write(directory.path().string());
  } catch (const OutputDirectoryError& error) {
    throw directory_failure(error);
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
}

}  // namespace spacedyn::cli
