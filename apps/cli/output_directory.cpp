#include "output_directory.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "failure.hpp"

namespace spacedyn::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNumber = 9999;
constexpr std::size_t kMaxStem = 100;  // file systems allow 255 bytes, endings included

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

[[noreturn]] void fail(const std::string& message, const std::string& hint = {}) {
  throw Failure(ExitCode::output_failed, message, hint);
}

[[noreturn]] void fail_to_create(const fs::path& path, const std::error_code& error) {
  fail(fmt::format("cannot create directory '{}': {}", path.string(), error.message()));
}

/// Creates a directory and its parents; whether the directory itself is new.
bool create(const fs::path& path) {
  std::error_code error;
  const bool created = fs::create_directories(path, error);
  if (error) fail_to_create(path, error);
  return created;
}

fs::path numbered(const std::string& stem, int number) {
  return fs::path("results") / (number == 1 ? stem : fmt::format("{}-{:03}", stem, number));
}

/// Of the directories of a scenario; 0 if there is none.
int newest_number(const std::string& stem) {
  int number = 0;
  while (number < kMaxNumber && fs::exists(numbered(stem, number + 1))) ++number;
  return number;
}

[[noreturn]] void refuse_to_continue(const OutputDirectory& directory) {
  const std::string why = fmt::format("there is no checkpoint '{}'", directory.checkpoint());
  throw Failure(ExitCode::bad_input, "nothing to resume: " + why,
                fs::exists(directory.result())
                    ? "the run is complete, or it ended before its first checkpoint"
                    : "run the scenario without --resume, or name its directory with -o");
}

fs::path create_numbered(const std::string& stem) {
  const fs::path parent = "results";
  create(parent);
  for (int number = 1; number <= kMaxNumber; ++number) {
    const fs::path path = numbered(stem, number);
    std::error_code error;
    if (fs::create_directory(path, error)) return path;
    if (error && error != std::errc::file_exists) fail_to_create(path, error);
  }
  fail(fmt::format("there are {} directories results/{}… already", kMaxNumber, stem),
       "give another one with -o, or --force to overwrite the first");
}

void remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) fail(fmt::format("cannot overwrite '{}': {}", path, error.message()));
}

}  // namespace

OutputDirectory::OutputDirectory(const std::string& scenario, const std::string& requested,
                                 bool force, ResultFormat format)
    : stem_(file_stem(scenario)), format_(format) {
  if (requested.empty() && !force) {
    path_ = create_numbered(stem_);
    created_ = true;
    return;
  }
  path_ = requested.empty() ? fs::path("results") / stem_ : fs::path(requested);
  created_ = create(path_);
  if (created_) return;
  if (force) {
    // whatever kind the earlier run wrote
    for (const ResultFormat earlier : all_result_formats()) remove_file(result(earlier));
    remove_file(metadata());
    remove_file(checkpoint());
    remove_file(report());
    return;
  }
  std::error_code error;
  const bool is_empty = fs::is_empty(path_, error);
  if (error) fail(fmt::format("cannot look into '{}': {}", path_.string(), error.message()));
  if (is_empty) return;
  fail(fmt::format("'{}' exists already and is not empty", path_.string()),
       fs::exists(checkpoint())
           ? "give --resume to go on with the run in it, or --force to overwrite its results"
           : "choose another directory, or give --force to overwrite the results in it");
}

OutputDirectory OutputDirectory::of_earlier_run(const std::string& scenario,
                                                const std::string& requested, ResultFormat format) {
  const std::string stem = file_stem(scenario);
  if (!requested.empty()) {
    OutputDirectory directory(stem, format, requested);
    if (!fs::exists(directory.checkpoint())) refuse_to_continue(directory);
    return directory;
  }
  for (int number = newest_number(stem); number >= 1; --number) {
    OutputDirectory directory(stem, format, numbered(stem, number));
    if (fs::exists(directory.checkpoint())) return directory;
  }
  refuse_to_continue({stem, format, numbered(stem, std::max(newest_number(stem), 1))});
}

std::string OutputDirectory::result(ResultFormat format) const {
  return (path_ / (stem_ + std::string(extension(format)))).string();
}

void OutputDirectory::discard() const {
  std::error_code ignored;
  fs::remove(result(), ignored);
  fs::remove(metadata(), ignored);
  fs::remove(checkpoint(), ignored);
  if (created_) fs::remove(path_, ignored);
}

std::string file_stem(const std::string& name) {
  std::string stem = name.substr(0, kMaxStem);
  std::replace_if(
      stem.begin(), stem.end(), [](char c) { return !is_plain(c); }, '_');
  return stem.empty() ? "scenario" : stem;
}

}  // namespace spacedyn::cli
