#include "search_watcher.hpp"

#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "failure.hpp"
#include "interrupt.hpp"
#include "simulation_run.hpp"
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

namespace {

/// @throws Failure where a directory cannot be used
template <typename Use>
auto using_directory(const Use& use) {
  try {
    return use();
  } catch (const OutputDirectoryError& error) {
    throw directory_failure(error);
  }
}

}  // namespace

SearchFolder::SearchFolder(const SearchCommandOptions& options, const std::string& name)
    : is_default_(options.output.empty()),
      directory_(using_directory([&]() -> OutputDirectory {
        if (options.resume) {
          auto earlier = OutputDirectory::newest(name, options.output, ResultFormat::hdf5);
          if (earlier) return *earlier;
        }
        return OutputDirectory(name, options.output, ResultFormat::hdf5,
                               options.force ? ExistingFiles::overwrite : ExistingFiles::keep);
      })),
      lock_(using_directory([&] { return hold_directory(directory_.path()); })),
      is_taken_(options.resume) {}

SearchFolder::~SearchFolder() {
  if (is_taken_) return;
  directory_.discard();
  std::error_code ignored;  // of a folder that has other things in it
  if (is_default_) std::filesystem::remove(directory_.path().parent_path(), ignored);
}

std::vector<std::string> SearchFolder::take(
    const std::function<std::vector<std::string>(const std::string& folder)>& write) {
  is_taken_ = true;
  try {
    return write(directory_.path().string());
  } catch (const IoError& error) {
    throw Failure(ExitCode::output_failed, error.what());
  }
}

}  // namespace spacedyn::cli
