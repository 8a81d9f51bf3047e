#include <algorithm>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "commands.hpp"
#include "inputs.hpp"
#include "json.hpp"
#include "new_files.hpp"
#include "shipped_models.hpp"
#include "spacedyn/optimization/optimize.hpp"
#include "spacedyn/study/sweep.hpp"
#include "suggestions.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

/// The comment on the first line of a file, which says what happens in one sentence.
std::string title(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line.compare(0, 2, "# ") == 0 ? line.substr(2) : "";
}

std::string description(const fs::path& file) {
  if (is_shipped_sweep(file)) {
    return reading(file.string(),
                   [&] { return Sweep::load(file.string()).settings().notes.description; });
  }
  if (is_shipped_fit(file)) {
    return reading(file.string(),
                   [&] { return Fit::load(file.string()).settings().notes.description; });
  }
  if (is_shipped_optimization(file)) {
    return reading(file.string(),
                   [&] { return Optimization::load(file.string()).settings().notes.description; });
  }
  return reading(file.string(), [&] { return load_scenario(file.string()).notes.description; });
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

/// What a scenario says of itself, before its set-up begins.
std::string words_of(const fs::path& file) {
  std::ifstream stream(file);
  std::string text = file.stem().string();
  for (std::string line; std::getline(stream, line) && line.rfind("  source:", 0) != 0;) {
    text += '\n' + line;
  }
  return lower_case(text);
}

/// Those that have a word in their name, title or description; all for an empty word.
std::vector<fs::path> scenarios_about(const std::string& word) {
  std::vector<fs::path> files = shipped_examples();
  const std::string wanted = lower_case(word);
  const auto is_other = [&](const fs::path& file) {
    return words_of(file).find(wanted) == std::string::npos;
  };
  files.erase(std::remove_if(files.begin(), files.end(), is_other), files.end());
  return files;
}

bool is_shipped(const std::string& name) {
  const std::vector<fs::path> files = shipped_examples();
  return std::any_of(files.begin(), files.end(),
                     [&](const fs::path& file) { return file.stem() == name; });
}

void list(const std::vector<fs::path>& files, const ExamplesOptions& options, Console& console) {
  if (console.options().json) {
    Json json = Json::array();
    for (const fs::path& file : files) {
      json.push_back({{"name", file.stem().string()},
                      {"title", title(file)},
                      {"description", description(file)},
                      {"file", file.string()}});
    }
    console.print(json_text(json));
    return;
  }
  std::size_t width = 0;
  for (const fs::path& file : files) width = std::max(width, file.stem().string().size());
  for (const fs::path& file : files) {
    console.print(fmt::format("{:<{}}  {}\n", file.stem().string(), width, title(file)));
  }
  console.note(fmt::format("next: {} examples {}", shell_word(options.program),
                           files.empty() ? "NAME" : files.front().stem().string()));
}

fs::path find_scenario(const std::string& name) {
  std::vector<std::string> names;
  for (const fs::path& file : shipped_examples()) {
    names.push_back(file.stem().string());
    if (names.back() == name) return file;
  }
  const std::string hint = did_you_mean(name, names);
  throw Failure(ExitCode::wrong_command_line, "there is no example '" + name + "'",
                hint.empty() ? "'spacedyn examples' lists them" : hint);
}

/// A scenario, a sweep or a fit and the files it reads, at the places relative to each other that
/// it expects.
std::vector<NewFile> files_of(const fs::path& scenario) {
  const fs::path root = shipped_models();
  std::vector<NewFile> files;
  const std::string file = scenario.string();
  const auto sources = reading(file, [&] {
    if (is_shipped_fit(scenario)) return Fit::load(file).sources();
    if (is_shipped_optimization(scenario)) return Optimization::load(file).sources();
    return is_shipped_sweep(scenario) ? Sweep::load(file).sources() : load_scenario(file).sources;
  });
  for (const auto& [path, text] : sources) {
    files.push_back({fs::canonical(path).lexically_relative(root), text});
  }
  return files;
}

void copy(const ExamplesOptions& options, Console& console) {
  const fs::path scenario = find_scenario(options.name);
  const std::vector<NewFile> files = files_of(scenario);
  write_new_files(files, true);
  const fs::path copied = scenario.lexically_relative(shipped_models());
  report_new_files(files, console,
                   fmt::format("next: {} {} {}", shell_word(options.program),
                               is_shipped_optimization(scenario) ? "optimize"
                               : is_shipped_fit(scenario)        ? "fit"
                               : is_shipped_sweep(scenario)      ? "sweep"
                                                                 : "simulate",
                               shell_word(copied.string())));
}

}  // namespace

ExitCode run_examples(const ExamplesOptions& options, Console& console) {
  const bool is_topic = options.name.empty() || !is_shipped(options.name);
  const std::vector<fs::path> files =
      is_topic ? scenarios_about(options.name) : std::vector<fs::path>();
  if (files.empty()) {
    copy(options, console);  // or say that there is none
  } else {
    list(files, options, console);
  }
  return ExitCode::done;
}

}  // namespace spacedyn::cli
